"""Talk: a chat with the character, its face, and beside it what each turn does to its memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from gieok.access.caller import acting_for
from gieok.bank import Mind
from gieok.conversation import Conversation
from gieok.conversation.aio import AsyncConversation
from gieok.conversation.events import ContextBuilt, Delta, Done, Event, Failed, MemoryUpdate
from gieok.conversation.events import Emotion as Emotion__events
from gieok.conversation.phrasebook import Phrasebook
from gieok.conversation.replies import Interruptible
from gieok.domain.answer import Context, Item, Observed
from gieok.domain.emotion import EMOTIONS, Emotion, one_hot
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.server_state import Role
from gieok.domain.turn import CHARACTER, LONGEST_UTTERANCE, USER, Turn, checked_text
from gieok.errors import Forbidden, NoTrace, TurnUnderWay, UnknownTurn
from gieok.web.kit import Said, button, chip, heading, moment_told, said
from gieok.web.talk_panels import (
    Outcomes,
    Panels,
    Sent,
    Standing,
    named,
    named_items,
    outcomes,
    sent,
    sent_before,
    standing,
)
from gieok.web.visitors import Visitor
from gieok.words import Words

_INPUT: Final = "t-input"
_TAKE: Final = (
    f'const box = document.getElementById("{_INPUT}"); const text = box.value;'
    "if (box.dataset.busy || !text.trim()) return; box.value = ''; box.focus(); emit(text);"
)
_ENTER: Final = (
    f"(e) => {{ if (e.key !== 'Enter' || e.shiftKey || e.isComposing || e.keyCode === 229) return; "
    f"e.preventDefault(); {_TAKE} }}"
)
_CLICK: Final = f"() => {{ {_TAKE} }}"


class Composer:
    """The input and what belongs to it."""

    def __init__(
        self,
        words: Words,
        *,
        send: Callable[[str], Awaitable[None]],
        stop: Callable[[], None],
        drop: Callable[[str], Awaitable[None]],
    ) -> None:
        self._words = words
        self._drop = drop
        self._picked = ui.element("div").classes("t-picked").props('role="group"')
        with ui.element("div").classes("t-write"):
            label = said(words("talk.input"), "label").classes("t-hidden")
            label.props["for"] = _INPUT
            self._box = ui.element("textarea").classes("t-input")
            for name, value in (("id", _INPUT), ("rows", 2), ("maxlength", LONGEST_UTTERANCE)):
                self._box.props[name] = value
            self._box.props["placeholder"] = words("talk.placeholder")
            self._box.props["aria-describedby"] = "t-keys"
            self._box.on("keydown", partial(_taken, send), js_handler=_ENTER)
            self._send = button(words("talk.send"), _nothing, main=True)
            self._send.on("click", partial(_taken, send), js_handler=_CLICK)
            self._stop = button(words("talk.stop"), stop).classes("t-stop")
        said(words("talk.keys"), "p").classes("g-dim g-small").props('id="t-keys"')
        self.be_busy(False)
        self.show_picked({})

    def be_busy(self, on: bool) -> None:
        """Offer to stop instead of to send; what is written meanwhile stays."""
        self._send.set_visibility(not on)
        self._stop.set_visibility(on)
        if on:
            self._box.props["data-busy"] = "1"
        else:
            self._box.props.pop("data-busy", None)
        self._box.update()

    def give_back(self, text: str) -> None:
        """Put words that could not be sent back before what was written meanwhile."""
        self._box.run_method("setRangeText", text, 0, 0, "end")

    def show_picked(self, picked: Mapping[str, str]) -> None:
        """Show what is put into the next context: texts by their ids."""
        self._picked.clear()
        self._picked.set_visibility(bool(picked))
        self._picked.props["aria-label"] = title = self._words("talk.picked.title", n=len(picked))
        with self._picked:
            said(title, "span").classes("g-small g-dim")
            for item_id, text in picked.items():
                with ui.element("span").classes("g-chip g-info t-chip"):
                    said(text, "span").classes("t-chip-text")
                    away = button("×", partial(self._drop, item_id), quiet=True).classes("t-away")
                    away.props["aria-label"] = self._words("talk.picked.drop", text=text)


def _nothing() -> None:
    """The button's words are taken in the browser."""


async def _taken(send: Callable[[str], Awaitable[None]], event: GenericEventArguments) -> None:
    if isinstance(event.args, str):
        await send(event.args)


async def reworded(turn: Turn, following: int, words: Words) -> str | None:
    """Return the words to put into `turn`, after which `following` turns come; None: it stays as it is."""
    before = next(each.text for each in turn.utterances if each.speaker != CHARACTER)
    with ui.dialog() as dialog, ui.element("div").classes("g-card g-dialog").props('role="dialog" aria-modal="true"'):
        said(words("talk.editing.title"), "h2")
        box = ui.textarea(label=words("talk.editing.label"), value=before).props("outlined autogrow autofocus")
        box.props["maxlength"] = LONGEST_UTTERANCE
        box.classes("t-editing")
        said(words("talk.editing.after", n=following) if following else words("talk.editing.alone")).classes(
            "t-warning"
        )
        with ui.element("div").classes("g-row g-end"):
            button(words("frame.cancel"), lambda: dialog.submit(None), quiet=True)
            button(words("talk.editing.yes"), lambda: dialog.submit(box.value), main=True)
    answer: Any = await dialog
    dialog.delete()
    return answer if isinstance(answer, str) and answer.strip() and answer != before else None


class Face:
    """Shows what the character feels, in a picture and in words."""

    def __init__(self, character: str, words: Words) -> None:
        self._character = character
        self._words = words
        self._picture = ui.element("img").classes("t-face").props('width="112" height="112"')
        with ui.element("div").classes("g-stack t-named"):
            said(character, "h2")
            self._feeling = said("", "p").classes("g-dim g-small t-feeling")
        self.show("neutral")

    def show(self, emotion: Emotion) -> None:
        """Put on the face for `emotion`."""
        [shown] = [each for each in EMOTIONS if one_hot(emotion)[each]]
        feeling = self._words(f"talk.feelings.{shown}")
        self._picture.props["src"] = f"/look/faces/{shown}.svg"
        self._picture.props["alt"] = self._words("talk.face.alt", character=self._character, feeling=feeling)
        self._picture.update()
        self._feeling.text = feeling


OfTurn = Callable[[str], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Doings:
    """What can be done with a turn, by its id; None: the visitor may not."""

    look: OfTurn
    again: OfTurn | None = None
    edit: OfTurn | None = None


class Exchange:
    """One turn on the screen, also while its reply comes in."""

    def __init__(self, visitor: Visitor, scope: Scope, doings: Doings) -> None:
        self.turn: Turn | None = None
        self._visitor, self._scope, self._doings = visitor, scope, doings
        self.place = ui.element("li").classes("t-turn")
        with self.place:
            self._said = ui.element("div").classes("t-said")
            self._reply = ui.element("div").classes("t-bubble t-theirs")
            with self._reply:
                said(named(CHARACTER, scope, visitor.words), "span").classes("t-who")
                self._words = said("", "p").classes("t-words")
            self._notes = ui.element("div").classes("t-notes")
            self._tools = ui.element("div").classes("t-tools")

    def show(self, turn: Turn) -> None:
        """Show a turn that is kept. Told anew, it keeps its buttons, and whoever stands on one stays there."""
        offered = self.turn is not None
        self.turn = turn
        self.say([(each.speaker, each.text) for each in turn.utterances if each.speaker != CHARACTER])
        reply = next((each.text for each in turn.utterances if each.speaker == CHARACTER), "")
        self._words.text = reply
        self._reply.set_visibility(bool(reply))
        self._note(turn, bool(reply))
        if not offered:
            with self._tools:
                self._offer(turn)

    def say(self, lines: Sequence[tuple[str, str]]) -> None:
        """Show what was said to the character."""
        self._said.clear()
        with self._said:
            for speaker, text in lines:
                with ui.element("div").classes("t-bubble t-ours"):
                    who = said(named(speaker, self._scope, self._visitor.words), "span")
                    who.classes("t-hidden" if speaker == USER else "t-who")
                    said(text, "p").classes("t-words")

    def wait(self) -> None:
        """Show that a reply is on its way."""
        self._reply.set_visibility(True)
        self._words.text = self._visitor.words("talk.thinking")
        self._words.classes("g-dim")
        self._notes.clear()

    def hear(self, reply: str) -> None:
        """Show as much of the reply as has come."""
        self._words.classes(remove="g-dim")
        self._words.text = reply

    def fail(self, message: str) -> None:
        """Show what went wrong with the reply."""
        with self._notes:
            said(message, "p").classes("g-trouble g-small").props('role="status"')

    def choose(self, on: bool) -> None:
        """Mark it as the one that is looked into, or no longer."""
        self.place.classes(add="t-chosen") if on else self.place.classes(remove="t-chosen")

    def be_last(self, on: bool) -> None:
        """Offer another reply, which only the last turn does."""
        self.place.classes(add="t-last") if on else self.place.classes(remove="t-last")

    def fade(self) -> None:
        """Show that it is about to be taken back."""
        self.place.classes("t-going")

    def _note(self, turn: Turn, replied: bool) -> None:
        self._words.classes(remove="g-dim")
        self._notes.clear()
        with self._notes:
            if turn.cut_off:
                said(self._visitor.words("talk.cut_off" if replied else "talk.no_reply"), "p").classes("g-chip g-warn")

    def _offer(self, turn: Turn) -> None:
        words, doings = self._visitor.words, self._doings
        said(moment_told(turn.at, self._visitor), "time").classes("g-dim g-small")
        button(words("talk.look"), partial(doings.look, turn.id), quiet=True).classes("t-tool t-look")
        if doings.edit is not None and any(each.speaker != CHARACTER for each in turn.utterances):
            button(words("talk.edit"), partial(doings.edit, turn.id), quiet=True).classes("t-tool")
        if doings.again is not None and any(each.speaker != CHARACTER for each in turn.utterances):
            button(words("talk.again"), partial(doings.again, turn.id), quiet=True).classes("t-tool t-again")


class Log:
    """All turns on the screen."""

    def __init__(self, visitor: Visitor, scope: Scope, doings: Doings, earlier: Callable[[], Awaitable[None]]) -> None:
        words = visitor.words
        self._visitor, self._scope, self._doings = visitor, scope, doings
        self.exchanges: list[Exchange] = []
        self._scroll = ui.element("div").classes("t-scroll").props('tabindex="0" role="region"')
        self._scroll.props["aria-label"] = words("talk.log")
        with self._scroll, ui.element("div").classes("t-sheet"):
            self._earlier = button(words("talk.earlier"), earlier, quiet=True).classes("t-earlier")
            self._earlier.set_visibility(False)
            self._empty = ui.element("div").classes("t-empty")
            with self._empty:
                said(words("talk.empty"), "p")
                said(words("talk.empty_hint"), "p").classes("g-dim g-small")
            self._list: Element = ui.element("ol").classes("t-log")

    @property
    def first(self) -> Turn | None:
        return next((each.turn for each in self.exchanges if each.turn is not None), None)

    @property
    def last(self) -> Exchange | None:
        return next((each for each in reversed(self.exchanges) if each.turn is not None), None)

    def find(self, turn_id: str) -> Exchange | None:
        return next((each for each in self.exchanges if each.turn is not None and each.turn.id == turn_id), None)

    def after(self, exchange: Exchange) -> list[Exchange]:
        return self.exchanges[self.exchanges.index(exchange) + 1 :]

    def fill(self, turns: Sequence[Turn], *, more: bool) -> None:
        """Show `turns` and nothing else."""
        self._list.clear()
        self.exchanges.clear()
        for turn in turns:
            self.add().show(turn)
        self._earlier.set_visibility(more)
        self._settle()

    def put_before(self, turns: Sequence[Turn], *, more: bool) -> None:
        """Show `turns` above the others."""
        for number, turn in enumerate(turns):
            exchange = self._new()
            exchange.place.move(target_index=number)
            exchange.show(turn)
            self.exchanges.insert(number, exchange)
        self._earlier.set_visibility(more)

    def add(self) -> Exchange:
        """Begin a new turn."""
        exchange = self._new()
        self.exchanges.append(exchange)
        self._settle()
        return exchange

    def drop(self, *gone: Exchange) -> None:
        """Take turns off the screen that never came to be, or are no more."""
        for exchange in gone:
            self.exchanges.remove(exchange)
            exchange.place.delete()
        self._settle()

    def to_the_end(self) -> None:
        self._scroll.run_method("scrollTo", 0, 0)  # it is laid out from its end, and stays there by itself

    def _new(self) -> Exchange:
        with self._list:
            return Exchange(self._visitor, self._scope, self._doings)

    def _settle(self) -> None:
        self._empty.set_visibility(not self.exchanges)
        last = self.last
        for each in self.exchanges:
            each.be_last(each is last)


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
            case Emotion__events():
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """What became of a turn."""

    at: str  #: when it was said
    outcomes: Outcomes
    standing: Standing
    sent: Sent | None
    emotion: Emotion


def happened(mind: Mind, turn_id: str, context: Context | None, visitor: Visitor) -> Happened:
    """Read what became of a turn; `context` is what the model saw, where that is still at hand.

    Raises `UnknownTurn`.
    """
    observed, words = mind.observed(turn_id), visitor.words
    silence = () if observed.decisions else mind.silence(turn_id)
    return Happened(
        at=moment_told(observed.turn.at, visitor),
        outcomes=outcomes(observed, silence, mind.key, words, threshold=mind.bank.settings.promote_threshold),
        standing=standing(mind.relationship(), observed.moves, mind.key, words),
        sent=sent(context, words) if context is not None else _traced(mind, turn_id, visitor),
        emotion=_face(observed),
    )


def _traced(mind: Mind, turn_id: str, visitor: Visitor) -> Sent | None:
    try:
        trace = mind.trace(turn_id)
    except NoTrace:
        return None
    return sent_before(trace, mind.items(named_items(trace)), visitor.words)


def _face(observed: Observed) -> Emotion:
    return next((felt.emotion for felt in observed.emotions if felt.speaker == CHARACTER), "neutral")


_under_way: dict[Interruptible, asyncio.Event] = {}


@contextmanager
def noted(speaking: Interruptible) -> Iterator[None]:
    """Note a reply for as long as it lasts, and until it is kept."""
    over = _under_way[speaking] = asyncio.Event()
    try:
        yield
    finally:
        del _under_way[speaking]
        over.set()


async def end_all(seconds: float = 3.0) -> None:
    """Break off all replies, and wait so long until what was said is kept."""
    waited = [over.wait() for over in _under_way.values()]
    for speaking in list(_under_way):
        speaking.break_off()
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*waited), seconds)


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


_LOOK: Final = '<link rel="stylesheet" href="/look/talk.css">'


async def build(visitor: Visitor) -> None:
    scope = visitor.scope
    assert scope is not None, "the page needs a mind"
    await visitor.mind("reader")
    ui.add_head_html(_LOOK)
    heading(visitor.words("frame.pages.talk"))
    sitting = Sitting(visitor, scope)
    ui.context.client.on_delete(sitting.leave)
    may_write = await visitor.may("writer")
    with ui.element("div").classes("t-split"):
        with ui.element("section").classes("g-card t-talk"):
            _talk(sitting, may_write=may_write)
        with ui.element("aside").classes("t-panels"):
            pick = sitting.pick if may_write else None
            sitting.panels = Panels(visitor.words, newest=sitting.look_at_newest, pick=pick)
    await sitting.begin()


def _talk(sitting: Sitting, *, may_write: bool) -> None:
    visitor, words = sitting.visitor, sitting.visitor.words
    with ui.element("div").classes("t-head"):
        sitting.face = Face(named(CHARACTER, sitting.scope, words), words)
        _label(visitor)
    doings = Doings(
        look=sitting.look, again=sitting.again if may_write else None, edit=sitting.edit if may_write else None
    )
    sitting.log = Log(visitor, sitting.scope, doings, sitting.earlier)
    sitting.heard = said("", "p").classes("t-hidden").props('aria-live="polite"')
    sitting.composer = None
    if may_write:
        sitting.composer = Composer(words, send=sitting.send, stop=sitting.stop, drop=sitting.drop)
    else:
        said(words("talk.reader"), "p").classes("g-dim t-reader")


def _label(visitor: Visitor) -> None:
    """Say plainly who answers."""
    words, model = visitor.words, visitor.bank.model
    with ui.element("div").classes("t-by"):
        if model is not None:
            chip(words("talk.model", name=model.name))
            _persona(visitor)
            return
        chip(words("talk.no_model"), "warn").classes("t-no-model")
        said(words("talk.no_model_hint"), "p").classes("g-dim g-small")


def _persona(visitor: Visitor) -> None:
    """Let it be said who the character is: the model sees it first, and nobody keeps it."""
    words, desk = visitor.words, visitor.desk

    def noted(event: ValueChangeEventArguments[str | None]) -> None:
        desk.persona = event.value or ""

    with ui.element("details").classes("t-persona g-small"):
        said(words("talk.persona.title"), "summary")
        box = ui.textarea(label=words("talk.persona.label"), value=desk.persona, on_change=noted)
        box.props("outlined autogrow debounce=300").classes("t-editing")
        said(words("talk.persona.hint"), "p").classes("g-dim")
