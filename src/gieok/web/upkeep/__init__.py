"""The page "upkeep": what is due, what it would do, what was done, and what it all came to."""

from __future__ import annotations

from nicegui import ui

from gieok.web.kit import heading, said
from gieok.web.links import style
from gieok.web.upkeep.concluded import Concluded
from gieok.web.upkeep.figures import Figures
from gieok.web.upkeep.journal import Journal
from gieok.web.upkeep.outcome import Outcome
from gieok.web.upkeep.passes import Passes
from gieok.web.visitors import Visitor


async def build(visitor: Visitor) -> None:
    style("upkeep")
    heading(visitor.words("frame.pages.upkeep"))
    said(visitor.words("upkeep.intro")).classes("g-dim")
    outcome = Outcome(visitor)
    concluded, journal, figures = Concluded(visitor), Journal(visitor), Figures(visitor)

    async def all_anew() -> None:
        await concluded.load()
        await journal.load()
        await figures.load()

    passes = Passes(visitor, outcome, then=all_anew)
    with ui.element("div").classes("g-split u-top"):
        await passes.draw()
        outcome.draw()
    with ui.element("div").classes("g-split"):
        journal.draw()
        with ui.element("div").classes("g-stack u-side"):
            concluded.draw()
            figures.draw()
    ui.timer(0, all_anew, once=True)  # the passes are there at once; the rest may take a moment in a large bank
