"""Summaries and insights, each with the memories and the words that it rests on."""

from __future__ import annotations

from typing import Final

from nicegui import ui
from nicegui.element import Element

from gieok.bank import Mind
from gieok.domain.memory import Memory
from gieok.web.dates import moment_told
from gieok.web.kit import button, card, chip, notice, said
from gieok.web.links import memory_link
from gieok.web.upkeep.sources import Conclusion, conclusion, in_order
from gieok.web.visitors import Visitor

_PAGE: Final = 12


class Concluded:
    """The card of what upkeep made of memories."""

    _list: Element
    _below: Element

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._left: list[Memory] = []

    def draw(self) -> None:
        words = self._visitor.words
        with card(words("upkeep.concluded.title")) as whole:
            whole.classes("u-concluded")
            said(words("upkeep.concluded.intro")).classes("g-dim g-small")
            self._list = ui.element("div").classes("g-stack")
            self._below = ui.element("div").classes("g-row")

    async def load(self) -> None:
        self._left = in_order(await self._visitor.ask(Mind.conclusions))
        empty = not self._left
        page = await self._page()
        self._list.clear()
        self._add(page)
        if empty:
            with self._list:
                words = self._visitor.words
                notice(words("upkeep.concluded.empty"), words("upkeep.concluded.empty_text"))

    async def _more(self) -> None:
        self._add(await self._page())

    async def _page(self) -> list[Conclusion]:
        page, self._left = self._left[:_PAGE], self._left[_PAGE:]
        grounds = await self._visitor.ask(Mind.grounds, [memory.id for memory in page])
        return [conclusion(memory, grounds[memory.id]) for memory in page]

    def _add(self, page: list[Conclusion]) -> None:
        with self._list:
            for each in page:
                self._draw(each)
        self._below.clear()
        if self._left:
            with self._below:
                button(self._visitor.words("upkeep.concluded.older"), self._more)

    def _draw(self, each: Conclusion) -> None:
        words = self._visitor.words
        with ui.element("details").classes("u-conclusion"):
            with ui.element("summary"):
                chip(words(f"upkeep.concluded.{each.sort}"), "info")
                if each.about is not None:
                    chip(each.about)
                said(each.headline, "span").classes("u-headline")
            with ui.element("div").classes("g-stack u-inside"):
                memory_link(each.content, each.memory_id).classes("u-text")
                written = words("upkeep.concluded.written", at=moment_told(each.written_at, self._visitor))
                said(written).classes("g-dim g-small")
                self._draw_grounds(each)

    def _draw_grounds(self, each: Conclusion) -> None:
        words, grounds = self._visitor.words, each.grounds
        count = {"memories": len(grounds.memories), "words": len(grounds.utterances)}
        said(words("upkeep.concluded.rests_on", **count), "h3")
        if grounds.memories or grounds.utterances:
            with ui.element("ul").classes("u-grounds"):
                for memory in grounds.memories:
                    with ui.element("li"):
                        memory_link(memory.content, memory.id)
                for utterance in grounds.utterances:
                    with ui.element("li"):
                        said(f"“{utterance.text}”", "span").classes("u-quote")
                        said(moment_told(utterance.at, self._visitor), "span").classes("g-dim g-small")
        if grounds.gone:
            said(words("upkeep.concluded.gone", n=grounds.gone)).classes("g-dim g-small")
