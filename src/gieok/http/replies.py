"""Replies that are under way, and those that ended a while ago: who lost the connection hears the rest.

A reply goes on when its listener vanishes, and is broken off when nobody has come back for a while. All of this lives
in one event loop; what must last is in the bank.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from gieok.conversation.events import ContextBuilt, Event
from gieok.domain.scope import Scope
from gieok.errors import GieokError
from gieok.http import sse
from gieok.http.chat_events import wired

log = logging.getLogger(__name__)

_KEEPING: Final = 5.0  #: seconds that keeping what was broken off may take


@dataclass(frozen=True, slots=True)
class Key:
    """Whose reply it is: nobody hears another's by guessing the id of a turn."""

    caller: str
    scope: Scope
    turn_id: str


class Reply:
    """One reply: its events so far, and whoever waits for more."""

    def __init__(self, key: Key, asked: tuple[str, ...], break_off: Callable[[], None]) -> None:
        self.key = key
        self.asked = asked  #: what it answers; the same turn id with something else is another request
        self.break_off = break_off  #: ends it as it stands: what was said is kept, and the rest of its events come
        self.ended = False
        self.replayed = False  #: it was kept before: its one delta is the whole reply
        self.size = 0  #: bytes
        self.listeners = 0
        self.trouble: Exception | None = None  #: why it never began, or could not be kept
        self.given_up: asyncio.TimerHandle | None = None  #: when it is, unless somebody listens again
        self.forgotten: asyncio.TimerHandle | None = None  #: when it is, once it ended
        self._mark = secrets.token_hex(3)
        self._events: list[bytes] = []
        self._more = asyncio.Event()

    @property
    def begun(self) -> bool:
        return bool(self._events)

    def add(self, event: Event) -> None:
        """Take in the next event."""
        if not self._events:
            self.replayed = not isinstance(event, ContextBuilt)
        name, data = wired(event, self.key.turn_id)
        if name == "delta" and self.replayed:
            data["whole"] = True
        self.put(name, data)

    def put(self, name: str, data: object) -> None:
        turn_id = quote(self.key.turn_id, safe="")
        written = sse.event(name, data, id=f"{turn_id}:{self._mark}.{len(self._events) + 1}")
        self._events.append(written)
        self.size += len(written)
        self._wake()

    def end(self) -> None:
        self.ended = True
        self._wake()

    def heard_before(self, last_event_id: str | None) -> int | None:
        """Return how many events whoever names `last_event_id` has heard; None: it is no event of this reply."""
        turn_id, _, place = (last_event_id or "").rpartition(":")
        mark, _, number = place.partition(".")
        if turn_id != quote(self.key.turn_id, safe="") or mark != self._mark or not number.isdecimal():
            return None
        return min(int(number), len(self._events))

    async def until_begun(self) -> None:
        """Wait for its first event; raise what kept it from beginning."""
        while not self._events and not self.ended:
            await self._more.wait()
        if self.trouble is not None and not self._events:
            raise self.trouble

    async def until_ended(self, seconds: float) -> bool:
        """Wait for its end; return whether it came."""
        try:
            async with asyncio.timeout(seconds):
                while not self.ended:
                    await self._more.wait()
        except TimeoutError:
            return False
        return True

    async def events(self, heard: int = 0, silence: float | None = None) -> AsyncIterator[bytes]:
        """Yield what came after the first `heard` events, as it comes, and a comment after each `silence`."""
        while True:
            if heard < len(self._events):
                news = b"".join(self._events[heard:])
                heard = len(self._events)
                yield news
            elif self.ended:
                return
            else:
                try:
                    async with asyncio.timeout(silence):
                        await self._more.wait()
                except TimeoutError:
                    yield sse.COMMENT

    def _wake(self) -> None:
        self._more.set()
        self._more = asyncio.Event()


class Replies:
    """The replies of one server."""

    def __init__(
        self,
        *,
        under_way: int = 256,
        bytes_kept: int = 32_000_000,
        seconds_kept: float = 300.0,
        seconds_alone: float = 30.0,
        silence: float = 15.0,
        turn_seconds: float = 5.0,
    ) -> None:
        """Let at most `under_way` go on at once; those that ended are kept for `seconds_kept`, within `bytes_kept`.

        One that nobody listens to for `seconds_alone` is broken off. After a `silence` connections are kept open. A
        turn waits `turn_seconds` for the one before it in its scope.
        """
        self.silence = silence
        self.turn_seconds = turn_seconds
        self._most_under_way = under_way
        self._most_bytes = bytes_kept
        self._seconds_kept = seconds_kept
        self._seconds_alone = seconds_alone
        self._known: dict[Key, Reply] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self.closing = False

    @property
    def full(self) -> bool:
        return len(self._tasks) >= self._most_under_way

    def get(self, key: Key) -> Reply | None:
        return self._known.get(key)

    def begin(self, reply: Reply, events: AsyncGenerator[Event, None]) -> Reply:
        """Let a reply come in, whether or not anybody listens."""
        before = self._known.get(reply.key)
        if before is not None:
            self._forget(before)
        self._known[reply.key] = reply
        task = asyncio.create_task(self._take_in(reply, events))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return reply

    def listened_to(self, reply: Reply) -> None:
        reply.listeners += 1
        if reply.given_up is not None:
            reply.given_up.cancel()
            reply.given_up = None

    def left(self, reply: Reply) -> None:
        """A listener is gone; where it was the last, the reply waits for one to come back, but not for ever."""
        reply.listeners -= 1
        if not reply.listeners and not reply.ended:
            later = asyncio.get_running_loop().call_later
            reply.given_up = later(self._seconds_alone, self._give_up, reply)

    async def close(self, seconds: float = 3.0) -> None:
        """End what is under way: it may come to its own end for `seconds`; then it is broken off, and kept so."""
        self.closing = True
        if await self._all_ended(seconds):
            return
        for reply in self._under_way():
            reply.break_off()
        if not await self._all_ended(_KEEPING):
            log.warning("%s replies are still being kept", len(self._tasks))

    async def _all_ended(self, seconds: float) -> bool:
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        return not self._tasks

    def _under_way(self) -> Iterator[Reply]:
        return (reply for reply in list(self._known.values()) if not reply.ended)

    def _give_up(self, reply: Reply) -> None:
        if not reply.ended:
            log.info("nobody listens to the reply in turn %s any more; it is broken off", reply.key.turn_id)
            reply.break_off()

    async def _take_in(self, reply: Reply, events: AsyncGenerator[Event, None]) -> None:
        try:
            async with aclosing(events):
                async for event in events:
                    reply.add(event)
        except asyncio.CancelledError:  # the loop ends: the thread that speaks need not wait for the model
            reply.break_off()
            raise
        except Exception as error:  # the edge of the task: whoever listens must hear of it
            reply.trouble = error
            if reply.begun:
                log.exception("turn %s could not be kept", reply.key.turn_id)
                message = str(error) if isinstance(error, GieokError) else "the server failed; its log tells why"
                reply.put("failed", {"failure": "not_kept", "message": message, "detail": ""})
        finally:
            reply.end()
            self._ended(reply)

    def _ended(self, reply: Reply) -> None:
        if not reply.begun:
            self._forget(reply)
            return
        reply.forgotten = asyncio.get_running_loop().call_later(self._seconds_kept, self._forget, reply)
        ended = [each for each in self._known.values() if each.ended]
        size = sum(each.size for each in ended)
        for oldest in ended:
            if size <= self._most_bytes:
                break
            size -= oldest.size
            self._forget(oldest)

    def _forget(self, reply: Reply) -> None:
        if reply.forgotten is not None:
            reply.forgotten.cancel()  # it would hold the reply until then
        if self._known.get(reply.key) is reply:
            del self._known[reply.key]
