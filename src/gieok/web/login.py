"""The login page, in plain HTML without scripts; and the headers and cookies of every page."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import MutableHeaders
from starlette.types import Message, Send

from gieok.access.browser_sessions import LOGIN, LOGOUT, cookie_in, cookie_name
from gieok.access.guard import Guard
from gieok.access.refusals import TurnedAway
from gieok.web.kit import PATHS
from gieok.web.viewer import COOKIE, close_logged_out, viewer_in

if TYPE_CHECKING:
    from gieok.web.routes import Pages


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
_PAGE: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{title} · {brand}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/look/icon.svg"><link rel="stylesheet" href="/look/gieok.css">
<body class="g-plain"><main class="g-login"><img src="/look/faces/neutral.svg" alt="" width="96" height="96">
<h1>{title}</h1><p>{why}</p>{trouble}<form method="post" action="{action}">
<input name="username" value="gieok" autocomplete="username" hidden>
<label for="key">{label}</label><input id="key" name="key" type="password" autocomplete="current-password"
 required autofocus spellcheck="false" maxlength="200"{invalid}><button type="submit">{enter}</button></form>
<p class="g-dim">{hint}</p></main></body></html>"""


def login_routes() -> APIRouter:
    routes = APIRouter()

    @routes.get(LOGIN)
    async def login_page(request: Request, to: str = "/") -> Response:
        try:
            known = await viewer_in(request.scope).known()
        except TurnedAway as turned:
            return _form(request, to, refused=turned.refusal.status)
        return RedirectResponse(inside(to), 303) if known else _form(request, to)

    @routes.post(LOGIN)
    async def log_in(request: Request, to: str = "/") -> Response:
        given = parse_qs((await request.body()).decode("utf-8", "replace")).get("key", [""])[0].strip()
        try:
            cookie = await _guard(request).log_in(given)
        except TurnedAway as turned:
            return _form(request, to, refused=turned.refusal.status)
        await _log_out(request)  # perhaps they were logged in with another key
        answer = RedirectResponse(inside(to), 303)
        answer.headers.append("Set-Cookie", set_cookie("visit", cookie, request.scope))
        return answer

    @routes.post(LOGOUT)
    async def log_out(request: Request) -> Response:
        await _log_out(request)
        _pages(request).sessions.clear(cookie_in(request.scope, COOKIE))
        answer = RedirectResponse(LOGIN, 303)
        answer.headers.append("Set-Cookie", set_cookie("visit", "", request.scope, gone=True))
        return answer

    return routes


async def _log_out(request: Request) -> None:
    cookie = cookie_in(request.scope)
    if cookie is not None:
        _guard(request).log_out(cookie)
        await close_logged_out()


def _pages(request: Request) -> Pages:
    from gieok.web.routes import Pages

    pages = request.scope["gieok.pages"]
    assert isinstance(pages, Pages)
    return pages


def _guard(request: Request) -> Guard:
    guard = _pages(request).guard
    assert guard is not None
    return guard


def inside(to: str) -> str:
    """Return the address to go on to: one of our pages with its query, whatever a link says."""
    path, _, query = to.partition("?")
    if path not in PATHS.values() or len(to) > _LONGEST:
        return "/"
    asked = urlencode(parse_qsl(query))
    return f"{path}?{asked}" if asked else path


def _form(request: Request, to: str, *, refused: int | None = None) -> HTMLResponse:
    words = viewer_in(request.scope).words
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
        self._send = send
        self._path = path
        self._cookies = cookies
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
