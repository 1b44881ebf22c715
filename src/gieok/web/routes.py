"""The pages as one route of the server: their paths, the viewer of each request, and the login.

NiceGUI draws the pages as an application of its own that sees only these paths; everything else is left to the API.
NiceGUI keeps one application per process, so there is one of these, too. The login page is plain HTML without scripts.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache, partial
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from fastapi import APIRouter, FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from nicegui import __version__ as nicegui_version
from nicegui import app as nicegui_app
from nicegui import ui
from starlette.datastructures import MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.responses import PlainTextResponse
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from gieok.access.caller import TurnedAway, caller_in
from gieok.access.guard import ANONYMOUS, LOGIN, LOGOUT, Guard, cookie_in, cookie_name
from gieok.access.hosts import is_loopback
from gieok.bank import MemoryBank
from gieok.errors import GieokError
from gieok.web import SOCKETS, ask, graph, memories, relationship, scopes, talk, upkeep, viewer
from gieok.web.frame import Page
from gieok.web.kit import PATHS
from gieok.web.scopes import Export, download_routes
from gieok.words import accepted_language


def set_cookie(kind: str, value: str, scope: Mapping[str, Any], *, gone: bool = False) -> str:
    """Return the header of a cookie that lasts until the browser is closed, or (`gone`) deletes it."""
    # The browser may use https to a proxy before us. The guard has checked its Origin.
    origins = [value for name, value in scope["headers"] if name.lower() == b"origin"]
    secure = scope.get("scheme") in ("https", "wss") or any(each.startswith(b"https://") for each in origins)
    parts = [f"{cookie_name(kind, scope)}={value}", "Path=/", "HttpOnly", "SameSite=Lax"]
    return "; ".join([*parts, *(["Secure"] if secure else []), *(["Max-Age=0"] if gone else [])])


POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_LONGEST: Final = 4_000  #: characters of an address to go on to
_PAGE: Final = files(__package__).joinpath("login_page.html").read_text(encoding="utf-8")


def login_routes() -> APIRouter:
    routes = APIRouter()

    @routes.get(LOGIN)
    async def login_page(request: Request, to: str = "/") -> Response:
        try:
            known = await viewer.viewer_in(request.scope).known()
        except TurnedAway as turned:
            return _form(request, to, refused=turned.status)
        return RedirectResponse(inside(to), 303) if known else _form(request, to)

    @routes.post(LOGIN)
    async def log_in(request: Request, to: str = "/") -> Response:
        given = parse_qs((await request.body()).decode("utf-8", "replace")).get("key", [""])[0].strip()
        try:
            cookie = await viewer.viewer_in(request.scope).guard.log_in(given)
        except TurnedAway as turned:
            return _form(request, to, refused=turned.status)
        await _log_out(request)  # perhaps they were logged in with another key
        answer = RedirectResponse(inside(to), 303)
        answer.headers.append("Set-Cookie", set_cookie("visit", cookie, request.scope))
        return answer

    @routes.post(LOGOUT)
    async def log_out(request: Request) -> Response:
        await _log_out(request)
        request.scope["gieok.pages"].sessions.clear(cookie_in(request.scope, viewer.COOKIE))
        answer = RedirectResponse(LOGIN, 303)
        answer.headers.append("Set-Cookie", set_cookie("visit", "", request.scope, gone=True))
        return answer

    return routes


async def _log_out(request: Request) -> None:
    cookie = cookie_in(request.scope)
    if cookie is not None:
        viewer.viewer_in(request.scope).guard.log_out(cookie)
        await viewer.close_logged_out()


def inside(to: str) -> str:
    """Return the address to go on to: one of our pages with its query, whatever a link says."""
    path, _, query = to.partition("?")
    if path not in PATHS.values() or len(to) > _LONGEST:
        return "/"
    asked = urlencode(parse_qsl(query))
    return f"{path}?{asked}" if asked else path


def _form(request: Request, to: str, *, refused: int | None = None) -> HTMLResponse:
    words = viewer.viewer_in(request.scope).words
    trouble = "wrong" if refused == 401 else "busy"
    alert = f'<p role="alert" id="trouble" class="g-trouble">{escape(words(f"login.{trouble}"))}</p>'
    page = _PAGE.format(
        language=words.language,
        title=escape(words("login.title")),
        brand=escape(words("frame.brand")),
        why=escape(words("login.why")),
        trouble="" if refused is None else alert,
        invalid="" if refused is None else ' aria-invalid="true" aria-describedby="trouble"',
        action=f"{LOGIN}?to={quote(inside(to), safe='/')}",
        label=escape(words("login.key")),
        enter=escape(words("login.enter")),
        hint=escape(words("login.hint")),
    )
    status = 200 if refused is None else refused
    return HTMLResponse(page, status_code=status, headers={"Content-Security-Policy": POLICY})


_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'nonce-{nonce}' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; frame-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
)
_HEADERS: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  #: with "no-referrer", browsers send no Origin with a form
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_SCRIPT: Final = re.compile(rb"<script(?=[\s>])")


class PageResponse:
    """Sends one response with our headers. A page is held back until it is complete, and its scripts get the nonce."""

    def __init__(self, send: Send, *, path: str, cookies: tuple[str, ...] = ()) -> None:
        self._send, self._path, self._cookies = send, path, cookies
        self._nonce = secrets.token_urlsafe(16)
        self._start: Message | None = None
        self._page = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers.update(_HEADERS)
            headers.setdefault("Content-Security-Policy", _POLICY.format(nonce=self._nonce))
            # Our style sheets are asked for again; private pages are never kept.
            headers.setdefault("Cache-Control", "no-cache" if self._path.startswith("/look/") else "no-store")
            for cookie in self._cookies:
                headers.append("Set-Cookie", cookie)
            if headers.get("content-type", "").startswith("text/html") and "content-encoding" not in headers:
                self._start = message
                return
        elif self._start is not None and message["type"] == "http.response.body":
            await self._collect(self._start, message)
            return
        await self._send(message)

    async def _collect(self, start: Message, message: Message) -> None:
        self._page += message.get("body", b"")
        if message.get("more_body", False):
            return
        # User text is escaped (&lt; for <), so only scripts of NiceGUI and ours are found.
        marked = _SCRIPT.sub(f'<script nonce="{self._nonce}"'.encode(), bytes(self._page))
        MutableHeaders(scope=start)["Content-Length"] = str(len(marked))
        self._start = None
        await self._send(start)
        await self._send({"type": "http.response.body", "body": marked})


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
#: what is served of NiceGUI: no uploads, no files of other programs, no page for unknown paths
_PARTS: Final = tuple(
    f"/_nicegui/{nicegui_version}/{part}/" for part in ("static", "components", "libraries", "resources", "esm")
)
_RECONNECT_SECONDS: Final = 10.0  #: how long a page may be without its server
_TAB_SECONDS: Final = 600.0  #: how long NiceGUI remembers a tab; we store nothing in it
_gzip: Final = partial(GZipMiddleware, compresslevel=3)  # higher levels save little and block the event loop


@dataclass(slots=True)
class Pages:
    """All pages, behind `guard`."""

    bank: MemoryBank
    export: Export
    guard: Guard
    sessions: viewer.SessionRegistry = field(default_factory=viewer.SessionRegistry)

    end_replies = staticmethod(talk.end_all)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sent = cookie_in(scope, viewer.COOKIE)
        cookie, session = self._session(scope, sent)
        inside = {**scope, "headers": [pair for pair in scope["headers"] if not pair[0].startswith(b"x-forwarded-")]}
        inside["gieok.pages"] = self
        accepts = b",".join(value for name, value in scope["headers"] if name.lower() == b"accept-language")
        inside[viewer.VIEWER] = viewer.Viewer(
            bank=self.bank,
            session=session,
            guard=self.guard,
            login=cookie_in(scope),
            accepts=accepted_language(accepts.decode("latin-1")),
        )
        cookies = (set_cookie(viewer.COOKIE, cookie, scope),) if cookie is not None and cookie != sent else ()
        app = _drawn() if _is_served(scope) else PlainTextResponse("not found", status_code=404)

        async def answered(scope: Scope, receive: Receive, send: Send) -> None:
            await app(scope, receive, PageResponse(send, path=scope["path"], cookies=cookies))

        # To a browser on this machine: compressing takes longer than sending.
        local = scope["type"] == "http" and scope.get("client") is not None and is_loopback(scope["client"][0])
        await (answered if local else _gzip(answered))(inside, receive, send)

    def _session(self, scope: Scope, sent: str | None) -> tuple[str | None, viewer.BrowserSession]:
        """Return the session for a request and its cookie. Only opening a page starts a new session."""
        caller = caller_in(scope)
        if caller == ANONYMOUS or (sent is None and scope["path"] not in PATHS.values()):
            return None, self.sessions.peek(sent)
        return self.sessions.get(sent, caller.name)

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        """Draw pages meanwhile, and close those whose login has ended."""
        shell = _drawn()
        async with shell.router.lifespan_context(shell):
            watching = asyncio.create_task(viewer.watch_logins(), name="gieok-logins")
            try:
                yield
            finally:
                watching.cancel()
                await asyncio.wait([watching])


def _is_served(scope: Scope) -> bool:
    path = scope["path"]
    if path.startswith(SOCKETS):
        return bool(scope["type"] == "websocket")  # with polling, an answer has no known owner
    return scope["type"] == "http" and (not path.startswith("/_nicegui/") or path.startswith(_PARTS))


def _log_error(error: Exception) -> None:
    if not isinstance(error, (GieokError, viewer.LoggedOut, TurnedAway)):
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
    viewer.protect_sockets()
    return shell
