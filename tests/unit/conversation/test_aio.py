"""Conversations under asyncio."""

import asyncio
import threading
from contextlib import aclosing
from threading import Event

import pytest

from gieok.conversation import Conversation
from gieok.conversation.aio import AsyncConversation
from gieok.conversation.events import ContextBuilt, Delta, Done
from gieok.errors import TurnUnderWay
from gieok.testing import ScriptedModel
from support.bit_by_bit import LONGEST, BitByBit


def wait_for_talks() -> None:
    for thread in threading.enumerate():
        if thread.name == "gieok-talk":
            thread.join(LONGEST)
            assert not thread.is_alive()


def lines(mind):
    return [said.text for turn in mind.turns() for said in turn.utterances]


def test_the_events_are_the_same(letia):
    async def talk():
        conversation = AsyncConversation(Conversation(letia, ScriptedModel({"reply": ["네.", "아니요.", "글쎄요."]})))
        said = [event async for event in conversation.say("안녕", turn_id="t1")]
        again = [event async for event in conversation.regenerate()]
        edited = [event async for event in conversation.edit("t1", "거기 있어?")]
        return said, again, edited

    for events, reply in zip(asyncio.run(talk()), ("네.", "아니요.", "글쎄요."), strict=True):
        assert isinstance(events[0], ContextBuilt)
        assert events[-1].reply == reply
    assert lines(letia) == ["거기 있어?", "글쎄요."]


def test_leaving_early_keeps_what_was_said(letia):
    let_go = Event()
    model = BitByBit("하나 ", let_go, "둘 ", "셋")

    async def talk():
        async with aclosing(AsyncConversation(Conversation(letia, model)).say("세어 봐")) as events:
            async for event in events:
                if isinstance(event, Delta):
                    break
        let_go.set()

    asyncio.run(talk())
    wait_for_talks()
    assert lines(letia) == ["세어 봐", "하나 둘"]
    assert letia.turns()[0].cut_off
    assert model.hung_up == 1


def test_a_cancelled_task_returns_at_once_and_its_turn_is_kept_when_the_model_lets_go(letia):
    let_go = Event()
    model = BitByBit(let_go, "하나 ", "둘")

    async def consume():
        return [event async for event in AsyncConversation(Conversation(letia, model)).say("세어 봐")]

    async def talk():
        task = asyncio.create_task(consume())
        await asyncio.to_thread(model.begun.wait, LONGEST)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(talk())
    assert lines(letia) == []
    let_go.set()
    wait_for_talks()
    assert lines(letia) == ["세어 봐", "하나"]
    assert letia.turns()[0].cut_off


def test_an_error_is_raised_where_the_events_are_awaited(letia):
    conversation = Conversation(letia, ScriptedModel({"reply": "네"}), turn_seconds=0.05)
    held = conversation.say("먼저")
    next(held)

    async def talk():
        return [event async for event in AsyncConversation(conversation).say("나중")]

    with pytest.raises(TurnUnderWay):
        asyncio.run(talk())
    held.close()
    wait_for_talks()


def test_more_turns_wait_than_the_loop_has_threads_for(letia):
    many = 40

    async def one(number):
        conversation = AsyncConversation(Conversation(letia, BitByBit(f"{number}", "번")))
        return [event async for event in conversation.say("안녕")][-1]

    async def talk():
        return await asyncio.gather(*(one(number) for number in range(many)))

    done = asyncio.run(talk())
    assert {event.reply for event in done} == {f"{number}번" for number in range(many)}
    assert all(isinstance(event, Done) for event in done)
