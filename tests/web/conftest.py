"""One server and one browser for all tests of a worker; every test has a user, and a browser window, of its own.

A browser on a busy machine now and then loses a click: what fails here is tried once more, as another user, and `make
check` lists it as RERUN. What is broken fails twice.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from support.browsing import SECONDS, House, Locked, made_key, opened_browser, watch
from support.serve_command import Command

expect.set_options(timeout=SECONDS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with opened_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with Command(tmp_path_factory.mktemp("house")) as command:
        yield House(command.address(), command)


@pytest.fixture(scope="session")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Locked]:
    """A server that asks for keys."""
    folder = tmp_path_factory.mktemp("locked")
    master = made_key(folder, "문지기", "--role", "admin")
    with Command(folder, GIEOK_SERVE_KEYS="always", GIEOK_SERVE_LOG_TEXT="true") as command:
        yield Locked(command.address(), command, folder / "bank.db", master)


@pytest.fixture
def scope(request: pytest.FixtureRequest) -> dict[str, str]:
    name, attempt = request.node.name[:80], getattr(request.node, "execution_count", 1)
    return {"user": name if attempt == 1 else f"{name} {attempt}", "character": "레티아", "world": "별의 학원"}


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has never been here. What goes wrong in it fails the test."""
    context = browser.new_context(locale="ko-KR", viewport={"width": 1280, "height": 900}, color_scheme="light")
    context.set_default_timeout(SECONDS)
    page = context.new_page()
    troubles = watch(page)
    yield page
    context.close()
    assert not troubles, troubles
