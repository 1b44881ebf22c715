"""The first visit: an empty bank, and one button that gives every page something to show."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from gieok.web.kit import PATHS
from support.browsing import House, own_house, picture, visit

TOLD = {"user": "민수", "character": "레티아", "world": "별의 학원"}


@pytest.fixture
def empty(page: Page, tmp_path) -> Iterator[House]:
    with own_house(page, tmp_path) as house:
        yield house


def test_one_button_loads_a_story_and_every_page_has_something_to_show(page: Page, empty: House):
    visit(page, empty, "/memories")
    expect(page.locator("h1")).to_have_text("아직 아무 기억도 없어요")
    picture(page, "welcome-light")
    page.get_by_role("button", name="새 프로필 만들기").click()
    expect(page.locator(".s-create")).to_be_visible()

    visit(page, empty, "/")
    page.get_by_role("button", name="이야기 불러오기").click()

    expect(page.locator(".w-story [role=status]")).to_contain_text("첫 만남")
    expect(page.locator(".g-whose")).to_contain_text("레티아 · 민수 · 별의 학원")
    for path in PATHS.values():
        visit(page, empty, path)
        expect(page.locator("h1")).not_to_have_text("아직 아무 기억도 없어요")
    past = empty.call("GET", "/v1/memories", {**TOLD, "state": "past"})["items"]
    assert "판교에 삶" in [each["content"] for each in past]
    for path in ("entities", "emotions", "summaries", "scenes", "relationship/trajectory", "journal"):
        assert empty.call("GET", f"/v1/{path}", TOLD)["items"], path
