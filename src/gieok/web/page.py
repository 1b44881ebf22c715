"""A page: its name, its path, and who builds what is on it."""

from __future__ import annotations

import copy
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal
from urllib.parse import quote

from nicegui import ui
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gieok.access.visits import LOGIN
from gieok.domain.scope import Scope
from gieok.errors import InvalidScope
from gieok.web import open_pages
from gieok.web.frame import framed
from gieok.web.visitors import Gone, Visitor, visitor_in

Build = Callable[[Visitor], Awaitable[None]]
_SECONDS: Final = 30.0  #: that a page may take to be built
_TONGUES: Final[dict[str, Literal["ko-KR", "en-US"]]] = {"ko": "ko-KR", "en": "en-US"}  #: as Quasar calls them


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the inspector."""

    name: str  #: also of its file of words
    path: str
    build: Build
    needs_mind: bool = True  #: without one there is nothing to show: the welcome is shown instead

    def lay_out(self) -> None:
        """Have it drawn for whoever asks for its path."""

        async def shown(request: Request) -> Response | None:
            open_pages.make_room()
            visitor = visitor_in(request.scope)
            _speak(visitor)
            by_link = _turn_to(visitor, request)
            try:
                await framed(visitor, self.name, self.build, needs_mind=self.needs_mind, by_link=by_link)
            except Gone:
                return RedirectResponse(f"{LOGIN}?to={quote(self.path)}", 303)
            return None

        ui.page(self.path, response_timeout=_SECONDS)(shown)


def _speak(visitor: Visitor) -> None:
    """Have Quasar and NiceGUI speak the visitor's language, too: they know one for all who open a page."""
    client = ui.context.client
    client.page = copy.copy(client.page)
    client.page.language = _TONGUES[visitor.language]


def _turn_to(visitor: Visitor, request: Request) -> bool:
    """Look into the mind that a link names: `/memories?user=minsu&character=letia`. Return whether it names one."""
    named = {each: request.query_params.get(each) or None for each in ("user", "character", "world")}
    try:
        scope = Scope(**named)
    except InvalidScope:
        return False  # it names nobody, or nobody who could have a memory: the desk stays as it is
    if scope != visitor.desk.scope:
        visitor.desk.turn_to(scope)
    return True
