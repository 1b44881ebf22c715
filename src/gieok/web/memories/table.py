"""The memories as a table, a page at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from nicegui import ui
from nicegui.element import Element

from gieok.web.kit import Said, button, chip, notice, said
from gieok.web.memories.controls import Tick, link
from gieok.web.memories.looking import Looking
from gieok.web.memories.reading import PAGE, Leafed, table_page
from gieok.web.memories.telling import CHIPS, Row, short

if TYPE_CHECKING:
    from gieok.web.memories.browsing import Browsing

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
