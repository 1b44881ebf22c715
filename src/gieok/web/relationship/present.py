"""How it stands now: the level, how far it is to the next, and the five axes as a picture and as a table."""

from __future__ import annotations

from typing import Final

from nicegui import ui

from gieok.domain.relationship import Relationship
from gieok.domain.relationship_rules import AXES, TOP, Axis
from gieok.web.charts import INK, LINE, Options, chart
from gieok.web.kit import card, said
from gieok.web.relationship.telling import Standing, standing
from gieok.web.tables import row, table
from gieok.web.visitors import Visitor
from gieok.web.wording import Words

COLOURS: Final[dict[Axis, str]] = {
    "trust": "var(--blue)",
    "affection": "var(--red)",
    "respect": "var(--violet)",
    "rivalry": "var(--amber)",
    "familiarity": "var(--green)",
}


def present(now: Relationship, visitor: Visitor) -> None:
    words = visitor.words
    with card(words("relationship.now.title")), ui.element("div").classes("g-split r-now"):
        _radar(now, words)
        with ui.element("div").classes("g-stack"):
            _level(standing(now), words)
            _axes(now, words)


def _level(stands: Standing, words: Words) -> None:
    levels = words.some("relationship.levels")
    with ui.element("div").classes("r-level"):
        said(levels[stands.level]).classes("r-level-name")
        said(words("relationship.now.closeness", score=f"{stands.score:.1f}")).classes("g-number")
        if stands.following is None:
            said(words("relationship.now.top")).classes("g-dim")
        else:
            points, level = f"{stands.missing:.1f}", levels[stands.following]
            said(words("relationship.now.next", points=points, level=level)).classes("g-dim g-number")


def _axes(now: Relationship, words: Words) -> None:
    headings = [words("relationship.now.axis"), words("relationship.now.value")]
    with table(headings, words("relationship.now.axes")):
        for axis in AXES:
            with row(words(f"relationship.axes.{axis}")), ui.element("td"), ui.element("div").classes("r-bar-row"):
                with ui.element("span").classes("r-bar").props("aria-hidden=true"):
                    share = now.axis(axis) / TOP
                    ui.element("span").style(f"width: {share:.1%}; background: {COLOURS[axis]}")
                said(f"{now.axis(axis):.1f}", "span").classes("g-number r-bar-number")


def _radar(now: Relationship, words: Words) -> None:
    told = ", ".join(f"{words(f'relationship.axes.{axis}')} {now.axis(axis):.1f}" for axis in AXES)
    chart(radar_options(now, words), words("relationship.now.radar", values=told), "r-radar")


def radar_options(now: Relationship, words: Words) -> Options:
    around = [{"name": words(f"relationship.axes.{axis}"), "max": TOP} for axis in AXES]
    return {
        "radar": {
            "indicator": around,
            "radius": "68%",
            "axisName": {"color": INK, "fontSize": 13},
            "axisLine": {"lineStyle": {"color": LINE}},
            "splitLine": {"lineStyle": {"color": LINE}},
            "splitArea": {"show": False},
            "splitNumber": 4,
        },
        "series": [
            {
                "type": "radar",
                "silent": True,
                "symbolSize": 6,
                "itemStyle": {"color": "var(--green)"},
                "lineStyle": {"color": "var(--green)", "width": 2},
                "areaStyle": {"color": "var(--green)", "opacity": 0.22},
                "data": [{"value": [round(now.axis(axis), 1) for axis in AXES]}],
            }
        ],
    }
