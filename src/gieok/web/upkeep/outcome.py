"""What passes did, or would do: memory by memory, in their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from nicegui import ui
from nicegui.element import Element

from gieok.bank import Mind
from gieok.domain.upkeep import Kept, PassName
from gieok.web.kit import Said, card, chip, said
from gieok.web.upkeep.effect_list import draw_effects
from gieok.web.upkeep.effects import Deed, counted, deeds
from gieok.web.upkeep.waiting import named
from gieok.web.visitors import Visitor

_INTO_VIEW: Final = "document.querySelector('.u-outcome').scrollIntoView({block: 'nearest'})"  # on a small screen
_MOST: Final = 40  #: things that are shown; a first pass over a large memory may do hundreds


class Outcome:
    """The card that tells of the last preview or run."""

    _told: Said
    _progress: ui.linear_progress
    _list: Element

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    def draw(self) -> None:
        words = self._visitor.words
        with card(words("upkeep.outcome.title")) as whole:
            whole.classes("u-outcome").props('tabindex="0"')  # it scrolls by itself
            whole.props["aria-label"] = words("upkeep.outcome.title")
            self._told = said(words("upkeep.outcome.hint")).props('role="status"').classes("u-told")
            self._progress = ui.linear_progress(0, show_value=False, color=None).classes("u-progress")
            self._progress.props["aria-label"] = words("upkeep.outcome.title")
            self._progress.set_visibility(False)
            self._list = ui.element("div").classes("g-stack")

    async def preview(self, names: list[PassName]) -> None:
        """Tell what `names` would do. All at once: each builds on what the one before would have done."""
        words = self._visitor.words
        self._begin(words("upkeep.outcome.looking"))
        would = await self._visitor.ask(Mind.maintain, names, dry_run=True)
        self._list.clear()
        if would.kept:
            self._told.text = words("upkeep.outcome.would")
            self._draw(would.kept, leads=False)
        else:
            self._told.text = words("upkeep.outcome.would_nothing", passes=named(names, words))

    async def run(self, names: list[PassName]) -> None:
        """Do `names`, one after the other, and tell of each as it is done."""
        words = self._visitor.words
        self._begin("")
        kept: list[Kept] = []
        busy = False
        self._progress.set_visibility(True)
        try:
            for number, name in enumerate(names, start=1):
                at = {"n": number, "all": len(names), "pass": words(f"upkeep.passes.{name}")}
                self._told.text = words("upkeep.outcome.working", **at)
                self._progress.value = (number - 1) / len(names)
                did = await self._visitor.change(Mind.maintain, [name])
                busy = busy or did.busy
                kept += did.kept
        finally:
            self._progress.set_visibility(False)
        self._list.clear()
        told = "busy" if busy else "did" if kept else "nothing"
        self._told.text = words(f"upkeep.outcome.{told}", passes=named(names, words))
        self._draw(kept, leads=True)

    def _begin(self, told: str) -> None:
        self._told.text = told
        self._list.clear()
        ui.run_javascript(_INTO_VIEW)

    def _draw(self, kept: Sequence[Kept], *, leads: bool) -> None:
        words = self._visitor.words
        found = deeds(kept, words)
        with self._list:
            counts = counted(found)
            if counts:
                line = " · ".join(words(f"upkeep.outcome.{what}", n=n) for what, n in counts.items())
                said(line).classes("g-number u-counts")
            for deed in found[:_MOST]:
                self._draw_deed(deed, leads=leads)
            if len(found) > _MOST:
                said(words("upkeep.outcome.more", n=len(found) - _MOST)).classes("g-dim")

    def _draw_deed(self, deed: Deed, *, leads: bool) -> None:
        with ui.element("div").classes("u-deed"):
            with ui.element("div").classes("g-row"):
                chip(self._visitor.words(f"upkeep.actions.{deed.action}"), "info")
                said(deed.why, "span").classes("g-dim g-small")
            draw_effects(self._visitor, deed.effects, leads=leads)
