"""Tables as they are read aloud: a caption, headings, and rows whose first cell names them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from nicegui import ui
from nicegui.element import Element

from gieok.web.kit import said


@contextmanager
def table(headings: Sequence[str], caption: str, look: str = "") -> Iterator[Element]:
    """Open a table; what is added within are its rows. `look` is a class of its own."""
    with ui.element("div").classes("g-scroll"), ui.element("table").classes(f"g-table {look}"):
        said(caption, "caption").classes("g-unseen")
        with ui.element("thead"), ui.element("tr"):
            for each in headings:
                said(each, "th").props('scope="col"')
        with ui.element("tbody") as body:
            yield body


@contextmanager
def row(name: str) -> Iterator[Element]:
    """Open a row that goes by `name`."""
    with ui.element("tr") as opened:
        said(name, "th").props('scope="row"').classes("g-row-name")
        yield opened


def cell(text: str, kind: str = "") -> Element:
    return said(text, "td").classes(kind)
