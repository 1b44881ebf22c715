"""The graph as a picture: people are large, memories small, past ones hollow; labels short, and never markup."""

from __future__ import annotations

from typing import Any, Final

from gieok.domain.scope import Scope
from gieok.domain.surroundings import Point, Surroundings
from gieok.web.charts import DIM, INK, TOLD, Options, legend, plain
from gieok.web.graph.telling import name_of, relation_told
from gieok.web.wording import Words

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
