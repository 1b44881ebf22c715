"""The pages as one route of the server: their paths, and the viewer of each request.

NiceGUI draws the pages as an application of its own that sees only these paths; everything else is left to the API.
NiceGUI keeps one application per process, so there is one of these, too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import Final

from fastapi import FastAPI
from nicegui import __version__ as nicegui_version
from nicegui import app as nicegui_app
from nicegui import ui
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Match
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from gieok.access.browser_sessions import LOGIN, LOGOUT, cookie_in
from gieok.access.caller import caller_in
from gieok.access.guard import ANONYMOUS, Guard
from gieok.access.hosts import is_loopback
from gieok.access.refusals import TurnedAway
from gieok.bank import MemoryBank
from gieok.errors import GieokError
from gieok.web import ask, graph, memories, relationship, scopes, talk, upkeep
from gieok.web.frame import Page
from gieok.web.kit import EXPORT, PATHS
from gieok.web.login import PageResponse, login_routes, set_cookie
from gieok.web.scopes import Export, download_routes
from gieok.web.viewer import (
    COOKIE,
    VIEWER,
    BrowserSession,
    LoggedOut,
    SessionRegistry,
    Viewer,
    protect_sockets,
    watch_logins,
)
from gieok.words import accepted_language

log = logging.getLogger(__name__)

_BUILDERS: Final = {
    "talk": talk.build,
    "memories": memories.build,
    "ask": ask.build,
    "relationship": relationship.build,
    "graph": graph.build,
    "upkeep": upkeep.build,
    "scopes": scopes.build,
}
PAGES: Final = tuple(
    Page(name=name, path=PATHS[name], build=build, needs_mind=name != "scopes") for name, build in _BUILDERS.items()
)
_OWN: Final = frozenset({*PATHS.values(), LOGIN, LOGOUT, "/favicon.ico", EXPORT})
_SOCKETS: Final = "/_nicegui_ws/"
_BELOW: Final = ("/_nicegui/", _SOCKETS, "/look/")
#: what is served of NiceGUI: no uploads, no files of other programs, no page for unknown paths
_PARTS: Final = tuple(
    f"/_nicegui/{nicegui_version}/{part}/" for part in ("static", "components", "libraries", "resources", "esm")
)
_RECONNECT_SECONDS: Final = 10.0  #: how long a page may be without its server
_TAB_SECONDS: Final = 600.0  #: how long NiceGUI remembers a tab; we store nothing in it
_gzip: Final = partial(GZipMiddleware, compresslevel=3)  # higher levels save little and block the event loop


def is_page(path: str) -> bool:
    return path in _OWN or path.startswith(_BELOW)


@dataclass(slots=True)
class Pages(BaseRoute):
    """The route to all pages; `guard` is set as soon as there is one."""

    bank: MemoryBank
    export: Export
    sessions: SessionRegistry = field(default_factory=SessionRegistry)
    guard: Guard | None = None

    is_page = staticmethod(is_page)

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        ours = scope["type"] in ("http", "websocket") and is_page(scope["path"])
        name = next((f"{start}…" for start in _BELOW if scope["path"].startswith(start)), scope["path"])
        return (Match.FULL, {"route": _PathTemplate(name)}) if ours else (Match.NONE, {})

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        assert self.guard is not None, "pages are never served without a guard"
        sent = cookie_in(scope, COOKIE)
        cookie, session = self._session(scope, sent)
        inside = {**scope, "headers": [pair for pair in scope["headers"] if not pair[0].startswith(b"x-forwarded-")]}
        inside["gieok.pages"] = self
        accepts = b",".join(value for name, value in scope["headers"] if name.lower() == b"accept-language")
        inside[VIEWER] = Viewer(
            bank=self.bank,
            session=session,
            guard=self.guard,
            login=cookie_in(scope),
            accepts=accepted_language(accepts.decode("latin-1")),
        )
        cookies = (set_cookie(COOKIE, cookie, scope),) if cookie is not None and cookie != sent else ()
        app = _drawn() if _is_served(scope) else PlainTextResponse("not found", status_code=404)

        async def answered(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope, receive, PageResponse(send, path=scope["path"], cookies=cookies))

        # To a browser on this machine: compressing takes longer than sending.
        local = scope["type"] == "http" and scope.get("client") is not None and is_loopback(scope["client"][0])
        await (answered if local else _gzip(answered))(inside, receive, send)

    def _session(self, scope: Scope, sent: str | None) -> tuple[str | None, BrowserSession]:
        """Return the session for a request and its cookie. Only opening a page starts a new session."""
        caller = caller_in(scope)
        if caller == ANONYMOUS or (sent is None and scope["path"] not in PATHS.values()):
            return None, self.sessions.peek(sent)
        return self.sessions.get(sent, caller.name)

    async def end_replies(self) -> None:
        """Stop the replies in open pages, and keep what was said so far. For a server that stops."""
        await talk.end_all()

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Serve the pages while the context is open."""
        shell = _drawn()
        async with shell.router.lifespan_context(shell):
            watching = asyncio.create_task(watch_logins())
            try:
                yield
            finally:
                watching.cancel()
                with suppress(asyncio.CancelledError):
                    await watching


def _is_served(scope: Scope) -> bool:
    path = scope["path"]
    if path.startswith(_SOCKETS):
        return bool(scope["type"] == "websocket")  # with polling, an answer has no known owner
    return scope["type"] == "http" and (not path.startswith("/_nicegui/") or path.startswith(_PARTS))


@dataclass(frozen=True, slots=True)
class _PathTemplate:
    """The name of a path in the log and the metrics, which must not grow with what strangers ask for."""

    path: str


def _log_error(error: Exception) -> None:
    if not isinstance(error, (GieokError, LoggedOut, TurnedAway)):
        log.error("a page failed", exc_info=error)


@cache
def _drawn() -> FastAPI:
    served = Path(str(files("gieok.web") / "look" / "served"))
    shell = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    shell.include_router(login_routes())
    shell.include_router(download_routes())
    shell.mount("/look", StaticFiles(directory=served))
    for page in PAGES:
        page.register()
    nicegui_app.config.socket_io_js_transports = ["websocket"]
    nicegui_app.storage.max_tab_storage_age = _TAB_SECONDS
    nicegui_app._exception_handlers[:] = [_log_error]  # NiceGUI's own logs every refusal
    ui.run_with(
        shell,
        title="gieok",
        favicon=served / "icon.svg",
        dark=None,
        binding_refresh_interval=None,
        reconnect_timeout=_RECONNECT_SECONDS,
        gzip_middleware_factory=None,
        tailwind=False,
        show_welcome_message=False,
    )
    protect_sockets()
    return shell
