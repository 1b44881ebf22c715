"""One reply while it comes in: every event is shown where it belongs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from gieok.conversation.events import ContextBuilt, Delta, Done, Emotion, Event, Failed, MemoryUpdate
from gieok.domain.answer import Context
from gieok.domain.turn import CHARACTER
from gieok.web.talk.log import Exchange
from gieok.web.talk.outcomes import named

if TYPE_CHECKING:
    from gieok.web.talk.sitting import Sitting

_DRAWN_EVERY: Final = 0.05  #: seconds; a model may send a hundred bits in one


class Hearing:
    """One reply while it comes in."""

    def __init__(self, sitting: Sitting, exchange: Exchange, include: tuple[str, ...]) -> None:
        self.done: Done | None = None
        self._sitting, self._exchange, self._include = sitting, exchange, include
        self._context: Context | None = None
        self._failure: Failed | None = None
        self._reply = ""
        self._drawn_at = 0.0
        self._drawing: asyncio.TimerHandle | None = None  #: when it is drawn next

    async def take(self, event: Event) -> None:
        sitting = self._sitting
        if isinstance(event, Done):
            self.done = event
        if sitting.gone:
            return  # it goes on to its end, which is near: it was broken off
        match event:
            case ContextBuilt():
                self._context = event.context
                await sitting.sent(event.context, self._include)
            case Delta():
                self._hear(event.text)
            case Failed():
                self._failure = event
            case Emotion():
                sitting.face.show(event.felt.emotion)
            case MemoryUpdate():
                if self._context is not None:
                    sitting.keep(event.observed.turn.id, self._context)
            case Done():
                self._end(event)

    def _hear(self, text: str) -> None:
        self._reply += text
        if self._drawing is None:
            loop = asyncio.get_running_loop()
            self._drawing = loop.call_at(max(self._drawn_at + _DRAWN_EVERY, loop.time()), self._draw)

    def _draw(self) -> None:
        self._drawing = None
        self._drawn_at = asyncio.get_running_loop().time()
        if self.done is None and not self._sitting.gone:
            self._exchange.hear(self._reply)

    def _end(self, done: Done) -> None:
        sitting = self._sitting
        self._exchange.show(done.turn)
        if self._failure is not None and self._failure.failure != "cancelled":  # who stopped it knows that
            self._exchange.fail(self._failure.message)
        character = named(CHARACTER, sitting.scope, sitting.visitor.words)
        sitting.heard.text = sitting.visitor.words("talk.announced", character=character, text=done.reply)
