"""Sizes and counters: of the mind that is looked into, and, for whom the whole bank is open, of all of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from nicegui import ui
from nicegui.element import Element

from gieok.bank import Mind
from gieok.domain.holdings import Holdings
from gieok.domain.model import CallSum
from gieok.errors import Forbidden
from gieok.web.kit import card, chip, said
from gieok.web.upkeep.counting import Asked, asked, own_figures, size
from gieok.web.visitors import Visitor


class Figures:
    """The card of sizes."""

    _own: Element
    _bank: Element

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    def draw(self) -> None:
        with card(self._visitor.words("upkeep.figures.title")) as whole:
            whole.classes("u-figures")
            self._own = ui.element("div").classes("g-stack")
            self._bank = ui.element("div").classes("g-stack")

    async def load(self) -> None:
        held = await self._visitor.ask(Mind.holdings)
        self._own.clear()
        with self._own:
            self._draw_own(held)
        try:
            (await self._visitor.caller()).check("reader")
        except Forbidden:
            self._bank.clear()
            with self._bank:
                said(self._visitor.words("upkeep.figures.bounded")).classes("g-dim g-small")
            return
        bank = self._visitor.bank
        info = await asyncio.to_thread(bank.info)
        calls = await asyncio.to_thread(bank.calls)
        self._bank.clear()
        with self._bank:
            self._draw_bank(
                {name: info.counts[name] for name in ("scopes", "turns", "utterances", "memories", "unembedded")},
                {
                    "size": size(info.size_bytes),
                    "engine": info.engine,
                    "embedder": f"{info.embedder} ({info.dimension})",
                    "encrypted": self._visitor.words(f"upkeep.figures.{'yes' if info.encrypted else 'no'}"),
                },
                calls,
            )

    def _draw_own(self, held: Holdings) -> None:
        words = self._visitor.words
        said(words("upkeep.figures.own"), "h3")
        self._pairs({name: f"{count:,}" for name, count in own_figures(held).items()})
        self._chips("states", held.states, "shared.states")
        self._chips("types", {**held.types, **held.conclusions}, "shared.types")

    def _draw_bank(self, counts: Mapping[str, int], made_of: Mapping[str, str], calls: Sequence[CallSum]) -> None:
        words = self._visitor.words
        said(words("upkeep.figures.bank"), "h3")
        self._pairs({**made_of, **{name: f"{count:,}" for name, count in counts.items()}})
        said(words("upkeep.figures.models"), "h3")
        if not calls:
            said(words("upkeep.figures.no_models")).classes("g-dim g-small")
            return
        with ui.element("div").classes("g-scroll").props('tabindex="0" role="region"') as scrolled:
            scrolled.props["aria-label"] = words("upkeep.figures.models")
            self._draw_calls(asked(calls))

    def _draw_calls(self, rows: Sequence[Asked]) -> None:
        words = self._visitor.words
        with ui.element("table").classes("g-table"):
            with ui.element("thead"), ui.element("tr"):
                for name in ("task", "model", "calls", "failed", "tokens", "seconds", "cost"):
                    said(words(f"upkeep.figures.{name}"), "th").props('scope="col"')
            with ui.element("tbody"):
                for row in rows:
                    with ui.element("tr"):
                        said(words.some("upkeep.tasks").get(row.task, row.task), "td")
                        said(row.model, "td")
                        numbers = (row.calls, row.failed, row.tokens)
                        for number in (*(f"{each:,}" for each in numbers), f"{row.seconds:,.1f} s", f"{row.cost:,.4f}"):
                            said(number, "td").classes("g-number")

    def _pairs(self, pairs: Mapping[str, str]) -> None:
        with ui.element("dl").classes("u-numbers"):
            for name, told in pairs.items():
                with ui.element("div"):
                    said(self._visitor.words(f"upkeep.figures.{name}"), "dt")
                    said(told, "dd").classes("g-number")

    def _chips(self, title: str, counts: Mapping[str, int], table: str) -> None:
        if not counts:
            return
        names = self._visitor.words.some(table)
        with ui.element("div").classes("g-row"):
            said(self._visitor.words(f"upkeep.figures.{title}"), "span").classes("g-dim g-small")
            for name, count in sorted(counts.items(), key=lambda each: -each[1]):
                chip(f"{names.get(name, name)} {count:,}")
