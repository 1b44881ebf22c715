"""How it stands between the two, as somebody sees it in a browser."""

import re
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from playwright.sync_api import Page, expect

from support.browsing import House, picture, visit

START = datetime(2026, 3, 2, 20, 0, tzinfo=ZoneInfo("Asia/Seoul"))
MARKUP = "<img src=x onerror=alert(1)>"


def talk(house: House, scope: dict[str, str], *exchanges: tuple[str, str], start: datetime = START) -> None:
    for number, (text, reply) in enumerate(exchanges):
        house.says(text, reply, scope=scope, at=(start + timedelta(hours=number)).isoformat())


def part(page: Page, title: str):
    return page.locator("section.g-card").filter(has=page.get_by_role("heading", name=title))


def test_warm_words_move_the_axes_and_the_list_says_why(page: Page, house: House, scope):
    talk(
        house,
        scope,
        ("안녕하세요", "반가워요"),
        ("도와주셔서 정말 고마워요", "별말씀을요"),
        ("레티아 씨 진짜 멋있어요", "부끄럽네요"),
    )
    visit(page, house, "/relationship", scope)

    trust = page.get_by_role("row", name="신뢰")
    expect(trust).to_be_visible()
    assert float(trust.locator(".r-bar-number").inner_text()) > 5.0, "they began with 5 points of trust"
    expect(page.get_by_text("낯선 사이")).to_be_visible()
    expect(page.get_by_text("얼굴을 아는 사이까지")).to_be_visible()
    changes = page.locator(".r-changes > li")
    expect(changes).to_have_count(3)
    expect(changes.nth(1)).to_contain_text("2026년 3월 2일 21:00")
    expect(changes.nth(1)).to_contain_text("고마움")
    expect(changes.nth(1)).to_contain_text("도와주셔서 정말 고마워요")
    expect(changes.nth(1)).to_contain_text("→")
    expect(changes.nth(0)).to_contain_text("칭찬")
    expect(page.get_by_role("img", name="신뢰").first).to_be_visible()


def test_a_word_of_let_us_drop_the_honorifics_stands_in_the_history_of_manners(page: Page, house: House, scope):
    talk(
        house,
        scope,
        ("안녕하세요", "반가워요"),
        ("오늘 뭐 하셨어요?", "책 읽었어요"),
        ("우리 이제 말 놓자", "그래, 좋아!"),
    )
    visit(page, house, "/relationship", scope)

    manners = part(page, "말투와 호칭")
    user = scope["user"]
    expect(manners.locator("dd").first).to_contain_text("반말")
    expect(manners.locator("dd").first).to_contain_text(f"{user}의 부탁으로")
    history = manners.locator("ol > li")
    expect(history).to_have_count(4)
    expect(history.first).to_contain_text("레티아: 존댓말에서 반말로 바꿨어요.")
    expect(history.last).to_contain_text("존댓말로 이야기했어요.")


def test_feelings_and_people_are_told_in_words_and_figures(page: Page, house: House, scope):
    talk(
        house,
        scope,
        ("오늘 지훈이랑 싸웠어. 지훈이 진짜 미워", "*울먹이며* 속상했겠다"),
        ("지훈이가 사과했어. 지훈이 정말 고마워. 너무 행복해!", "*환하게 웃으며* 정말 기뻐!"),
    )
    visit(page, house, "/relationship", scope)

    feelings = part(page, "감정의 흐름").first
    rows = feelings.locator("tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.nth(0)).to_contain_text("레티아")
    expect(rows.nth(0)).to_contain_text("기쁨")
    expect(feelings.locator(".r-feelings svg")).to_be_visible()
    jihun = part(page, "이야기에 나온 사람들").locator("tbody tr").filter(has_text="지훈")
    expect(jihun).to_contain_text("2026년 3월 2일")
    flow = re.compile(r"2026년 3월 2일부터 2026년 3월 2일까지 -0\.\d+ → \+0\.\d+")
    expect(jihun.get_by_role("img")).to_have_attribute("aria-label", flow)
    picture(page, "relationship-light")
    page.emulate_media(color_scheme="dark")
    expect(page.locator("body.body--dark")).to_have_count(1)
    picture(page, "relationship-dark")

    jihun.get_by_role("link", name="지훈").click()
    expect(page.locator("h1")).to_have_text("그래프")
    expect(page.get_by_role("heading", name="지훈", exact=True)).to_be_visible()


def test_a_long_way_is_leafed_through(page: Page, house: House, scope):
    talk(house, scope, *((f"오늘은 책을 {number}쪽 읽었어. 고마워", "응!") for number in range(1, 14)))
    visit(page, house, "/relationship", scope)

    way = part(page, "관계가 변해 온 과정")
    expect(way.locator(".r-changes")).to_contain_text("책을 13쪽")
    way.get_by_role("button", name="더 예전으로").click()
    expect(way.locator(".r-changes")).to_contain_text("책을 1쪽")
    expect(way.locator(".r-changes > li")).to_have_count(3)
    expect(way.get_by_role("button", name="더 예전으로")).to_be_disabled()
    way.get_by_role("button", name="더 최근으로").click()
    expect(way.locator(".r-changes")).to_contain_text("책을 13쪽")


def test_two_who_have_not_talked_are_told_what_to_do(page: Page, house: House, scope):
    visit(page, house, "/relationship", scope)

    expect(page.get_by_text("아직 이야기를 나눈 적이 없어요")).to_be_visible()
    expect(page.get_by_text("아직 아는 사람이 없어요.", exact=False)).to_be_visible()
