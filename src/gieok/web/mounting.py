"""The pages inside the server: which paths are theirs, what every answer carries, and who sits before them.

NiceGUI draws them, as an application of its own that hears of nothing but these paths: what is unknown stays for the
API to answer. It keeps one application in a process, so there is one of these, too.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, Protocol

from fastapi import FastAPI
from nicegui import app as drawn
from nicegui import ui
from starlette.datastructures import MutableHeaders
from starlette.routing import BaseRoute, Match
from starlette.staticfiles import StaticFiles

from gieok.access.caller import Caller
from gieok.access.visits import COOKIE as VISIT
from gieok.access.visits import cookie_in
from gieok.bank import MemoryBank
from gieok.web import desks
from gieok.web.cookies import set_cookie
from gieok.web.desks import Desks
from gieok.web.login import login_routes
from gieok.web.pages import PAGES
from gieok.web.paths import EXPORT
from gieok.web.scopes.download import Export, download_routes
from gieok.web.visitors import Visitor, seat

Message = MutableMapping[str, Any]
Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_OWN: Final = frozenset({"/login", "/logout", "/favicon.ico", EXPORT})
_BELOW: Final = ("/_nicegui/", "/_nicegui_ws/", "/look/")
_RECONNECTING: Final = 10.0  #: seconds that a page may be without its server
#: Vue builds what it draws in the page, and NiceGUI starts it by a script in the page: neither runs without the two
#: "unsafe" words. All text goes in as text; and nothing can be fetched from, or sent, elsewhere.
_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; "
    "base-uri 'none'; object-src 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Door(Protocol):
    """What the guard knows of visitors."""

    async def visitor(self, cookie: str | None) -> Caller | None: ...
    async def log_in(self, token: str) -> str: ...
    def log_out(self, cookie: str) -> None: ...
    @property
    def asks_for_keys(self) -> bool: ...


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
        sent = _header(scope, b"cookie")
        cookie, desk = self.desks.at(cookie_in(sent, desks.COOKIE))
        who = partial(self.door.visitor, cookie_in(sent, VISIT))
        inside = {**scope, "headers": [pair for pair in scope["headers"] if not pair[0].startswith(b"x-forwarded-")]}
        inside["gieok.pages"] = self
        seat(inside, Visitor(bank=self.bank, desk=desk, who=who))
        is_new = cookie != cookie_in(sent, desks.COOKIE) and scope["path"] in PAGES
        await _drawn()(inside, receive, _answering(send, cookie if is_new else None, scope))

    def open(self) -> AbstractAsyncContextManager[Any]:
        """Draw from here on."""
        shell = _drawn()
        return shell.router.lifespan_context(shell)


@dataclass(frozen=True, slots=True)
class _Named:
    """What the log and the figures call a path: they must not grow with what strangers ask for."""

    path: str


def _template(path: str) -> str:
    return next((f"{start}…" for start in _BELOW if path.startswith(start)), path)


def _header(scope: Scope, name: bytes) -> str | None:
    values = [value.decode("latin-1") for key, value in scope["headers"] if key == name]
    return "; ".join(values) or None


def _answering(send: Send, cookie: str | None, scope: Scope) -> Send:
    async def answering(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers[name] = value
            if cookie is not None:
                headers.append("Set-Cookie", set_cookie(desks.COOKIE, cookie, scope))
        await send(message)

    return answering


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
    ui.run_with(
        shell,
        title="gieok 기억",
        favicon=Path(str(files("gieok.web") / "look" / "served" / "icon.svg")),
        dark=None,
        binding_refresh_interval=None,
        reconnect_timeout=_RECONNECTING,
        tailwind=False,
        show_welcome_message=False,
    )
    return shell
