"""The register of replies: how much it keeps, for how long, and for whom."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

import pytest

import gieok
from gieok.conversation.events import Delta, Event, MemoryUpdate
from gieok.domain.scope import Scope
from gieok.errors import BankClosed
from gieok.http.chat import Replies, Reply, ReplyKey, event_data
from support.doubts import DoubtfulReader


def key(turn_id: str = "t1", caller: str = "local") -> ReplyKey:
    return ReplyKey(caller, Scope(user="minsu"), turn_id)


async def spoken(*texts: str, error: Exception | None = None) -> AsyncGenerator[Event, None]:
    for text in texts:
        yield Delta(text=text)
    if error is not None:
        raise error


def begun(replies: Replies, turn_id: str, events: AsyncGenerator[Event, None]) -> Reply:
    return replies.start(Reply(key(turn_id), ("say",), lambda: None), events)


def test_those_that_ended_are_kept_within_bounds_and_the_oldest_go_first():
    async def run():
        replies = Replies(most_bytes=1_000)
        for number in range(9):
            assert await begun(replies, f"t{number}", spoken("가" * 100)).wait_ended(9)
        await asyncio.sleep(0)
        return [number for number in range(9) if replies.get(key(f"t{number}")) is not None]

    assert asyncio.run(run()) == [7, 8]


def test_a_caller_has_at_most_half_of_all_replies():
    async def run():
        replies, waits = Replies(most_running=4), asyncio.Event()

        async def held() -> AsyncGenerator[Event, None]:
            await waits.wait()
            yield Delta(text="안녕")

        def begin(caller: str, number: int) -> Reply:
            return replies.start(Reply(key(f"t{number}", caller), ("say",), lambda: None), held())

        begun = [begin("greedy", number) for number in range(2)]
        first = replies.full_for("greedy"), replies.full_for("other")
        begun += [begin(f"other {number}", number) for number in range(2)]
        then = replies.full_for("another")
        waits.set()
        for each in begun:
            assert await each.wait_ended(9)
        await asyncio.sleep(0)
        return *first, then, replies.full_for("greedy")

    assert asyncio.run(run()) == (True, False, True, False)


def test_those_that_ended_are_kept_for_a_while_only():
    async def run():
        replies = Replies(keep_seconds=0.01)
        reply = begun(replies, "t1", spoken("안녕"))
        await reply.wait_ended(9)
        assert replies.get(reply.key) is reply
        while replies.get(reply.key) is not None:
            await asyncio.sleep(0.005)

    asyncio.run(asyncio.wait_for(run(), 9))


def test_what_never_began_is_raised_and_not_kept():
    async def run():
        replies = Replies()
        reply = begun(replies, "t1", spoken(error=BankClosed()))
        with pytest.raises(BankClosed):
            await reply.wait_begun()
        await reply.wait_ended(9)
        assert replies.get(reply.key) is None

    asyncio.run(run())


def test_what_cannot_be_kept_is_told_to_whoever_listens():
    async def run():
        reply = begun(Replies(), "t1", spoken("안녕", error=BankClosed()))
        return b"".join([each async for each in reply.events()]).decode()

    assert "event: failed" in (told := asyncio.run(run()))
    assert "not_kept" in told


def test_nobody_learns_from_a_failure_what_is_inside_the_server():
    async def run():
        reply = begun(Replies(), "t1", spoken("안녕", error=RuntimeError("/home/minsu/secret.db")))
        return b"".join([each async for each in reply.events()]).decode()

    assert "secret" not in asyncio.run(run())


def test_a_loop_that_ends_breaks_off_what_is_under_way():
    broken = []

    async def waiting():
        yield Delta(text="하나")
        await asyncio.Event().wait()

    async def run():
        reply = Replies().start(Reply(key(), ("say",), lambda: broken.append(1)), waiting())
        await reply.wait_begun()

    asyncio.run(run())
    assert broken == [1]


def test_who_comes_back_in_time_is_waited_for_anew():
    async def run():
        replies, broken, gate = Replies(unheard_seconds=60.0), [], asyncio.Event()

        async def waiting():
            yield Delta(text="하나")
            await gate.wait()

        reply = replies.start(Reply(key(), ("say",), lambda: broken.append(1)), waiting())
        replies.add_listener(reply)
        replies.remove_listener(reply)
        first = reply.stop_timer
        replies.add_listener(reply)
        assert first.cancelled()
        assert reply.stop_timer is None
        replies.remove_listener(reply)
        assert reply.stop_timer.when() > first.when()
        assert broken == []
        gate.set()
        await reply.wait_ended(9)

    asyncio.run(run())


@pytest.mark.parametrize(
    "strange", [None, "", "t1", "t1:", "t1:x.1", "t2:{mark}.1", "t1:{mark}.-1", "t1:{mark}.²", "::."]
)
def test_an_id_that_is_none_of_its_own_is_not_believed(strange):
    reply = Reply(key(), (), lambda: None)
    reply.add_raw("delta", {})
    mark = asyncio.run(anext(reply.events())).decode().partition("t1:")[2].partition(".")[0]
    assert reply.heard_before(f"t1:{mark}.1") == 1
    assert reply.heard_before(f"t1:{mark}.999") == 1
    assert reply.heard_before(None if strange is None else strange.format(mark=mark)) is None


def test_the_stream_says_what_is_doubtful_and_what_to_ask_about_it(tmp_path):
    with gieok.open(tmp_path / "bank.db", embedder="hashing", extractor=DoubtfulReader()) as bank:
        observed = bank.scope(user="minsu", character="letia").observe("allergy 땅콩?", turn_id="t1")
    name, sent = event_data(MemoryUpdate(observed=observed), "t1")

    assert (name, sent["questions"]) == ("memory_update", ["혹시 땅콩 알레르기가 있으세요?"])
    assert [each["memory"]["doubtful"] for each in sent["decisions"]] == [True]
