"""Routes of the chat: a message goes in, and the reply comes back as server-sent events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final
from uuid import uuid4

from fastapi import Depends, FastAPI, Header, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from gieok.access.caller import Caller
from gieok.bank import Mind
from gieok.conversation import Conversation
from gieok.conversation.aio import AsyncConversation
from gieok.conversation.conversation import retold
from gieok.conversation.events import Event
from gieok.conversation.replies import Interruptible
from gieok.errors import NoModel, TurnChanged, TurnUnderWay, UnknownTurn
from gieok.http import sse
from gieok.http.bodies import Again, Edited, Message
from gieok.http.dependencies import CurrentCaller, ReadMind, WriteMind
from gieok.http.problems import HTTPProblem
from gieok.http.replies import Replies, Reply, ReplyKey
from gieok.http.router import problems, router
from gieok.http.schemas import answer
from gieok.http.turns import TurnId, check_hearers

_STOP_SECONDS: Final = 5.0  #: that a request to stop a reply waits until it is stored
_NAMES: Final = ("context", "delta", "failed", "emotion", "memory_update", "relationship", "done")
_STREAM: Final[dict[int | str, dict[str, Any]]] = {
    **problems(400, 404, 409),
    200: {
        "description": f"The events {', '.join(_NAMES[:-1])} and {_NAMES[-1]}.",
        "content": {"text/event-stream": {"schema": sse.schema(*_NAMES)}},
    },
}

routes = router("chat")

LastEventId = Annotated[str | None, Header(max_length=400, description="The id of the last event that was received.")]


@answer
@dataclass(frozen=True, slots=True)
class BrokenOff:
    """The result of stopping a reply."""

    turn_id: str
    kept: bool


def replies_of(app: FastAPI) -> Replies:
    if not hasattr(app.state, "replies"):
        app.state.replies = Replies()
    replies: Replies = app.state.replies
    return replies


async def end_replies(app: FastAPI, seconds: float = 3.0) -> None:
    """Let running replies end for `seconds`, then stop them and store what was said.

    A server that stops awaits this before it waits for its connections, which stay open as long as a reply runs.
    """
    await replies_of(app).close(seconds)


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
    return _ChatRequest(mind, caller, replies_of(request.app), last_event_id)


async def _reading(
    request: Request, mind: ReadMind, caller: CurrentCaller, last_event_id: LastEventId = None
) -> _ChatRequest:
    return _ChatRequest(mind, caller, replies_of(request.app), last_event_id)


WriteChat = Annotated[_ChatRequest, Depends(_writing)]
ReadChat = Annotated[_ChatRequest, Depends(_reading)]


class ReplyStream(StreamingResponse):
    """Sends the events of a reply, and counts as its listener meanwhile."""

    def __init__(self, replies: Replies, reply: Reply, heard: int) -> None:
        super().__init__(reply.events(heard, replies.silence), headers=sse.HEADERS, media_type=sse.MEDIA_TYPE)
        self._replies = replies
        self._reply = reply

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
    start: Callable[[AsyncConversation], AsyncGenerator[Event, None]],
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
    if replies.closing or replies.full:
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
