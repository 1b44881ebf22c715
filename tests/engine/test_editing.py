"""Putting a memory right, keeping it in view, forgetting it, and taking turns back."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from gieok.errors import MemoryMoved, UnknownMemory, UnknownTurn
from gieok.testing import day


def test_a_correction_keeps_what_was_said_before_in_its_history(letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    [memory] = letia.facts()
    corrected = letia.correct(memory.id, "나 강아지 좋아해", at=day(2))

    assert (corrected.id, corrected.version, corrected.value) == (memory.id, 2, "강아지")
    assert letia.recall("강아지")[0].text == "나 강아지 좋아해"
    happened = letia.history(memory.id)
    assert [operation.kind for operation, _ in happened] == ["observe", "correct"]
    assert happened[1][1].before == memory


def test_a_pinned_memory_is_in_every_context(letia):
    letia.observe("나 고양이 좋아해")
    [memory] = letia.facts()
    letia.pin(memory.id)

    assert "고양이를 좋아함" in letia.context("오늘 몇 시야").text
    letia.pin(memory.id, False)
    assert letia.facts()[0].pinned is False


def test_a_forgotten_memory_is_gone_from_every_answer_at_once(letia):
    letia.remember("고양이를 아주 좋아함", attribute="likes", value="고양이")
    [memory] = letia.facts()
    letia.forget(memory.id)

    assert letia.facts() == []
    assert letia.facts(history=True) == []
    assert letia.recall("고양이") == []
    assert "고양이" not in letia.context("뭐 좋아해?").text
    assert [operation.kind for operation, _ in letia.history(memory.id)] == ["remember", "forget"]
    with pytest.raises(UnknownMemory):
        letia.correct(memory.id, "다시")


def test_a_memory_of_another_scope_cannot_be_touched(bank, letia):
    letia.observe("나 고양이 좋아해")
    [memory] = letia.facts()
    stranger = bank.scope(user="jiwoo", character="letia", world="academy")

    for touch in (stranger.pin, stranger.forget, stranger.history):
        with pytest.raises(UnknownMemory):
            touch(memory.id)
    with pytest.raises(UnknownMemory):
        stranger.correct(memory.id, "내 거야")
    with pytest.raises(UnknownMemory):
        stranger.context("고양이", include=[memory.id])
    assert letia.facts() == [memory]


def test_rewinding_reopens_what_the_turn_had_closed(letia):
    letia.observe("저는 서울에 살아요", at=day(1))
    letia.observe("나 부산으로 이사했어", at=day(5), turn_id="moved")
    letia.rewind("moved")

    assert [(memory.value, memory.invalid_at) for memory in letia.facts(attribute="residence")] == [("서울", None)]
    assert [turn.number for turn in letia.turns()] == [1]
    assert not any("부산" in hit.text for hit in letia.recall("부산"))


def test_rewinding_an_early_turn_judges_the_later_ones_again(letia):
    letia.observe("나 고양이 좋아해", at=day(1), turn_id="first")
    letia.observe("나 고양이 좋아해", at=day(2), turn_id="again")
    letia.rewind("first")

    [memory] = letia.facts(attribute="likes")
    assert (memory.valid_at, memory.mentions) == (day(2), 0)
    assert [hit.text for hit in letia.recall("고양이")] == ["고양이를 좋아함"]


def test_a_rewound_turn_id_may_be_used_again(letia):
    letia.observe("나 고양이 좋아해", turn_id="t1")
    letia.rewind("t1")
    letia.observe("나 강아지 좋아해", turn_id="t1")

    assert [memory.value for memory in letia.facts()] == ["강아지"]
    with pytest.raises(UnknownTurn):
        letia.rewind("t2")


def test_rewinding_with_all_that_follows_goes_back_to_that_moment(letia):
    for number, said in enumerate(["나 고양이 좋아해", "나 스물다섯 살이야", "저는 서울에 살아요"], start=1):
        letia.observe(said, turn_id=f"t{number}", at=day(number))

    assert letia.rewind("t2", following=True) == ("t2", "t3")
    assert [memory.attribute for memory in letia.facts()] == ["likes"]


def test_several_turns_are_taken_back_in_one_operation(letia):
    for number, text in enumerate(("나 서울 살아", "나 땅콩 알레르기 있어", "나 부산으로 이사했어", "나 고양이 키워")):
        letia.observe(text, reply="네.", turn_id=f"t{number}")
    before = len(letia.journal())

    assert letia.rewind("t2", "t1") == ("t1", "t2")

    assert [turn.id for turn in letia.turns()] == ["t0", "t3"]
    assert [fact.value for fact in letia.facts("user", attribute="residence")] == ["서울"]
    assert letia.facts("user", attribute="allergy") == []
    assert len(letia.journal()) == before + 1


def test_a_talk_that_the_caller_shows_is_not_quoted(letia):
    turn = letia.observe("어제 한강에서 연을 날렸어", reply="연이 높이 날았나요?").turn
    older = letia.context("한강에서 연 날린 거 기억해?")
    ids = [utterance.id for utterance in turn.utterances]

    context = letia.context("한강에서 연 날린 거 기억해?", shown=ids)

    assert "연이 높이 날았나요?" in str(older.messages)
    assert "연이 높이 날았나요?" not in str(context.messages)
    assert not {*ids} & {*context.items}
    assert [message.role for message in context.messages][-1] == "user"


def test_a_correction_survives_the_rewind_of_another_turn(letia):
    letia.observe("날씨 좋다", turn_id="weather")
    letia.observe("나 고양이 좋아해")
    letia.correct(letia.facts()[0].id, "검은 고양이를 좋아함", value="검은 고양이")
    letia.rewind("weather")

    assert [memory.content for memory in letia.facts()] == ["검은 고양이를 좋아함"]
    assert letia.recall("검은 고양이")[0].text == "검은 고양이를 좋아함"


def test_a_correction_takes_what_was_concluded_from_the_old_words(letia):
    letia.observe("저는 서울에 살아요", at=day(1))
    letia.observe("나 간호사야", at=day(1))
    letia.observe("나 고양이 좋아해", at=day(1))
    letia.maintain(["reflect", "summarise"], at=day(2))
    [home] = letia.facts(attribute="residence")
    assert letia.context("안녕", at=day(2)).text.count("서울에 삶") > 1

    letia.correct(home.id, "부산에 삶", at=day(3))
    told = letia.context("안녕", at=day(3)).text
    assert "서울에 삶" not in told
    assert "3월 1일: 부산에 삶 · 간호사임" in told
    assert letia.bank.store.problems() == []


def test_a_change_meant_for_another_version_is_not_made(letia):
    letia.observe("나 고양이 좋아해")
    [memory] = letia.facts()
    letia.pin(memory.id, if_version=1)

    for change in (
        lambda: letia.pin(memory.id, False, if_version=1),
        lambda: letia.correct(memory.id, "강아지를 좋아함", if_version=1),
        lambda: letia.forget(memory.id, if_version=1),
    ):
        with pytest.raises(MemoryMoved) as moved:
            change()
        assert (moved.value.expected, moved.value.found) == (1, 2)
    assert [(each.content, each.pinned, each.version) for each in letia.facts()] == [("고양이를 좋아함", True, 2)]


def test_of_many_who_change_the_same_version_at_once_one_does(letia):
    letia.observe("나 고양이 좋아해")
    [memory] = letia.facts()
    together = Barrier(8)

    def change(number: int) -> bool:
        together.wait()
        try:
            letia.correct(memory.id, f"고양이 {number}마리를 좋아함", if_version=1)
        except MemoryMoved:
            return False
        return True

    with ThreadPoolExecutor(8) as editors:
        assert sum(editors.map(change, range(8))) == 1
    assert letia.memory(memory.id).version == 2


def test_what_another_character_answered_stays_when_a_turn_that_was_overheard_is_edited(bank, letia):
    kai = bank.scope(user="minsu", character="kai", world="academy")
    letia.observe("나 고양이 좋아해", reply="나도!", turn_id="t1", present=["kai"])

    kai.edit("t1", text="나 강아지 좋아해")
    assert said_in(kai) == [("user", "나 강아지 좋아해"), ("letia", "나도!")]
    kai.reroll("t1", "나는 고양이")
    assert said_in(kai) == [("user", "나 강아지 좋아해"), ("letia", "나도!"), ("character", "나는 고양이")]
    kai.edit("t1", reply="나는 토끼")
    assert said_in(kai) == [("user", "나 강아지 좋아해"), ("letia", "나도!"), ("character", "나는 토끼")]
    assert said_in(letia) == [("user", "나 고양이 좋아해"), ("character", "나도!")]


def said_in(mind):
    return [(line.speaker, line.text) for line in mind.turn("t1").utterances]
