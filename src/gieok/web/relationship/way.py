"""The way of the relationship: a line for each axis, and every change with its causes, its words and what it did."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC
from typing import Final

from nicegui import ui
from nicegui.element import Element

from gieok.bank import Mind
from gieok.bank.living import Step
from gieok.domain.relationship_rules import AXES, TIME_TOGETHER, TOP, Axis
from gieok.domain.turn import Turn
from gieok.errors import UnknownTurn
from gieok.web.charts import DIM, INK, Options, axis, chart, legend, plain
from gieok.web.dates import day, moment_told
from gieok.web.kit import card, chip, said
from gieok.web.leafing import Leafing
from gieok.web.relationship.present import COLOURS
from gieok.web.relationship.spans import span_told
from gieok.web.relationship.telling import Moved, amounts_told, moved, named, reason_told
from gieok.web.visitors import Visitor
from gieok.web.wording import Words

MOST: Final = 160  #: points of a line
_PAGE: Final = 10
_WORDS: Final = 44  #: letters of a cause where one points at the line
_REASONS: Final = 4  #: causes that are told there
#: told apart without colours, too
_LINES: Final[dict[Axis, str | list[int]]] = {
    "trust": "solid",
    "affection": "solid",
    "respect": "dashed",
    "rivalry": "dotted",
    "familiarity": [9, 4, 2, 4],
}
_TOLD: Final = "points => points[0].value[6]"  #: the last of each row


async def way(visitor: Visitor) -> None:
    words = visitor.words
    course = await visitor.ask(Mind.course, MOST)
    if not course:
        return
    levels = await visitor.ask(Mind.level_changes)
    with card(words("relationship.way.title")):
        told = words("relationship.way.chart", since=day(course[0].at, visitor), until=day(course[-1].at, visitor))
        chart(way_options(course, levels, visitor), told, "r-way")
        if course[-1].relationship.turns > MOST:
            said(words("relationship.way.thinned", most=len(course))).classes("g-dim g-small")
        said(words("relationship.way.list"), "h3")
        status = said("").classes("g-dim g-small").props('role="status"')
        listing = ui.element("ol").classes("r-changes")

        async def show(before: int | None) -> int | None:
            steps = await visitor.ask(_with_turns, before)
            status.text = span_told("relationship.way.shown", [step.at for step, _ in steps], visitor)
            listing.clear()
            _list(listing, [moved(step, turn) for step, turn in reversed(steps)], visitor)
            return steps[0][0].number if len(steps) == _PAGE and steps[0][0].before is not None else None

        await Leafing(show, earlier=words("relationship.earlier"), later=words("relationship.later")).start()


def _with_turns(mind: Mind, before: int | None) -> list[tuple[Step, Turn | None]]:
    return [(step, _turn(mind, step.turn_id)) for step in mind.trajectory(_PAGE, before=before)]


def _turn(mind: Mind, turn_id: str | None) -> Turn | None:
    """Return what was said; a director moves the two without a turn of its own."""
    if turn_id is None:
        return None
    try:
        return mind.turn(turn_id)
    except UnknownTurn:  # it was taken back while this page was read
        return None


def _list(listing: Element, changes: Sequence[Moved], visitor: Visitor) -> None:
    words, scope = visitor.words, visitor.scope
    with listing:
        for each in changes:
            with ui.element("li"):
                with ui.element("div").classes("g-row"):
                    said(moment_told(each.step.at, visitor), "span").classes("g-dim g-small g-number")
                    if each.level is not None:
                        level = words(f"relationship.levels.{each.level}")
                        chip(words("relationship.way.level", level=level), "good")
                with ui.element("ul").classes("r-reasons"):
                    for reason in each.reasons:
                        with ui.element("li"):
                            said(reason_told(reason, scope, words), "span")
                            amounts = amounts_told(reason.amounts, words.some("relationship.axes"))
                            said(f" {amounts}", "span").classes("g-dim g-small g-number")
                if not each.reasons:
                    said(words("relationship.way.nothing")).classes("g-dim")
                _more(each, visitor)


def _more(each: Moved, visitor: Visitor) -> None:
    """Show the words of the turn, and the axes before and after it."""
    words, scope = visitor.words, visitor.scope
    with ui.element("div").classes("r-more"):
        for speaker, text in each.said:
            with ui.element("p"):
                said(f"{named(speaker, scope, words)}: ", "span").classes("g-dim")
                said(text, "span")
        if each.values:
            axes = words.some("relationship.axes")
            told = " · ".join(f"{axes[axis]} {before:.1f} → {after:.1f}" for axis, before, after in each.values)
            said(told).classes("g-dim g-small g-number")


def way_options(course: Sequence[Step], levels: Sequence[Step], visitor: Visitor) -> Options:
    """Return the lines; each row is the time, the five values, and what is told of them."""
    words = visitor.words
    rows = [
        [_time(step, visitor), *(round(step.relationship.axis(name), 2) for name in AXES), _told(step, visitor)]
        for step in course
    ]
    marks = [
        {"xAxis": _time(step, visitor), "label": {"formatter": words(f"relationship.levels.{step.relationship.level}")}}
        for step in levels[1:]
    ]
    few = len(course) <= 40
    lines = [
        {
            "type": "line",
            "name": words(f"relationship.axes.{name}"),
            "encode": {"x": 0, "y": place + 1},
            "showSymbol": few,
            "symbol": "circle",
            "symbolSize": 5,
            "itemStyle": {"color": COLOURS[name]},
            "lineStyle": {"color": COLOURS[name], "width": 2, "type": _LINES[name]},
            "emphasis": {"disabled": True},
        }
        for place, name in enumerate(AXES)
    ]
    lines[0]["markLine"] = {
        "silent": True,
        "symbol": "none",
        "lineStyle": {"color": DIM, "type": "dashed"},
        "label": {"color": INK, "fontSize": 12, "position": "end"},
        "data": marks,
    }
    return {
        "useUTC": True,
        "dataset": {"source": rows},
        "legend": legend(),
        "grid": {"left": 36, "right": 16, "top": 72, "bottom": 28},
        "xAxis": axis(
            type="time", splitNumber=4, axisLabel={"color": DIM, "hideOverlap": True, "formatter": _ticks(words)}
        ),
        "yAxis": axis(type="value", min=0, max=_ceiling(course), splitLine={"lineStyle": {"color": "var(--soft)"}}),
        "tooltip": {"trigger": "axis", ":formatter": _TOLD, "axisPointer": {"lineStyle": {"color": DIM}}},
        "series": lines,
    }


def _ticks(words: Words) -> Options:
    """Return how years, months, days and hours stand below a chart."""
    return dict(words.some("relationship.ticks"))


def _ceiling(course: Sequence[Step]) -> float:
    """Return where the scale ends: strangers' first points should be seen, too."""
    highest = max(step.relationship.axis(name) for step in course for name in AXES)
    return next(top for top in (20.0, 40.0, 60.0, 80.0, TOP) if highest <= top)


def _time(step: Step, visitor: Visitor) -> int:
    """Return what the clock of the bank's time zone showed, as if it were UTC: charts know no other zone."""
    shown = step.at.astimezone(visitor.bank.settings.zone).replace(tzinfo=UTC)
    return round(shown.timestamp() * 1000)


def _told(step: Step, visitor: Visitor) -> str:
    words, scope = visitor.words, visitor.scope
    axes = words.some("relationship.axes")
    told = moved(step, None)
    own = [reason for reason in told.reasons if reason.name != TIME_TOGETHER] or list(told.reasons)
    lines = [moment_told(step.at, visitor)]
    lines += [f"{axes[name]} {step.relationship.axis(name):.1f}" for name in AXES]
    lines += [plain(reason_told(reason, scope, words), _WORDS) for reason in own[:_REASONS]]
    return "\n".join(lines)
