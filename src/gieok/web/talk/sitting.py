"""One visitor talking with one mind: what is said goes through a `Conversation`, and every event has its place.

The mind is that of the page, also when another tab of the browser has turned to another one meanwhile.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from typing import Final

from nicegui import ui

from gieok.access.acting import acting_for
from gieok.bank import Mind
from gieok.conversation import Conversation
from gieok.conversation.aio import AsyncConversation
from gieok.conversation.events import Event
from gieok.conversation.interrupting import Interruptible
from gieok.conversation.phrasebook import Phrasebook
from gieok.domain.answer import Context, Item
from gieok.domain.desk import Role
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import USER, Turn, checked_text
from gieok.errors import Forbidden, TurnUnderWay, UnknownTurn
from gieok.web.kit import Said
from gieok.web.talk.composer import Composer
from gieok.web.talk.editing import reworded
from gieok.web.talk.face import Face
from gieok.web.talk.hearing import Hearing
from gieok.web.talk.log import Exchange, Log
from gieok.web.talk.looking import Happened, happened
from gieok.web.talk.panels import Panels
from gieok.web.talk.under_way import noted
from gieok.web.visitors import Visitor

PAGE: Final = 20  #: turns that are shown at once
_WAITS: Final = 3.0  #: seconds for a turn that is under way elsewhere
_PAUSE: Final = 0.03  #: seconds between the words of a phrase: a reply that comes, not one that is there
_CONTEXTS: Final = 50  #: that are held word by word, of the latest turns of this page

Begin = Callable[[AsyncConversation, tuple[str, ...]], AsyncGenerator[Event, None]]


class Sitting:
    """The state of the page, and what its controls do."""

    log: Log
    composer: Composer | None
    panels: Panels
    face: Face
    heard: Said  #: what a screen reader says aloud

    def __init__(self, visitor: Visitor, scope: Scope) -> None:
        self.visitor = visitor
        self.scope = scope
        self._speaking: Interruptible | None = None
        self._contexts: dict[str, Context] = {}
        self._chosen: Exchange | None = None
        self._gone = False

    async def mind(self, role: Role) -> Mind:
        """Return the mind of this page. Raises `Forbidden` unless the visitor may do there what `role` may."""
        caller = await self.visitor.caller(counts=role != "reader")
        caller.check(role, self.scope)
        if role == "reader":
            await self.visitor.notes_reading(caller, self.scope)
        return self.visitor.bank.mind(self.scope)

    async def begin(self) -> None:
        """Show the last turns, and what became of the last one."""
        mind = await self.mind("reader")
        turns = await asyncio.to_thread(mind.turns, PAGE + 1)
        self.log.fill(turns[-PAGE:], more=len(turns) > PAGE)
        await self.show_picked()
        await self.look_at_newest()

    async def earlier(self) -> None:
        """Show some turns before the first one on the screen."""
        first = self.log.first
        if first is None:
            return
        mind = await self.mind("reader")
        turns = await asyncio.to_thread(mind.turns, PAGE + 1, before=first.number)
        self.log.put_before(turns[-PAGE:], more=len(turns) > PAGE)

    async def look(self, turn_id: str) -> None:
        """Show what became of a turn."""
        exchange = self.log.find(turn_id)
        if exchange is None or self._speaking is not None:
            return
        mind = await self.mind("reader")
        try:
            found = await asyncio.to_thread(happened, mind, turn_id, self._contexts.get(turn_id), self.visitor)
        except UnknownTurn:
            self.panels.clear()
            self.panels.tell_which(self.visitor.words("talk.panels.unknown"), earlier=True)
            return
        self._choose(exchange)
        self._show(found, newest=exchange is self.log.last)

    async def look_at_newest(self) -> None:
        last = self.log.last
        if last is None or last.turn is None:
            self.panels.clear()
            return
        await self.look(last.turn.id)

    async def send(self, text: str) -> None:
        """Say something."""
        assert self.composer is not None
        if self._speaking is not None:
            self.composer.give_back(text)
            return
        exchange = self.log.add()
        exchange.say([(USER, text)])
        self.log.to_the_end()
        began = False
        try:
            checked_text(text)
            began = await self._speak(exchange, lambda talk, include: talk.say(text, include=include))
        finally:
            if not began and not self._gone:
                self.log.drop(exchange)
                self.composer.give_back(text)

    async def again(self, turn_id: str) -> None:
        """Have the last turn answered once more."""
        exchange = self.log.find(turn_id)
        if exchange is None or self._speaking is not None:
            return
        await self._retell(exchange, lambda talk, include: talk.regenerate(turn_id, include=include))

    async def edit(self, turn_id: str) -> None:
        """Ask what is to have been said instead, and have that answered."""
        exchange = self.log.find(turn_id)
        if exchange is None or exchange.turn is None or self._speaking is not None:
            return
        if not await self._may_retell(exchange.turn):
            return
        text = await reworded(exchange.turn, len(self.log.after(exchange)), self.visitor.words)
        if text is None or self._speaking is not None:
            return
        exchange.say([(USER, text)])
        await self._retell(exchange, lambda talk, include: talk.edit(turn_id, text, include=include))

    def stop(self) -> None:
        """Break the reply off: what was said so far is kept."""
        if self._speaking is not None:
            self._speaking.break_off()

    def leave(self) -> None:
        """The page is gone: nobody listens to its reply any more."""
        self._gone = True
        self.stop()

    async def show_picked(self) -> None:
        """Show what was picked for the next context."""
        if self.composer is None:
            return
        ids = self._picked()
        mind = await self.mind("reader")
        items = await asyncio.to_thread(mind.items, ids)
        gone = self.visitor.words("talk.picked.gone")
        texts = {each: _text(items[each]) if each in items else gone for each in ids}
        self.composer.show_picked(texts)

    async def pick(self, item_id: str) -> None:
        """Put something into the next context."""
        if self.visitor.desk.scope == self.scope:
            self.visitor.desk.pick([item_id])
        await self.show_picked()

    async def drop(self, item_id: str) -> None:
        """Take something out of the next context again."""
        self.visitor.desk.drop([item_id])
        await self.show_picked()

    def _picked(self) -> tuple[str, ...]:
        """Return what is to be put in; what is on the desk belongs to the mind on the desk."""
        desk = self.visitor.desk
        return tuple(desk.picked) if desk.scope == self.scope else ()

    async def _retell(self, exchange: Exchange, begin: Begin) -> None:
        """Tell a turn anew: what came after it goes. Where that went wrong, the log is shown as it is."""
        following = self.log.after(exchange)
        for each in following:
            each.fade()
        retold = False
        try:
            assert exchange.turn is not None, "what is told anew is kept"
            turn = await asyncio.to_thread((await self.mind("reader")).turn, exchange.turn.id)
            retold = await self._may_retell(turn) and await self._speak(exchange, begin, following)
        finally:
            if not retold and not self._gone:
                await self._reload()

    async def _may_retell(self, turn: Turn) -> bool:
        """Whether the visitor may write for all who heard `turn`: they hear the new one, too. If not, they are told."""
        try:
            (await self.visitor.caller()).check_hearers(self.scope, turn.present)
        except Forbidden:
            others = ", ".join(turn.present)
            ui.notify(self.visitor.words("talk.heard", others=others), type="warning", multi_line=True)
            return False
        return True

    async def _reload(self) -> None:
        first = self.log.first
        mind = await self.mind("reader")
        turns = await asyncio.to_thread(mind.turns, max(len(self.log.exchanges), PAGE) + 1)
        shown = [turn for turn in turns if first is None or turn.number >= first.number]
        self.log.fill(shown, more=len(turns) > len(shown) or (bool(shown) and shown[0].number > 1))
        await self.look_at_newest()

    async def _speak(self, exchange: Exchange, begin: Begin, following: Sequence[Exchange] = ()) -> bool:
        """Have something answered; return whether it came to a turn. What the model fails at is told in the log."""
        assert self.composer is not None
        mind = await self.mind("writer")
        speaking = Interruptible(mind.bank.model or Phrasebook(mind, pause=_PAUSE))
        desk = self.visitor.desk
        persona = desk.persona if desk.scope == self.scope else ""
        talk = Conversation(mind, speaking, persona=persona, session=desk.session, turn_seconds=_WAITS)
        include = self._picked()
        hearing = Hearing(self, exchange, include)
        self._speaking = speaking
        self.composer.be_busy(True)
        exchange.wait()
        try:
            with noted(speaking), acting_for(await self.visitor.caller()):
                async with aclosing(begin(AsyncConversation(talk), include)) as events:
                    async for event in events:
                        await hearing.take(event)
        except TurnUnderWay:
            ui.notify(self.visitor.words("talk.busy"), type="warning")
        except asyncio.CancelledError:  # the server ends: the thread that speaks need not wait for the model
            speaking.break_off()
            raise
        finally:
            self._speaking = None
            if not self._gone:
                self.composer.be_busy(False)
        if hearing.done is not None and not self._gone:
            self.log.drop(*following)
            await self.look_at_newest()
        return hearing.done is not None

    async def sent(self, context: Context, include: tuple[str, ...]) -> None:
        """Take note that what was picked is on its way."""
        self.visitor.desk.drop(include)
        if include:
            await self.show_picked()

    def keep(self, turn_id: str, context: Context) -> None:
        """Hold a context word by word, as long as there is room."""
        self._contexts.pop(turn_id, None)
        self._contexts[turn_id] = context
        while len(self._contexts) > _CONTEXTS:
            del self._contexts[next(iter(self._contexts))]

    @property
    def gone(self) -> bool:
        return self._gone

    def _choose(self, exchange: Exchange) -> None:
        if self._chosen is not None and self._chosen in self.log.exchanges:
            self._chosen.choose(False)
        exchange.choose(True)
        self._chosen = exchange

    def _show(self, found: Happened, *, newest: bool) -> None:
        words = self.visitor.words
        which = words("talk.panels.now") if newest else words("talk.panels.then", at=found.at)
        self.panels.tell_which(which, earlier=not newest)
        self.panels.show_outcomes(found.outcomes)
        self.panels.show_standing(found.standing)
        self.panels.show_sent(found.sent)
        self.face.show(found.emotion)


def _text(item: Item) -> str:
    return item.content if isinstance(item, Memory) else item.text
