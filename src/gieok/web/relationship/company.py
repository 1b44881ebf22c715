"""Whom the two speak of: how often, when last, how warmly, and how that went."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final
from urllib.parse import urlencode

from nicegui import ui

from gieok.bank import Mind
from gieok.bank.relating import Regard
from gieok.domain.entity import Entity, Sentiment
from gieok.web.dates import day
from gieok.web.kit import button, card, chip, said
from gieok.web.paths import PATHS
from gieok.web.relationship.telling import sparkline
from gieok.web.tables import cell, table
from gieok.web.visitors import Visitor

_PAGE: Final = 20
_WIDE, _HIGH = 96, 28
_KINDS: Final[dict[Sentiment, str]] = {"positive": "good", "neutral": "", "negative": "bad"}
_TOLD: Final = 6  #: sentiments that are told in figures


async def company(visitor: Visitor) -> None:
    words = visitor.words
    people = await visitor.ask(Mind.entities)
    with card(words("relationship.people.title")):
        if not people:
            said(words("relationship.people.nobody")).classes("g-dim")
            return
        columns = ("name", "kind", "times", "last", "sentiment", "course", "trust")
        headings = [words(f"relationship.people.{each}") for each in columns]
        with table(headings, words("relationship.people.title"), "r-people") as body:
            pass
        count = said("").classes("g-dim g-small").props('role="status"')
        shown = 0

        async def more() -> None:
            nonlocal shown
            some = people[shown : shown + _PAGE]
            shown += len(some)
            courses = await visitor.ask(Mind.courses_of_regard, [each.id for each in some])
            with body:
                _rows(some, courses, visitor)
            count.text = words("relationship.people.more", shown=f"{shown:,}", all=f"{len(people):,}")
            further.set_visibility(shown < len(people))

        further = button(words("frame.more"), more, quiet=True)
        await more()


def _rows(people: Sequence[Entity], courses: Mapping[str, Sequence[Regard]], visitor: Visitor) -> None:
    words = visitor.words
    for each in people:
        with ui.element("tr"):
            with ui.element("th").props('scope="row"').classes("g-row-name"):
                link = ui.link(each.display_name, f"{PATHS['graph']}?{urlencode({'of': each.id})}")
                link.props["aria-label"] = words("relationship.people.graph", name=each.display_name)
                if each.aliases:
                    said(f" ({', '.join(each.aliases)})", "span").classes("g-dim g-small")
            cell(words(f"relationship.kinds.{each.kind}"))
            cell(f"{each.interactions:,}", "g-number")
            cell(day(each.last_seen, visitor))
            with ui.element("td"):
                label = each.sentiment_label()
                chip(words(f"relationship.sentiments.{label}"), _KINDS[label])
                said(f" {each.sentiment:+.2f}", "span").classes("g-number")
            with ui.element("td"):
                _course(courses.get(each.id, ()), visitor)
            cell(f"{each.trust:.0f}", "g-number")


def _course(regards: Sequence[Regard], visitor: Visitor) -> None:
    """Draw the sentiment as a small line, with its figures below."""
    words = visitor.words
    line = sparkline(regards, _WIDE, _HIGH)
    if not line:
        said(words("relationship.people.steady"), "span").classes("g-dim g-small")
        return
    values = " → ".join(f"{each.entity.sentiment:+.2f}" for each in regards[-_TOLD:])
    since, until = day(regards[0].at, visitor), day(regards[-1].at, visitor)
    with ui.element("svg").classes("r-spark") as drawn:
        drawn.props["viewBox"] = f"-2 -2 {_WIDE + 4} {_HIGH + 4}"
        drawn.props["role"] = "img"
        drawn.props["aria-label"] = words("relationship.people.flow", since=since, until=until, values=values)
        middle = ui.element("line").classes("r-spark-middle")
        for name, value in {"x1": 0, "x2": _WIDE, "y1": _HIGH / 2, "y2": _HIGH / 2}.items():
            middle.props[name] = value
        ui.element("polyline").classes("r-spark-line").props["points"] = line
    said(values).classes("g-dim g-small g-number").props("aria-hidden=true")
