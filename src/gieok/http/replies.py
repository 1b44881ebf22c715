"""Replies of characters while they come in: their events, so that clients can listen, leave and come back."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Final
from urllib.parse import quote

from gieok.conversation.events import (
    ContextBuilt,
    Delta,
    Done,
    Emotion,
    Event,
    Failed,
    MemoryUpdate,
    RelationshipUpdate,
)
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import sprite_label
from gieok.domain.memory import Memory
from gieok.domain.record import to_record
from gieok.domain.relationship import AXES, Manners, Relationship, score
from gieok.domain.scope import Scope
from gieok.domain.state import Move, StateRecord
from gieok.errors import GieokError
from gieok.http import sse
from gieok.records import Record, Shape, record

log = logging.getLogger(__name__)

_STORE_SECONDS: Final = 5.0  #: that storing a stopped reply may take
_PAST_TENSE: Final = {
    Remember: "remembered",
    Reinforce: "reinforced",
    Supersede: "superseded",
    Retract: "retracted",
    Ignore: "ignored",
}
_MEMORY: Final = Shape(Memory, "id content type=content_type subject subject_id attribute value pinned doubtful")


def event_data(event: Event, turn_id: str) -> tuple[str, Record]:
    """Return the name and the data of an event of the turn `turn_id` as they are sent."""
    match event:
        case ContextBuilt(context=context):
            sizes = {"tokens": context.tokens, "budget": context.budget, "items": list(context.items)}
            return "context", {"turn_id": turn_id, **sizes, "degraded": list(context.degraded)}
        case Delta(text=text):
            return "delta", {"text": text}
        case Failed(failure=failure, message=message, detail=detail):
            return "failed", {"failure": failure, "message": message, "detail": detail}
        case Emotion(felt=felt):
            known = record(felt)
            label = sprite_label(felt.emotion, felt.intensity)
            return "emotion", {name: part for name, part in known.items() if name != "speaker"} | {"label": label}
        case MemoryUpdate(observed=observed):
            flags = {"turn_id": observed.turn.id, "unread": observed.unread, "again": observed.again}
            decisions = [_decision(each) for each in observed.decisions]
            return "memory_update", {**flags, "decisions": decisions, "questions": list(observed.questions)}
        case RelationshipUpdate(moves=moves):
            return "relationship", {"moves": [_move(move) for move in moves]}
        case Done(turn=turn, reply=reply, cut_off=cut_off):
            return "done", {"turn_id": turn.id, "reply": reply, "cut_off": cut_off}


def _decision(decision: Decision) -> Record:
    return {
        "decision": _PAST_TENSE[type(decision)],
        "content": decision.claim.content,
        "memory": None if isinstance(decision, Ignore) else _MEMORY.record(decision.memory),
        "closed": [_MEMORY.record(each) for each in decision.closed] if isinstance(decision, Supersede) else [],
        "why": decision.why if isinstance(decision, Ignore) else None,
    }


def _move(move: Move) -> Record:
    causes = [to_record(cause) for cause in move.causes]
    return {"kind": move.kind, "before": _state(move.before), "after": _state(move.after), "causes": causes}


def _state(state: StateRecord | None) -> Record | None:
    if isinstance(state, Relationship):
        axes = {str(axis): state.axis(axis) for axis in AXES}
        return {"level": state.level, "score": score(state), **axes, "turns": state.turns}
    if isinstance(state, Manners):
        return {who: to_record(state.of(who)) for who in ("user", "character")}
    return None


@dataclass(frozen=True, slots=True)
class ReplyKey:
    """Which reply it is, and whose: nobody hears another's reply by guessing the id of its turn."""

    caller: str
    scope: Scope
    turn_id: str


class Reply:
    """One reply: its events so far, and the listeners who wait for more."""

    def __init__(self, key: ReplyKey, request: tuple[str, ...], stop: Callable[[], None]) -> None:
        self.key = key
        self.request = request  #: what it answers; the same turn id with something else is another request
        self.stop = stop  #: ends it as it is: what was said is stored, and its last events come
        self.ended = False
        self.replayed = False  #: it was stored before: its one delta is the whole reply
        self.size = 0  #: bytes
        self.listeners = 0
        self.error: Exception | None = None  #: why it never began, or could not be stored
        self.stop_timer: asyncio.TimerHandle | None = None  #: while nobody listens
        self.drop_timer: asyncio.TimerHandle | None = None  #: once it ended
        self._mark = secrets.token_hex(3)
        self._events: list[bytes] = []
        self._news = asyncio.Event()

    @property
    def begun(self) -> bool:
        return bool(self._events)

    def add(self, event: Event) -> None:
        if not self._events:
            self.replayed = not isinstance(event, ContextBuilt)
        name, data = event_data(event, self.key.turn_id)
        if name == "delta" and self.replayed:
            data["whole"] = True
        self.add_raw(name, data)

    def add_raw(self, name: str, data: object) -> None:
        turn_id = quote(self.key.turn_id, safe="")
        written = sse.event(name, data, id=f"{turn_id}:{self._mark}.{len(self._events) + 1}")
        self._events.append(written)
        self.size += len(written)
        self._wake()

    def end(self) -> None:
        self.ended = True
        self._wake()

    def heard_before(self, last_event_id: str | None) -> int | None:
        """Return how many events were sent up to `last_event_id`; None: it is no event of this reply."""
        turn_id, _, place = (last_event_id or "").rpartition(":")
        mark, _, number = place.partition(".")
        if turn_id != quote(self.key.turn_id, safe="") or mark != self._mark or not number.isdecimal():
            return None
        return min(int(number), len(self._events))

    async def wait_begun(self) -> None:
        """Wait for its first event; raise the error that kept it from beginning."""
        while not self._events and not self.ended:
            await self._news.wait()
        if self.error is not None and not self._events:
            raise self.error

    async def wait_ended(self, seconds: float) -> bool:
        """Wait for its end; return whether it came."""
        try:
            async with asyncio.timeout(seconds):
                while not self.ended:
                    await self._news.wait()
        except TimeoutError:
            return False
        return True

    async def events(self, heard: int = 0, silence: float | None = None) -> AsyncIterator[bytes]:
        """Yield what comes after the first `heard` events, and a comment after each `silence` in seconds."""
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
                        await self._news.wait()
                except TimeoutError:
                    yield sse.COMMENT

    def _wake(self) -> None:
        self._news.set()
        self._news = asyncio.Event()


class Replies:
    """The replies of one server."""

    def __init__(
        self,
        *,
        most_running: int = 256,
        most_bytes: int = 32_000_000,
        keep_seconds: float = 300.0,
        unheard_seconds: float = 30.0,
        silence: float = 15.0,
        turn_seconds: float = 5.0,
    ) -> None:
        """Run at most `most_running` at once; keep ended ones for `keep_seconds`, within `most_bytes`.

        A reply that nobody listens to for `unheard_seconds` is stopped. A comment is sent after each `silence`. A turn
        waits `turn_seconds` for the one before it in its scope.
        """
        self.silence = silence
        self.turn_seconds = turn_seconds
        self.closing = False
        self._most_running = most_running
        self._most_bytes = most_bytes
        self._keep_seconds = keep_seconds
        self._unheard_seconds = unheard_seconds
        self._known: dict[ReplyKey, Reply] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def full(self) -> bool:
        return len(self._tasks) >= self._most_running

    def get(self, key: ReplyKey) -> Reply | None:
        return self._known.get(key)

    def start(self, reply: Reply, events: AsyncGenerator[Event, None]) -> Reply:
        """Collect the events of a reply, whether or not anybody listens."""
        before = self._known.get(reply.key)
        if before is not None:
            self._drop(before)
        self._known[reply.key] = reply
        task = asyncio.create_task(self._collect(reply, events))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return reply

    def add_listener(self, reply: Reply) -> None:
        reply.listeners += 1
        if reply.stop_timer is not None:
            reply.stop_timer.cancel()
            reply.stop_timer = None

    def remove_listener(self, reply: Reply) -> None:
        """Note that a listener left; without one, the reply is stopped after a while."""
        reply.listeners -= 1
        if not reply.listeners and not reply.ended:
            later = asyncio.get_running_loop().call_later
            reply.stop_timer = later(self._unheard_seconds, self._stop_unheard, reply)

    async def close(self, seconds: float = 3.0) -> None:
        """Let running replies end by themselves for `seconds`; then stop them and store what was said."""
        self.closing = True
        if await self._all_ended(seconds):
            return
        for reply in list(self._known.values()):
            if not reply.ended:
                reply.stop()
        if not await self._all_ended(_STORE_SECONDS):
            log.warning("%s replies are still being stored", len(self._tasks))

    async def _all_ended(self, seconds: float) -> bool:
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)
        return not self._tasks

    def _stop_unheard(self, reply: Reply) -> None:
        if not reply.ended:
            log.info("nobody listens to the reply in turn %s any more; it is stopped", reply.key.turn_id)
            reply.stop()

    async def _collect(self, reply: Reply, events: AsyncGenerator[Event, None]) -> None:
        try:
            async with aclosing(events):
                async for event in events:
                    reply.add(event)
        except asyncio.CancelledError:  # the loop ends: the thread of the turn need not wait for the model
            reply.stop()
            raise
        except Exception as error:  # the edge of the task: listeners must hear of it
            reply.error = error
            if reply.begun:
                log.exception("turn %s could not be stored", reply.key.turn_id)
                message = str(error) if isinstance(error, GieokError) else "the server failed; its log has the reason"
                reply.add_raw("failed", {"failure": "not_kept", "message": message, "detail": ""})
        finally:
            reply.end()
            self._make_room(reply)

    def _make_room(self, reply: Reply) -> None:
        if not reply.begun:
            self._drop(reply)
            return
        reply.drop_timer = asyncio.get_running_loop().call_later(self._keep_seconds, self._drop, reply)
        ended = [each for each in self._known.values() if each.ended]
        size = sum(each.size for each in ended)
        for oldest in ended:
            if size <= self._most_bytes:
                break
            size -= oldest.size
            self._drop(oldest)

    def _drop(self, reply: Reply) -> None:
        if reply.drop_timer is not None:
            reply.drop_timer.cancel()  # it would hold the reply until then
        if self._known.get(reply.key) is reply:
            del self._known[reply.key]
