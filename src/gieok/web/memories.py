"""Memories: all that is remembered, in a table or by time; one of them with all its past; and putting it right."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from itertools import groupby
from typing import Any, Final, Literal, get_args
from urllib.parse import parse_qsl

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from gieok.bank import Mind
from gieok.bank.history import Month
from gieok.bank.mind import State
from gieok.domain.attributes import ContentType
from gieok.domain.memory import Memory
from gieok.domain.promotion import Promotion
from gieok.domain.record import promotion_of
from gieok.domain.turn import Turn
from gieok.errors import MemoryMoved, UnknownMemory
from gieok.web import kit
from gieok.web.kit import PATHS, Said, button, chip, confirmed, day, heading, moment_told, notice, said
from gieok.web.memory_words import (
    CHIPS,
    PAGE,
    SOURCES,
    Difference,
    Full,
    Happening,
    Leafed,
    Looking,
    Row,
    Span,
    View,
    clocks,
    each_of,
    full,
    happenings,
    kind_told,
    month_page,
    months,
    named,
    per_cent,
    row_of,
    short,
    speaker_named,
    standing,
    table_page,
    year,
)
from gieok.web.visitors import Visitor

Deed = Literal["pin", "unpin", "forget"]
_DONE: dict[Deed, str] = {"pin": "pinned", "unpin": "unpinned", "forget": "forgotten"}


class Choosing:
    """A bar that is there as long as something is chosen."""

    def __init__(self, browsing: Browsing) -> None:
        self._browsing = browsing
        words = browsing.visitor.words
        with ui.element("section").classes("m-chosen g-card") as self._bar:
            self._told = said("", "p").props('role="status" aria-live="polite"')
            with ui.element("div").classes("g-row"):
                button(words("memories.choosing.pick"), self._pick, main=True)
                if browsing.may_write:
                    button(words("memories.choosing.pin"), self._asked("pin"))
                    button(words("memories.choosing.unpin"), self._asked("unpin"))
                    button(words("memories.choosing.forget"), self._asked("forget"))
                button(words("memories.choosing.none"), browsing.choose_none, quiet=True)
        self.show()

    def show(self) -> None:
        number = len(self._browsing.chosen)
        self._told.text = self._browsing.visitor.words("memories.choosing.chosen", n=number)
        self._bar.set_visibility(number > 0)

    def _pick(self) -> None:
        browsing = self._browsing
        browsing.visitor.own_desk.pick(browsing.chosen)
        browsing.choose_none()
        browsing.picked.show()

    def _asked(self, deed: Deed) -> Callable[[], Awaitable[None]]:
        return lambda: self._do(deed)

    async def _do(self, deed: Deed) -> None:
        browsing, words = self._browsing, self._browsing.visitor.words
        chosen = [*browsing.chosen]
        agreed = await confirmed(
            words(f"memories.choosing.sure_{deed}", n=len(chosen)),
            words(f"memories.choosing.sure_{deed}_text"),
            yes=words(f"memories.choosing.{deed}"),
            no=words("frame.cancel"),
            danger=deed == "forget",
        )
        if not agreed:
            return
        done = await browsing.visitor.change(each_of, chosen, _ACTS[deed])
        ui.notify(words(f"memories.choosing.{_DONE[deed]}", n=done), type="positive")
        if done < len(chosen):
            ui.notify(words("memories.choosing.skipped", n=len(chosen) - done), type="info")
        if deed == "forget":
            browsing.drop(chosen)
        browsing.choose_none()
        await browsing.reload()


_ACTS: dict[Deed, Callable[[Mind, str], object]] = {
    "pin": Mind.pin,
    "unpin": partial(Mind.pin, pinned=False),
    "forget": Mind.forget,
}


class Picked:
    """What goes into the next context, and the way to where it is talked about."""

    def __init__(self, browsing: Browsing) -> None:
        self._visitor = browsing.visitor
        words = self._visitor.words
        with ui.element("div").classes("m-picked g-row").props('role="status" aria-live="polite"') as self._line:
            self._told = said("", "span")
            ui.link(words("memories.choosing.to_talk"), PATHS["talk"])
            button(words("memories.choosing.drop"), self._drop, quiet=True)
        self.show()

    def show(self) -> None:
        number = len(self._visitor.own_desk.picked)
        self._told.text = self._visitor.words("memories.choosing.picked", n=number)
        self._line.set_visibility(number > 0)

    def _drop(self) -> None:
        self._visitor.own_desk.drop([*self._visitor.own_desk.picked])
        self.show()


_VALUE: Final = "(event) => emit(event.target.value)"
_CHECKED: Final = "(event) => emit(event.target.checked)"


class Chooser(Element):
    """One of several choices."""

    def __init__(
        self, label: str, choices: Mapping[str, str], value: str, act: Callable[[str], Awaitable[None]]
    ) -> None:
        with ui.element("label").classes("m-field"):
            said(label, "span")
            super().__init__("select")
        with self:
            for key, told in choices.items():
                said(told, "option").props["value"] = key
        self.props["value"] = value

        async def chosen(event: GenericEventArguments) -> None:
            self.props["value"] = str(event.args)
            await act(str(event.args))

        self.on("change", chosen, js_handler=_VALUE)

    def show(self, value: str) -> None:
        self.props["value"] = value
        self.update()


class Tick(Element):
    """A box to tick; its label stands beside it, or is only read out."""

    def __init__(self, label: str, act: Callable[[bool], Any], *, ticked: bool = False, silent: bool = False) -> None:
        with ui.element("label").classes("m-tick"):
            super().__init__("input")
            if not silent:
                said(label, "span")
        self.props["type"] = "checkbox"
        self.props["checked"] = ticked
        if silent:
            self.props["aria-label"] = label

        async def changed(event: GenericEventArguments) -> None:
            self.props["checked"] = bool(event.args)
            done = act(bool(event.args))
            if done is not None:
                await done

        self.on("change", changed, js_handler=_CHECKED)

    def show(self, ticked: bool) -> None:
        if self.props["checked"] != ticked:
            self.props["checked"] = ticked
            self.update()


def field(label: str, value: str, act: Callable[[str], Awaitable[None]], *, kind: str = "search") -> ui.input:
    """Show a field for some words, or (`kind` is "number") for a number; `act` is called when they rest."""

    async def told() -> None:
        await act(str(entry.value or "").strip())

    entry = ui.input(label=label, value=value).props(f"outlined dense debounce=350 type={kind}").classes("m-entry")
    entry.on_value_change(told)
    return entry


def link(text: str, address: str, act: Callable[[], Awaitable[None]]) -> Element:
    """Show a link that the page follows without leaving; in a new tab it opens as any other."""
    anchor = said(text, "a")
    anchor.props["href"] = address
    anchor.on("click.prevent", lambda: act(), args=[])
    return anchor


Go = Callable[..., Awaitable[None]]


class Filters:
    """What narrows down the memories that are shown."""

    def __init__(self, visitor: Visitor, looking: Looking, about: Sequence[tuple[str, str]], go: Go) -> None:
        """`about` is whom memories are about: (subject, subject id)."""
        self._visitor = visitor
        self._looking = looking
        self._go = go
        words = visitor.words
        with ui.element("form").classes("g-card m-filters").props('role="search"') as form:
            form.on("submit.prevent", js_handler="() => {}")
            with ui.element("div").classes("m-first"):
                self._views()
                self._words = field(words("memories.filter.words"), looking.words, self._find_words)
                states = {state: words(f"shared.states.{state}") for state in get_args(State)}
                self._state = Chooser(
                    words("memories.filter.state"), states, looking.shown_state, self._choose("state")
                )
            with ui.element("details").classes("m-more") as more:
                said(words("memories.filter.more"), "summary")
                with ui.element("div").classes("m-fields"):
                    self._more(about)
            if looking.narrows and replace(looking, words="", state=None).narrows:
                more.props["open"] = True

    def _views(self) -> None:
        words = self._visitor.words
        with ui.element("div").classes("m-views").props('role="group"') as group:
            group.props["aria-label"] = words("memories.views.label")
            self._view = {view: self._view_button(view) for view in get_args(View)}

    def _view_button(self, view: View) -> ui.button:
        async def turn() -> None:
            await self._go(replace(self._looking, view=view, before=None))

        shown = button(self._visitor.words(f"memories.views.{view}"), turn, quiet=True)
        shown.props["aria-pressed"] = "true" if self._looking.view == view else "false"
        return shown

    def _more(self, about: Sequence[tuple[str, str]]) -> None:
        words, looking, scope = self._visitor.words, self._looking, self._visitor.scope
        any_one = {"": words("memories.filter.any")}
        types = any_one | {each: words(f"shared.types.{each}") for each in get_args(ContentType)}
        people = any_one | {
            (each if subject == "other" else subject): named(subject, each, scope, words) for subject, each in about
        }
        if looking.about is not None and looking.about not in people:
            people[looking.about] = looking.about
        self._type = Chooser(words("memories.filter.type"), types, looking.type or "", self._choose("type"))
        self._about = Chooser(words("memories.filter.about"), people, looking.about or "", self._choose("about"))
        self._since = field(words("memories.filter.since"), _shown(looking.since), self._year("since"), kind="number")
        self._until = field(words("memories.filter.until"), _shown(looking.until), self._year("until"), kind="number")
        self._pinned = Tick(words("memories.filter.pinned"), self._tick("pinned"), ticked=looking.pinned)
        self._pii = Tick(words("memories.filter.pii"), self._tick("pii"), ticked=looking.pii)
        button(words("memories.filter.clear"), self._clear, quiet=True)

    def show(self, looking: Looking) -> None:
        """Show what is looked at, where somebody went there by another way than these filters."""
        self._looking = looking
        for view, shown in self._view.items():
            shown.props["aria-pressed"] = "true" if looking.view == view else "false"
            shown.update()
        self._words.value = looking.words
        self._state.show(looking.shown_state)
        self._type.show(looking.type or "")
        self._about.show(looking.about or "")
        self._since.value, self._until.value = _shown(looking.since), _shown(looking.until)
        self._pinned.show(looking.pinned)
        self._pii.show(looking.pii)

    async def _find_words(self, words: str) -> None:
        if words != self._looking.words.strip():
            await self._narrow(words=words)

    def _choose(self, name: str) -> Callable[[str], Awaitable[None]]:
        return lambda value: self._narrow(**{name: value or None})

    def _tick(self, name: str) -> Callable[[bool], Awaitable[None]]:
        return lambda ticked: self._narrow(**{name: ticked})

    def _year(self, name: str) -> Callable[[str], Awaitable[None]]:
        async def narrow(text: str) -> None:
            if year(text) != getattr(self._looking, name):
                await self._narrow(**{name: year(text)})

        return narrow

    async def _narrow(self, **fields: Any) -> None:
        await self._go(replace(self._looking, **fields, before=None), replacing="words" in fields)

    async def _clear(self) -> None:
        await self._go(self._looking.without_filters())


def _shown(year: int | None) -> str:
    return "" if year is None else str(year)


_COLUMNS: Final = ("what", "about", "kind", "since", "state", "weight")


class Line:
    """One row. What changes is put in place: the keyboard stays where it is."""

    def __init__(self, row: Row, browsing: Browsing) -> None:
        self._browsing = browsing
        words = browsing.visitor.words
        with ui.element("tr") as self.element:
            with ui.element("td").classes("m-choose"):
                label = words("memories.row.choose", content=short(row.content))
                self.tick = Tick(
                    label, lambda on: browsing.choose([row.id], on), ticked=row.id in browsing.chosen, silent=True
                )
            with ui.element("td").classes("m-what"):
                self.anchor = open_link(row, browsing)
                with ui.element("span").classes("m-marks"):
                    self._pinned = chip(words("memories.row.pinned"), "info")
                    self._pii = chip(words("memories.row.pii"), "warn")
            self._about = said("", "td").classes("m-about")
            self._kind = said("", "td").classes("m-kind")
            with ui.element("td").classes("m-since g-number"):
                self._since = said("", "span")
                self._until = said("", "span").classes("g-dim g-small")
            with ui.element("td").classes("m-state"):
                self._state = chip("")
            self._weight = said("", "td").classes("m-weight g-number g-small g-dim")
        self.show(row)

    def show(self, row: Row) -> None:
        """Show the memory as it is now."""
        words = self._browsing.visitor.words
        _put(self.anchor, row.content)
        _put(self._about, row.about)
        _put(self._kind, row.kind)
        _put(self._since, row.since)
        _put(self._until, words("memories.row.until", day=row.until) if row.until else "")
        _put(self._state, row.state)
        _put(self._weight, f"{row.importance} · {row.strength}")
        self._state.classes(replace=f"g-chip {f'g-{CHIPS[row.standing]}' if CHIPS[row.standing] else ''}")
        self._pinned.set_visibility(row.pinned)
        self._pii.set_visibility(row.pii)
        self.element.classes(replace="" if row.standing in ("current", "future") else "m-over")


def open_link(row: Row, browsing: Browsing) -> Said:
    """Show what a memory says as the way to all about it."""
    address = replace(browsing.looking, memory=row.id).address(browsing.visitor.scope)

    async def opened() -> None:
        await browsing.open(row.id)

    anchor = link(row.content, address, opened)
    assert isinstance(anchor, Said)
    return anchor.classes("m-open")


class Table:
    """A page of memories, and the ways to the others."""

    def __init__(self, browsing: Browsing) -> None:
        self._browsing = browsing
        self._lines: dict[str, Line] = {}
        self._newer_than: dict[Looking, Looking] = {}  #: from which page one came to another
        self._leafed = Leafed(rows=(), following=None)
        words = browsing.visitor.words
        with ui.element("div").classes("m-list") as self.element:
            with ui.element("div").classes("g-scroll") as self._whole, ui.element("table").classes("g-table m-table"):
                said(words("memories.caption"), "caption").classes("m-unseen")
                with ui.element("thead"), ui.element("tr"):
                    with ui.element("th").classes("m-choose").props('scope="col"'):
                        self._all = Tick(words("memories.choosing.all"), self._choose_all)
                    for column in _COLUMNS:
                        said(words(f"memories.column.{column}"), "th").classes(f"m-{column}").props('scope="col"')
                self._body = ui.element("tbody")
            self._nothing = ui.element("div")
            with ui.element("nav").classes("g-row m-paging") as self._paging:
                self._paging.props["aria-label"] = words("memories.paging.label")
                self._newer = button(words("memories.paging.newer"), self._go_newer, quiet=True)
                self._older = button(words("memories.paging.older"), self._go_older)
                said(words("memories.paging.shown", n=PAGE), "span").classes("g-dim g-small")

    async def load(self) -> None:
        """Show the page that is looked at."""
        browsing, looking = self._browsing, self._browsing.looking.listed
        leafed = await browsing.visitor.ask(table_page, looking, browsing.visitor)
        if looking == browsing.looking.listed:
            self._show(leafed)

    def _show(self, leafed: Leafed) -> None:
        self._leafed = leafed
        self._body.clear()
        with self._body:
            self._lines = {row.id: Line(row, self._browsing) for row in leafed.rows}
        self._whole.set_visibility(bool(leafed.rows))
        looking = self._browsing.looking
        self._nothing.clear()
        if not leafed.rows:
            with self._nothing:
                tell_nothing(self._browsing)
        self._paging.set_visibility(leafed.following is not None or looking.before is not None)
        _enable(self._newer, on=looking.before is not None)
        _enable(self._older, on=leafed.following is not None)
        self.chosen_changed()

    def show_row(self, row: Row) -> None:
        if row.id in self._lines:
            self._lines[row.id].show(row)

    def focusable(self, memory_id: str) -> Element | None:
        line = self._lines.get(memory_id)
        return line.anchor if line else None

    def chosen_changed(self) -> None:
        """Tick what is chosen."""
        for memory_id, line in self._lines.items():
            line.tick.show(memory_id in self._browsing.chosen)
        self._all.show(bool(self._lines) and all(each in self._browsing.chosen for each in self._lines))

    def _choose_all(self, on: bool) -> None:
        self._browsing.choose([*self._lines], on)

    async def _go_older(self) -> None:
        here = self._browsing.looking.listed
        older = replace(here, before=self._leafed.following)
        self._newer_than[older] = here
        await self._browsing.go(older)

    async def _go_newer(self) -> None:
        here = self._browsing.looking.listed
        await self._browsing.go(self._newer_than.get(here) or replace(here, before=None))


def tell_nothing(browsing: Browsing) -> None:
    """Say why there is nothing, and what to do."""
    words = browsing.visitor.words
    kind = "nothing_fits" if browsing.looking.narrows else "empty"
    notice(words(f"memories.{kind}"), words(f"memories.{kind}_text"))


def _put(element: Said, text: str) -> None:
    if element.text != text:
        element.text = text


def _enable(shown: ui.button, *, on: bool) -> None:
    shown.enable() if on else shown.disable()


_OPENED = "(event) => event.target.open && emit()"


class Event:
    """One memory in a month."""

    def __init__(self, row: Row, browsing: Browsing) -> None:
        self._browsing = browsing
        zone = browsing.visitor.bank.settings.zone
        with ui.element("li") as self._element:
            day = browsing.visitor.words("memories.timeline.day", day=row.at.astimezone(zone).day)
            said(day, "span").classes("m-day g-number g-dim")
            with ui.element("div").classes("m-told"):
                self.anchor = open_link(row, browsing)
                self._marks = ui.element("div").classes("g-row m-marks")
        self.show(row)

    def show(self, row: Row) -> None:
        words = self._browsing.visitor.words
        if self.anchor.text != row.content:
            self.anchor.text = row.content
        self._marks.clear()
        with self._marks:
            chip(row.state, CHIPS[row.standing])
            if row.until:
                said(words("memories.row.until", day=row.until), "span").classes("g-dim g-small")
            said(f"{row.about} · {row.kind}", "span").classes("g-dim g-small")
            if row.pinned:
                chip(words("memories.row.pinned"), "info")
        self._element.classes(replace="m-event" if row.standing in ("current", "future") else "m-event m-over")


class OneMonth:
    """A month, folded until somebody opens it."""

    def __init__(self, month: Month, browsing: Browsing, events: dict[str, Event]) -> None:
        self._month = month
        self._browsing = browsing
        self._events = events
        self._begun = False
        words = browsing.visitor.words
        with ui.element("details").classes("m-month") as self.element:
            with ui.element("summary"):
                said(kit.month(month.year, month.month, browsing.visitor), "span")
                said(words("memories.timeline.count", n=month.memories), "span").classes("g-dim g-small g-number")
            self._list = ui.element("ol").classes("m-events")
            self._further = ui.element("div")
        self.element.on("toggle", self.read, js_handler=_OPENED)

    async def read(self) -> None:
        """Show what happened in it, once."""
        if not self._begun:
            self._begun = True
            await self._read_on(None)

    async def _read_on(self, reached: Any) -> None:
        browsing, month = self._browsing, self._month
        which = browsing.looking.of_month(month.year, month.month, browsing.visitor.bank.settings.zone)
        leafed = await browsing.visitor.ask(month_page, which, reached, browsing.visitor)
        with self._list:
            self._events.update({row.id: Event(row, browsing) for row in leafed.rows})
        self._further.clear()
        if leafed.following is not None:
            with self._further:
                more = browsing.visitor.words("memories.timeline.more")
                button(more, partial(self._read_on, leafed.following), quiet=True)


class Timeline:
    """Years, in them months, in them what happened."""

    def __init__(self, browsing: Browsing) -> None:
        self._browsing = browsing
        self._events: dict[str, Event] = {}
        self.element = ui.element("div").classes("m-list m-timeline")

    async def load(self) -> None:
        """Show the years; of the latest month also what happened in it."""
        browsing, looking = self._browsing, self._browsing.looking.listed
        counted = await browsing.visitor.ask(months, looking, browsing.visitor)
        if looking != browsing.looking.listed:
            return
        browsing.tell_found(sum(month.memories for month in counted))
        self.element.clear()
        self._events = {}
        with self.element:
            if not counted:
                tell_nothing(browsing)
                return
            latest = self._draw(counted)
        await latest.read()

    def _draw(self, counted: Sequence[Month]) -> OneMonth:
        drawn: list[OneMonth] = []
        for number, within in groupby(counted, key=lambda month: month.year):
            drawn += self._year(number, [*within], first=not drawn)
        drawn[0].element.props["open"] = True
        return drawn[0]

    def _year(self, year: int, within: Sequence[Month], *, first: bool) -> list[OneMonth]:
        visitor = self._browsing.visitor
        with ui.element("details").classes("m-year g-card") as element:
            with ui.element("summary"):
                said(kit.year(year, visitor), "h2")
                total = sum(month.memories for month in within)
                said(visitor.words("memories.timeline.count", n=total), "span").classes("g-dim g-small g-number")
            months_of = [OneMonth(month, self._browsing, self._events) for month in within]
        if first:
            element.props["open"] = True
        return months_of

    def show_row(self, row: Row) -> None:
        if row.id in self._events:
            self._events[row.id].show(row)

    def focusable(self, memory_id: str) -> Element | None:
        event = self._events.get(memory_id)
        return event.anchor if event else None

    def chosen_changed(self) -> None:
        """Nothing is chosen here."""


Act = Callable[[Mind], object]


@contextmanager
def section(title: str) -> Iterator[Element]:
    with ui.element("section").classes("m-section") as opened:
        said(title, "h3")
        yield opened


def told_of(memory: Memory, browsing: Browsing) -> str:
    """Return whom it is about and what kind it is."""
    words = browsing.visitor.words
    about = named(memory.subject, memory.subject_id, browsing.visitor.scope, words)
    return f"{about} · {kind_told(memory, words)}"


def clocks_shown(known: Full, browsing: Browsing) -> None:
    """Draw both clocks on one line, and tell them."""
    visitor, words, memory = browsing.visitor, browsing.visitor.words, known.memory
    both = clocks(memory, known.history, known.present)
    since, until = moment_told(both.valid.since, visitor), both.valid.until
    if memory.retracted:
        true = words("memories.clocks.valid_never", since=since)
    elif until is not None:
        true = words("memories.clocks.valid_closed", since=since, until=moment_told(until, visitor))
    else:
        kind = "coming" if memory.valid_at > known.present else "open"
        true = words(f"memories.clocks.valid_{kind}", since=since)
    learned, believed = moment_told(both.known.since, visitor), both.known.until
    known_told = (
        words("memories.clocks.known_open", since=learned)
        if believed is None
        else words("memories.clocks.known_closed", since=learned, until=moment_told(believed, visitor))
    )
    with section(words("memories.clocks.title")), ui.element("dl").classes("m-clocks"):
        _clock("valid", words("memories.clocks.valid"), true, both.valid)
        _clock("known", words("memories.clocks.known"), known_told, both.known)
        recorded = moment_told(memory.recorded_at, visitor)
        said(words("memories.clocks.recorded", at=recorded), "dd").classes("g-dim g-small")


def _clock(name: str, label: str, told: str, span: Span) -> None:
    said(label, "dt")
    with ui.element("dd"):
        with ui.element("div").classes("m-track").props('aria-hidden="true"'):
            going_on = "" if span.until is not None else " m-goes-on"
            ui.element("div").classes(f"m-span m-{name}{going_on}").style(f"left:{span.left}%;width:{span.width}%")
        said(told, "p")


def line_shown(known: Full, browsing: Browsing) -> None:
    """Tell what took whose place, each a way to it; and what it was made from."""
    words = browsing.visitor.words
    if len(known.line) > 1:
        with section(words("memories.line.title")), ui.element("ol").classes("m-line"):
            for each in known.line:
                _related(each, known, browsing)
    if known.made_from:
        with section(words("memories.one.made_from")), ui.element("ul").classes("m-line"):
            for each in known.made_from:
                _related(each, known, browsing)


def _related(memory: Memory, known: Full, browsing: Browsing) -> None:
    visitor, words = browsing.visitor, browsing.visitor.words
    held = standing(memory, known.present)
    with ui.element("li") as item:
        if memory.id == known.memory.id:
            item.props["aria-current"] = "true"
            said(short(memory.content), "strong")
        else:
            address = replace(browsing.looking, memory=memory.id).address(visitor.scope)
            link(short(memory.content), address, partial(browsing.open, memory.id))
        with ui.element("span").classes("g-row"):
            chip(words(f"shared.states.{held}"), CHIPS[held])
            until = f" – {day(memory.invalid_at, visitor)}" if memory.invalid_at else " –"
            said(f"{day(memory.valid_at, visitor)}{until}", "span").classes("g-dim g-small g-number")


def sources_shown(known: Full, browsing: Browsing) -> None:
    """Tell the turns that it came from, in their own words."""
    words, memory = browsing.visitor.words, known.memory
    with section(words("memories.sources.title")):
        if not known.sources:
            said(words(f"memories.sources.{'gone' if memory.sources else 'none'}")).classes("g-dim")
        for turn in known.sources:
            _turn(turn, memory, browsing)
        if known.more_sources:
            said(words("memories.sources.more", n=SOURCES)).classes("g-dim g-small")


def _turn(turn: Turn, memory: Memory, browsing: Browsing) -> None:
    visitor, words = browsing.visitor, browsing.visitor.words
    with ui.element("figure").classes("m-turn"):
        said(moment_told(turn.at, visitor), "figcaption").classes("g-dim g-small")
        for utterance in turn.utterances:
            here = utterance.id in memory.sources
            with ui.element("blockquote").classes("m-said m-here" if here else "m-said"):
                said(speaker_named(utterance.speaker, visitor.scope, words), "b")
                said(utterance.text, "span")
                if here:
                    chip(words("memories.sources.here"), "good")


def why_shown(known: Full, browsing: Browsing) -> None:
    """Tell why it is kept: who read it, how it was weighed, how often it came up."""
    words = browsing.visitor.words
    with section(words("memories.why.title")):
        with ui.element("dl").classes("m-facts"):
            for name, told in _reasons(known, browsing):
                with ui.element("div"):
                    said(words(f"memories.why.{name}"), "dt")
                    said(told, "dd")
        worth = _promotion(known)
        if worth is not None:
            _weighed(worth, browsing)


def _reasons(known: Full, browsing: Browsing) -> list[tuple[str, str]]:
    words, memory = browsing.visitor.words, known.memory
    told = [
        ("origin", words(f"shared.origins.{memory.origin}")),
        ("reader", memory.extractor),
        ("speaker", speaker_named(memory.speaker, browsing.visitor.scope, words)),
        ("value", memory.value or ""),
        ("importance", str(per_cent(memory.importance))),
        ("strength", str(per_cent(known.strength))),
        ("certainty", str(per_cent(memory.certainty))),
        ("mentions", words("memories.why.times", n=memory.mentions)),
        ("uses", words("memories.why.times", n=memory.uses)),
        ("kind", words(f"shared.kinds.{memory.kind}")),
        ("channel", memory.channel or ""),
        ("tags", ", ".join(memory.tags)),
        ("pii", ", ".join(memory.pii_flags)),
        ("interpretation", memory.interpretation or ""),
    ]
    return [(name, value) for name, value in told if value]


def _promotion(known: Full) -> Promotion | None:
    """Return how the claim that it came from was weighed."""
    for operation, change in known.history:
        for decision in operation.decisions:
            if change.before is None and change in decision.changes:
                return promotion_of(decision)
    return None


def _weighed(worth: Promotion, browsing: Browsing) -> None:
    words = browsing.visitor.words
    score = f"{words('memories.why.score')} {per_cent(worth.score)}"
    with ui.element("details").classes("m-weighed"):
        said(score, "summary")
        with ui.element("ul").classes("m-bars"):
            for part in fields(worth):
                if part.name != "score":
                    _bar(words(f"memories.parts.{part.name}"), per_cent(getattr(worth, part.name)))


def _bar(label: str, share: int) -> None:
    with ui.element("li"):
        said(label, "span")
        with ui.element("span").classes("m-track").props('aria-hidden="true"'):
            ui.element("span").classes("m-span m-known").style(f"left:0;width:{share}%")
        said(str(share), "span").classes("g-number g-small")


def history_shown(known: Full, browsing: Browsing, roll_back: Callable[[Happening], Awaitable[None]] | None) -> None:
    """Tell everything that happened to it, oldest first; `roll_back` is None for who may not."""
    words = browsing.visitor.words
    with section(words("memories.history.title")), ui.element("ol").classes("m-history"):
        for each in happenings(known.history, known.memory, browsing.visitor, known.actors):
            with ui.element("li").classes("m-undone" if each.undone else ""):
                _entry(each, browsing)
                if each.restorable and roll_back is not None:
                    undo = button(words("memories.history.restore"), partial(roll_back, each))
                    undo.props["aria-label"] = (
                        f"{words('memories.history.restore')}: {words('memories.history.entry', n=each.number)}"
                    )


def _entry(each: Happening, browsing: Browsing) -> None:
    visitor, words = browsing.visitor, browsing.visitor.words
    with ui.element("div").classes("g-row"):
        said(each.what, "strong")
        said(each.who, "span").classes("g-small")
        said(words("memories.history.entry", n=each.number), "span").classes("g-dim g-small g-number")
        if each.undone:
            chip(words("memories.history.undone"), "warn")
    with ui.element("div").classes("g-row g-dim g-small g-number"):
        said(words("memories.history.told", at=moment_told(each.at, visitor)), "span")
        said(words("memories.history.recorded", at=moment_told(each.recorded_at, visitor)), "span")
    if each.why:
        said(each.why).classes("g-dim g-small")
    if each.differences:
        with ui.element("ul").classes("m-differences"):
            for difference in each.differences:
                _difference(difference)


def _difference(difference: Difference) -> None:
    with ui.element("li"):
        said(difference.what, "span").classes("g-dim g-small")
        if difference.before is not None:
            said(difference.before, "del")
        if difference.before is not None and difference.after is not None:
            said("→", "span").props('aria-hidden="true"')
        if difference.after is not None:
            said(difference.after, "ins")


_LOOK: Final = '<link rel="stylesheet" href="/look/memories.css">'
_GONE_BACK: Final = "memories-gone-back"
_BACK: Final = f'<script>addEventListener("popstate", () => emitEvent("{_GONE_BACK}", location.search))</script>'


async def build(visitor: Visitor) -> None:
    ui.add_head_html(_LOOK)
    ui.add_body_html(_BACK)
    heading(visitor.words("memories.title"))
    about = [(each.subject, each.subject_id) for each in await visitor.ask(Mind.subjects)]
    looking = Looking.of(ui.context.client.request.query_params)
    browsing = Browsing(visitor, looking, may_write=await visitor.may("writer"), about=about)
    ui.on(_GONE_BACK, browsing.gone_back)
    await browsing.begin()


class Browsing:
    """One visitor, looking through memories."""

    def __init__(
        self, visitor: Visitor, looking: Looking, *, may_write: bool, about: Sequence[tuple[str, str]]
    ) -> None:
        self.visitor = visitor
        self.looking = looking
        self.may_write = may_write
        self.chosen: dict[str, None] = {}  #: ids, in the order in which they were chosen
        self.picked = Picked(self)
        self._filters = Filters(visitor, looking, about, self.go)
        self._found = said("", "p").classes("m-found").props('role="status" aria-live="polite"')
        self._place = ui.element("div")
        self._list = self._drawn()
        self._choosing = Choosing(self)
        self._one = One(self)

    def _drawn(self) -> Table | Timeline:
        with self._place:
            return Table(self) if self.looking.view == "table" else Timeline(self)

    async def begin(self) -> None:
        """Show what the address asks for."""
        if isinstance(self._list, Table):
            await self._list.load()
        ui.timer(0, self._settle, once=True)  # what takes longer in a large bank comes once the page is there

    async def _settle(self) -> None:
        await self._count() if isinstance(self._list, Table) else await self._list.load()
        if self.looking.memory is not None:
            await self._one.show(self.looking.memory)

    async def go(self, looking: Looking, *, replacing: bool = False) -> None:
        """Look at something else, and let the address say so; `replacing`: without a step for the back button."""
        if looking == self.looking:
            return
        turn = ui.navigate.history.replace if replacing else ui.navigate.history.push
        turn(looking.address(self.visitor.scope))
        await self._turn_to(looking)

    async def gone_back(self, event: GenericEventArguments) -> None:
        """Follow the browser to where it went back or forward to."""
        search = event.args if isinstance(event.args, str) else ""
        await self._turn_to(Looking.of(dict(parse_qsl(search.removeprefix("?")))))

    async def _turn_to(self, looking: Looking) -> None:
        before, self.looking = self.looking, looking
        self._filters.show(looking)
        if before.listed != looking.listed:
            if before.view != looking.view:
                self._place.clear()
                self._list = self._drawn()
            await self.reload()
        if before.memory != looking.memory:
            await self._one.show(looking.memory)

    async def reload(self) -> None:
        """Read again what is looked at."""
        await self._list.load()
        await self.recount()

    async def _count(self) -> None:
        looking = self.looking.listed
        self._found.text = self.visitor.words("memories.counting")
        counted = await self.visitor.ask(months, looking, self.visitor)
        if looking == self.looking.listed:
            self.tell_found(sum(month.memories for month in counted))

    def tell_found(self, number: int) -> None:
        words = self.visitor.words
        self._found.text = words("memories.found", n=number) if number else words("memories.found_none")

    async def open(self, memory_id: str | None) -> None:
        """Open one memory, or (None) close it."""
        await self.go(replace(self.looking, memory=memory_id))

    async def changed(self, memory_id: str) -> None:
        """Show a memory that was changed as it is now, where it stands."""
        if self._list.focusable(memory_id) is not None:
            self._list.show_row(await self.visitor.ask(row_of, memory_id, self.visitor))

    async def recount(self) -> None:
        """Tell how many there are by now."""
        if isinstance(self._list, Table):
            await self._count()

    def drop(self, memory_ids: Iterable[str]) -> None:
        """Take what is not remembered any more out of the next context."""
        self.visitor.own_desk.drop(memory_ids)
        self.picked.show()

    def focusable(self, memory_id: str) -> Element | None:
        return self._list.focusable(memory_id)

    def choose(self, memory_ids: Iterable[str], on: bool) -> None:
        for memory_id in memory_ids:
            if on:
                self.chosen[memory_id] = None
            else:
                self.chosen.pop(memory_id, None)
        self._list.chosen_changed()
        self._choosing.show()

    def choose_none(self) -> None:
        self.choose([*self.chosen], False)


_LONG: Final = 120  #: characters that are no title any more


class One:
    """The sheet that a memory is shown on. Closing it brings the keyboard back to the memory's line."""

    def __init__(self, browsing: Browsing) -> None:
        self._browsing = browsing
        self._full: Full | None = None
        with ui.dialog().props("position=right full-height").classes("m-sheet") as self._dialog:
            self._sheet = ui.element("div").classes("g-card m-one")
        self._dialog.props["aria-label"] = browsing.visitor.words("memories.column.what")
        self._dialog.on("hide", self._hidden, args=[])

    async def show(self, memory_id: str | None) -> None:
        """Show a memory, or (None) none."""
        if memory_id is None:
            self._dialog.close()
            return
        try:
            self._full = await self._browsing.visitor.ask(full, memory_id)
        except UnknownMemory:
            self._full = None
            self._say("memories.unknown", "warning")
            await self._browsing.open(None)
            return
        self._draw(self._full)
        if self._dialog.value:
            self._to_title()
        self._dialog.open()

    async def _hidden(self) -> None:
        looking = self._browsing.looking
        closed = self._full.memory.id if self._full else looking.memory
        if looking.memory is not None and looking.memory == closed:
            await self._browsing.open(None)
        line = self._browsing.focusable(closed) if closed is not None else None
        if line is not None:
            ui.run_javascript(f"getHtmlElement({line.id})?.focus()")

    def _draw(self, known: Full) -> None:
        browsing = self._browsing
        self._sheet.clear()
        with self._sheet:
            with ui.element("div").classes("m-top"):
                with ui.element("div").classes("g-stack"):
                    length = "m-title m-long" if len(known.memory.content) > _LONG else "m-title"
                    said(known.memory.content, "h2").classes(length).props('tabindex="-1"')
                    self._chips(known)
                button("✕", self._dialog.close, quiet=True).props["aria-label"] = browsing.visitor.words(
                    "memories.one.close"
                )
            self._actions(known)
            clocks_shown(known, browsing)
            line_shown(known, browsing)
            sources_shown(known, browsing)
            why_shown(known, browsing)
            history_shown(known, browsing, self._roll_back if browsing.may_write else None)

    def _chips(self, known: Full) -> None:
        words, memory = self._browsing.visitor.words, known.memory
        held = standing(memory, known.present)
        with ui.element("div").classes("g-row"):
            chip(words(f"shared.states.{held}"), CHIPS[held])
            if memory.pinned:
                chip(words("memories.row.pinned"), "info")
            if memory.pii_flags:
                chip(words("memories.row.pii"), "warn")
            said(told_of(memory, self._browsing), "span").classes("g-dim g-small")

    def _actions(self, known: Full) -> None:
        words, memory = self._browsing.visitor.words, known.memory
        is_picked = memory.id in self._browsing.visitor.own_desk.picked
        with ui.element("div").classes("g-stack") as self._deeds, ui.element("div").classes("g-row"):
            if self._browsing.may_write and memory.forgotten_at is None:
                button(words("memories.one.correct"), self._begin_correcting, main=True)
                button(words(f"memories.one.{'unpin' if memory.pinned else 'pin'}"), self._pin)
                button(words("memories.one.forget"), self._forget)
            if memory.forgotten_at is None or is_picked:
                button(words(f"memories.one.{'dropped' if is_picked else 'pick'}"), self._pick, quiet=True)

    def _begin_correcting(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        words = self._browsing.visitor.words
        self._deeds.clear()
        with self._deeds:
            label = words("memories.one.correct_label")
            self._words = ui.textarea(label=label, value=self._full.memory.content).props("outlined autogrow autofocus")
            with ui.element("div").classes("g-row"):
                button(words("memories.one.save"), self._correct, main=True)
                button(words("memories.one.cancel"), self._stay, quiet=True)

    def _stay(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        self._draw(self._full)
        self._to_title()

    async def _correct(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        memory, content = self._full.memory, str(self._words.value or "").strip()
        if content == memory.content:
            self._say("memories.one.unchanged", "info")
            self._stay()
            return
        await self._do("corrected", lambda mind: mind.correct(memory.id, content, if_version=memory.version))

    async def _pin(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        memory = self._full.memory
        done = "unpinned" if memory.pinned else "pinned"
        await self._do(done, lambda mind: mind.pin(memory.id, not memory.pinned, if_version=memory.version))

    async def _forget(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        words, memory = self._browsing.visitor.words, self._full.memory
        agreed = await confirmed(
            words("memories.one.sure_forget"),
            words("memories.choosing.sure_forget_text"),
            yes=words("memories.one.forget"),
            no=words("frame.cancel"),
            danger=True,
        )
        if agreed:
            await self._do("forgotten", lambda mind: mind.forget(memory.id, if_version=memory.version))

    async def _roll_back(self, to: Happening) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        words, memory = self._browsing.visitor.words, self._full.memory
        closer = next((each for each in self._full.line if each.id == memory.closed_by), None)
        told = {"content": short(to.content or ""), "closer": short(closer.content) if closer else ""}
        text = words(f"memories.history.sure_restore_{'closer' if closer else 'text'}", **told)
        agreed = await confirmed(
            words("memories.history.sure_restore"),
            text,
            yes=words("memories.history.restore"),
            no=words("frame.cancel"),
        )
        if agreed:
            version = memory.version
            await self._do(None, lambda mind: mind.restore(memory.id, to.operation_id, if_version=version))

    async def _do(self, done: str | None, act: Act) -> None:
        """Change the memory, and show it as it is then; where somebody was faster, only that."""
        assert self._full is not None, "there is a memory on the sheet"
        memory_id = self._full.memory.id
        try:
            await self._browsing.visitor.change(act)
        except MemoryMoved:
            self._say("memories.one.moved", "warning")
        except UnknownMemory:
            self._say("memories.one.gone", "warning")
        else:
            self._say(f"memories.one.{done}" if done else "memories.history.restored", "positive")
        related = [each.id for each in self._full.line]
        self._full = await self._browsing.visitor.ask(full, memory_id)
        self._draw(self._full)
        self._to_title()
        if self._full.memory.forgotten_at is not None:
            self._browsing.drop([memory_id])
        for each in dict.fromkeys([memory_id, *related]):
            await self._browsing.changed(each)
        await self._browsing.recount()

    def _pick(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        desk, memory_id = self._browsing.visitor.own_desk, self._full.memory.id
        if memory_id in desk.picked:
            desk.drop([memory_id])
        else:
            desk.pick([memory_id])
        self._browsing.picked.show()
        self._stay()

    def _to_title(self) -> None:
        with self._sheet:
            ui.run_javascript(f"getHtmlElement({self._sheet.id})?.querySelector('.m-title')?.focus()")

    def _say(self, name: str, kind: str) -> None:
        with self._sheet:
            ui.notify(self._browsing.visitor.words(name), type=kind)  # type: ignore[arg-type]  # one of NiceGUI's own
