"""The page "graph": people and memories and what connects them, as a picture and as a list."""

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
from gieok.web import kit
from gieok.web.viewer import Viewer
from gieok.words import Words

BOTH: Final = "both"  #: the centre, unless somebody is chosen
_MOST: Final = 150  #: points
_PEOPLE: Final = 50  #: people that can be chosen, the most frequent
_NAME: Final = 40  #: characters of a name that can be chosen
_SHORT: Final = 12  #: links that fit into one column
_LABEL: Final = 16  #: characters beside a point
_TOOLTIP: Final = 60
_CROWDED: Final = 60  #: points from which on memories have no label
_KINDS: Final = ("party", "person", "memory", "past")


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is shown, as it is written in the address of the page."""

    of: str = BOTH  #: a point's id
    hops: int = 1
    relations: frozenset[str] = field(default_factory=frozenset)  #: empty: all

    @classmethod
    def of_params(cls, params: QueryParams) -> View:
        """Return what an address asks for; what makes no sense in it is ignored."""
        relations = frozenset(params.getlist("relation"))
        return cls(of=params.get("of") or BOTH, hops=2 if params.get("hops") == "2" else 1, relations=relations)

    @property
    def address(self) -> str:
        asked = [("of", self.of), ("hops", str(self.hops)), *(("relation", each) for each in sorted(self.relations))]
        return f"{kit.PATHS['graph']}?{urlencode(asked)}"

    def address_of(self, point: Point) -> str:
        """Return where a point leads: a memory to its own page, a person into the centre of the graph."""
        if point.memory is not None:
            return f"{kit.PATHS['memories']}?{urlencode({'memory': point.memory.id})}"
        return replace(self, of=point.id).address


def name_of(point: Point, scope: Scope | None, words: Words) -> str:
    if point.memory is not None:
        return point.memory.content
    return point.name if point.kind == "person" else kit.person(point.id, scope, words)


def relation_name(relation: str, words: Words) -> str:
    """Return the name of a relation: an attribute, a content type or a tie."""
    if relation in TIES:
        return words(f"graph.ties.{relation}")
    if relation in SCHEMA or relation.startswith("favorite."):
        return words.attribute(relation)
    return words.label("types", relation)


def links_of(around: Surroundings, point: Point) -> list[tuple[str, Point]]:
    """Return what a point is connected with, people first: relation and point."""
    by_id = {each.id: each for each in around.points}
    found = [(tie.relation, by_id[other]) for tie, other in around.tied_to(point.id)]
    return sorted(found, key=lambda each: (each[1].kind == "memory", each[0]))


def among_memories(around: Surroundings) -> Iterator[tuple[Point, str, Point]]:
    """Yield ties between memories: the newer one, the relation, the older one."""
    by_id = {point.id: point for point in around.points}
    for tie in around.ties:
        one, other = by_id[tie.one], by_id[tie.other]
        if one.kind == other.kind == "memory":
            yield one, tie.relation, other


def graph_options(around: Surroundings, scope: Scope | None, words: Words) -> kit.Options:
    number, styles = len(around.points), kit.template("graph_styles")
    names = {kind: words(f"graph.{kind}") for kind in _KINDS}
    narrow, wide = ({"series": [{"force": _force(number, narrow=each)}]} for each in (True, False))
    options = kit.template(
        "graph",
        legend=kit.template("legend", data=[*names.values()], bottom=0, top=None, selectedMode=False),
        media=[{"query": {"maxWidth": 560}, "option": narrow}, {"option": wide}],
    )
    options["series"][0] |= {
        "force": _force(number, narrow=False),
        "categories": [{"name": name, "itemStyle": styles[kind]} for kind, name in names.items()],
        "data": [
            _point(each, name_of(each, scope, words), past=around.is_past(each), crowded=number > _CROWDED)
            for each in around.points
        ],
        "links": [
            {"source": tie.one, "target": tie.other, "hover": relation_name(tie.relation, words)} for tie in around.ties
        ],
    }
    return options


def _force(points: int, *, narrow: bool) -> kit.Options:
    """Return how hard points repel one another, and how long a tie is: few points spread out."""
    push, length = min(max(7_000 // points, 90), 900), min(max(230 - 3 * points, 70), 210)
    return {
        "initLayout": "circular",  # not random: the same people are drawn in the same places again
        "repulsion": push // 2 if narrow else push,
        "edgeLength": [length // 3, length // 2] if narrow else [length // 2, length],
        "gravity": 0.25 if narrow else 0.14,
        "layoutAnimation": False,
    }


def _point(point: Point, name: str, *, past: bool, crowded: bool) -> kit.Options:
    is_memory = point.memory is not None
    if point.memory is not None:
        size = 9 + 10 * point.memory.importance
    else:
        met = point.entity.interactions if point.entity is not None else 1
        size = 38.0 if point.kind == "party" else 20.0 + min(met, 12)
    return {
        "id": point.id,
        "name": kit.plain(name, _LABEL),
        "hover": kit.plain(name, _TOOLTIP),
        "category": _KINDS.index("past" if past else point.kind),
        "symbolSize": round(size * (0.7 if crowded else 1)),
        "cursor": "pointer",
        "label": {
            "show": not is_memory or not crowded or point.hops == 0,
            "fontWeight": "normal" if is_memory else "bold",
            "fontSize": 12 if is_memory else 14,
        },
    }


async def build(viewer: Viewer) -> None:
    words = viewer.words
    kit.style("charts", "graph")
    kit.heading(words("frame.pages.graph"))
    kit.write(words("graph.intro")).classes("g-dim")
    view = View.of_params(ui.context.client.request.query_params)
    around = await _surroundings(viewer, view)
    if around is None:
        kit.write(words("graph.unknown")).classes("g-trouble").props('role="status"')
        view = View(hops=view.hops)
        around = await viewer.ask(Mind.surroundings, hops=view.hops, limit=_MOST)
    await _Graph(viewer, view).draw(around)


async def _surroundings(viewer: Viewer, view: View) -> Surroundings | None:
    """Return the graph around the centre; None: there is no such person or memory."""
    start, relations = None if view.of == BOTH else view.of, view.relations or None
    try:
        return await viewer.ask(Mind.surroundings, start, hops=view.hops, relations=relations, limit=_MOST)
    except (UnknownMemory, UnknownPerson):
        return None


class _Graph:
    def __init__(self, viewer: Viewer, view: View) -> None:
        self._viewer, self._words = viewer, viewer.words
        self._view = view

    async def draw(self, around: Surroundings) -> None:
        words = self._words
        people = await self._viewer.ask(Mind.frequent_contacts, _PEOPLE)
        centres = self._centres({each.id: each.display_name for each in people}, around)
        # The relations of the centre with their counts, then the others.
        relations = {each: f"{relation_name(each, words)} ({count:,})" for each, count in around.relations.items()}
        others = {*(tie.relation for tie in around.ties), *TIES, *self._view.relations} - relations.keys()
        relations |= {each: relation_name(each, words) for each in sorted(others)}
        with kit.card(), kit.box("g-row n-controls"):
            ui.select(
                centres,
                value=self._view.of,
                label=words("graph.of"),
                on_change=lambda event: ui.navigate.to(View(of=event.value, hops=self._view.hops).address),
            ).classes("n-of")
            with kit.box("n-hops", "fieldset"):
                kit.write(words("graph.hops"), "legend", "g-small g-dim")
                hops = {1: words("graph.hop1"), 2: words("graph.hop2")}
                ui.radio(hops, value=self._view.hops, on_change=lambda event: self._look(hops=event.value)).props(
                    "inline"
                )
            ui.select(
                relations,
                value=sorted(self._view.relations & relations.keys()),
                label=words("graph.relations"),
                multiple=True,
                clearable=True,
                on_change=lambda event: self._look(relations=frozenset(event.value or ())),
            ).props("use-chips").classes("n-filter")
        self._status = kit.hint("").props('role="status"')
        self._picture = kit.box()
        with kit.card(words("graph.list")):
            self._list = kit.box("g-stack")
        self._show(around)

    def _centres(self, people: Mapping[str, str], around: Surroundings) -> dict[str, str]:
        """Return what can be the centre, by id; also what is the centre now."""
        words, scope = self._words, self._viewer.scope
        centres = {BOTH: words("graph.both")}
        centres |= {each: kit.person(each, scope, words) for each in ("character", "user")}
        centres |= {id: kit.plain(name, _NAME) for id, name in people.items()}
        if self._view.of not in centres:
            here = around.points[0]
            name = kit.plain(name_of(here, scope, words), _NAME)
            centres[self._view.of] = words("graph.this_memory", content=name) if here.memory is not None else name
        return centres

    async def _look(self, **changes: Any) -> None:
        """Show another view, here and in the address of the page."""
        self._view = replace(self._view, **changes)
        around = await _surroundings(self._viewer, self._view)
        if around is None:  # it was forgotten meanwhile
            ui.navigate.to(View().address)
            return
        ui.navigate.history.replace(self._view.address)
        self._show(around)

    def _show(self, around: Surroundings) -> None:
        words, scope = self._words, self._viewer.scope
        memories = sum(point.kind == "memory" for point in around.points)
        counts = {"people": f"{len(around.points) - memories:,}", "memories": f"{memories:,}"}
        left = words("graph.left_out", count=f"{around.left_out:,}") if around.left_out else ""
        self._status.text = f"{words('graph.shown', **counts)} {left}".strip()
        self._picture.clear()
        self._list.clear()
        with self._picture:
            if not around.ties:
                kit.notice(words("graph.nothing"), words("graph.nothing_hint"))
            else:
                drawn = kit.chart(
                    graph_options(around, scope, words), words("graph.drawing", **counts), "g-card n-graph"
                )
                drawn.on("componentClick", lambda event: self._clicked(event, around), ["data"])
        tied = [*among_memories(around)]
        with self._list:
            with kit.box("n-people"):
                for point in around.points:
                    if point.kind != "memory":
                        self._draw_links(point, around)
            if tied:
                kit.write(words("graph.among_memories"), "h3")
                with kit.box("n-links", "ul"):
                    for newer, relation, older in tied:
                        with kit.box("", "li"):
                            self._draw_link(newer, around)
                            kit.chip(relation_name(relation, words))
                            self._draw_link(older, around)

    def _clicked(self, event: GenericEventArguments, around: Surroundings) -> None:
        data = event.args.get("data") if isinstance(event.args, dict) else None
        clicked = data.get("id") if isinstance(data, dict) else None
        for point in around.points:
            if point.id == clicked:
                ui.navigate.to(self._view.address_of(point))

    def _draw_links(self, point: Point, around: Surroundings) -> None:
        words, links = self._words, links_of(around, point)
        name = name_of(point, self._viewer.scope, words)
        with ui.element("div").classes("g-stack n-short" if len(links) <= _SHORT else "g-stack"):
            with kit.box("g-row n-who"):
                kit.write(name, "h3")
                if point.hops:
                    to_centre = ui.link(words("graph.centre"), self._view.address_of(point)).classes("g-small")
                    to_centre.props["aria-label"] = words("graph.centre_on", name=name)
            if not links:
                kit.hint(words("graph.alone"))
                return
            with kit.box("n-links", "ul"):
                for relation, other in links:
                    with kit.box("", "li"):
                        kit.chip(relation_name(relation, words))
                        self._draw_link(other, around)

    def _draw_link(self, point: Point, around: Surroundings) -> None:
        name = name_of(point, self._viewer.scope, self._words)
        ui.link(name, self._view.address_of(point)).classes("n-link")
        if around.is_past(point):
            kit.chip(self._words("graph.past"), "warn")
