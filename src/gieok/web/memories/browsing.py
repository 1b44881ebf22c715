"""The page as a whole: what is looked at, in which view, and what happens when that changes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from urllib.parse import parse_qsl

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from gieok.web.kit import said
from gieok.web.memories.choosing import Choosing, Picked
from gieok.web.memories.filters import Filters
from gieok.web.memories.looking import Looking
from gieok.web.memories.one import One
from gieok.web.memories.reading import months, row_of
from gieok.web.memories.table import Table
from gieok.web.memories.timeline import Timeline
from gieok.web.visitors import Visitor


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
