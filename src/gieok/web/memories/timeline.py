"""The memories by when they became true: years, months, and what happened in them, read when they are opened."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any

from nicegui import ui
from nicegui.element import Element

from gieok.bank.pages import Month
from gieok.web import dates
from gieok.web.kit import button, chip, said
from gieok.web.memories.reading import month_page, months
from gieok.web.memories.table import open_link, tell_nothing
from gieok.web.memories.telling import CHIPS, Row

if TYPE_CHECKING:
    from gieok.web.memories.browsing import Browsing

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
                said(dates.month(month.year, month.month, browsing.visitor), "span")
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
        for year, within in groupby(counted, key=lambda month: month.year):
            drawn += self._year(year, [*within], first=not drawn)
        drawn[0].element.props["open"] = True
        return drawn[0]

    def _year(self, year: int, within: Sequence[Month], *, first: bool) -> list[OneMonth]:
        visitor = self._browsing.visitor
        with ui.element("details").classes("m-year g-card") as element:
            with ui.element("summary"):
                said(dates.year(year, visitor), "h2")
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
