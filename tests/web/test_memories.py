"""The page of memories: found, followed into the past, put right, chosen."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import gieok
from support.browsing import House, own_house, picture, visit
from support.doubts import DoubtfulReader

MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script> [여기](javascript:alert(3))'


def remembers(house: House, scope: dict[str, str], content: str, **more: Any) -> dict[str, Any]:
    return house.call("POST", "/v1/memories", scope, {"content": content, **more})


def lines(page: Page) -> Locator:
    return page.locator("tbody tr")


def line(page: Page, content: str) -> Locator:
    return lines(page).filter(has=page.get_by_role("link", name=content, exact=True))


def sheet(page: Page) -> Locator:
    return page.locator(".m-one")


def opened(page: Page, content: str) -> Locator:
    """Open a memory, and return the sheet that it is told on."""
    page.get_by_role("link", name=content, exact=True).click()
    expect(sheet(page).get_by_role("heading", level=2)).to_have_text(content)
    return sheet(page)


def agree(page: Page, name: str) -> None:
    page.get_by_role("alertdialog").get_by_role("button", name=name).click()


def test_filters_narrow_down_stand_in_the_address_and_are_gone_back_through(page: Page, house: House, scope):
    remembers(house, scope, "고양이를 좋아함", attribute="likes", value="고양이")
    remembers(house, scope, "땅콩을 먹으면 안 됨", attribute="allergy", value="땅콩")
    remembers(
        house, scope, "지훈이는 의사", about="지훈", attribute="job", value="의사", valid_at="2019-05-01T00:00:00Z"
    )
    visit(page, house, "/memories", scope)
    expect(lines(page)).to_have_count(3)
    expect(page.get_by_text("3개의 기억")).to_be_visible()

    page.get_by_label("키워드로 찾기").fill("고양이")
    expect(lines(page)).to_have_count(1)
    expect(page.get_by_text("1개의 기억")).to_be_visible()
    expect(page).to_have_url(re.compile("words="))
    page.get_by_label("키워드로 찾기").fill("")
    expect(lines(page)).to_have_count(3)

    page.get_by_text("더 좁히기").click()
    page.get_by_label("종류").select_option("주의할 점")
    expect(lines(page)).to_have_count(1)
    expect(line(page, "땅콩을 먹으면 안 됨")).to_be_visible()
    expect(page).to_have_url(re.compile("type=constraint"))
    page.get_by_label("고정한 것만").check()
    expect(page).to_have_url(re.compile("pinned=1"))
    page.go_back()
    page.go_back()
    expect(lines(page)).to_have_count(3)
    expect(page.get_by_label("종류")).to_have_value("")

    page.get_by_label("누구 이야기").select_option("지훈")
    expect(lines(page)).to_have_count(1)
    expect(line(page, "지훈이는 의사")).to_be_visible()
    page.get_by_label("시작 연도").fill("2024")
    expect(page.get_by_text("조건에 맞는 기억이 없어요")).to_be_visible()
    page.get_by_role("button", name="조건 지우기").click()
    expect(lines(page)).to_have_count(3)

    visit(page, house, "/memories", {**scope, "about": "지훈", "to": "2019"})
    expect(lines(page)).to_have_count(1)
    expect(page.get_by_label("끝 연도")).to_have_value("2019")


def test_a_change_of_heart_is_past_and_current_in_both_views(page: Page, house: House, scope):
    house.says("나는 고양이를 좋아해", scope=scope, at="2026-03-01T11:00:00Z")
    house.says("요즘은 강아지가 더 좋아", scope=scope, at="2026-04-20T11:00:00Z")
    visit(page, house, "/memories", scope)
    expect(line(page, "강아지를 좋아함")).to_contain_text("지금")
    expect(line(page, "고양이를 좋아함")).to_have_count(0)
    page.get_by_label("상태").select_option("모두")
    expect(line(page, "고양이를 좋아함")).to_contain_text("지난 것")
    expect(line(page, "고양이를 좋아함")).to_contain_text("2026년 4월 20일까지")
    picture(page, "memories-light")

    page.get_by_role("button", name="시간순").click()
    april = page.locator(".m-month").filter(has_text="4월")
    expect(april.get_by_role("listitem").filter(has_text="강아지를 좋아함")).to_contain_text("지금")
    march = page.locator(".m-month").filter(has_text="3월")
    expect(march.get_by_role("listitem")).to_have_count(0)
    march.locator("summary").click()
    expect(march.get_by_role("listitem").filter(has_text="고양이를 좋아함")).to_contain_text("지난 것")

    told = opened(page, "고양이를 좋아함")
    expect(told).to_contain_text("2026년 3월 1일 20:00부터 2026년 4월 20일 20:00까지 그랬어요")
    expect(told).to_contain_text("2026년 3월 1일 20:00에 알게 되어 2026년 4월 20일 20:00까지 그렇게 알았어요")
    expect(told.locator(".m-here")).to_contain_text("나는 고양이를 좋아해")
    told.get_by_role("link", name="강아지를 좋아함").click()
    expect(told.get_by_role("heading", level=2)).to_have_text("강아지를 좋아함")
    expect(page).to_have_url(re.compile("memory="))
    page.go_back()
    expect(told.get_by_role("heading", level=2)).to_have_text("고양이를 좋아함")


def test_a_correction_stands_its_past_is_told_and_it_is_rolled_back(page: Page, house: House, scope):
    house.says("나 고양이 좋아해", scope=scope, at="2026-03-01T11:00:00Z")
    page.emulate_media(color_scheme="dark")
    visit(page, house, "/memories", scope)
    told = opened(page, "고양이를 좋아함")
    told.get_by_role("button", name="고치기").click()
    told.get_by_label("바로잡은 말").fill("고슴도치를 좋아함")
    told.get_by_role("button", name="저장").click()
    expect(told.get_by_role("heading", level=2)).to_have_text("고슴도치를 좋아함")
    last = told.locator(".m-history > li").last
    expect(last.locator("del").first).to_have_text("고양이를 좋아함")
    expect(last.locator("ins").first).to_have_text("고슴도치를 좋아함")
    expect(last).to_contain_text("사람")
    expect(told.locator(".m-history > li").first).to_contain_text("이야기 2026년 3월 1일 20:00")
    expect(told.locator(".m-history > li").first).to_contain_text("실제 2026년")
    expect(told.locator(".m-clocks")).to_contain_text("지금도 그렇게 알아요")
    picture(page, "memory-detail-dark")

    told.get_by_role("button", name="이때로 되돌리기").click()
    agree(page, "이때로 되돌리기")
    expect(told.get_by_role("heading", level=2)).to_have_text("고양이를 좋아함")
    expect(told.locator(".m-history > li")).to_have_count(3)
    expect(told.locator(".m-history > li").last).to_contain_text("되돌림")
    page.keyboard.press("Escape")
    expect(line(page, "고양이를 좋아함")).to_be_visible()
    facts = house.call("GET", "/v1/memories", scope)["items"]
    assert [each["content"] for each in facts if each["attribute"] == "likes"] == ["고양이를 좋아함"]


def test_what_is_forgotten_leaves_the_current_ones_and_can_come_back(page: Page, house: House, scope):
    remembers(house, scope, "고양이를 좋아함", attribute="likes", value="고양이")
    visit(page, house, "/memories", scope)
    told = opened(page, "고양이를 좋아함")
    told.get_by_role("button", name="잊기").click()
    agree(page, "그만두기")
    told.get_by_role("button", name="잊기").click()
    agree(page, "잊기")
    expect(told.locator(".g-chip").first).to_have_text("잊은 것")
    expect(told.get_by_role("button", name="고치기")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(line(page, "고양이를 좋아함")).to_contain_text("잊은 것")
    visit(page, house, "/memories", scope)
    expect(page.get_by_text("아직 기억이 없어요")).to_be_visible()

    page.get_by_label("상태").select_option("잊은 것")
    told = opened(page, "고양이를 좋아함")
    told.get_by_role("button", name="이때로 되돌리기").click()
    agree(page, "이때로 되돌리기")
    expect(told.locator(".g-chip").first).to_have_text("지금")
    visit(page, house, "/memories", scope)
    expect(line(page, "고양이를 좋아함")).to_be_visible()


def test_a_memory_that_somebody_else_changed_meanwhile_is_not_overwritten(page: Page, house: House, scope):
    house.says("나 고양이 좋아해", scope=scope)
    visit(page, house, "/memories", scope)
    told = opened(page, "고양이를 좋아함")
    [memory] = house.call("GET", "/v1/memories", {**scope, "attribute": "likes"})["items"]
    house.call("PATCH", f"/v1/memories/{memory['id']}", scope, {"content": "사자를 좋아함"})

    told.get_by_role("button", name="고치기").click()
    told.get_by_label("바로잡은 말").fill("호랑이를 좋아함")
    told.get_by_role("button", name="저장").click()
    expect(page.get_by_text("그사이 다른 곳에서 이 기억이 바뀌었어요")).to_be_visible()
    expect(told.get_by_role("heading", level=2)).to_have_text("사자를 좋아함")


def test_a_selection_goes_into_the_next_context_or_is_pinned_and_forgotten_together(page: Page, house: House, scope):
    for value in ("고양이", "강아지", "토끼"):
        remembers(house, scope, f"{value}를 좋아함", attribute="likes", value=value)
    visit(page, house, "/memories", scope)
    box = page.get_by_label("고르기: 고양이를 좋아함")
    box.focus()
    page.keyboard.press("Space")
    page.get_by_label("고르기: 토끼를 좋아함").check()
    expect(page.get_by_text("2개 골랐어요")).to_be_visible()
    page.get_by_role("button", name="다음 문맥에 넣기").click()
    expect(page.get_by_text("다음 문맥에 기억 2개가 들어가요")).to_be_visible()
    expect(page.get_by_role("link", name="대화로 가기")).to_have_attribute("href", "/")
    expect(box).not_to_be_checked()

    page.get_by_label("이 페이지 모두 고르기").check()
    expect(page.get_by_text("3개 골랐어요")).to_be_visible()
    page.get_by_role("button", name="고정", exact=True).click()
    agree(page, "고정")
    expect(page.locator("tbody .m-marks .g-info:visible")).to_have_count(3)
    box.check()
    page.get_by_role("button", name="잊기").click()
    agree(page, "잊기")
    expect(lines(page)).to_have_count(2)
    expect(page.get_by_text("2개의 기억")).to_be_visible()
    expect(page.get_by_text("다음 문맥에 기억 1개가 들어가요")).to_be_visible()


def test_many_memories_come_a_page_at_a_time(page: Page, house: House, scope):
    for number in range(120):
        remembers(house, scope, f"간식 {number}번을 좋아함", attribute="likes", value=f"간식 {number}번")
    visit(page, house, "/memories", scope)
    expect(page.get_by_text("120개의 기억")).to_be_visible()
    expect(lines(page)).to_have_count(50)
    expect(lines(page).first).to_contain_text("간식 119번")
    page.get_by_role("button", name="더 오래된 기억").click()
    expect(lines(page).first).to_contain_text("간식 69번")
    page.get_by_role("button", name="더 오래된 기억").click()
    expect(lines(page)).to_have_count(20)
    expect(lines(page).last).to_contain_text("간식 0번")
    expect(page.get_by_role("button", name="더 오래된 기억")).to_be_disabled()
    page.go_back()
    expect(lines(page).first).to_contain_text("간식 69번")
    page.get_by_role("button", name="더 최근 기억").click()
    expect(lines(page).first).to_contain_text("간식 119번")


def test_nothing_that_anybody_wrote_is_taken_for_markup(page: Page, house: House, scope):
    house.says(f"{MARKUP} 그리고 나 고양이 좋아해", MARKUP, scope=scope)
    remembers(house, scope, MARKUP, about="<b>지훈</b>", type="note", tags=[MARKUP])
    visit(page, house, "/memories", {**scope, "state": "all", "words": "<img"})
    told = opened(page, MARKUP)
    expect(told).to_contain_text("<b>지훈</b>")
    expect(told).to_contain_text("<script>alert(2)</script>")
    told.get_by_role("button", name="고치기").click()
    told.get_by_label("바로잡은 말").fill(f"고침 {MARKUP}")
    told.get_by_role("button", name="저장").click()
    expect(told.locator(".m-history ins")).to_contain_text([MARKUP, f"고침 {MARKUP}"])
    assert page.locator("main img, .m-one img, main script, .m-one script, a[href^='javascript']").count() == 0

    visit(page, house, "/memories", {**scope, "words": MARKUP, "about": MARKUP, "memory": MARKUP, "view": MARKUP})
    expect(page.get_by_text("그런 기억은 여기에 없어요")).to_be_visible()
    expect(page.get_by_text("조건에 맞는 기억이 없어요")).to_be_visible()
    assert page.locator("main img, main script").count() == 0


def test_the_keyboard_opens_a_memory_and_comes_back_to_its_line(page: Page, house: House, scope):
    for value in ("고양이", "강아지"):
        remembers(house, scope, f"{value}를 좋아함", attribute="likes", value=value)
    visit(page, house, "/memories", scope)
    page.get_by_label("고르기: 고양이를 좋아함").focus()
    page.keyboard.press("Tab")
    here = page.get_by_role("link", name="고양이를 좋아함", exact=True)
    expect(here).to_be_focused()
    page.keyboard.press("Enter")
    expect(sheet(page)).to_be_visible()
    sheet(page).get_by_role("button", name="고정", exact=True).press("Enter")
    expect(sheet(page).get_by_role("button", name="고정 해제")).to_be_visible()
    page.keyboard.press("Escape")
    expect(sheet(page)).to_be_hidden()
    expect(here).to_be_focused()
    expect(line(page, "고양이를 좋아함").get_by_text("고정", exact=True)).to_be_visible()


@pytest.mark.parametrize("path", ["/memories", "/memories?view=timeline"])
def test_on_a_phone_nothing_hangs_over_the_edge(page: Page, house: House, scope, path):
    house.says("나 고양이 좋아해", scope=scope)
    remembers(house, scope, "아주 긴 이야기 " * 20 + "끝이없이긴낱말" * 20, type="note")
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, house, "/memories", scope)
    expect(page.get_by_label("종류")).to_be_hidden()
    if "timeline" in path:
        page.get_by_role("button", name="시간순").click()
        expect(page.locator(".m-event")).to_have_count(2)
    else:
        expect(lines(page)).to_have_count(2)
        picture(page, "memories-390")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    opened(page, "고양이를 좋아함")
    assert sheet(page).evaluate("sheet => sheet.scrollWidth <= sheet.clientWidth")


def test_a_doubtful_memory_is_marked_and_confirmed_or_rejected(page: Page, tmp_path: Path):
    scope = {"user": "민수", "character": "레티아"}
    with gieok.open(tmp_path / "bank.db", embedder="hashing", extractor=DoubtfulReader()) as bank:
        for told in ("residence 부산?", "likes 고양이?"):
            bank.scope(**scope).observe(told)
    with own_house(page, tmp_path) as house:
        visit(page, house, "/memories", {**scope, "doubtful": "1"})
        expect(lines(page)).to_have_count(2)
        expect(line(page, "likes: 고양이").get_by_text("확실하지 않음", exact=True)).to_be_visible()

        one = opened(page, "residence: 부산")
        expect(one.get_by_role("button", name="고정", exact=True)).to_have_count(0)
        one.get_by_role("button", name="맞아요").click()
        expect(one.get_by_role("button", name="고정 해제")).to_be_visible()
        expect(one.get_by_role("button", name="맞아요")).to_have_count(0)
        page.keyboard.press("Escape")

        opened(page, "likes: 고양이").get_by_role("button", name="아니에요").click()
        expect(sheet(page).get_by_text("철회", exact=True).first).to_be_visible()
        assert house.call("GET", "/v1/doubtful", scope)["items"] == []
