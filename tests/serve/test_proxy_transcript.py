"""Conversations as people really have them: the current branch is what stands in their window."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.clients import Client, Pair
from support.misbehaving import Exchange, answer
from support.proxied import Proxied, proxied

GREETING: Pair = (None, "어서 와요, 오늘은 어땠어요?")


@pytest.fixture
def chat(tmp_path) -> Iterator[Proxied]:
    with proxied(tmp_path) as chat:
        numbers = count(1)

        def reply(exchange: Exchange) -> None:
            answer(f"{next(numbers)}번째 대답이에요.")(exchange)

        chat.model.always(reply)
        yield chat


def test_forty_messages_with_edits_rerolls_deletions_and_a_shortened_history(chat):
    letia = Client(chat.ask, [GREETING], persona="너는 레티아다.")
    for text in ("나 민수야", "나 서울 살아", "고양이를 키워", "땅콩 알레르기가 있어", "어제 시험을 봤어"):
        letia.say(text)
    letia.reroll()
    letia.reroll()
    letia.edit(-1, reply="시험은 잘 봤어요?")
    letia.say("그럭저럭 봤어")
    other = Client(chat.ask, [GREETING])  # a new chat with the same greeting, in between
    other.say("안녕, 처음이지?")
    other.say("나는 소라야")
    letia.edit(2, text="나 부산 살아")
    letia.say("바다가 가까워")
    letia.delete(4)
    for text in ("오늘은 비가 와", "우산을 잃어버렸어", "배가 고파", "라면 먹을까", "김치도 있어"):
        letia.say(text)
    letia.delete(-1)
    letia.delete(-1)
    letia.say("역시 밥을 먹을래")
    letia.keeps = 6  # from here on the client's window is full
    for text in ("밥을 먹었어", "배가 불러", "졸려", "낮잠을 잤어", "꿈을 꿨어"):
        letia.say(text)
    letia.edit(-2, text="낮잠을 오래 잤어")
    letia.say("무서운 꿈이었어")
    letia.reroll()
    letia.edit(-1, reply="괜찮아요, 꿈이에요.")
    other.say("또 왔어")
    for text in ("이제 괜찮아", "고마워", "잘 자", "내일 봐"):
        letia.say(text)

    said = [words for pair in letia.pairs for words in pair if words is not None]
    assert len(said) >= 40
    assert sorted(chat.sessions().values(), key=len) == [other.pairs, letia.pairs]
    facts = {(each.attribute, each.value) for each in chat.mind().facts(about="user")}
    assert ("residence", "부산") in facts
    assert ("residence", "서울") not in facts
    assert not any(attribute == "allergy" for attribute, _ in facts)  # that exchange was deleted


def test_a_continued_reply_is_one_reply(chat):
    chat.model.will(answer("그러니까"), answer(" 말이죠."))
    ask = {"role": "user", "content": "왜 그래?"}
    chat.ask([ask])
    chat.ask([ask, {"role": "assistant", "content": "그러니까"}])
    assert chat.talk() == [("왜 그래?", "그러니까 말이죠.")]


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["say", "say", "reroll", "edit text", "edit reply", "undo", "delete", "other"]),
        st.integers(0, 9),
    ),
    min_size=3,
    max_size=9,
)


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(steps=STEPS)
def test_whatever_a_client_does_the_current_branch_is_its_conversation(chat, steps):
    made = next(CHARACTERS)
    letia = Client(lambda said: chat.ask(said, model=f"gieok/{made}"), [GREETING])
    other = Client(lambda said: chat.ask(said, model=f"gieok/{made}"), [GREETING])
    other.say("다른 창에서 하는 이야기야")
    other.say("여기는 아무도 건드리지 마")
    for number in range(3):
        letia.say(f"처음 하는 {number}번째 이야기")
    for number, (what, at) in enumerate(steps):
        _do(letia, other, what, at, number)
    letia.say("여기까지야")
    kept = list(chat.sessions(made).values())
    assert letia.pairs in kept
    assert other.pairs in kept


CHARACTERS = (f"letia{number}" for number in count())


def _do(letia: Client, other: Client, what: str, at: int, number: int) -> None:
    place = 2 + at % max(len(letia.pairs) - 2, 1)  # the first exchange tells which chat it is
    match what:
        case "say":
            letia.say(f"{number}번째 새 이야기, {at}")
        case "reroll":
            letia.reroll()
        case "edit text" if place < len(letia.pairs):
            letia.edit(place, text=f"{number}번째로 고친 말")
        case "edit reply" if place < len(letia.pairs):
            letia.edit(place, reply=f"{number}번째로 고친 대답")
        case "undo" if len(letia.pairs) > 3:
            letia.delete(-1)
        case "delete" if place + 1 < len(letia.pairs) and place > 2:
            letia.delete(place)
        case "other":
            other.say(f"{number}번째 다른 이야기")
