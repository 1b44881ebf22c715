"""Chat over server-sent events: a message goes in, and the reply comes bit by bit with what it moved."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from typing import Annotated, Any, Final
from uuid import uuid4

from fastapi import Depends, FastAPI, Header, Request, Response
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Send
from starlette.types import Scope as Asgi

from gieok.access.caller import Caller
from gieok.bank import Mind
from gieok.conversation import Conversation
from gieok.conversation.aio import AsyncConversation
from gieok.conversation.events import Event
from gieok.conversation.exchange import retold
from gieok.conversation.interrupting import Interruptible
from gieok.errors import NoModel, TurnChanged, TurnUnderWay, UnknownTurn
from gieok.http import sse
from gieok.http.answering import failing, router
from gieok.http.asking import Asked, ReadMind, WrittenMind
from gieok.http.problems import Refused
from gieok.http.replies import Key, Replies, Reply
from gieok.http.shapes.chat import Again, BrokenOff, Edited, Message
from gieok.http.turns import TurnId, check_hearers

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
