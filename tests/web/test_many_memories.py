"""A hundred thousand memories in one mind: its pages are there as if it were a few."""

import multiprocessing
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from gieok.domain.scope import Scope
from gieok.embedders import HashingEmbedder
from scaling.loading import Loader
from scaling.made_up import ITEMS_OF_A_TURN, people, questions
from support.browsing import House, visit
from support.serve_command import Command

MEMORIES = 100_000
SCOPE = Scope(user="민수", character="레티아")
GOAL = 2.0  #: seconds until a page can be used
BEARABLE = 10.0  #: … that no machine may need, however busy


def fill(path: Path) -> None:
    """Write a bank of one mind: turns that each gave one memory, judged and indexed as the engine does."""
    embedder = HashingEmbedder()
    told = people(embedder.dimension, questions(5)).talk(SCOPE, MEMORIES * ITEMS_OF_A_TURN)
    free = (replace(each, claims=tuple(replace(c, attribute=None, value=None) for c in each.claims)) for each in told)
    with Loader(path, embedder=embedder.name, dimension=embedder.dimension) as loader:
        loader.load(SCOPE, free)


@pytest.fixture(scope="module")
def crowded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    folder = tmp_path_factory.mktemp("crowded")
    filling = multiprocessing.get_context("spawn").Process(target=fill, args=(folder / "bank.db",))
    filling.start()
    filling.join()
    assert filling.exitcode == 0
    with Command(folder) as command:
        yield House(command.address(), command)


@pytest.mark.soak
@pytest.mark.parametrize("path", ["/memories", "/", "/memories?view=timeline"])
def test_a_page_is_there_soon(page: Page, crowded: House, path: str):
    visit(page, crowded, "/scopes")  # what every page loads is in the browser then, as it is on every visit but one
    began = time.perf_counter()
    page.goto(f"{crowded.url}{path}")
    page.wait_for_selector("h1")
    if path == "/memories":
        expect(page.locator("tbody tr")).to_have_count(50)
    if "timeline" in path:
        expect(page.locator(".m-event").first).to_be_visible(timeout=BEARABLE * 1000)
    page.wait_for_function("window.socket && window.socket.connected")
    took = time.perf_counter() - began
    print(f"\n{path} with {MEMORIES:,} memories: {took:.2f} s (goal: {GOAL:g} s)")
    assert took < BEARABLE


@pytest.mark.soak
def test_leafing_filtering_and_counting_go_on(page: Page, crowded: House):
    visit(page, crowded, "/memories")
    expect(page.get_by_text(f"{MEMORIES:,}개의 기억")).to_be_visible()
    first = page.locator("tbody tr").first.inner_text()
    for act in (
        lambda: page.get_by_role("button", name="더 오래된 기억").click(),
        lambda: page.get_by_label("상태").select_option("모두"),
    ):
        began = time.perf_counter()
        act()
        expect(page.locator("tbody tr").first).not_to_have_text(first)
        first = page.locator("tbody tr").first.inner_text()
        took = time.perf_counter() - began
        print(f"\na page of {MEMORIES:,} memories: {took:.2f} s")
        assert took < BEARABLE
