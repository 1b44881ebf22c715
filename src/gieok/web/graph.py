"""The page "graph": people and memories, and what connects them, as a picture and as a list."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import urlencode

from nicegui import ui
from nicegui.events import GenericEventArguments
from starlette.datastructures import QueryParams

from gieok.bank import Mind
from gieok.domain.attributes import SCHEMA
from gieok.domain.entity import TIES, Point, Surroundings
from gieok.domain.scope import Scope
from gieok.errors import UnknownMemory, UnknownPerson
from gieok.web.kit import DIM, INK, LOOK, PATHS, TOLD, Options, card, chart, chip, heading, legend, notice, plain, said
from gieok.web.visitors import Visitor
from gieok.words import Words

BOTH = "both"  #: where one starts, unless somebody is chosen


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """How the graph is looked at; the address of the page says it."""

    of: str = BOTH  #: a point's id
    hops: int = 1
    relations: frozenset[str] = field(default_factory=frozenset)  #: empty: all

    @property
    def start(self) -> str | None:
        return None if self.of == BOTH else self.of

    @property
    def address(self) -> str:
        asked = [("of", self.of), ("hops", str(self.hops)), *(("relation", each) for each in sorted(self.relations))]
        return f"{PATHS['graph']}?{urlencode(asked)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """One connection of somebody, as the list tells it."""

    relation: str
    point: Point  #: at the other end


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Somebody (or a memory), and everything they are connected with."""

    point: Point
    links: tuple[Linked, ...]


def name_of(point: Point, scope: Scope | None, words: Words) -> str:
    """Return what a point is called, in full."""
    if point.memory is not None:
        return point.memory.content
    if point.kind == "person":
        return point.name
    own = scope and {"user": scope.user, "character": scope.character, "world": scope.world}[point.id]
    return own or words(f"graph.{point.id}")


def relation_told(relation: str, words: Words) -> str:
    """Return a relation in words: an attribute, a content type or a tie."""
    if relation in TIES:
        return words(f"graph.ties.{relation}")
    if relation.startswith("favorite."):
        thing = relation.removeprefix("favorite.")
        return words.some("shared.favorites").get(thing, f"{words('shared.attributes.favorite')}: {thing}")
    if relation in SCHEMA:
        return words.some("shared.attributes").get(relation, relation)
    return words.some("shared.types").get(relation, relation)


def entries(around: Surroundings) -> Iterator[Entry]:
    """Yield everybody with what they are connected with, the nearest first."""
    by_id = {point.id: point for point in around.points}
    for point in around.points:
        if point.kind != "memory":
            links = (Linked(relation=tie.relation, point=by_id[other]) for tie, other in around.tied_to(point.id))
            yield Entry(point=point, links=tuple(sorted(links, key=_order)))


def among_memories(around: Surroundings) -> Iterator[tuple[Point, str, Point]]:
    """Yield what ties two memories to one another: the newer one, how, and the older one."""
    by_id = {point.id: point for point in around.points}
    for tie in around.ties:
        one, other = by_id[tie.one], by_id[tie.other]
        if one.kind == other.kind == "memory":
            yield one, tie.relation, other


def address_of(point: Point, view: View) -> str:
    """Return where one goes from a point: a memory's own page, or the graph around somebody."""
    if point.memory is not None:
        return f"{PATHS['memories']}?{urlencode({'memory': point.memory.id})}"
    return View(of=point.id, hops=view.hops, relations=view.relations).address


def counted(around: Surroundings) -> tuple[int, int]:
    """Return how many people and how many memories there are."""
    memories = sum(point.kind == "memory" for point in around.points)
    return len(around.points) - memories, memories


def _order(link: Linked) -> tuple[bool, str]:
    return (link.point.kind == "memory", link.relation)


_LABEL: Final = 16  #: letters beside a point
_HOVER: Final = 60  #: … where one points at it
_CROWDED: Final = 60  #: points from which on only those that are near have a label
_STYLES: Final[dict[str, Options]] = {
    "party": {"color": "var(--green)"},
    "person": {"color": "var(--blue)"},
    "memory": {"color": "var(--amber)"},
    "past": {"color": "var(--card)", "borderColor": "var(--dim)", "borderWidth": 1.5, "borderType": "dashed"},
}
_KINDS: Final = tuple(_STYLES)
_LABELS: Final[Options] = {
    "show": True,
    "position": "right",
    "color": INK,
    "fontSize": 12,
    "textBorderColor": "var(--card)",  # read also where it lies over a point
    "textBorderWidth": 3,
}


def graph_options(around: Surroundings, scope: Scope | None, words: Words) -> Options:
    crowded = len(around.points) > _CROWDED
    return {
        "legend": legend(data=[words(f"graph.{kind}") for kind in _KINDS], bottom=0, top=None, selectedMode=False),
        "tooltip": {"trigger": "item", ":formatter": TOLD},
        "series": [
            {
                "type": "graph",
                "layout": "force",
                "roam": "move",
                "top": 24,
                "bottom": 48,
                "force": _force(len(around.points), narrow=False),
                "categories": [{"name": words(f"graph.{kind}"), "itemStyle": _STYLES[kind]} for kind in _KINDS],
                "label": _LABELS,
                "labelLayout": {"hideOverlap": True},
                "lineStyle": {"color": DIM, "opacity": 0.45, "width": 1},
                "emphasis": {"disabled": True},
                "data": [
                    _point(each, name_of(each, scope, words), past=around.is_past(each), quiet=crowded)
                    for each in around.points
                ],
                "links": [_tie(tie.one, tie.other, tie.relation, words) for tie in around.ties],
            }
        ],
        "media": [
            {"query": {"maxWidth": 560}, "option": {"series": [{"force": _force(len(around.points), narrow=True)}]}}
        ],
    }


def _force(points: int, *, narrow: bool) -> Options:
    """Return how hard points push one another away, and how long a tie is: few of them spread out."""
    push, length = min(max(7_000 // points, 90), 900), min(max(230 - 3 * points, 70), 210)
    return {
        "initLayout": "circular",  # not by chance: the same people are drawn in the same places again
        "repulsion": push // 2 if narrow else push,
        "edgeLength": [length // 3, length // 2] if narrow else [length // 2, length],
        "gravity": 0.25 if narrow else 0.14,
        "layoutAnimation": False,
    }


def _point(point: Point, name: str, *, past: bool, quiet: bool) -> dict[str, Any]:
    kind = "past" if past else point.kind
    return {
        "id": point.id,
        "name": plain(name, _LABEL),
        "told": plain(name, _HOVER),
        "category": _KINDS.index(kind),
        "symbolSize": round(_size(point) * (0.7 if quiet else 1)),
        "cursor": "pointer",
        "label": {
            "show": point.kind != "memory" or not quiet or point.hops == 0,
            "fontWeight": "bold" if point.kind != "memory" else "normal",
            "fontSize": 14 if point.kind != "memory" else 12,
        },
    }


def _size(point: Point) -> float:
    if point.memory is not None:
        return 9 + 10 * point.memory.importance
    if point.kind == "party":
        return 38
    often = point.entity.interactions if point.entity is not None else 1
    return 20 + min(often, 12)


def _tie(one: str, other: str, relation: str, words: Words) -> dict[str, Any]:
    return {"source": one, "target": other, "told": relation_told(relation, words)}


_SHORT = 12  #: links that stand in one column


def listing(around: Surroundings, view: View, visitor: Visitor) -> None:
    words = visitor.words
    with ui.element("div").classes("n-people"):
        for entry in entries(around):
            with ui.element("div").classes("g-stack n-short" if len(entry.links) <= _SHORT else "g-stack"):
                _entry(entry, around, view, visitor)
    tied = list(among_memories(around))
    if tied:
        said(words("graph.among_memories"), "h3")
        with ui.element("ul").classes("n-links"):
            for newer, relation, older in tied:
                with ui.element("li"):
                    _link(newer, around, view, visitor)
                    chip(relation_told(relation, words))
                    _link(older, around, view, visitor)


def _entry(entry: Entry, around: Surroundings, view: View, visitor: Visitor) -> None:
    words, name = visitor.words, name_of(entry.point, visitor.scope, visitor.words)
    with ui.element("div").classes("g-row n-who"):
        said(name, "h3")
        if entry.point.hops:
            link = ui.link(words("graph.centre"), address_of(entry.point, view)).classes("g-small")
            link.props["aria-label"] = words("graph.centre_on", name=name)
    if not entry.links:
        said(words("graph.alone")).classes("g-dim g-small")
        return
    with ui.element("ul").classes("n-links"):
        for each in entry.links:
            with ui.element("li"):
                chip(relation_told(each.relation, words))
                _link(each.point, around, view, visitor)


def _link(point: Point, around: Surroundings, view: View, visitor: Visitor) -> None:
    words, name = visitor.words, name_of(point, visitor.scope, visitor.words)
    ui.link(name, address_of(point, view)).classes("n-link")
    if around.is_past(point):
        chip(words("graph.past"), "warn")


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
