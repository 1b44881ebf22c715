"""Chat over server-sent events: a message goes in, and the reply comes bit by bit with what it moved."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Annotated, Any, Final
from urllib.parse import quote
from uuid import uuid4

from fastapi import Depends, FastAPI, Header, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Send
from starlette.types import Scope as Asgi

from gieok.access.caller import Caller
from gieok.bank import Mind
from gieok.conversation import Conversation
from gieok.conversation.aio import AsyncConversation
from gieok.conversation.conversation import retold
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
from gieok.conversation.replies import Interruptible
from gieok.domain.answer import Observed
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import Felt, one_hot, sprite_label
from gieok.domain.memory import Memory
from gieok.domain.record import to_record
from gieok.domain.relationship import AXES, Manners, Relationship, score
from gieok.domain.scope import Scope
from gieok.domain.state import Move, StateRecord
from gieok.errors import GieokError, NoModel, TurnChanged, TurnUnderWay, UnknownTurn
from gieok.http import sse
from gieok.http.problems import Refused
from gieok.http.requests import Asked, ReadMind, WrittenMind, failing, router
from gieok.http.shapes import Again, BrokenOff, Edited, Message
from gieok.http.turns import TurnId, check_hearers

Wired = tuple[str, dict[str, Any]]  # an event's name and its data

_DONE_WITH = {
    Remember: "remembered",
    Reinforce: "reinforced",
    Supersede: "superseded",
    Retract: "retracted",
    Ignore: "ignored",
}


def wired(event: Event, turn_id: str) -> Wired:
    """Return an event of the turn `turn_id` as it is sent."""
    match event:
        case ContextBuilt(context=context):
            told = {"tokens": context.tokens, "budget": context.budget, "items": list(context.items)}
            return "context", {"turn_id": turn_id, **told, "degraded": list(context.degraded)}
        case Delta(text=text):
            return "delta", {"text": text}
        case Failed(failure=failure, message=message, detail=detail):
            return "failed", {"failure": failure, "message": message, "detail": detail}
        case Emotion(felt=felt):
            return "emotion", _felt(felt)
        case MemoryUpdate(observed=observed):
            return "memory_update", _update(observed)
        case RelationshipUpdate(moves=moves):
            return "relationship", {"moves": [_move(move) for move in moves]}
        case Done(turn=turn, reply=reply, cut_off=cut_off):
            return "done", {"turn_id": turn.id, "reply": reply, "cut_off": cut_off}


def _felt(felt: Felt) -> dict[str, Any]:
    return {
        "emotion": felt.emotion,
        "one_hot": one_hot(felt.emotion),
        "intensity": felt.intensity,
        "label": sprite_label(felt.emotion, felt.intensity),
        "valence": felt.valence,
        "by": felt.by,
    }


def _update(observed: Observed) -> dict[str, Any]:
    return {
        "turn_id": observed.turn.id,
        "unread": observed.unread,
        "again": observed.again,
        "decisions": [_decision(decision) for decision in observed.decisions],
    }


def _decision(decision: Decision) -> dict[str, Any]:
    return {
        "decision": _DONE_WITH[type(decision)],
        "content": decision.claim.content,
        "memory": None if isinstance(decision, Ignore) else _memory(decision.memory),
        "closed": [_memory(memory) for memory in decision.closed] if isinstance(decision, Supersede) else [],
        "why": decision.why if isinstance(decision, Ignore) else None,
    }


def _memory(memory: Memory) -> dict[str, Any]:
    return {
        "id": memory.id,
        "content": memory.content,
        "type": memory.content_type,
        "subject": memory.subject,
        "subject_id": memory.subject_id,
        "attribute": memory.attribute,
        "value": memory.value,
        "pinned": memory.pinned,
    }


def _move(move: Move) -> dict[str, Any]:
    return {
        "kind": move.kind,
        "before": _thing(move.before),
        "after": _thing(move.after),
        "causes": [to_record(cause) for cause in move.causes],
    }


def _thing(thing: StateRecord | None) -> dict[str, Any] | None:
    if isinstance(thing, Relationship):
        axes = {str(axis): thing.axis(axis) for axis in AXES}
        return {"level": thing.level, "score": score(thing), **axes, "turns": thing.turns}
    if isinstance(thing, Manners):
        return {who: to_record(thing.of(who)) for who in ("user", "character")}
    return None


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


_KEEPING_SECONDS: Final = 5.0  #: that whoever breaks a reply off waits for it to be kept
_NAMES: Final = ("context", "delta", "failed", "emotion", "memory_update", "relationship", "done")
_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    **failing(400, 404, 409),
    200: {
        "description": f"The events {', '.join(_NAMES[:-1])} and {_NAMES[-1]}.",
        "content": {"text/event-stream": {"schema": sse.schema(*_NAMES)}},
    },
}

routes = router("chat")

LastEventId = Annotated[str | None, Header(max_length=400, description="The id of the last event that was heard.")]


def replies_of(app: FastAPI) -> Replies:
    """Return the replies of a server."""
    if not hasattr(app.state, "replies"):
        app.state.replies = Replies()
    replies: Replies = app.state.replies
    return replies


async def end_replies(app: FastAPI, seconds: float = 3.0) -> None:
    """For a server that stops: let replies come to their end for `seconds`, then keep them as they stand.

    To be awaited in the server's loop before it waits for its connections, which stay open as long as a reply lasts.
    """
    await replies_of(app).close(seconds)


@dataclass(frozen=True, slots=True)
class _Asking:
    """Somebody who asks for a reply."""

    mind: Mind
    caller: Caller
    replies: Replies
    last_event_id: str | None

    def key(self, turn_id: str) -> Key:
        return Key(self.caller.name, self.mind.key, turn_id)


async def _writing(request: Request, mind: WrittenMind, caller: Asked, last_event_id: LastEventId = None) -> _Asking:
    return _Asking(mind, caller, replies_of(request.app), last_event_id)


async def _reading(request: Request, mind: ReadMind, caller: Asked, last_event_id: LastEventId = None) -> _Asking:
    return _Asking(mind, caller, replies_of(request.app), last_event_id)


Writing = Annotated[_Asking, Depends(_writing)]
Reading = Annotated[_Asking, Depends(_reading)]


class Listening(StreamingResponse):
    """Sends the events of a reply; the reply knows as long as somebody listens."""

    def __init__(self, replies: Replies, reply: Reply, heard: int) -> None:
        super().__init__(reply.events(heard, replies.silence), headers=sse.HEADERS, media_type=sse.MEDIA_TYPE)
        self._replies = replies
        self._reply = reply

    async def __call__(self, scope: Asgi, receive: Receive, send: Send) -> None:
        self._replies.listened_to(self._reply)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._replies.left(self._reply)


@routes.post("/chat", summary="Say something, and hear the reply", response_class=Response, responses=_STREAM)
async def say(message: Message, asking: Writing) -> Response:
    """Answer a message, as events.

    Sent again with the same `turn_id` it gives the same turn: the rest of its events where `Last-Event-ID` names one of
    them, else all of them. A model is asked once.
    """
    asking.caller.check_hearers(asking.mind.key, message.present)
    turn_id = message.turn_id or uuid4().hex
    told = message.model_dump(include={"speaker", "present", "channel", "at"})
    return await _answered(
        asking,
        turn_id,
        ("say", message.text),
        lambda talk: talk.say(message.text, turn_id=turn_id, **told),
        persona=message.persona,
        session=message.session,
    )


@routes.post(
    "/chat/{turn_id}/regenerate", summary="Answer a turn once more", response_class=Response, responses=_STREAM
)
async def regenerate(turn_id: TurnId, asking: Writing, again: Again | None = None) -> Response:
    """Answer a turn once more; the first reply, and what came after it, is taken back."""
    persona = again.persona if again is not None else ""
    await _check_hearers(asking, turn_id)
    return await _answered(asking, turn_id, ("again",), lambda talk: talk.regenerate(turn_id), persona=persona)


@routes.post("/chat/{turn_id}/edit", summary="Say something else in a turn", response_class=Response, responses=_STREAM)
async def edit(turn_id: TurnId, asking: Writing, edited: Edited) -> Response:
    """Have said something else in a turn, and answer that; what came after it is taken back."""
    await _check_hearers(asking, turn_id)
    return await _answered(
        asking,
        turn_id,
        ("edit", edited.text),
        lambda talk: talk.edit(turn_id, edited.text),
        persona=edited.persona,
    )


@routes.get("/chat/{turn_id}/events", summary="Hear a reply", response_class=Response, responses=_STREAM)
async def events(turn_id: TurnId, asking: Reading) -> Response:
    """Hear a reply (again): after `Last-Event-ID` only the rest, live while it comes in. No model is asked."""
    reply = asking.replies.get(asking.key(turn_id))
    if reply is not None:
        heard = reply.heard_before(asking.last_event_id)
        if heard is not None or not reply.ended:
            return await _heard(asking.replies, reply, heard)
    observed = await asyncio.to_thread(asking.mind.observed, turn_id)
    kept = Reply(asking.key(turn_id), (), lambda: None)
    for event in retold(observed):
        kept.add(event)
    kept.end()
    return StreamingResponse(kept.events(), headers=sse.HEADERS, media_type=sse.MEDIA_TYPE)


@routes.delete("/chat/{turn_id}", summary="Break a reply off", responses=failing(404))
async def break_off(turn_id: TurnId, asking: Writing) -> BrokenOff:
    """Break off a reply that is under way. What was said so far is kept, and marked."""
    reply = asking.replies.get(asking.key(turn_id))
    if reply is None:
        raise UnknownTurn(turn_id)
    if not reply.ended:
        reply.break_off()
    return BrokenOff(turn_id=turn_id, kept=await reply.until_ended(_KEEPING_SECONDS))


async def _check_hearers(asking: _Asking, turn_id: str) -> None:
    """Whoever heard a turn hears the new reply, too: the caller must be allowed to write there."""
    known = asking.replies.get(asking.key(turn_id))
    if known is not None and not known.ended:
        return  # they were when it began, and the turn may be on its way from the old words to the new
    await asyncio.to_thread(check_hearers, asking.mind, turn_id, asking.caller)


async def _answered(
    asking: _Asking,
    turn_id: str,
    asked: tuple[str, ...],
    begin: Callable[[AsyncConversation], AsyncGenerator[Event, None]],
    *,
    persona: str,
    session: str | None = None,
) -> Response:
    """Join a reply that is known, or begin one."""
    replies = asking.replies
    known = replies.get(asking.key(turn_id))
    if known is not None:
        heard = known.heard_before(asking.last_event_id) if known.asked == asked else None
        if heard is not None or not known.ended:
            _check_same(known, asked, asking.mind)
            return await _heard(replies, known, heard)
    if replies.closing or replies.full:
        raise _turned_away(closing=replies.closing)
    model = asking.mind.bank.model
    if model is None:
        raise NoModel
    speaking = Interruptible(model)
    talk = Conversation(asking.mind, speaking, persona=persona, session=session, turn_seconds=replies.turn_seconds)
    reply = Reply(asking.key(turn_id), asked, speaking.break_off)
    return await _heard(replies, replies.begin(reply, begin(AsyncConversation(talk))), None)


def _check_same(known: Reply, asked: tuple[str, ...], mind: Mind) -> None:
    """Raise unless `known`, which is under way, is the reply that is asked for."""
    if known.asked == asked:
        return
    if known.asked[0] == asked[0] == "say":
        raise TurnChanged(known.key.turn_id)
    raise TurnUnderWay(str(mind.key), 0)


async def _heard(replies: Replies, reply: Reply, heard: int | None) -> Response:
    """Answer with a reply's events, once it is clear that there are any: what goes wrong before is a problem."""
    replies.listened_to(reply)
    try:
        await reply.until_begun()
    finally:
        replies.left(reply)
    return Listening(replies, reply, 0 if heard is None or reply.replayed else heard)


def _turned_away(*, closing: bool) -> Refused:
    why = "the server is stopping" if closing else "too many replies are under way"
    return Refused(503, "not-now", f"{why}; try again in a few seconds", {"Retry-After": "5"})
