"""The page of the talk: what is said is answered, and what that does to a memory is seen at once."""

import re
from threading import Event

import pytest
from playwright.sync_api import Page, expect

import gieok
from gieok.domain.server_state import Bounds
from support.browsing import House, Locked, own_house, picture, visit
from support.misbehaving import Misbehaving, gated, stall, status, streaming

MOVED = re.compile(r"\+\d")


@pytest.fixture
def talk(page: Page, house: House, scope) -> Page:
    """The page of somebody who has said one thing so far."""
    house.says("안녕", "안녕하세요!", scope=scope)
    visit(page, house, "/", scope)
    return page


def say(page: Page, text: str) -> None:
    """Say something, and wait until what became of it is known."""
    turns = page.locator(".t-turn").count()
    page.get_by_label("할 말").fill(text)
    page.get_by_label("할 말").press("Enter")
    expect(page.locator(".t-turn")).to_have_count(turns + 1)
    settled(page)


def settled(page: Page) -> None:
    expect(page.get_by_role("button", name="멈추기")).to_be_hidden()
    expect(page.get_by_role("button", name="보내기")).to_be_visible()
    expect(page.locator(".t-turn.t-chosen.t-last")).to_have_count(1)


def reply(page: Page) -> str:
    return page.locator(".t-last .t-theirs .t-words").inner_text()


def facts(house: House, scope) -> list[str]:
    return [each["content"] for each in house.call("GET", "/v1/facts", scope)["items"]]


def test_what_is_said_is_remembered_with_the_reason_and_moves_the_two(talk: Page):
    expect(talk.get_by_text("모델 없이 정해진 말로 답하고 있어요")).to_be_visible()

    say(talk, "나 매운 거 못 먹어")

    expect(talk.get_by_label("할 말")).to_be_focused()
    expect(talk.get_by_label("할 말")).to_have_value("")
    row = talk.locator(".t-row.t-remember")
    expect(row).to_contain_text("매운 걸 싫어함")
    expect(row.locator(".t-why")).to_contain_text("싫어하는 것: 점수")
    expect(row.get_by_role("link")).to_have_attribute("href", re.compile(r"^/memories\?memory=\w"))
    expect(talk.locator(".t-bar", has_text="신뢰")).to_contain_text("자기 이야기")
    expect(talk.locator(".t-bar", has_text="신뢰").locator(".t-change")).to_have_text(MOVED)
    message = talk.locator("details.t-block", has_text="새 메시지")
    message.locator("summary").click()
    expect(message.locator("pre")).to_have_text("나 매운 거 못 먹어")
    expect(talk.get_by_role("meter", name=re.compile("^문맥에 쓸 수 있는 4,096토큰 가운데")).first).to_be_visible()
    talk.evaluate("scrollTo(0, 0)")
    picture(talk, "talk-light")
    talk.get_by_role("button", name="자동").click()
    talk.get_by_role("button", name="밝게").click()
    expect(talk.locator("body.body--dark")).to_have_count(1)
    expect(row).to_contain_text("매운 걸 싫어함")
    talk.evaluate("scrollTo(0, 0)")
    picture(talk, "talk-dark")


def test_the_face_follows_what_the_character_feels(talk: Page):
    face = talk.locator("img.t-face")
    say(talk, "오늘 시험 합격했어! 너무 행복해!")
    expect(face).to_have_attribute("src", "/look/faces/happy.svg")
    expect(face).to_have_attribute("alt", "레티아의 얼굴: 기뻐해요")
    expect(face).to_have_js_property("naturalWidth", 200)
    say(talk, "내일 세 시에 회의 있어")
    expect(face).to_have_attribute("src", "/look/faces/neutral.svg")


def test_another_reply_takes_the_place_of_the_first_and_of_what_it_caused(page: Page, house: House, scope):
    house.says("나 고양이 좋아해", "저는 강아지를 정말 좋아해요!", scope=scope)
    visit(page, house, "/", scope)
    expect(page.locator(".t-row", has_text="강아지")).to_have_count(1)

    page.get_by_role("button", name="다시 답하기").click()
    expect(page.locator(".t-last .t-theirs")).not_to_contain_text("강아지를 정말")
    settled(page)
    first = reply(page)
    expect(page.locator(".t-row", has_text="강아지")).to_have_count(0)
    expect(page.locator(".t-row", has_text="고양이를 좋아함")).to_have_count(1)
    assert facts(house, scope) == ["고양이를 좋아함"]

    page.get_by_role("button", name="다시 답하기").click()
    expect(page.locator(".t-last .t-theirs .t-words")).not_to_have_text(first)
    settled(page)
    assert reply(page) != first


def test_other_words_in_an_earlier_turn_take_back_what_came_after(talk: Page, house: House, scope):
    say(talk, "나 고양이 좋아해")
    say(talk, "내 생일은 8월 15일이야")
    turn = talk.locator(".t-turn", has_text="나 고양이 좋아해")

    turn.get_by_role("button", name="고치기").click()
    expect(talk.get_by_text("이 말 뒤에 나눈 1번의 대화와")).to_be_visible()
    talk.get_by_label("이렇게 말한 걸로 하기").fill("나 강아지 좋아해")
    talk.get_by_role("button", name="고쳐서 다시 답 듣기").click()

    expect(talk.locator(".t-turn")).to_have_count(2)
    settled(talk)
    expect(talk.locator(".t-row.t-remember")).to_contain_text("강아지를 좋아함")
    assert facts(house, scope) == ["강아지를 좋아함"]


@pytest.mark.parametrize("button", ["다시 답하기", "고치기"])
def test_a_turn_that_somebody_behind_another_key_heard_is_not_told_anew(page: Page, locked: Locked, scope, button):
    sera = {**scope, "character": "세라"}
    locked.says("세라도 들었지?", scope=scope, present=["세라"])
    locked.says("나 고양이 좋아해", scope=sera)
    page.context.request.post(
        locked.address("/login"), form={"key": locked.key("앱", "writer", bounds=[Bounds(**scope)])}
    )
    visit(page, locked, "/", scope)

    page.get_by_role("button", name=button).click()

    expect(page.get_by_text("이 대화는 다른 캐릭터도 함께 들었어요(세라).")).to_be_visible()
    settled(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".t-last .t-theirs .t-words")).to_have_text("그렇구나!")
    assert len(locked.call("GET", "/v1/turns", sera)["items"]) == 2
    assert facts(locked, sera) == ["고양이를 좋아함"]


def test_a_change_is_told_as_old_and_new_and_an_earlier_turn_can_be_looked_into(talk: Page):
    say(talk, "나 스물다섯 살이야")
    say(talk, "아니다, 나 스물여섯 살이야")
    row = talk.locator(".t-row.t-supersede")
    expect(row.locator("s")).to_contain_text("25")
    expect(row.get_by_role("link")).to_contain_text("26")

    talk.locator(".t-turn", has_text="나 스물다섯 살이야").get_by_role("button", name="자세히 보기").click()
    expect(talk.locator(".t-row.t-remember")).to_contain_text("25")
    talk.get_by_role("button", name="최근으로").click()
    expect(talk.locator(".t-row.t-supersede")).to_have_count(1)


def test_while_a_syllable_is_being_put_together_enter_does_not_send(talk: Page):
    box = talk.get_by_label("할 말")
    box.fill("나 고양이 좋아")
    box.evaluate(
        """box => box.dispatchEvent(new KeyboardEvent("keydown",
             {key: "Enter", keyCode: 229, isComposing: true, bubbles: true, cancelable: true}))"""
    )
    box.press("Shift+Enter")
    box.press("End")
    box.type("해")
    expect(box).to_have_value("나 고양이 좋아\n해")
    expect(talk.locator(".t-turn")).to_have_count(1)
    box.press("Enter")
    expect(talk.locator(".t-turn")).to_have_count(2)
    settled(talk)


def test_what_is_picked_stands_in_the_next_context_and_in_no_other(talk: Page):
    say(talk, "나 민트초코 좋아해")
    talk.get_by_role("button", name="다음 문맥에 넣기").click()
    picked = talk.get_by_role("group", name="다음 문맥에 넣을 기억 1개")
    expect(picked).to_contain_text("민트초코를 좋아함")
    picked.get_by_role("button", name="빼기: 민트초코를 좋아함").click()
    expect(picked).to_be_hidden()
    talk.get_by_role("button", name="다음 문맥에 넣기").click()

    say(talk, "버스가 또 늦었어")
    memories = talk.locator("details.t-block", has_text="떠오르는 기억")
    memories.locator("summary").click()
    expect(memories.locator("pre")).to_contain_text("민트초코를 좋아함")
    expect(picked).to_be_hidden()


def test_earlier_turns_are_shown_when_asked_for(page: Page, house: House, scope):
    for number in range(23):
        house.says(f"{number}번째 말이야", scope=scope)
    visit(page, house, "/", scope)
    expect(page.locator(".t-turn")).to_have_count(20)

    page.get_by_role("button", name="앞선 대화 더 보기").click()
    expect(page.locator(".t-turn")).to_have_count(23)
    expect(page.locator(".t-turn").first).to_contain_text("0번째 말이야")
    expect(page.get_by_role("button", name="앞선 대화 더 보기")).to_be_hidden()


def test_a_models_reply_can_be_stopped_keeps_others_waiting_and_is_kept_however_it_ends(page: Page, tmp_path, scope):
    gate = Event()
    letia = {"GIEOK_LLM": "openai:letia"}
    with Misbehaving() as model, own_house(page, tmp_path, **letia, GIEOK_LLM_URL=model.url) as house:
        model.will(
            gated(gate, ["안녕", "하세요"], [", 민수 씨."]), stall("음, "), status(401), stall("잘 "), when=streaming
        )
        visit(page, house, "/", scope)
        expect(page.get_by_text("모델 letia")).to_be_visible()
        page.get_by_label("할 말").fill("안녕")
        page.get_by_role("button", name="보내기").click()
        expect(page.locator(".t-theirs .t-words")).to_have_text("안녕하세요")
        other = page.context.new_page()
        visit(other, house)
        other.get_by_label("할 말").fill("나도 안녕")
        other.get_by_label("할 말").press("Enter")
        expect(other.get_by_text("지금은 다른 답이 나오는 중이에요")).to_be_visible()
        expect(other.get_by_label("할 말")).to_have_value("나도 안녕")
        gate.set()
        expect(page.locator(".t-theirs .t-words")).to_have_text("안녕하세요, 민수 씨.")
        settled(page)

        page.get_by_label("할 말").fill("뭐 할까?")
        page.get_by_label("할 말").press("Enter")
        expect(page.locator(".t-turn").nth(1).locator(".t-theirs .t-words")).to_have_text("음,")
        page.get_by_role("button", name="멈추기").click()
        settled(page)
        expect(page.locator(".t-last")).to_contain_text("여기서 끊겼어요")

        say(page, "내 말 들려?")
        expect(page.locator(".t-last")).to_contain_text("모델이 요청을 거절했어요")
        page.get_by_label("할 말").fill("잘 자")
        page.get_by_label("할 말").press("Enter")
        expect(page.locator(".t-turn").nth(3).locator(".t-theirs .t-words")).to_have_text("잘")
        page.close()
        house.command.process.terminate()
        assert house.command.ends() == 0
    with gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        turns = bank.scope(**scope).turns()
    assert [(len(turn.utterances), turn.cut_off) for turn in turns] == [(2, False), (2, True), (1, True), (2, True)]


def test_at_the_width_of_a_phone_the_talk_comes_first_and_nothing_is_cut(talk: Page):
    talk.set_viewport_size({"width": 390, "height": 844})
    say(talk, "나 매운 거 못 먹어")
    assert talk.evaluate("document.documentElement.scrollWidth") <= 390
    panels, box = talk.locator(".t-panels").bounding_box(), talk.get_by_label("할 말").bounding_box()
    assert panels is not None
    assert box is not None
    assert panels["y"] > box["y"]
    talk.evaluate("scrollTo(0, 0)")
    picture(talk, "talk-phone")
