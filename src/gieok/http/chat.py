"""The chat: a message goes in, and the reply comes back as server-sent events.

Events are collected whether or not anybody listens, so that clients can leave and come back.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Annotated, Any, Final
from urllib.parse import quote
from uuid import uuid4

from fastapi import Depends, Header, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from gieok.access.caller import Caller
from gieok.bank import Mind
from gieok.conversation import Conversation
from gieok.conversation import events as talk_events
from gieok.conversation.aio import AsyncConversation
from gieok.conversation.conversation import retold
from gieok.conversation.replies import Interruptible
from gieok.domain.decision import Decision, Ignore, Supersede
from gieok.domain.emotion import sprite_label
from gieok.domain.memory import Memory
from gieok.domain.record import decision_name, to_record
from gieok.domain.relationship import AXES, Manners, Relationship, score
from gieok.domain.scope import Scope
from gieok.domain.state import Move, StateRecord
from gieok.errors import GieokError, NoModel, TurnChanged, TurnUnderWay, UnknownTurn
from gieok.http import sse
from gieok.http.bodies import Again, Edited, Message
from gieok.http.problems import HTTPProblem
from gieok.http.router import CurrentCaller, ReadMind, WriteMind, problems, routes_of
from gieok.http.schemas import answer
from gieok.http.turns import TurnId, check_hearers
from gieok.records import Record, Shape, record

log = logging.getLogger(__name__)

_STORE_SECONDS: Final = 5.0  #: that storing a stopped reply may take
_MEMORY: Final = Shape(Memory, "id content type=content_type subject subject_id attribute value pinned doubtful")


def event_data(event: talk_events.Event, turn_id: str) -> tuple[str, Record]:
    """Return the name and the data of an event of the turn `turn_id` as they are sent."""
    match event:
        case talk_events.ContextBuilt(context=context):
            sizes = {"tokens": context.tokens, "budget": context.budget, "items": list(context.items)}
            return "context", {"turn_id": turn_id, **sizes, "degraded": list(context.degraded)}
        case talk_events.Delta(text=text):
            return "delta", {"text": text}
        case talk_events.Failed(failure=failure, message=message, detail=detail):
            return "failed", {"failure": failure, "message": message, "detail": detail}
        case talk_events.Emotion(felt=felt):
            known = record(felt)
            label = sprite_label(felt.emotion, felt.intensity)
            return "emotion", {name: part for name, part in known.items() if name != "speaker"} | {"label": label}
        case talk_events.MemoryUpdate(observed=observed):
            flags = {"turn_id": observed.turn.id, "unread": observed.unread, "again": observed.again}
            decisions = [_decision(each) for each in observed.decisions]
            return "memory_update", {**flags, "decisions": decisions, "questions": list(observed.questions)}
        case talk_events.RelationshipUpdate(moves=moves):
            return "relationship", {"moves": [_move(move) for move in moves]}
        case talk_events.Done(turn=turn, reply=reply, cut_off=cut_off):
            return "done", {"turn_id": turn.id, "reply": reply, "cut_off": cut_off}


def _decision(decision: Decision) -> Record:
    return {
        "decision": f"{decision_name(decision).removesuffix('e')}ed",
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

    def add(self, event: talk_events.Event) -> None:
        if not self._events:
            self.replayed = not isinstance(event, talk_events.ContextBuilt)
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


@dataclass(slots=True, kw_only=True)
class Replies:
    """The replies of one server."""

    most_running: int = 256
    most_bytes: int = 32_000_000  #: of ended replies that are kept
    keep_seconds: float = 300.0  #: that an ended reply is kept
    unheard_seconds: float = 30.0  #: after which a reply that nobody listens to is stopped
    silence: float = 15.0  #: seconds after which a comment is sent
    turn_seconds: float = 5.0  #: that a turn waits for the one before it in its scope
    closing: bool = False
    _known: dict[ReplyKey, Reply] = field(default_factory=dict)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def full_for(self, caller: str) -> bool:
        """Whether no other reply can begin; a caller has at most half of them."""
        own = sum(each.key.caller == caller and not each.ended for each in self._known.values())
        return len(self._tasks) >= self.most_running or own >= max(self.most_running // 2, 1)

    def get(self, key: ReplyKey) -> Reply | None:
        return self._known.get(key)

    def start(self, reply: Reply, events: AsyncGenerator[talk_events.Event, None]) -> Reply:
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
            reply.stop_timer = later(self.unheard_seconds, self._stop_unheard, reply)

    async def close(self, seconds: float = 3.0) -> None:
        """Let running replies end by themselves for `seconds`; then stop them and store what was said.

        A server that stops awaits this before it waits for its connections, which stay open as long as a reply runs.
        """
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

    async def _collect(self, reply: Reply, events: AsyncGenerator[talk_events.Event, None]) -> None:
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
        reply.drop_timer = asyncio.get_running_loop().call_later(self.keep_seconds, self._drop, reply)
        ended = [each for each in self._known.values() if each.ended]
        size = sum(each.size for each in ended)
        for oldest in ended:
            if size <= self.most_bytes:
                break
            size -= oldest.size
            self._drop(oldest)

    def _drop(self, reply: Reply) -> None:
        if reply.drop_timer is not None:
            reply.drop_timer.cancel()  # it would hold the reply until then
        if self._known.get(reply.key) is reply:
            del self._known[reply.key]


_STOP_SECONDS: Final = 5.0  #: that a request to stop a reply waits until it is stored
_NAMES: Final = ("context", "delta", "failed", "emotion", "memory_update", "relationship", "done")
_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    **problems(400, 404, 409),
    200: {
        "description": f"The events {', '.join(_NAMES[:-1])} and {_NAMES[-1]}.",
        "content": {"text/event-stream": {"schema": sse.schema(*_NAMES)}},
    },
}

routes = routes_of("chat")

LastEventId = Annotated[str | None, Header(max_length=400, description="The id of the last event that was received.")]


@answer()
@dataclass(frozen=True, slots=True)
class BrokenOff:
    """The result of stopping a reply."""

    turn_id: str
    kept: bool


@dataclass(frozen=True, slots=True)
class _ChatRequest:
    mind: Mind
    caller: Caller
    replies: Replies
    last_event_id: str | None

    def key(self, turn_id: str) -> ReplyKey:
        return ReplyKey(self.caller.name, self.mind.key, turn_id)

    def known(self, turn_id: str) -> Reply | None:
        return self.replies.get(self.key(turn_id))


async def _writing(
    request: Request, mind: WriteMind, caller: CurrentCaller, last_event_id: LastEventId = None
) -> _ChatRequest:
    return _ChatRequest(mind, caller, request.app.state.replies, last_event_id)


async def _reading(
    request: Request, mind: ReadMind, caller: CurrentCaller, last_event_id: LastEventId = None
) -> _ChatRequest:
    return _ChatRequest(mind, caller, request.app.state.replies, last_event_id)


WriteChat = Annotated[_ChatRequest, Depends(_writing)]
ReadChat = Annotated[_ChatRequest, Depends(_reading)]


class ReplyStream(StreamingResponse):
    """Sends the events of a reply, and counts as its listener meanwhile."""

    def __init__(self, replies: Replies, reply: Reply, heard: int) -> None:
        super().__init__(reply.events(heard, replies.silence), headers=sse.HEADERS, media_type=sse.MEDIA_TYPE)
        self._replies, self._reply = replies, reply

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        self._replies.add_listener(self._reply)
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._replies.remove_listener(self._reply)


@routes.post("/chat", summary="Send a message and stream the reply", response_class=Response, responses=_STREAM)
async def say(message: Message, chat: WriteChat) -> Response:
    """Answer a message, as events.

    Sent again with the same `turn_id` it gives the same turn: the rest of its events where `Last-Event-ID` names one of
    them, else all of them. A model is asked once.
    """
    chat.caller.check_hearers(chat.mind.key, message.present)
    turn_id = message.turn_id or uuid4().hex
    options = message.model_dump(include={"speaker", "present", "channel", "at"})
    return await _join_or_start(
        chat,
        turn_id,
        ("say", message.text),
        lambda talk: talk.say(message.text, turn_id=turn_id, **options),
        persona=message.persona,
        session=message.session,
    )


@routes.post("/chat/{turn_id}/regenerate", summary="Answer a turn again", response_class=Response, responses=_STREAM)
async def regenerate(turn_id: TurnId, chat: WriteChat, again: Again | None = None) -> Response:
    """Answer a turn again; the first reply, and the turns after it, are undone."""
    persona = again.persona if again is not None else ""
    await _check_hearers(chat, turn_id)
    return await _join_or_start(chat, turn_id, ("again",), lambda talk: talk.regenerate(turn_id), persona=persona)


@routes.post(
    "/chat/{turn_id}/edit", summary="Change a message and answer it", response_class=Response, responses=_STREAM
)
async def edit(turn_id: TurnId, chat: WriteChat, edited: Edited) -> Response:
    """Change the message of a turn, and answer the new one; the turns after it are undone."""
    await _check_hearers(chat, turn_id)
    request = ("edit", edited.text)
    return await _join_or_start(
        chat, turn_id, request, lambda talk: talk.edit(turn_id, edited.text), persona=edited.persona
    )


@routes.get("/chat/{turn_id}/events", summary="Stream a reply", response_class=Response, responses=_STREAM)
async def events(turn_id: TurnId, chat: ReadChat) -> Response:
    """Stream a reply (again): after `Last-Event-ID` only the rest, live while it comes in. No model is asked."""
    reply = chat.known(turn_id)
    if reply is not None:
        heard = reply.heard_before(chat.last_event_id)
        if heard is not None or not reply.ended:
            return await _stream(chat.replies, reply, heard)
    observed = await asyncio.to_thread(chat.mind.observed, turn_id)
    stored = Reply(chat.key(turn_id), (), lambda: None)
    for event in retold(observed):
        stored.add(event)
    stored.end()
    return StreamingResponse(stored.events(), headers=sse.HEADERS, media_type=sse.MEDIA_TYPE)


@routes.delete("/chat/{turn_id}", summary="Stop a reply", responses=problems(404))
async def break_off(turn_id: TurnId, chat: WriteChat) -> BrokenOff:
    """Stop a running reply. What was said so far is stored, marked as cut off."""
    reply = chat.known(turn_id)
    if reply is None:
        raise UnknownTurn(turn_id)
    if not reply.ended:
        reply.stop()
    return BrokenOff(turn_id, await reply.wait_ended(_STOP_SECONDS))


async def _check_hearers(chat: _ChatRequest, turn_id: str) -> None:
    """Raise `Forbidden` unless the caller may write for all who heard a turn: they hear the new reply, too."""
    known = chat.known(turn_id)
    if known is not None and not known.ended:
        return  # that was checked when it began, and the turn may be between its old and its new words
    await asyncio.to_thread(check_hearers, chat.mind, turn_id, chat.caller)


async def _join_or_start(
    chat: _ChatRequest,
    turn_id: str,
    request: tuple[str, ...],
    start: Callable[[AsyncConversation], AsyncGenerator[talk_events.Event, None]],
    *,
    persona: str,
    session: str | None = None,
) -> Response:
    """Stream the reply of the same request where there is one, else start a new one."""
    replies, known = chat.replies, chat.known(turn_id)
    if known is not None:
        heard = known.heard_before(chat.last_event_id) if known.request == request else None
        if heard is not None or not known.ended:
            _check_same(known, request, chat.mind)
            return await _stream(replies, known, heard)
    if replies.closing or replies.full_for(chat.caller.name):
        why = "the server is stopping" if replies.closing else "too many replies are running"
        raise HTTPProblem(503, "not-now", f"{why}; try again in a few seconds", {"Retry-After": "5"})
    model = chat.mind.bank.model
    if model is None:
        raise NoModel
    speaking = Interruptible(model)
    talk = Conversation(chat.mind, speaking, persona=persona, session=session, turn_seconds=replies.turn_seconds)
    reply = replies.start(Reply(chat.key(turn_id), request, speaking.break_off), start(AsyncConversation(talk)))
    return await _stream(replies, reply, None)


def _check_same(known: Reply, request: tuple[str, ...], mind: Mind) -> None:
    """Raise unless `known`, which is running, answers this request."""
    if known.request == request:
        return
    if known.request[0] == request[0] == "say":
        raise TurnChanged(known.key.turn_id)
    raise TurnUnderWay(str(mind.key), 0)


async def _stream(replies: Replies, reply: Reply, heard: int | None) -> Response:
    """Send a reply's events, once there are any: an error before the first one becomes a problem document."""
    replies.add_listener(reply)
    try:
        await reply.wait_begun()
    finally:
        replies.remove_listener(reply)
    return ReplyStream(replies, reply, 0 if heard is None or reply.replayed else heard)
