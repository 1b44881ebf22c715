"""The login page, in plain HTML without scripts; and the headers and cookies of every page."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from html import escape
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from starlette.datastructures import MutableHeaders

from gieok.access.browser_sessions import LOGIN, LOGOUT, cookie_in, cookie_name
from gieok.access.refusals import TurnedAway
from gieok.web.kit import PATHS
from gieok.web.viewer import COOKIE, Guard, viewer_in

if TYPE_CHECKING:
    from gieok.web.routes import Pages


def set_cookie(kind: str, value: str, scope: Mapping[str, Any], *, gone: bool = False) -> str:
    """Return the header of a cookie that lasts until the browser is closed, or (`gone`) deletes it."""
    parts = [f"{cookie_name(kind, scope)}={value}", "Path=/", "HttpOnly", "SameSite=Lax"]
    if _came_by_https(scope):
        parts.append("Secure")
    if gone:
        parts.append("Max-Age=0")
    return "; ".join(parts)


def _came_by_https(scope: Mapping[str, Any]) -> bool:
    """Whether the browser uses https, perhaps to a proxy before us. The guard has checked its Origin."""
    origins = [value for name, value in scope["headers"] if name.lower() == b"origin"]
    return scope.get("scheme") in ("https", "wss") or any(each.startswith(b"https://") for each in origins)


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
        await _pages(request).close_logged_out()


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


Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

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
_NO_STORE: Final = "no-store"
_REVALIDATE: Final = "no-cache"  #: for our style sheets


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
            self._add_headers(MutableHeaders(scope=message))
            if _is_page(message["headers"]):
                self._start = message
                return
        elif self._start is not None and message["type"] == "http.response.body":
            await self._collect(self._start, message)
            return
        await self._send(message)

    def _add_headers(self, headers: MutableHeaders) -> None:
        for name, value in _HEADERS.items():
            headers[name] = value
        headers.setdefault("Content-Security-Policy", _POLICY.format(nonce=self._nonce))
        headers.setdefault("Cache-Control", _REVALIDATE if self._path.startswith("/look/") else _NO_STORE)
        for cookie in self._cookies:
            headers.append("Set-Cookie", cookie)

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


def _is_page(headers: Any) -> bool:
    given: Mapping[bytes, bytes] = {name.lower(): value for name, value in headers}
    return given.get(b"content-type", b"").startswith(b"text/html") and b"content-encoding" not in given
