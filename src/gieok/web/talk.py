"""The page "talk": a chat with the character, its face, and beside it what each turn does to its memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from functools import partial
from typing import Any, Final

from nicegui import ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from gieok.access.caller import acting_for
from gieok.bank import Mind
from gieok.conversation import Conversation
from gieok.conversation.aio import AsyncConversation
from gieok.conversation.events import ContextBuilt, Delta, Done, Event, Failed, MemoryUpdate, failed
from gieok.conversation.events import Emotion as EmotionFelt
from gieok.conversation.phrasebook import Phrasebook
from gieok.conversation.replies import Interruptible
from gieok.domain.answer import Context
from gieok.domain.emotion import Emotion
from gieok.domain.memory import Memory
from gieok.domain.turn import CHARACTER, LONGEST_UTTERANCE, USER, Turn, checked_text
from gieok.errors import Forbidden, ModelFailed, TurnUnderWay, UnknownTurn
from gieok.web.kit import box, button, chip, date_time, heading, hint, person, style, write
from gieok.web.talk_panels import Panels, read_turn
from gieok.web.viewer import Viewer

PAGE: Final = 20  #: turns that are shown at once
_WAIT_SECONDS: Final = 3.0  #: for a turn that is under way elsewhere
_PAUSE: Final = 0.03  #: seconds between the words of a canned reply, so that it comes in like a model's
_CONTEXTS: Final = 50  #: contexts of the latest turns whose text is kept
_DRAW_EVERY: Final = 0.05  #: seconds; a model may send a hundred pieces in one
_INPUT: Final = "t-input"  #: also in gieok.js

Start = Callable[[AsyncConversation, tuple[str, ...]], AsyncGenerator[Event, None]]
_replies: dict[Interruptible, asyncio.Event] = {}  #: all that are under way


@contextmanager
def _noted(reply: Interruptible) -> Iterator[None]:
    over = _replies[reply] = asyncio.Event()
    try:
        yield
    finally:
        del _replies[reply]
        over.set()


async def end_all(seconds: float = 3.0) -> None:
    """Stop all replies, and wait until what was said is stored."""
    waits = [over.wait() for over in _replies.values()]
    for reply in list(_replies):
        reply.break_off()
    with suppress(TimeoutError):
        await asyncio.wait_for(asyncio.gather(*waits), seconds)


async def build(viewer: Viewer) -> None:
    style("talk")
    heading(viewer.words("frame.pages.talk"))
    page = TalkPage(viewer, may_write=await viewer.may("writer"))
    ui.context.client.on_delete(page.leave)
    await page.begin()


class TalkPage:
    """The page, and what its controls do."""

    def __init__(self, viewer: Viewer, *, may_write: bool) -> None:
        assert viewer.scope is not None, "the page needs a mind"
        self.viewer, self.scope, self.words = viewer, viewer.scope, viewer.words
        self.may_write = may_write
        self.gone = False  #: the browser has left the page
        self._reply: Interruptible | None = None
        self._contexts: dict[str, Context] = {}
        self._chosen: _Exchange | None = None
        self.composer: _Composer | None = None
        with box("t-split"):
            with box("g-card t-talk", "section"):
                with box("t-head"):
                    self._face = box("t-face", "img", width="112", height="112")
                    with box("g-stack t-named"):
                        write(self.name(CHARACTER), "h2")
                        self._feeling = hint("").classes("t-feeling")
                    self.show_face("neutral")
                    with box("t-by"):
                        self._draw_model()
                self.log = _Log(self)
                self.announced = write("", "p", "t-hidden").props('aria-live="polite"')  # for screen readers
                if may_write:
                    self.composer = _Composer(self)
                else:
                    write(self.words("talk.reader"), "p", "g-dim t-reader")
            with box("t-panels", "aside"):
                pick = self.pick if may_write else None
                self._panels = Panels(self.scope, self.words, newest=self.look_at_newest, pick=pick)

    def _draw_model(self) -> None:
        """Draw who replies, and the field for the description of the character, which is not stored."""
        words, session, model = self.words, self.viewer.session, self.viewer.bank.model
        if model is None:
            chip(words("talk.no_model"), "warn").classes("t-no-model")
            hint(words("talk.no_model_hint"))
            return
        chip(words("talk.model", name=model.name))

        def changed(event: ValueChangeEventArguments[str | None]) -> None:
            session.persona = event.value or ""

        with box("t-persona g-small", "details"):
            write(words("talk.persona.title"), "summary")
            field = ui.textarea(label=words("talk.persona.label"), value=session.persona, on_change=changed)
            field.props("outlined autogrow debounce=300").classes("t-editing")
            write(words("talk.persona.hint"), "p", "g-dim")

    def name(self, who: str) -> str:
        return person(who, self.scope, self.words)

    def show_face(self, emotion: Emotion) -> None:
        feeling = self.words(f"talk.feelings.{emotion}")
        self._face.props["src"] = f"/look/faces/{emotion}.svg"
        self._face.props["alt"] = self.words("talk.face.alt", character=self.name(CHARACTER), feeling=feeling)
        self._face.update()
        self._feeling.text = feeling

    async def begin(self) -> None:
        turns = await self.viewer.ask(Mind.turns, PAGE + 1)
        self.log.fill(turns[-PAGE:], more=len(turns) > PAGE)
        await self.show_picked()
        await self.look_at_newest()

    async def show_earlier(self) -> None:
        first = self.log.first
        if first is not None:
            turns = await self.viewer.ask(Mind.turns, PAGE + 1, before=first.number)
            self.log.insert(turns[-PAGE:], more=len(turns) > PAGE)

    async def look(self, turn_id: str) -> None:
        exchange = self.log.find(turn_id)
        if exchange is None or self._reply is not None:
            return
        try:
            details = await self.viewer.ask(read_turn, turn_id, self._contexts.get(turn_id))
        except UnknownTurn:
            self._panels.clear(self.words("talk.panels.unknown"), earlier=True)
            return
        if self._chosen is not None and self._chosen in self.log.exchanges:
            self._chosen.mark("t-chosen", False)
        exchange.mark("t-chosen", True)
        self._chosen = exchange
        newest = exchange is self.log.last
        at = date_time(details.observed.turn.at, self.viewer)
        which = self.words("talk.panels.now") if newest else self.words("talk.panels.then", at=at)
        threshold = self.viewer.bank.settings.promote_threshold
        self._panels.show(details, which, earlier=not newest, threshold=threshold)
        self.show_face(details.emotion)

    async def look_at_newest(self) -> None:
        last = self.log.last
        if last is None or last.turn is None:
            self._panels.clear("", earlier=False)
            return
        await self.look(last.turn.id)

    async def send(self, text: str) -> None:
        assert self.composer is not None
        if self._reply is not None:
            self.composer.give_back(text)
            return
        exchange = self.log.add()
        exchange.say([(USER, text)])
        self.log.scroll_to_end()
        began = False
        try:
            checked_text(text)
            began = await self._speak(exchange, lambda talk, include: talk.say(text, include=include))
        finally:
            if not began and not self.gone:
                self.log.drop(exchange)
                self.composer.give_back(text)

    async def regenerate(self, turn_id: str) -> None:
        exchange = self.log.find(turn_id)
        if exchange is not None and self._reply is None:
            await self._replace(exchange, lambda talk, include: talk.regenerate(turn_id, include=include))

    async def edit(self, turn_id: str) -> None:
        exchange = self.log.find(turn_id)
        if exchange is None or exchange.turn is None or self._reply is not None:
            return
        if not await self._may_replace(exchange.turn):
            return
        text = await self._other_words(exchange.turn, len(self.log.after(exchange)))
        if text is None or self._reply is not None:
            return
        exchange.say([(USER, text)])
        await self._replace(exchange, lambda talk, include: talk.edit(turn_id, text, include=include))

    async def _other_words(self, turn: Turn, following: int) -> str | None:
        """Ask for the new text of `turn`, after which `following` turns come; None: it stays as it is."""
        words = self.words
        before = next(each.text for each in turn.utterances if each.speaker != CHARACTER)
        dialog_props = 'role="dialog" aria-modal="true"'
        with ui.dialog() as dialog, box("g-card g-dialog").props(dialog_props):
            write(words("talk.editing.title"), "h2")
            field = ui.textarea(label=words("talk.editing.label"), value=before).props("outlined autogrow autofocus")
            field.props["maxlength"] = LONGEST_UTTERANCE
            field.classes("t-editing")
            warning = words("talk.editing.after", n=following) if following else words("talk.editing.alone")
            write(warning, "p", "t-warning")
            with box("g-row g-end"):
                button(words("frame.cancel"), lambda: dialog.submit(None), quiet=True)
                button(words("talk.editing.yes"), lambda: dialog.submit(field.value), main=True)
        answer: Any = await dialog
        dialog.delete()
        return answer if isinstance(answer, str) and answer.strip() and answer != before else None

    def stop(self) -> None:
        if self._reply is not None:
            self._reply.break_off()

    def leave(self) -> None:
        self.gone = True
        self.stop()

    async def show_picked(self) -> None:
        if self.composer is None:
            return
        ids = tuple(self.viewer.own_session.picked)
        items = await self.viewer.ask(Mind.items, ids)
        texts = {each: item.content if isinstance(item, Memory) else item.text for each, item in items.items()}
        gone = self.words("talk.picked_gone")
        self.composer.show_picked({each: texts.get(each, gone) for each in ids})

    async def pick(self, item_id: str) -> None:
        self.viewer.own_session.pick([item_id])
        await self.show_picked()

    async def drop(self, *item_ids: str) -> None:
        if item_ids:
            self.viewer.own_session.drop(item_ids)
            await self.show_picked()

    async def _replace(self, exchange: _Exchange, start: Start) -> None:
        """Answer a turn anew, which drops the turns after it. Where that fails, the log is read again."""
        following = self.log.after(exchange)
        for each in following:
            each.mark("t-going", True)
        replaced = False
        try:
            assert exchange.turn is not None, "only a stored turn is replaced"
            turn = await self.viewer.ask(Mind.turn, exchange.turn.id)
            replaced = await self._may_replace(turn) and await self._speak(exchange, start, following)
        finally:
            if not replaced and not self.gone:
                await self._reload()

    async def _may_replace(self, turn: Turn) -> bool:
        """Whether the viewer may write for all who heard `turn`. If not, they are told."""
        try:
            (await self.viewer.caller()).check_hearers(self.scope, turn.present)
        except Forbidden:
            text = self.words("talk.heard", others=", ".join(turn.present))
            ui.notify(text, type="warning", multi_line=True)
            return False
        return True

    async def _reload(self) -> None:
        first = self.log.first
        turns = await self.viewer.ask(Mind.turns, max(len(self.log.exchanges), PAGE) + 1)
        shown = [turn for turn in turns if first is None or turn.number >= first.number]
        self.log.fill(shown, more=len(turns) > len(shown) or (bool(shown) and shown[0].number > 1))
        await self.look_at_newest()

    async def _speak(self, exchange: _Exchange, start: Start, following: Sequence[_Exchange] = ()) -> bool:
        """Have something answered; return whether it became a turn. An error of the model is shown in the log."""
        assert self.composer is not None
        viewer, session = self.viewer, self.viewer.own_session
        mind = await viewer.mind("writer")
        reply = Interruptible(mind.bank.model or Phrasebook(mind, pause=_PAUSE, language=viewer.language))
        talk = Conversation(mind, reply, persona=session.persona, session=session.talk, turn_seconds=_WAIT_SECONDS)
        include = tuple(session.picked)
        coming = _IncomingReply(self, exchange, include)
        self._reply = reply
        self.composer.set_busy(True)
        exchange.wait()
        try:
            with _noted(reply), acting_for(await viewer.caller()):
                async with aclosing(start(AsyncConversation(talk), include)) as events:
                    async for event in events:
                        await coming.take(event)
        except TurnUnderWay:
            ui.notify(self.words("talk.busy"), type="warning")
        except asyncio.CancelledError:  # the server ends: the thread must not wait for the model
            reply.break_off()
            raise
        finally:
            self._reply = None
            if not self.gone:
                self.composer.set_busy(False)
        if coming.done is not None and not self.gone:
            self.log.drop(*following)
            await self.look_at_newest()
        return coming.done is not None

    def keep_context(self, turn_id: str, context: Context) -> None:
        self._contexts.pop(turn_id, None)
        self._contexts[turn_id] = context
        while len(self._contexts) > _CONTEXTS:
            del self._contexts[next(iter(self._contexts))]


class _IncomingReply:
    def __init__(self, page: TalkPage, exchange: _Exchange, include: tuple[str, ...]) -> None:
        self.done: Done | None = None
        self._page, self._exchange, self._include = page, exchange, include
        self._context: Context | None = None
        self._failure: Failed | None = None
        self._text = ""
        self._drawn_at = 0.0
        self._next_draw: asyncio.TimerHandle | None = None

    async def take(self, event: Event) -> None:
        page = self._page
        if isinstance(event, Done):
            self.done = event
        if page.gone:
            return  # the reply was stopped and ends soon
        match event:
            case ContextBuilt():
                self._context = event.context
                await page.drop(*self._include)
            case Delta():
                self._add(event.text)
            case Failed():
                self._failure = event
            case EmotionFelt():
                page.show_face(event.felt.emotion)
            case MemoryUpdate():
                if self._context is not None:
                    page.keep_context(event.observed.turn.id, self._context)
            case Done():
                self._finish(event)

    def _add(self, text: str) -> None:
        self._text += text
        if self._next_draw is None:
            loop = asyncio.get_running_loop()
            self._next_draw = loop.call_at(max(self._drawn_at + _DRAW_EVERY, loop.time()), self._draw)

    def _finish(self, done: Done) -> None:
        page, failure = self._page, self._failure
        self._exchange.show(done.turn)
        if failure is not None and failure.failure != "cancelled":  # by the viewer, who knows
            trouble = ModelFailed(failure.failure, "", failure.detail)
            language = page.viewer.language  # the event has the language of the bank
            self._exchange.fail(failed(trouble, language=language, began=bool(self._text)).message)
        page.announced.text = f"{page.name(CHARACTER)}: {done.reply}"

    def _draw(self) -> None:
        self._next_draw = None
        self._drawn_at = asyncio.get_running_loop().time()
        if self.done is None and not self._page.gone:
            self._exchange.show_reply(self._text)


class _Exchange:
    def __init__(self, page: TalkPage) -> None:
        self.turn: Turn | None = None
        self._page, self._words = page, page.words
        with box("t-turn", "li") as self.element:
            self._said = box("t-said")
            with box("t-bubble t-theirs") as self._reply:
                write(page.name(CHARACTER), "span", "t-who")
                self._text = write("", "p", "t-words")
            self._notes = box("t-notes")
            self._tools = box("t-tools")

    def show(self, turn: Turn) -> None:
        """Show a stored turn. Shown again, it keeps its buttons and their focus."""
        is_new = self.turn is None
        self.turn = turn
        self.say([(each.speaker, each.text) for each in turn.utterances if each.speaker != CHARACTER])
        reply = next((each.text for each in turn.utterances if each.speaker == CHARACTER), "")
        self.show_reply(reply)
        self._reply.set_visibility(bool(reply))
        self._notes.clear()
        if turn.cut_off:
            with self._notes:
                write(self._words("talk.cut_off" if reply else "talk.no_reply"), "p", "g-chip g-warn")
        if is_new:
            words, page = self._words, self._page
            with self._tools:
                write(date_time(turn.at, page.viewer), "time", "g-dim g-small")
                button(words("talk.look"), partial(page.look, turn.id), quiet=True).classes("t-tool t-look")
                if page.may_write and any(each.speaker != CHARACTER for each in turn.utterances):
                    button(words("talk.edit"), partial(page.edit, turn.id), quiet=True).classes("t-tool")
                    again = partial(page.regenerate, turn.id)
                    button(words("talk.again"), again, quiet=True).classes("t-tool t-again")

    def say(self, lines: Sequence[tuple[str, str]]) -> None:
        self._said.clear()
        with self._said:
            for speaker, text in lines:
                with box("t-bubble t-ours"):
                    write(self._page.name(speaker), "span", "t-hidden" if speaker == USER else "t-who")
                    write(text, "p", "t-words")

    def wait(self) -> None:
        self._reply.set_visibility(True)
        self._text.text = self._words("talk.thinking")
        self._text.classes("g-dim")
        self._notes.clear()

    def show_reply(self, text: str) -> None:
        self._text.classes(remove="g-dim")
        self._text.text = text

    def fail(self, message: str) -> None:
        with self._notes:
            write(message, "p", "g-trouble g-small").props('role="status"')

    def mark(self, name: str, on: bool) -> None:
        self.element.classes(add=name) if on else self.element.classes(remove=name)


class _Log:
    def __init__(self, page: TalkPage) -> None:
        words = page.words
        self._page = page
        self.exchanges: list[_Exchange] = []
        self._scroll = box("t-scroll", tabindex="0", role="region", aria_label=words("talk.log"))
        with self._scroll, box("t-sheet"):
            self._earlier = button(words("talk.earlier"), page.show_earlier, quiet=True).classes("t-earlier")
            self._earlier.set_visibility(False)
            with box("t-empty") as self._empty:
                write(words("talk.empty"))
                hint(words("talk.empty_hint"))
            self._list = box("t-log", "ol")

    @property
    def first(self) -> Turn | None:
        return next((each.turn for each in self.exchanges if each.turn is not None), None)

    @property
    def last(self) -> _Exchange | None:
        return next((each for each in reversed(self.exchanges) if each.turn is not None), None)

    def find(self, turn_id: str) -> _Exchange | None:
        return next((each for each in self.exchanges if each.turn is not None and each.turn.id == turn_id), None)

    def after(self, exchange: _Exchange) -> list[_Exchange]:
        return self.exchanges[self.exchanges.index(exchange) + 1 :]

    def fill(self, turns: Sequence[Turn], *, more: bool) -> None:
        self._list.clear()
        self.exchanges.clear()
        for turn in turns:
            self.add().show(turn)
        self._earlier.set_visibility(more)
        self._update()

    def insert(self, turns: Sequence[Turn], *, more: bool) -> None:
        for number, turn in enumerate(turns):
            with self._list:
                exchange = _Exchange(self._page)
            exchange.element.move(target_index=number)
            exchange.show(turn)
            self.exchanges.insert(number, exchange)
        self._earlier.set_visibility(more)

    def add(self) -> _Exchange:
        with self._list:
            exchange = _Exchange(self._page)
        self.exchanges.append(exchange)
        self._update()
        return exchange

    def drop(self, *gone: _Exchange) -> None:
        for exchange in gone:
            self.exchanges.remove(exchange)
            exchange.element.delete()
        self._update()

    def scroll_to_end(self) -> None:
        self._scroll.run_method("scrollTo", 0, 0)  # the list is laid out from its end

    def _update(self) -> None:
        self._empty.set_visibility(not self.exchanges)
        last = self.last
        for each in self.exchanges:
            each.mark("t-last", each is last)


class _Composer:
    def __init__(self, page: TalkPage) -> None:
        self._page, self._words = page, page.words
        words = page.words
        self._picked = box("t-picked", role="group")
        with box("t-write"):
            write(words("talk.input"), "label", "t-hidden").props["for"] = _INPUT
            size = {"rows": 2, "maxlength": LONGEST_UTTERANCE}
            self._box = box("t-input", "textarea", id=_INPUT, aria_describedby="t-keys", **size)
            self._box.props["placeholder"] = words("talk.placeholder")
            self._box.on("keydown", self._taken, js_handler="(event) => takeOnEnter(event, emit)")
            self._send = button(words("talk.send"), lambda: None, main=True)  # the browser takes the text
            self._send.on("click", self._taken, js_handler="() => takeText(emit)")
            self._stop = button(words("talk.stop"), page.stop).classes("t-stop")
        hint(words("talk.keys")).props('id="t-keys"')
        self.set_busy(False)
        self.show_picked({})

    async def _taken(self, event: GenericEventArguments) -> None:
        if isinstance(event.args, str):
            await self._page.send(event.args)

    def set_busy(self, on: bool) -> None:
        """Offer to stop instead of to send; what is typed meanwhile stays."""
        self._send.set_visibility(not on)
        self._stop.set_visibility(on)
        if on:
            self._box.props["data-busy"] = "1"
        else:
            self._box.props.pop("data-busy", None)
        self._box.update()

    def give_back(self, text: str) -> None:
        """Put a text that could not be sent back, before what was typed meanwhile."""
        self._box.run_method("setRangeText", text, 0, 0, "end")

    def show_picked(self, picked: Mapping[str, str]) -> None:
        title = self._words("talk.picked", n=len(picked))
        self._picked.clear()
        self._picked.set_visibility(bool(picked))
        self._picked.props["aria-label"] = title
        with self._picked:
            write(title, "span", "g-small g-dim")
            for item_id, text in picked.items():
                with box("g-chip g-info t-chip", "span"):
                    write(text, "span", "t-chip-text")
                    label = self._words("shared.picked.drop_what", text=text)
                    button("×", partial(self._page.drop, item_id), label=label, quiet=True).classes("t-away")
