"""Upkeep: what is due, what it would do, what it did, and the journal of it all."""

from playwright.sync_api import Page, expect

from support.browsing import House, picture, visit

WEEK = [
    ("나는 부산에 살아", "바다가 가깝겠네요!"),
    ("나 땅콩 알레르기 있어", "꼭 기억할게요."),
    ("나 고양이 좋아해", "저도 좋아해요!"),
]


def a_week_ago(house: House, scope: dict[str, str]) -> None:
    for hour, (text, reply) in enumerate(WEEK):
        house.says(text, reply, scope=scope, at=f"2026-03-02T{12 + hour}:00:00+09:00")


def journal(house: House, scope: dict[str, str]) -> list[str]:
    return [each["kind"] for each in house.call("GET", "/v1/journal", scope)["items"]]


def test_a_dry_run_tells_what_would_happen_and_the_run_does_it(page: Page, house: House, scope):
    a_week_ago(house, scope)
    before = journal(house, scope)
    visit(page, house, "/upkeep", scope)
    outcome = page.locator(".u-outcome")
    expect(page.locator(".u-pass", has_text="주간 기록")).to_contain_text("할 때가 됐어요")

    page.get_by_role("button", name="주간 기록 미리 보기").click()

    expect(outcome).to_contain_text("아직 아무것도 바꾸지 않았어요")
    expect(outcome).to_contain_text("2026년 3월 2일~3월 8일의 대화")
    expect(outcome).to_contain_text("2026년 10번째 주가 끝남")
    assert journal(house, scope) == before
    assert house.call("GET", "/v1/summaries", scope)["items"] == []
    picture(page, "upkeep-light")

    page.get_by_role("button", name="밀린 일 모두 하기").click()

    expect(outcome).to_contain_text("마쳤어요")
    expect(outcome).to_contain_text("땅콩 알레르기가 있음")
    expect(page.locator(".u-passes-card")).to_contain_text("지금은 할 일이 없어요")
    assert journal(house, scope).count("pass") > before.count("pass")
    newest = page.locator(".u-journal .u-entry").filter(has_text="주가 끝남")
    expect(newest).to_contain_text("정리")
    page.emulate_media(color_scheme="dark")
    picture(page, "upkeep-dark")


def test_a_summary_leads_to_the_memories_and_the_words_that_it_rests_on(page: Page, house: House, scope):
    a_week_ago(house, scope)
    house.call("POST", "/v1/maintain", scope, {"passes": ["weekly"]})
    visit(page, house, "/upkeep", scope)

    page.locator(".u-conclusion summary", has_text="주간 기록").click()

    grounds = page.locator(".u-conclusion[open] .u-grounds")
    expect(grounds.get_by_role("link", name="부산에 삶")).to_have_attribute("href", r_memory(house, scope))
    expect(page.locator(".u-figures")).to_contain_text("파일 크기")


def r_memory(house: House, scope: dict[str, str]) -> str:
    from urllib.parse import urlencode

    (home,) = house.call("GET", "/v1/facts", {**scope, "attribute": "residence"})["items"]
    return f"/memories?{urlencode({'memory': home['id']})}"


def test_the_journal_marks_what_was_taken_back_and_goes_back_to_the_first_entry(page: Page, house: House, scope):
    for number in range(21):
        told = house.says(f"나는 {20 + number}살이야", scope=scope)
    house.call("POST", f"/v1/turns/{told['turn']['id']}/rewind", scope)
    page.set_viewport_size({"width": 390, "height": 844})
    visit(page, house, "/upkeep", scope)
    entries = page.locator(".u-journal .u-entry")

    expect(entries).to_have_count(20)
    expect(entries.first).to_contain_text("되감기")
    expect(page.locator(".u-undone")).to_contain_text(["40살임"])
    page.get_by_role("button", name="더 오래된 일 보기").click()

    expect(page.locator(".u-journal-card")).to_contain_text("처음까지 다 봤어요")
    expect(entries.last).to_contain_text("20살임")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_page_keeps_to_its_mind_when_another_tab_turns_to_another(page: Page, house: House, scope):
    another = {**scope, "user": f"{scope['user'][:70]}-지영"}
    for each in (scope, another):
        a_week_ago(house, each)
    visit(page, house, "/upkeep", scope)
    expect(page.locator(".u-pass", has_text="주간 기록")).to_contain_text("할 때가 됐어요")
    visit(page.context.new_page(), house, "/memories", another)
    before = journal(house, another)

    page.get_by_role("button", name="밀린 일 모두 하기").click()

    expect(page.locator(".u-outcome")).to_contain_text("마쳤어요")
    assert "pass" in journal(house, scope)
    assert journal(house, another) == before
