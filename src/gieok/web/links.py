"""Ways from one page to what another shows. Ids and names are data in them, never the address itself."""

from __future__ import annotations

from urllib.parse import urlencode

from nicegui import ui
from nicegui.element import Element

from gieok.web.kit import said
from gieok.web.paths import PATHS


def link(text: str, path: str, **query: str) -> Element:
    """Show a link to a page of ours; what it asks for is written as data."""
    shown = said(text, "a")
    shown.props["href"] = f"{path}?{urlencode(query)}" if query else path
    return shown


def memory_link(text: str, memory_id: str) -> Element:
    """Show a memory by its words, and lead to it."""
    return link(text, PATHS["memories"], memory=memory_id)


def style(name: str) -> None:
    """Have the page use one of our own style sheets."""
    ui.add_head_html(f'<link rel="stylesheet" href="/look/{name}.css">')
