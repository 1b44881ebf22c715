"""One turn at a time in a scope, many scopes at once."""

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from gieok.conversation import Conversation
from gieok.conversation.events import ContextBuilt, Delta, Done
from gieok.errors import TurnUnderWay
from gieok.testing import ScriptedModel
from support.bit_by_bit import LONGEST, BitByBit


@pytest.fixture
def pool():
    with ThreadPoolExecutor(4) as threads:
        yield threads


def test_a_second_turn_in_a_scope_waits_for_the_first(bank, letia, pool):
    let_go = Event()
    slow = BitByBit("하나 ", let_go, "둘")
    quick = ScriptedModel({"reply": "셋"})
    first = pool.submit(lambda: list(Conversation(letia, slow).say("먼저")))
    assert slow.begun.wait(LONGEST)
    same = bank.scope(user="minsu", character="letia", world="academy")
    second = pool.submit(lambda: list(Conversation(same, quick).say("나중")))
    with pytest.raises(TimeoutError):
        second.result(0.3)
    assert not quick.asked
    let_go.set()
    first.result(LONGEST)
    second.result(LONGEST)
    said = [utterance.text for turn in letia.turns() for utterance in turn.utterances]
    assert said == ["먼저", "하나 둘", "나중", "셋"]
    assert [message.content for message in quick.asked[0][1]][-3:] == ["먼저", "하나 둘", "나중"]


def test_another_scope_does_not_wait(bank, letia, pool):
    let_go = Event()
    slow = BitByBit(let_go, "하나")
    first = pool.submit(lambda: list(Conversation(letia, slow).say("먼저")))
    assert slow.begun.wait(LONGEST)
    sera = bank.scope(user="minsu", character="sera", world="academy")
    assert isinstance(list(Conversation(sera, ScriptedModel({"reply": "네"})).say("안녕"))[-1], Done)
    assert not first.done()
    let_go.set()
    first.result(LONGEST)


def test_a_turn_that_nobody_ends_is_waited_for_only_so_long(letia):
    conversation = Conversation(letia, ScriptedModel({"reply": "네"}), turn_seconds=0.05)
    held = conversation.say("먼저")
    next(held)
    with pytest.raises(TurnUnderWay, match=r"still in progress after 0\.05 s"):
        next(conversation.say("나중"))
    held.close()
    assert isinstance(list(conversation.say("나중"))[-1], Done)
    assert [turn.utterances[0].text for turn in letia.turns()] == ["먼저", "나중"]


def test_the_next_turn_may_begin_when_one_is_done(letia):
    conversation = Conversation(letia, ScriptedModel({"reply": "네"}), turn_seconds=0.05)
    for event in conversation.say("먼저"):
        if isinstance(event, Done):
            assert isinstance(list(conversation.say("나중"))[-1], Done)


def test_a_turn_may_end_in_another_thread_than_it_began_in(letia, pool):
    events = Conversation(letia, BitByBit("하나 ", "둘")).say("세어 봐")
    kinds = [type(pool.submit(next, events).result(LONGEST)) for _ in range(2)]
    assert kinds == [ContextBuilt, Delta]
    pool.submit(events.close).result(LONGEST)
    assert [utterance.text for utterance in letia.turns()[0].utterances] == ["세어 봐", "하나"]
