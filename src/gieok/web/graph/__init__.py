"""The page "graph": people and memories, and what connects them, as a picture and as a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.datastructures import QueryParams

from gieok.bank import Mind
from gieok.domain.surroundings import TIES, Surroundings
from gieok.errors import UnknownMemory, UnknownPerson
from gieok.web.charts import LOOK, chart, plain
from gieok.web.graph.drawing import graph_options
from gieok.web.graph.listing import listing
from gieok.web.graph.telling import BOTH, View, address_of, counted, name_of, relation_told
from gieok.web.kit import card, heading, notice, said
from gieok.web.visitors import Visitor

_LOOK: Final = '<link rel="stylesheet" href="/look/graph.css">'
_MOST: Final = 150  #: points
_PEOPLE: Final = 50  #: that can be chosen, those spoken of most
_NAME: Final = 40  #: letters of a name that can be chosen


async def build(visitor: Visitor) -> None:
    words = visitor.words
    ui.add_head_html(LOOK)
    ui.add_head_html(_LOOK)
    heading(words("graph.title"))
    said(words("graph.intro")).classes("g-dim")
    asked = asked_for(ui.context.client.request.query_params)
    around = await _around(visitor, asked)
    if around is None:
        said(words("graph.unknown")).classes("g-trouble").props('role="status"')
        asked = View(hops=asked.hops)
        around = await visitor.ask(Mind.surroundings, hops=asked.hops, limit=_MOST)
    await Graph(visitor, asked).show(around)


def asked_for(params: QueryParams) -> View:
    """Return what the address of the page asks for; what means nothing there is not asked for."""
    relations = frozenset(params.getlist("relation"))
    return View(of=params.get("of") or BOTH, hops=2 if params.get("hops") == "2" else 1, relations=relations)


async def _around(visitor: Visitor, view: View) -> Surroundings | None:
    """Return what stands around; None: there is no such person or memory."""
    relations = view.relations or None
    try:
        return await visitor.ask(Mind.surroundings, view.start, hops=view.hops, relations=relations, limit=_MOST)
    except (UnknownMemory, UnknownPerson):
        return None


class Graph:
    """The page, as it is looked at now."""

    def __init__(self, visitor: Visitor, view: View) -> None:
        self._visitor = visitor
        self._view = view

    async def show(self, around: Surroundings) -> None:
        words = self._visitor.words
        people = await self._visitor.ask(Mind.frequent_contacts, _PEOPLE)
        starts = self._starts({each.id: each.display_name for each in people}, around)
        with card(), ui.element("div").classes("g-row n-controls"):
            ui.select(starts, value=self._view.of, label=words("graph.of"), on_change=self._centre).classes("n-of")
            with ui.element("fieldset").classes("n-hops"):
                said(words("graph.hops"), "legend").classes("g-small g-dim")
                hops = {1: words("graph.hop1"), 2: words("graph.hop2")}
                ui.radio(hops, value=self._view.hops, on_change=self._walk).props("inline")
            self._filter = ui.select(
                self._relations(around),
                value=sorted(self._view.relations & self._relations(around).keys()),
                label=words("graph.relations"),
                multiple=True,
                clearable=True,
                on_change=self._narrow,
            ).props("use-chips")
            self._filter.classes("n-filter")
        self._status = said("").classes("g-dim g-small").props('role="status"')
        self._drawn = ui.element("div")
        with card(words("graph.list")):
            self._listed = ui.element("div").classes("g-stack")
        self._draw(around)

    async def _centre(self, event: Any) -> None:
        ui.navigate.to(replace(self._view, of=event.value, relations=frozenset()).address)

    async def _walk(self, event: Any) -> None:
        await self._look(replace(self._view, hops=event.value))

    async def _narrow(self, event: Any) -> None:
        await self._look(replace(self._view, relations=frozenset(event.value or ())))

    async def _look(self, view: View) -> None:
        """Look at it in another way, here and in the address of the page."""
        self._view = view
        around = await _around(self._visitor, view)
        if around is None:  # it was forgotten meanwhile
            ui.navigate.to(View().address)
            return
        ui.navigate.history.replace(view.address)
        self._draw(around)

    def _draw(self, around: Surroundings) -> None:
        words, scope = self._visitor.words, self._visitor.scope
        people, memories = counted(around)
        told = {"people": f"{people:,}", "memories": f"{memories:,}"}
        left = words("graph.left_out", count=f"{around.left_out:,}") if around.left_out else ""
        self._status.text = f"{words('graph.shown', **told)} {left}".strip()
        self._drawn.clear()
        self._listed.clear()
        with self._drawn:
            if not around.ties:
                notice(words("graph.nothing"), words("graph.nothing_hint"))
            else:
                options = graph_options(around, scope, words)
                drawn = chart(options, words("graph.drawing", **told), "g-card n-graph")
                drawn.on("componentClick", lambda event: self._go(event, around), ["data"])
        with self._listed:
            listing(around, self._view, self._visitor)

    def _go(self, event: GenericEventArguments, around: Surroundings) -> None:
        """Go to the memory, or put the person into the middle, that was clicked."""
        data = event.args.get("data") if isinstance(event.args, dict) else None
        clicked = data.get("id") if isinstance(data, dict) else None
        for point in around.points:
            if point.id == clicked:
                ui.navigate.to(address_of(point, self._view))

    def _starts(self, people: Mapping[str, str], around: Surroundings) -> dict[str, str]:
        """Return what can be put into the middle, by id; also what stands there now."""
        words, scope = self._visitor.words, self._visitor.scope
        starts = {BOTH: words("graph.both")}
        starts |= {each: (scope and getattr(scope, each)) or words(f"graph.{each}") for each in ("character", "user")}
        starts |= {id: plain(name, _NAME) for id, name in people.items()}
        if self._view.of not in starts:
            here = around.points[0]
            name = plain(name_of(here, scope, words), _NAME)
            starts[self._view.of] = words("graph.this_memory", content=name) if here.memory is not None else name
        return starts

    def _relations(self, around: Surroundings) -> dict[str, str]:
        """Return what can be asked for, by relation: what is told of those in the middle, then the other ties."""
        words = self._visitor.words
        told = {
            each: words("graph.relation_count", relation=relation_told(each, words), count=f"{count:,}")
            for each, count in around.relations.items()
        }
        tied = {tie.relation for tie in around.ties}
        others = {*tied, *TIES, *self._view.relations} - told.keys()
        return told | {each: relation_told(each, words) for each in sorted(others)}
