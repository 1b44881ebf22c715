"""Leafing back and forth through something long: two buttons that stay where they are, and a page that changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui

from gieok.web.kit import button

Show = Callable[[int | None], Awaitable[int | None]]  #: shows what is before a place; returns where to go on from there


class Leafing:
    """Shows one page after the other, each told from which place it goes back."""

    def __init__(self, show: Show, *, earlier: str, later: str) -> None:
        self._show = show
        self._been: list[int | None] = [None]  #: where the pages so far began, the newest first
        self._next: int | None = None
        with ui.element("div").classes("g-row g-end"):
            self._later = button(later, self._go_later, quiet=True)
            self._earlier = button(earlier, self._go_earlier, quiet=True)

    async def start(self) -> None:
        """Show the newest."""
        self._next = await self._show(self._been[-1])
        self._later.set_enabled(len(self._been) > 1)
        self._earlier.set_enabled(self._next is not None)
        both = len(self._been) > 1 or self._next is not None
        self._later.set_visibility(both)
        self._earlier.set_visibility(both)

    async def _go_earlier(self) -> None:
        if self._next is not None:
            self._been.append(self._next)
            await self.start()

    async def _go_later(self) -> None:
        if len(self._been) > 1:
            self._been.pop()
            await self.start()
