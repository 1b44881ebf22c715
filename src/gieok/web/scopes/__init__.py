"""The page "scopes": whose memories there are, to be chosen, begun, exported and deleted."""

from __future__ import annotations

from nicegui import ui

from gieok.domain.desk import ROLES
from gieok.web.kit import heading, said
from gieok.web.links import style
from gieok.web.scopes.creating import draw_creating
from gieok.web.scopes.listing import Listing
from gieok.web.visitors import Visitor
from gieok.web.welcome import draw_story


async def build(visitor: Visitor) -> None:
    style("scopes")
    heading(visitor.words("frame.pages.scopes"))
    said(visitor.words("scopes.intro")).classes("g-dim")
    role = await _role(visitor)
    with ui.element("div").classes("s-split"):
        listing = Listing(visitor, may_erase=role == "admin")
        await listing.draw()
        with ui.element("div").classes("g-stack s-side"):
            draw_creating(visitor, may_write=role != "reader")
            if listing.is_empty:
                await draw_story(visitor)


async def _role(visitor: Visitor) -> str:
    """Return the highest role that the visitor's key has."""
    caller = await visitor.caller()
    return caller.key.role if caller.key is not None else ROLES[-1]
