"""What each of the two felt, turn by turn: by colour, by shape, by size, and by word."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nicegui import ui

from gieok.bank import Mind
from gieok.bank.living import Feeling
from gieok.domain.emotion import EMOTIONS, Emotion
from gieok.domain.turn import CHARACTER, USER
from gieok.web.charts import INK, TOLD, Options, axis, chart, legend, plain
from gieok.web.dates import moment_told
from gieok.web.kit import card, said
from gieok.web.leafing import Leafing
from gieok.web.relationship.spans import span_told
from gieok.web.relationship.telling import by_turn, named, percent
from gieok.web.tables import cell, row, table
from gieok.web.visitors import Visitor

_PAGE: Final = 20  #: turns
_COLOURS: Final[dict[Emotion, str]] = {
    "neutral": "var(--dim)",
    "sad": "var(--blue)",
    "happy": "var(--green)",
    "angry": "var(--red)",
}
_SHAPES: Final[dict[Emotion, str]] = {"neutral": "rect", "sad": "triangle", "happy": "circle", "angry": "diamond"}
_NAME: Final = 12  #: letters of a speaker beside the chart
_SMALLEST, _LARGEST = 9, 26


async def feelings(visitor: Visitor) -> None:
    words = visitor.words
    with card(words("relationship.feelings.title")):
        if not await visitor.ask(Mind.emotions, limit=1):
            said(words("relationship.feelings.nothing")).classes("g-dim")
            return
        status = said("").classes("g-dim g-small").props('role="status"')
        shown = ui.element("div").classes("g-stack")

        async def show(before: int | None) -> int | None:
            felt = await visitor.ask(Mind.emotions, limit=_PAGE, before=before)
            turns = by_turn(felt)
            status.text = span_told("relationship.feelings.shown", [each[0].at for _, each in turns], visitor)
            shown.clear()
            with shown:
                chart(
                    feelings_options(felt, visitor),
                    words("relationship.feelings.chart", turns=len(turns)),
                    "r-feelings",
                )
                _table(felt, visitor)
            return turns[0][0] if len(turns) == _PAGE and turns[0][0] > 1 else None

        await Leafing(show, earlier=words("relationship.earlier"), later=words("relationship.later")).start()


def _table(felt: Sequence[Feeling], visitor: Visitor) -> None:
    words = visitor.words
    headings = [words(f"relationship.feelings.{each}") for each in ("when", "who", "feeling", "intensity", "by")]
    with ui.element("div").classes("r-tall"), table(headings, words("relationship.feelings.title"), "r-felt"):
        for each in reversed(felt):
            with row(moment_told(each.at, visitor)):
                cell(named(each.felt.speaker, visitor.scope, words))
                with ui.element("td"):
                    ui.element("span").classes("r-dot").style(f"background: {_COLOURS[each.felt.emotion]}")
                    said(words(f"relationship.emotions.{each.felt.emotion}"), "span")
                cell(f"{percent(each.felt.intensity)}%", "g-number")
                cell(each.felt.by, "g-dim g-small")


def feelings_options(felt: Sequence[Feeling], visitor: Visitor) -> Options:
    """Return a row of points for each speaker, a series for each emotion."""
    words, scope = visitor.words, visitor.scope
    turns = by_turn(felt)
    places = {number: place for place, (number, _) in enumerate(turns)}
    speakers = list(dict.fromkeys([CHARACTER, USER, *(each.felt.speaker for each in felt)]))
    zone = visitor.bank.settings.zone
    days = [f"{each[0].at.astimezone(zone):%m/%d %H:%M}" for _, each in turns]
    return {
        "legend": legend(),
        "grid": {"left": 8, "right": 16, "top": 40, "bottom": 8, "containLabel": True},
        "xAxis": axis(type="category", data=days, boundaryGap=True),
        "yAxis": axis(
            type="category",
            data=[plain(named(each, scope, words), _NAME) for each in speakers],
            axisLabel={"color": INK, "fontSize": 13},
            splitLine={"show": True, "lineStyle": {"color": "var(--soft)"}},
        ),
        "tooltip": {"trigger": "item", ":formatter": TOLD},
        "series": [
            {
                "type": "scatter",
                "name": words(f"relationship.emotions.{emotion}"),
                "symbol": _SHAPES[emotion],
                "itemStyle": {"color": _COLOURS[emotion]},
                "emphasis": {"disabled": True},
                "data": [
                    {
                        "value": [places[each.turn_number], speakers.index(each.felt.speaker)],
                        "symbolSize": round(_SMALLEST + (_LARGEST - _SMALLEST) * each.felt.intensity),
                        "told": f"{moment_told(each.at, visitor)}\n{_told(each, visitor)}",
                    }
                    for each in felt
                    if each.felt.emotion == emotion
                ],
            }
            for emotion in EMOTIONS
        ],
    }


def _told(each: Feeling, visitor: Visitor) -> str:
    words = visitor.words
    return plain(
        words(
            "relationship.feelings.told",
            who=named(each.felt.speaker, visitor.scope, words),
            feeling=words(f"relationship.emotions.{each.felt.emotion}"),
            percent=percent(each.felt.intensity),
        ),
        60,
    )
