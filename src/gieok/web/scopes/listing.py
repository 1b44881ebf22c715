"""The list of profiles, that which was talked to last first; found by name, a page at a time."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Final

from nicegui import ElementFilter, ui
from nicegui.element import Element
from nicegui.events import ValueChangeEventArguments

from gieok.domain.holdings import ScopeSummary
from gieok.domain.scope import Scope
from gieok.web.dates import moment_told
from gieok.web.frame import whose
from gieok.web.kit import Said, button, card, chip, notice, said
from gieok.web.paths import PATHS
from gieok.web.scopes.download import download_of
from gieok.web.scopes.erasing import erased
from gieok.web.scopes.profiles import Profile, profile, typed_name
from gieok.web.visitors import Visitor

_PAGE: Final = 20


class Listing:
    """The card of all profiles that the visitor's key opens."""

    _list: Element
    _below: Element
    _aside: Element
    _told: Said

    def __init__(self, visitor: Visitor, *, may_erase: bool) -> None:
        self._visitor = visitor
        self._may_erase = may_erase
        self._text = ""
        self._found: list[ScopeSummary] = []
        self._asked = 0  #: what was asked last: an older answer that comes late is not shown

    @property
    def is_empty(self) -> bool:
        return not self._found and not self._text

    async def draw(self) -> None:
        words = self._visitor.words
        with card(words("scopes.list")) as whole:
            whole.classes("s-list-card")
            search = ui.input(label=words("scopes.search"), on_change=self._search)
            search.props('outlined dense type="search" debounce="250"').classes("s-search")
            self._told = said("").classes("g-dim g-small").props('role="status"')
            self._list = ui.element("ul").classes("s-list")
            self._below = ui.element("div").classes("g-row")
            self._aside = ui.element("div")
            if not self._may_erase:
                said(words("scopes.erasing.admins")).classes("g-dim g-small")
        await self._anew()

    async def _search(self, event: ValueChangeEventArguments[str | None]) -> None:
        self._text = event.value or ""
        await self._anew()

    async def _anew(self) -> None:
        self._asked += 1
        asked = self._asked
        page = await self._page(None)
        if asked != self._asked:
            return
        self._found = []
        self._list.clear()
        self._add(page)
        if not page:
            missing = "empty" if self.is_empty else "found_none"
            words = self._visitor.words
            with self._below:
                notice(words(f"scopes.{missing}"), words(f"scopes.{missing}_text"))

    async def _more(self) -> None:
        self._add(await self._page(self._found[-1]))

    async def _page(self, after: ScopeSummary | None) -> list[ScopeSummary]:
        bounds = (await self._visitor.caller()).bounds
        read = partial(self._visitor.bank.latest_scopes, _PAGE, after=after, text=self._text, within=bounds)
        return await asyncio.to_thread(read)

    def _add(self, page: list[ScopeSummary]) -> None:
        words = self._visitor.words
        self._found += page
        with self._list:
            for summary in page:
                self._draw(profile(summary))
        self._told.text = words("scopes.shown", n=len(self._found)) if self._found else ""
        self._below.clear()
        if len(page) == _PAGE:
            with self._below:
                button(words("scopes.more"), self._more)

    def _draw(self, each: Profile) -> None:
        words, name = self._visitor.words, typed_name(each.scope)
        here = each.scope == self._visitor.desk.scope
        with ui.element("li").classes(f"s-profile{' s-here' if here else ''}"):
            with ui.element("div").classes("s-who"):
                with ui.element("div").classes("g-row"):
                    said(each.title, "h3")
                    if each.is_canon:
                        chip(words("scopes.canon"), "info").props["title"] = words("scopes.canon_why")
                    if here:
                        chip(words("scopes.here"), "good")
                with ui.element("p").classes("s-beside"):
                    for field, told in each.beside:
                        said(words(f"scopes.names.{field}"), "span").classes("g-dim")
                        said(told, "span")
                said(self._counts(each)).classes("g-dim g-small g-number")
                if each.is_canon:
                    said(words("scopes.canon_why")).classes("g-dim g-small")
            with ui.element("div").classes("s-do"):
                self._buttons(each, name)

    def _counts(self, each: Profile) -> str:
        words = self._visitor.words
        latest = (
            words("scopes.never")
            if each.latest_at is None
            else words("scopes.latest", at=moment_told(each.latest_at, self._visitor))
        )
        return " · ".join((words("scopes.turns", n=each.turns), words("scopes.memories", n=each.memories), latest))

    def _buttons(self, each: Profile, name: str) -> None:
        words = self._visitor.words
        opens = button(words("scopes.open"), lambda: self._turn_to(each.scope), main=True)
        opens.props["aria-label"] = words("scopes.open_of", name=name)
        export = said(words("scopes.export"), "a").classes("g-button g-plain-button s-export")
        export.props["href"] = download_of(each.scope)
        export.props["download"] = True
        export.props["aria-label"] = words("scopes.export_of", name=name)
        if self._may_erase:
            erase = button(words("scopes.erase"), lambda: self._erase(each.scope), quiet=True)
            erase.props["aria-label"] = words("scopes.erase_of", name=name)

    async def _turn_to(self, scope: Scope) -> None:
        (await self._visitor.caller()).check("reader", scope)
        self._visitor.desk.turn_to(scope)
        ui.navigate.to(PATHS["talk"])

    async def _erase(self, scope: Scope) -> None:
        with self._aside:  # not in the list, which may be drawn anew meanwhile
            gone = await erased(self._visitor, scope)
        if gone:
            await self._turn_away(scope)
            await self._anew()

    async def _turn_away(self, scope: Scope) -> None:
        """Leave a mind that is no more for the one that was talked to last, also in the head of the page."""
        visitor = self._visitor
        if visitor.desk.scope != scope:
            return
        bounds = (await visitor.caller()).bounds
        visitor.desk.turn_to(await asyncio.to_thread(visitor.bank.latest_scope, bounds))
        for shown in ElementFilter(kind=Said, marker="whose"):
            shown.text = whose(visitor)
