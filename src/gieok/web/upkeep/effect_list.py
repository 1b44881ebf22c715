"""Drawing what becomes of memories: new, changed or closed, with what differs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from nicegui import ui

from gieok.domain.upkeep import What
from gieok.web.dates import moment_told
from gieok.web.kit import chip, said
from gieok.web.links import memory_link
from gieok.web.upkeep.effects import Difference, Effect, Told
from gieok.web.visitors import Visitor

_COLOURS: Final[dict[What, str]] = {"new": "good", "changed": "warn", "closed": ""}


def draw_effects(visitor: Visitor, effects: Sequence[Effect], *, leads: bool = True) -> None:
    """Show each memory by its words; with `leads` they lead to it (what a preview made is nowhere yet)."""
    with ui.element("ul").classes("u-effects"):
        for each in effects:
            with ui.element("li").classes(f"u-effect u-{each.what}"):
                chip(visitor.words(f"upkeep.what.{each.what}"), _COLOURS[each.what])
                with ui.element("div").classes("u-words"):
                    if leads or each.what != "new":
                        memory_link(each.content, each.memory_id)
                    else:
                        said(each.content, "span")
                    for difference in each.differences:
                        _draw_difference(visitor, difference)


def _draw_difference(visitor: Visitor, difference: Difference) -> None:
    words = visitor.words
    with ui.element("p").classes("u-difference g-small g-dim"):
        said(words(f"upkeep.fields.{difference.field}"), "span")
        said(_told(visitor, difference.field, difference.before), "span").classes("u-before")
        said("→", "span").props('aria-hidden="true"')
        said(_told(visitor, difference.field, difference.after), "span").classes("u-after")


def _told(visitor: Visitor, field: str, value: Told) -> str:
    words = visitor.words
    if value is None:
        return words("upkeep.fields.none")
    if isinstance(value, bool):
        return words("upkeep.fields.yes" if value else "upkeep.fields.no")
    if isinstance(value, datetime):
        return moment_told(value, visitor)
    if field == "kind":
        return words(f"shared.kinds.{value}")
    return f"{value:g}" if isinstance(value, float) else str(value)
