"""Showing a key: the one page for whoever has shown none. It is plain HTML, and no script runs in it."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from gieok.access.refusals import TurnedAway
from gieok.access.visits import COOKIE, IDLE_SECONDS, LOGIN, cookie_in
from gieok.web import desks
from gieok.web.cookies import set_cookie
from gieok.web.paths import PATHS
from gieok.web.visitors import visitor_in

if TYPE_CHECKING:
    from gieok.web.mounting import Door, Pages

_PAGE: Final = """<!doctype html><html lang="{language}"><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="/look/icon.svg"><link rel="stylesheet" href="/look/gieok.css">
<body class="g-plain"><main class="g-login"><img src="/look/faces/neutral.svg" alt="" width="96" height="96">
<h1>{title}</h1><p>{why}</p>{trouble}<form method="post" action="{action}">
<input name="username" value="gieok" autocomplete="username" hidden>
<label for="key">{label}</label><input id="key" name="key" type="password" autocomplete="current-password"
 required autofocus spellcheck="false" maxlength="200"><button type="submit">{enter}</button></form>
<p class="g-dim">{hint}</p></main></body></html>"""


def login_routes() -> APIRouter:
    """Return the way in for those with a key, and the way out."""
    routes = APIRouter()

    @routes.get(LOGIN)
    async def asked(request: Request, to: str = "/") -> Response:
        if await visitor_in(request.scope).who() is not None:
            return RedirectResponse(_inside(to), 303)
        return _form(request, to)

    @routes.post(LOGIN)
    async def shown(request: Request, to: str = "/") -> Response:
        given = parse_qs((await request.body()).decode("utf-8", "replace")).get("key", [""])[0].strip()
        try:
            cookie = await _door(request).log_in(given)
        except TurnedAway as turned:
            return _form(request, to, refused=turned.refusal.status)
        answer = RedirectResponse(_inside(to), 303)
        answer.headers.append("Set-Cookie", set_cookie(COOKIE, cookie, request.scope, seconds=int(IDLE_SECONDS)))
        return answer

    @routes.post("/logout")
    async def left(request: Request) -> Response:
        sent = request.headers.get("cookie")
        cookie = cookie_in(sent)
        if cookie is not None:
            _door(request).log_out(cookie)
        _pages(request).desks.clear(cookie_in(sent, desks.COOKIE))
        answer = RedirectResponse(LOGIN, 303)
        for name in (COOKIE, desks.COOKIE):
            answer.headers.append("Set-Cookie", set_cookie(name, "", request.scope, seconds=0))
        return answer

    return routes


def _pages(request: Request) -> Pages:
    from gieok.web.mounting import Pages

    pages = request.scope["gieok.pages"]
    assert isinstance(pages, Pages)
    return pages


def _door(request: Request) -> Door:
    door = _pages(request).door
    assert door is not None
    return door


def _inside(to: str) -> str:
    """Return where to go on: a page of ours, whatever a link says."""
    return to if to in PATHS.values() else "/"


def _form(request: Request, to: str, *, refused: int | None = None) -> HTMLResponse:
    words = visitor_in(request.scope).words
    trouble = "wrong" if refused == 401 else "busy"
    page = _PAGE.format(
        language=words.language,
        title=escape(words("login.title")),
        why=escape(words("login.why")),
        trouble="" if refused is None else f'<p role="alert" class="g-trouble">{escape(words(f"login.{trouble}"))}</p>',
        action=f"{LOGIN}?to={_inside(to)}",
        label=escape(words("login.key")),
        enter=escape(words("login.enter")),
        hint=escape(words("login.hint")),
    )
    return HTMLResponse(page, status_code=200 if refused is None else refused)
