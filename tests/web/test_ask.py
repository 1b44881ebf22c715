"""Ask: what comes to mind and why, knobs that change it at once, and the context that would be sent."""

import re
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from support.browsing import House, picture, visit

MARKUP = '<img src=x onerror="alert(1)"><script>alert(2)</script>'


def tell(house: House, scope: dict[str, str]) -> None:
    """Tell a few things, some of them long ago: presets weigh them differently."""
    for text, at in (
        ("나 떡볶이 좋아해", "2025-01-03T20:00:00+09:00"),
        ("땅콩 알레르기 있어", "2025-06-04T20:00:00+09:00"),
        ("나 판교에 살아", "2025-09-04T20:00:00+09:00"),
        ("나 고양이 좋아해", "2026-03-01T20:00:00+09:00"),
        ("주말엔 보통 산책을 해", "2026-03-02T20:00:00+09:00"),
    ):
        house.says(text, scope=scope, at=at)


def ask(page: Page, house: House, scope: dict[str, str], question: str) -> None:
    visit(page, house, f"/ask?{urlencode({'q': question, **scope})}")
    expect(page.locator(".a-told")).to_contain_text("ms")


def hit(page: Page, text: str) -> Locator:
    return page.locator(".a-hit").filter(has=page.locator(".a-hit-text", has_text=text)).first


def block(page: Page, name: str) -> Locator:
    return page.locator(".a-block").filter(has=page.get_by_role("heading", name=name, exact=True))


def texts(page: Page) -> list[str]:
    return page.locator(".a-hit-text").all_inner_texts()


def test_a_question_finds_the_fact_with_the_six_parts_of_its_score(page: Page, house: House, scope):
    tell(house, scope)
    visit(page, house, "/ask", scope)
    page.get_by_label("질문").fill("떡볶이 좋아한다고 했나?")
    page.keyboard.press("Enter")

    best = page.locator(".a-hit").first
    expect(best.locator(".a-hit-text")).to_have_text("떡볶이를 좋아함")
    parts = best.get_by_role("img", name=re.compile(r"^점수 \d\.\d\d: "))
    told = str(parts.get_attribute("aria-label"))
    numbers = [float(number) for number in re.findall(r"\d\.\d\d", told)]
    assert re.findall(r"최근|중요|의미|키워드|강도|연결", told) == ["최근", "중요", "의미", "키워드", "강도", "연결"]
    assert abs(numbers[0] - sum(numbers[1:])) < 0.04
    expect(best).to_contain_text("키워드 1위")
    expect(best.locator("a")).to_have_attribute("href", re.compile(r"/memories\?memory=\w+"))
    expect(block(page, "떠오르는 기억")).to_contain_text("떡볶이를 좋아함")
    assert "q=%EB%96%A1%EB%B3%B6%EC%9D%B4" in page.url
    picture(page, "ask-light")

    page.emulate_media(color_scheme="dark")
    expect(page.locator("body")).to_have_class(re.compile("body--dark"))
    picture(page, "ask-dark")


def test_a_corrected_fact_is_found_with_its_new_value_and_the_old_one_is_not_in_the_context(
    page: Page, house: House, scope
):
    house.says("나 스물다섯 살이야", scope=scope, at="2026-03-01T20:00:00+09:00")
    [age] = house.call("GET", "/v1/facts", {**scope, "attribute": "age"})["items"]
    assert "25살" in age["content"]
    house.call("PATCH", f"/v1/memories/{age['id']}", scope, {"content": "나이는 서른한 살임"})

    ask(page, house, scope, "내 나이가 몇이지?")

    expect(page.locator(".a-hit-text").first).to_contain_text("서른한 살")
    expect(page.locator(".a-sent")).to_contain_text("서른한 살")
    expect(block(page, "항상 기억할 것")).not_to_contain_text("25살")
    expect(block(page, "떠오르는 기억")).not_to_contain_text("25살")


def test_a_preset_ranks_anew_tells_how_places_moved_and_the_way_back_restores_all(page: Page, house: House, scope):
    tell(house, scope)
    ask(page, house, scope, "저녁에 떡볶이 먹을까?")
    before, sent = texts(page), page.locator(".a-lines").all_inner_texts()
    assert before[:2] == ["떡볶이를 좋아함", "땅콩 알레르기가 있음"]
    expect(page.locator(".a-move")).to_have_count(0)
    back = page.get_by_role("button", name="이 저장소 설정으로 되돌리기")
    expect(back).to_be_disabled()

    vtuber = page.get_by_role("button", name="버튜버")
    vtuber.click()
    expect(vtuber).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("slider", name="최근")).to_have_value("0")
    for name, key in (("중요", "End"), ("키워드", "Home"), ("의미", "Home")):
        page.get_by_role("slider", name=name).focus()
        page.keyboard.press(key)
    expect(page.locator(".a-hit-text").first).to_have_text("땅콩 알레르기가 있음")
    expect(hit(page, "땅콩 알레르기가 있음").locator(".a-move")).to_have_text("▲1")

    back.click()
    expect(page.locator(".a-hit-text").first).to_have_text(before[0])
    assert (texts(page), page.locator(".a-lines").all_inner_texts()) == (before, sent)
    expect(page.get_by_role("slider", name="키워드")).to_have_value("0.8")
    expect(back).to_be_disabled()


def test_a_slider_is_moved_by_keys_and_ranks_at_once_without_losing_the_focus(page: Page, house: House, scope):
    tell(house, scope)
    ask(page, house, scope, "저녁에 떡볶이 먹을까?")
    words, hits = page.get_by_role("slider", name="키워드"), page.get_by_role("slider", name="떠올릴 개수")

    words.focus()
    page.keyboard.press("Home")
    expect(page.locator(".a-numbers", has_text="키워드")).to_have_count(0)
    expect(words).to_be_focused()
    expect(words).to_have_attribute("aria-valuetext", "0.00")

    hits.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".a-hit")).to_have_count(2)
    expect(hits).to_have_value("2")


def test_a_block_that_is_switched_off_is_gone_from_the_context_until_it_is_switched_on(page: Page, house: House, scope):
    tell(house, scope)
    ask(page, house, scope, "저녁에 떡볶이 먹을까?")
    talk = block(page, "최근 대화")
    expect(talk).to_contain_text("상대: 나 판교에 살아")

    talk.get_by_role("switch").click()
    expect(talk).to_contain_text("꺼 두었어요")
    expect(talk).not_to_contain_text("나 판교에 살아")
    expect(page.locator(".a-reason", has_text="꺼 둔 블록")).to_contain_text("나 판교에 살아")

    talk.get_by_role("switch").click()
    expect(talk).to_contain_text("상대: 나 판교에 살아")
    expect(page.locator(".a-reason", has_text="꺼 둔 블록")).to_have_count(0)


def test_a_small_budget_and_a_small_cap_leave_things_out_and_say_why(page: Page, house: House, scope):
    tell(house, scope)
    ask(page, house, scope, "저녁에 떡볶이 먹을까?")
    expect(hit(page, "고양이를 좋아함")).to_contain_text("문맥에 담김")

    page.get_by_role("slider", name="떠오르는 기억 상한").focus()
    page.keyboard.press("Home")
    expect(page.locator(".a-reason", has_text="상한을 넘음")).to_contain_text("고양이를 좋아함")
    expect(hit(page, "고양이를 좋아함")).to_contain_text("상한을 넘음")

    page.get_by_role("button", name="이 저장소 설정으로 되돌리기").click()
    page.get_by_role("slider", name="문맥 예산").focus()
    page.keyboard.press("Home")
    expect(page.locator(".a-meter-place")).to_contain_text("/ 64토큰")
    expect(page.locator(".a-reason", has_text="예산을 넘음")).to_contain_text("판교에 삶")
    expect(page.locator(".g-trouble")).to_contain_text("주의할 점 가운데 일부를 담지 못했어요")


def test_what_is_picked_is_put_into_the_context_first_marked_and_can_be_taken_out(page: Page, house: House, scope):
    tell(house, scope)
    ask(page, house, scope, "저녁에 떡볶이 먹을까?")
    cats = hit(page, "고양이를 좋아함").get_by_role("button", name="다음 문맥에 넣기")

    cats.click()
    expect(cats).to_have_attribute("aria-pressed", "true")
    expect(cats).to_be_focused()
    memories = block(page, "떠오르는 기억")
    expect(memories.locator(".a-line").nth(1)).to_contain_text("고양이를 좋아함")
    expect(memories.locator(".a-picked-line")).to_contain_text("고른 것")
    expect(page.locator(".a-picked-card")).to_contain_text("1개")

    page.reload()
    expect(page.locator(".a-picked-line")).to_contain_text("고양이를 좋아함")
    page.get_by_role("button", name="빼기: 고양이를 좋아함").click()
    expect(page.locator(".a-picked-line")).to_have_count(0)


def test_what_is_asked_as_of_a_day_does_not_know_what_came_later(page: Page, house: House, scope):
    tell(house, scope)
    ask(page, house, scope, "내가 좋아하는 거")
    expect(hit(page, "고양이를 좋아함")).to_be_visible()

    page.locator(".a-controls summary").click()
    page.get_by_label("기준 날짜").fill("2025-12-31")
    expect(hit(page, "고양이를 좋아함")).to_have_count(0)
    expect(hit(page, "떡볶이를 좋아함")).to_be_visible()


def test_on_a_telephone_everything_stands_in_one_column_with_the_knobs_folded(page: Page, house: House, scope):
    tell(house, scope)
    page.set_viewport_size({"width": 390, "height": 844})
    ask(page, house, scope, "저녁에 떡볶이 먹을까?")

    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    slider = page.get_by_role("slider", name="키워드")
    expect(slider).to_be_hidden()
    page.get_by_role("button", name="펼치기").click()
    expect(slider).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    picture(page, "ask-390")


def test_where_nothing_is_found_the_page_says_so_and_an_example_can_be_asked(page: Page, house: House, scope):
    house.call("POST", "/v1/memories", scope, {"content": "비밀", "about": "user"})
    [secret] = house.call("GET", "/v1/facts", scope)["items"]
    house.call("DELETE", f"/v1/memories/{secret['id']}", scope)
    visit(page, house, "/ask", scope)
    expect(page.get_by_text("무엇을 물어볼까요?")).to_be_visible()

    page.get_by_role("button", name="오늘 저녁 뭐 먹을까?").click()

    expect(page.get_by_text("떠오르는 것이 없어요")).to_be_visible()
    expect(page.get_by_label("질문")).to_have_value("오늘 저녁 뭐 먹을까?")
