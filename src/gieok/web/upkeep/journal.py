"""The journal: everything that was done, the latest first, a page at a time."""

from __future__ import annotations

from typing import Final

from nicegui import ui
from nicegui.element import Element

from gieok.bank import Mind
from gieok.web.dates import moment_told
from gieok.web.kit import button, card, chip, notice, said
from gieok.web.upkeep.effect_list import draw_effects
from gieok.web.upkeep.entries import Entry, entry
from gieok.web.visitors import Visitor

_PAGE: Final = 20


class Journal:
    """The card of the journal; older entries are added below."""

    _list: Element
    _below: Element

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._before: int | None = None

    def draw(self) -> None:
        words = self._visitor.words
        with card(words("upkeep.journal.title")) as whole:
            whole.classes("u-journal-card")
            said(words("upkeep.journal.intro")).classes("g-dim g-small")
            self._list = ui.element("ol").classes("u-journal")
            self._below = ui.element("div").classes("g-row")

    async def load(self) -> None:
        """Show the latest entries, in the place of what was shown."""
        self._before = None
        found = await self._read()
        self._list.clear()
        self._add(found)
        if not found:
            with self._below:
                notice(self._visitor.words("upkeep.journal.empty"), self._visitor.words("upkeep.journal.empty_text"))

    async def _older(self) -> None:
        self._add(await self._read())

    async def _read(self) -> list[Entry]:
        operations = await self._visitor.ask(Mind.last_operations, _PAGE, before=self._before)
        self._before = operations[0].number if operations else 1
        return [entry(operation, self._visitor.words) for operation in reversed(operations)]

    def _add(self, entries: list[Entry]) -> None:
        words = self._visitor.words
        with self._list:
            for each in entries:
                self._draw(each)
        self._below.clear()
        with self._below:
            if self._before is not None and self._before > 1:
                button(words("upkeep.journal.older"), self._older)
            elif entries:
                said(words("upkeep.journal.all")).classes("g-dim g-small")

    def _draw(self, each: Entry) -> None:
        words = self._visitor.words
        with ui.element("li").classes(f"u-entry{' u-undone' if each.undone else ''}"):
            with ui.element("div").classes("g-row"):
                chip(words(f"shared.operations.{each.kind}"), _colour(each))
                said(moment_told(each.at, self._visitor), "span").classes("g-number g-small")
                by = said(words("upkeep.journal.by", who=words(f"upkeep.who.{each.who}")), "span")
                by.classes("g-dim g-small").props["title"] = each.by
                if each.undone:
                    chip(words("upkeep.journal.undone"), "bad")
                said(words("upkeep.journal.number", n=each.number), "span").classes("g-dim g-small g-number u-end")
            for line in self._lines(each):
                said(line).classes("g-dim g-small")
            if each.effects:
                draw_effects(self._visitor, each.effects)

    def _lines(self, each: Entry) -> list[str]:
        words = self._visitor.words
        told = list(each.whys)
        if each.took_back:
            told.append(words("upkeep.journal.took_back", n=each.took_back))
        beside = [words(f"upkeep.moves.{kind}") for kind in each.moves]
        if each.ignored:
            beside.append(words("upkeep.journal.ignored", n=each.ignored))
        if beside:
            told.append(" · ".join(beside))
        return told if told or each.effects else [words("upkeep.journal.nothing")]


def _colour(each: Entry) -> str:
    if each.kind == "rewind":
        return "bad"
    return "good" if each.kind == "observe" else "info" if each.who == "upkeep" else "warn"
