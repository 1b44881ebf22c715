"""Memories: all that is remembered, in a table or by time; one of them with all its past; and putting it right."""

from __future__ import annotations

from typing import Final

from nicegui import ui

from gieok.bank import Mind
from gieok.web.kit import heading
from gieok.web.memories.browsing import Browsing
from gieok.web.memories.looking import Looking
from gieok.web.visitors import Visitor

_LOOK: Final = '<link rel="stylesheet" href="/look/memories.css">'
_GONE_BACK: Final = "memories-gone-back"
_BACK: Final = f'<script>addEventListener("popstate", () => emitEvent("{_GONE_BACK}", location.search))</script>'


async def build(visitor: Visitor) -> None:
    ui.add_head_html(_LOOK)
    ui.add_body_html(_BACK)
    heading(visitor.words("memories.title"))
    about = [(each.subject, each.subject_id) for each in await visitor.ask(Mind.subjects)]
    looking = Looking.of(ui.context.client.request.query_params)
    browsing = Browsing(visitor, looking, may_write=await visitor.may("writer"), about=about)
    ui.on(_GONE_BACK, browsing.gone_back)
    await browsing.begin()
