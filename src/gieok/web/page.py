"""A page: its name, its path, and who builds what is on it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from nicegui import ui
from starlette.requests import Request

from gieok.domain.scope import Scope
from gieok.errors import InvalidScope
from gieok.web.frame import framed
from gieok.web.visitors import Visitor, visitor_in

Build = Callable[[Visitor], Awaitable[None]]
_SECONDS = 30.0  #: that a page may take to be built


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the inspector."""

    name: str  #: also of its file of words
    path: str
    build: Build
    needs_mind: bool = True  #: without one there is nothing to show: the welcome is shown instead

    def lay_out(self) -> None:
        """Have it drawn for whoever asks for its path."""

        async def shown(request: Request) -> None:
            visitor = visitor_in(request.scope)
            _turn_to(visitor, request)
            await framed(visitor, self.name, self.build, needs_mind=self.needs_mind)

        ui.page(self.path, response_timeout=_SECONDS)(shown)


def _turn_to(visitor: Visitor, request: Request) -> None:
    """Look into the mind that a link names: `/memories?user=minsu&character=letia`."""
    named = {each: request.query_params.get(each) or None for each in ("user", "character", "world")}
    try:
        scope = Scope(**named)
    except InvalidScope:
        return  # it names nobody, or nobody who could have a memory: the desk stays as it is
    if scope != visitor.desk.scope:
        visitor.desk.turn_to(scope)
