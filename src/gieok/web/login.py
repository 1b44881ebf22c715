"""Showing a key: the one page for whoever has shown none. It is plain HTML, and no script runs in it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, parse_qsl, quote, urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from gieok.access.refusals import TurnedAway
from gieok.access.visits import LOGIN, LOGOUT, cookie_in
from gieok.web import desks
from gieok.web.cookies import set_cookie
from gieok.web.paths import PATHS
from gieok.web.visitors import Door, visitor_in

if TYPE_CHECKING:
    from gieok.web.mounting import Pages

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
        _pages(request).desks.clear(cookie_in(request.scope, desks.COOKIE))
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
    from gieok.web.mounting import Pages

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
