"""The pages inside the server: which paths are theirs, and who sits before them.

NiceGUI draws them, as an application of its own that hears of nothing but these paths: what is unknown stays for the
API to answer. It keeps one application in a process, so there is one of these, too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from nicegui import __version__ as drawing
from nicegui import app as drawn
from nicegui import ui
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Match
from starlette.staticfiles import StaticFiles

from gieok.access.browser_sessions import LOGIN, LOGOUT, cookie_in
from gieok.access.caller import caller_in
from gieok.access.guard import ANONYMOUS
from gieok.access.hosts import is_loopback
from gieok.access.refusals import TurnedAway
from gieok.bank import MemoryBank
from gieok.errors import GieokError
from gieok.web import talk, visitors
from gieok.web.kit import EXPORT
from gieok.web.login import Answering, login_routes, set_cookie
from gieok.web.pages import PAGES
from gieok.web.scopes import Export, download_routes
from gieok.web.visitors import Desk, Desks, Door, Gone, Visitor, seat

log = logging.getLogger(__name__)
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

_OWN: Final = frozenset({LOGIN, LOGOUT, "/favicon.ico", EXPORT})
_SOCKETS: Final = "/_nicegui_ws/"
_BELOW: Final = ("/_nicegui/", _SOCKETS, "/look/")
#: Of what NiceGUI offers: neither uploads nor files of whoever has told it so, and no page for what is unknown.
_PARTS: Final = tuple(
    f"/_nicegui/{drawing}/{part}/" for part in ("static", "components", "libraries", "resources", "esm")
)
_RECONNECTING: Final = 10.0  #: seconds that a page may be without its server
_PACKED: Final = 3  #: a little packing saves most, and the event loop waits for it
_TAB_SECONDS: Final = 600.0  #: that NiceGUI remembers a tab, with nothing in it


def is_page(path: str) -> bool:
    """Whether a path belongs to the pages."""
    return path in PAGES or path in _OWN or path.startswith(_BELOW)


@dataclass(slots=True)
class Pages(BaseRoute):
    """The route to all pages; `door` is set as soon as there is a guard."""

    bank: MemoryBank
    export: Export
    desks: Desks = field(default_factory=Desks)
    door: Door | None = None

    is_page = staticmethod(is_page)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        theirs = scope["type"] in ("http", "websocket") and is_page(scope["path"])
        return (Match.FULL, {"route": _Named(_template(scope["path"]))}) if theirs else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.door is not None, "pages are never served without a guard"
        sent = cookie_in(scope, visitors.COOKIE)
        cookie, desk = self._desk(scope, sent)
        inside = {**scope, "headers": [pair for pair in scope["headers"] if not pair[0].startswith(b"x-forwarded-")]}
        inside["gieok.pages"] = self
        seat(inside, Visitor(bank=self.bank, desk=desk, door=self.door, visit=cookie_in(scope)))
        is_new = cookie is not None and cookie != sent
        cookies = (set_cookie(visitors.COOKIE, cookie, scope),) if is_new and cookie is not None else ()
        app = _drawn() if _is_offered(scope) else PlainTextResponse("not found", status_code=404)

        async def answered(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope, receive, Answering(send, path=scope["path"], cookies=cookies))

        await (answered if _is_near(scope) else _packed(answered))(inside, receive, send)

    def _desk(self, scope: Scope, sent: str | None) -> tuple[str | None, Desk]:
        """Return the desk for a request, and its cookie. Only who opens a page has a new one set up."""
        caller = caller_in(scope)
        if caller == ANONYMOUS or (sent is None and scope["path"] not in PAGES):
            return None, self.desks.glance(sent)
        return self.desks.at(sent, caller.name)

    async def look_after(self) -> None:
        """End the pages of those whose visit has ended."""
        await visitors.end_those_of_others()

    async def end_replies(self) -> None:
        """For a server that stops: have replies in open pages kept as they stand."""
        await talk.end_all()

    @property
    def opened(self) -> int:
        """How many pages are open."""
        return visitors.opened()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Draw from here on."""
        shell = _drawn()
        async with shell.router.lifespan_context(shell):
            watching = asyncio.create_task(visitors.look_after())
            try:
                yield
            finally:
                watching.cancel()
                with suppress(asyncio.CancelledError):
                    await watching


def _is_offered(scope: Scope) -> bool:
    path = scope["path"]
    if path.startswith(_SOCKETS):
        return bool(scope["type"] == "websocket")  # by polling, nobody could tell whose answer it is
    return scope["type"] == "http" and (not path.startswith("/_nicegui/") or path.startswith(_PARTS))


def _is_near(scope: Scope) -> bool:
    """Whether a browser on this machine asks: packing takes longer than sending does."""
    return scope["type"] == "http" and scope.get("client") is not None and is_loopback(scope["client"][0])


_packed: Final = partial(GZipMiddleware, compresslevel=_PACKED)


@dataclass(frozen=True, slots=True)
class _Named:
    """What the log and the figures call a path: they must not grow with what strangers ask for."""

    path: str


def _template(path: str) -> str:
    return next((f"{start}…" for start in _BELOW if path.startswith(start)), path)


def _tell(error: Exception) -> None:
    """Log what went wrong in a page, unless it was meant for whoever looks at it."""
    if not isinstance(error, (GieokError, Gone, TurnedAway)):
        log.error("a page failed", exc_info=error)


@cache
def _drawn() -> FastAPI:
    """Return the application that draws the pages."""
    shell = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    shell.include_router(login_routes())
    shell.include_router(download_routes())
    shell.mount("/look", StaticFiles(directory=Path(str(files("gieok.web") / "look" / "served"))))
    for page in PAGES.values():
        page.lay_out()
    drawn.config.socket_io_js_transports = ["websocket"]
    drawn.storage.max_tab_storage_age = _TAB_SECONDS
    drawn._exception_handlers[:] = [_tell]  # its own writes every refusal into the log
    ui.run_with(
        shell,
        title="gieok 기억",
        favicon=Path(str(files("gieok.web") / "look" / "served" / "icon.svg")),
        dark=None,
        binding_refresh_interval=None,
        reconnect_timeout=_RECONNECTING,
        gzip_middleware_factory=None,
        tailwind=False,
        show_welcome_message=False,
    )
    visitors.bind()
    return shell
