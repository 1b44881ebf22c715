"""What pages are made of. Whatever is shown goes in as text: nothing that anybody wrote is ever taken for markup."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

from nicegui import ui
from nicegui.element import Element

Handler = Callable[[], Awaitable[None] | None]


class Said(Element):
    """Text in an element of its own, read as it stands."""

    def __init__(self, text: str, tag: str = "p") -> None:
        super().__init__(tag)
        self._text = text

    @property
    def text(self) -> str:
        return self._text or ""

    @text.setter
    def text(self, text: str) -> None:
        self._text = text
        self.update()


def said(text: str, tag: str = "p") -> Said:
    """Show text in an HTML element of that name."""
    return Said(text, tag)


def heading(text: str) -> Said:
    """Show the title of a page."""
    return said(text, "h1").props('id="content" tabindex="-1"')


def button(text: str, act: Handler, *, main: bool = False, danger: bool = False, quiet: bool = False) -> ui.button:
    """Show a button: `main` is what one came for, `danger` cannot be undone, `quiet` stands back."""
    kind = "g-main" if main else "g-danger" if danger else "g-quiet" if quiet else "g-plain-button"
    return ui.button(text, on_click=act, color=None).props("no-caps unelevated").classes(f"g-button {kind}")


@contextmanager
def card(title: str | None = None, *, tag: str = "section") -> Iterator[Element]:
    """Open a card, with its title."""
    with ui.element(tag).classes("g-card") as opened:
        if title is not None:
            said(title, "h2")
        yield opened


def notice(title: str, text: str = "") -> None:
    """Say plainly why there is nothing to see."""
    with ui.element("div").classes("g-notice").props('role="status"'):
        said(title, "h2")
        if text:
            said(text)


def chip(text: str, kind: str = "") -> Said:
    """Show a word in a small frame; `kind` colours it: good, warn, bad, info."""
    return said(text, "span").classes(f"g-chip {f'g-{kind}' if kind else ''}")


async def confirmed(title: str, text: str, *, yes: str, no: str, danger: bool = False) -> bool:
    """Ask before something is done; closing the question is a no."""
    with ui.dialog() as dialog, ui.element("div").classes("g-card g-dialog").props('role="alertdialog"'):
        said(title, "h2")
        said(text)
        with ui.element("div").classes("g-row g-end"):
            button(no, lambda: dialog.submit(False), quiet=True).props("autofocus")
            button(yes, lambda: dialog.submit(True), main=not danger, danger=danger)
    answer: Any = await dialog
    dialog.delete()
    return bool(answer)
