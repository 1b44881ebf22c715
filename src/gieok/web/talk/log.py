"""What was said, turn by turn, the newest last: each to be looked into or edited, the last one to be answered anew."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from nicegui import ui
from nicegui.element import Element

from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.web.dates import moment_told
from gieok.web.kit import button, said
from gieok.web.talk.outcomes import named
from gieok.web.visitors import Visitor

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
