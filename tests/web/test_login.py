"""Showing a key in a browser, and what it then opens."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from gieok.domain.server_state import Bounds
from gieok.web.kit import PATHS
from support.browsing import SECONDS, Locked, picture, watch


@pytest.fixture(scope="module")
def told(locked: Locked) -> Locked:
    """A server where something has been said."""
    for user in ("민수", "지아"):
        locked.says(f"나는 {user}만 아는 고양이를 좋아해", scope={"user": user, "character": "레티아"})
    return locked


@pytest.fixture
def other(browser: Browser) -> Iterator[Page]:
    """A page of another browser."""
    context = browser.new_context(locale="ko-KR")
    context.set_default_timeout(SECONDS)
    page = context.new_page()
    troubles = watch(page)
    yield page
    context.close()
    assert not troubles, troubles


def show(page: Page, key: str) -> None:
    page.get_by_label("키", exact=True).fill(key)
    page.get_by_role("button", name="들어가기").click()


def arrive(page: Page, house: Locked, key: str, path: str = "/memories") -> None:
    page.goto(house.address(path))
    expect(page).to_have_title("기억 들여다보기 · gieok 기억")
    show(page, key)
    expect(page.locator("nav [aria-current=page]")).to_be_visible()
    page.wait_for_function("window.socket && window.socket.connected")


def test_a_key_opens_the_page_that_was_asked_for_and_leaving_closes_it(page: Page, told: Locked):
    asked = "/memories?user=%EC%A7%80%EC%95%84&character=%EB%A0%88%ED%8B%B0%EC%95%84"
    page.goto(told.address(asked))
    expect(page.get_by_label("키", exact=True)).to_be_focused()
    picture(page, "login-light")
    page.keyboard.type(told.master)
    page.keyboard.press("Enter")

    expect(page).to_have_url(told.address(asked))
    expect(page.locator(".g-whose")).to_contain_text("지아")
    assert page.evaluate("document.cookie") == ""
    assert told.master not in page.content()

    page.get_by_role("button", name="나가기").click()
    expect(page).to_have_url(told.address("/login"))
    page.goto(told.address("/memories"))
    expect(page.get_by_label("키", exact=True)).to_be_visible()


def test_a_link_from_another_site_opens_at_once_for_who_has_shown_a_key(page: Page, told: Locked, house):
    arrive(page, told, told.master)
    page.goto(house.address("/look/icon.svg").replace("127.0.0.1", "localhost"))
    page.evaluate(f"location.href = '{told.address('/ask')}'")
    expect(page).to_have_url(told.address("/ask"))


def test_a_wrong_key_is_told_and_the_right_one_may_follow(page: Page, told: Locked, browser: Browser):
    context = browser.new_context(locale="ko-KR")
    with_troubles = context.new_page()  # the browser's console names the refusal
    with_troubles.goto(told.address("/upkeep"))
    show(with_troubles, "gk_wrong")
    alert = with_troubles.get_by_role("alert")
    expect(alert).to_contain_text("열리지 않는 키예요")
    expect(with_troubles.get_by_label("키", exact=True)).to_have_attribute("aria-invalid", "true")
    show(with_troubles, told.master)
    expect(with_troubles).to_have_url(told.address("/upkeep"))
    context.close()


def test_a_key_that_is_taken_back_leads_open_pages_to_the_login(page: Page, other: Page, told: Locked):
    gone = told.key()
    arrive(page, told, gone)
    arrive(other, told, told.master)

    told.revoke(gone)

    expect(page).to_have_url(told.address("/login"))  # though nobody touched it
    show(page, told.master)
    expect(page.locator("nav [aria-current=page]")).to_be_visible()
    other.get_by_role("button", name="English").click()
    expect(other.locator("html")).to_have_attribute("lang", "en")


def test_leaving_in_one_window_closes_the_others(page: Page, told: Locked):
    arrive(page, told, told.master)
    second = page.context.new_page()
    second.goto(told.address("/scopes"))
    second.wait_for_function("window.socket && window.socket.connected")
    page.get_by_role("button", name="나가기").click()
    expect(second).to_have_url(told.address("/login"))


def test_a_bounded_key_sees_its_own_part_and_is_told_what_it_does_not_open(page: Page, told: Locked):
    arrive(page, told, told.key(role="reader", bounds=[Bounds(user="민수")]))
    expect(page.locator(".g-whose")).to_contain_text("민수")
    for path in PATHS.values():
        page.goto(told.address(path, user="지아", character="레티아"))
        if path == PATHS["scopes"]:
            expect(page.locator("main")).not_to_contain_text("지아")
        else:
            expect(page.get_by_role("status").first).to_contain_text("이 키로는 할 수 없어요")
        expect(page.locator("main")).not_to_contain_text("지아만 아는")
    page.goto(told.address("/memories"))
    expect(page.locator(".g-whose")).to_contain_text("민수")


def test_a_page_whose_visit_is_gone_when_it_comes_back_does_not_wait_for_ever(told: Locked, browser: Browser):
    """As after a restart of the server, which knows no visits any more."""
    context = browser.new_context(locale="ko-KR")
    page = context.new_page()  # its console tells of the socket that was refused
    arrive(page, told, told.master, "/scopes")
    context.clear_cookies()
    page.evaluate("window.socket.io.engine.close()")
    expect(page.get_by_label("키", exact=True)).to_be_visible()
    context.close()
