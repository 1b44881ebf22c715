"""Showing a key: the one page for whoever has shown none. It is plain HTML, and no script runs in it."""

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
from gieok.web import visitors
from gieok.web.kit import PATHS
from gieok.web.visitors import Door, visitor_in

if TYPE_CHECKING:
    from gieok.web.mount import Pages


def set_cookie(kind: str, value: str, scope: Mapping[str, Any], *, gone: bool = False) -> str:
    """Return the header for a cookie that lasts until the browser is closed, or (`gone`) no longer."""
    parts = [f"{cookie_name(kind, scope)}={value}", "Path=/", "HttpOnly", "SameSite=Lax"]
    if _came_by_https(scope):
        parts.append("Secure")
    if gone:
        parts.append("Max-Age=0")
    return "; ".join(parts)


def _came_by_https(scope: Mapping[str, Any]) -> bool:
    """Whether the browser speaks https, if need be to a proxy before us: the guard has looked at its Origin."""
    origins = [value for name, value in scope["headers"] if name.lower() == b"origin"]
    return scope.get("scheme") in ("https", "wss") or any(each.startswith(b"https://") for each in origins)


POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
_LONGEST: Final = 4_000  #: letters of an address to go on to
_PAGE: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{title} · gieok 기억</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/look/icon.svg"><link rel="stylesheet" href="/look/gieok.css">
<body class="g-plain"><main class="g-login"><img src="/look/faces/neutral.svg" alt="" width="96" height="96">
<h1>{title}</h1><p>{why}</p>{trouble}<form method="post" action="{action}">
<input name="username" value="gieok" autocomplete="username" hidden>
<label for="key">{label}</label><input id="key" name="key" type="password" autocomplete="current-password"
 required autofocus spellcheck="false" maxlength="200"{invalid}><button type="submit">{enter}</button></form>
<p class="g-dim">{hint}</p></main></body></html>"""


def login_routes() -> APIRouter:
    """Return the way in for those with a key, and the way out."""
    routes = APIRouter()

    @routes.get(LOGIN)
    async def asked(request: Request, to: str = "/") -> Response:
        try:
            known = await visitor_in(request.scope).who() is not None
        except TurnedAway as turned:
            return _form(request, to, refused=turned.refusal.status)
        return RedirectResponse(inside(to), 303) if known else _form(request, to)

    @routes.post(LOGIN)
    async def shown(request: Request, to: str = "/") -> Response:
        given = parse_qs((await request.body()).decode("utf-8", "replace")).get("key", [""])[0].strip()
        try:
            cookie = await _door(request).log_in(given)
        except TurnedAway as turned:
            return _form(request, to, refused=turned.refusal.status)
        await _end_visit(request)  # with another key, perhaps
        answer = RedirectResponse(inside(to), 303)
        answer.headers.append("Set-Cookie", set_cookie("visit", cookie, request.scope))
        return answer

    @routes.post(LOGOUT)
    async def left(request: Request) -> Response:
        await _end_visit(request)
        _pages(request).desks.clear(cookie_in(request.scope, visitors.COOKIE))
        answer = RedirectResponse(LOGIN, 303)
        answer.headers.append("Set-Cookie", set_cookie("visit", "", request.scope, gone=True))
        return answer

    return routes


async def _end_visit(request: Request) -> None:
    cookie = cookie_in(request.scope)
    if cookie is not None:
        _door(request).log_out(cookie)
        await _pages(request).look_after()


def _pages(request: Request) -> Pages:
    from gieok.web.mount import Pages

    pages = request.scope["gieok.pages"]
    assert isinstance(pages, Pages)
    return pages


def _door(request: Request) -> Door:
    door = _pages(request).door
    assert door is not None
    return door


def inside(to: str) -> str:
    """Return where to go on: a page of ours, whatever a link says, with what the link asks of it."""
    path, _, query = to.partition("?")
    if path not in PATHS.values() or len(to) > _LONGEST:
        return "/"
    asked = urlencode(parse_qsl(query))
    return f"{path}?{asked}" if asked else path


def _form(request: Request, to: str, *, refused: int | None = None) -> HTMLResponse:
    words = visitor_in(request.scope).words
    trouble = "wrong" if refused == 401 else "busy"
    said = f'<p role="alert" id="trouble" class="g-trouble">{escape(words(f"login.{trouble}"))}</p>'
    page = _PAGE.format(
        language=words.language,
        title=escape(words("login.title")),
        why=escape(words("login.why")),
        trouble="" if refused is None else said,
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
    "default-src 'self'; script-src 'self' 'nonce-{mark}' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; frame-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
)
_HEADERS: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  #: with "no-referrer", browsers would not say where a form comes from
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_SCRIPT: Final = re.compile(rb"<script(?=[\s>])")
_NO_STORE: Final = "no-store"
_ASK_AGAIN: Final = "no-cache"  #: style sheets of ours: kept, but not without asking whether they still hold


class Answering:
    """Sends one answer on. A page is held back until it is whole, and its scripts are marked."""

    def __init__(self, send: Send, *, path: str, cookies: tuple[str, ...] = ()) -> None:
        self._send = send
        self._path = path
        self._cookies = cookies
        self._mark = secrets.token_urlsafe(16)
        self._start: Message | None = None
        self._page = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._furnish(MutableHeaders(scope=message))
            if _is_page(message["headers"]):
                self._start = message
                return
        elif self._start is not None and message["type"] == "http.response.body":
            await self._hold_back(self._start, message)
            return
        await self._send(message)

    def _furnish(self, headers: MutableHeaders) -> None:
        for name, value in _HEADERS.items():
            headers[name] = value
        headers.setdefault("Content-Security-Policy", _POLICY.format(mark=self._mark))
        headers.setdefault("Cache-Control", _ASK_AGAIN if self._path.startswith("/look/") else _NO_STORE)
        for cookie in self._cookies:
            headers.append("Set-Cookie", cookie)

    async def _hold_back(self, start: Message, message: Message) -> None:
        self._page += message.get("body", b"")
        if message.get("more_body", False):
            return
        # What was written by anybody stands there with &lt; for <: only scripts of NiceGUI's and ours are found.
        marked = _SCRIPT.sub(f'<script nonce="{self._mark}"'.encode(), bytes(self._page))
        MutableHeaders(scope=start)["Content-Length"] = str(len(marked))
        self._start = None
        await self._send(start)
        await self._send({"type": "http.response.body", "body": marked})


def _is_page(headers: Any) -> bool:
    told: Mapping[bytes, bytes] = {name.lower(): value for name, value in headers}
    return told.get(b"content-type", b"").startswith(b"text/html") and b"content-encoding" not in told
