"""What stands around every page: the way to the others, whose mind it is, language and theme; and what goes wrong."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from nicegui import ui

from gieok.access.refusals import TurnedAway
from gieok.access.visits import LOGIN
from gieok.domain.scope import Scope
from gieok.errors import BankClosed, Forbidden, GieokError
from gieok.web.desks import Theme
from gieok.web.kit import button, heading, notice, said
from gieok.web.paths import PATHS
from gieok.web.visitors import Gone, Visitor
from gieok.web.welcome import welcome

log = logging.getLogger(__name__)
_LOOK: Final = '<link rel="stylesheet" href="/look/gieok.css"><script defer src="/look/gieok.js"></script>'
_NEXT_THEME: Final[dict[Theme, Theme]] = {"auto": "light", "light": "dark", "dark": "auto"}
_DARK: Final[dict[Theme, bool | None]] = {"auto": None, "light": False, "dark": True}


async def framed(
    visitor: Visitor, name: str, build: Callable[[Visitor], Awaitable[None]], *, needs_mind: bool, by_link: bool = False
) -> None:
    """Build a page within its frame; where there is no mind to look into, the welcome instead.

    `by_link`: a link named whose mind it is to be; if it is closed to them, they are told so. Raises `Gone`.
    """
    words = visitor.words
    ui.on_exception(lambda error: _tell(visitor, error))
    ui.add_head_html(_LOOK)
    ui.page_title(f"{words(f'frame.pages.{name}')} · gieok 기억")
    ui.dark_mode(_DARK[visitor.desk.theme])
    ui.query("html").props(f'lang="{visitor.language}"')
    scope = visitor.desk.scope
    caller = await visitor.caller()
    if scope is None or not (by_link or caller.opens(scope)):
        scope = await asyncio.to_thread(visitor.bank.latest_scope, caller.bounds)
        visitor.desk.turn_to(scope)
    visitor = replace(visitor, page=scope)
    with ui.header(elevated=False).classes("g-header"):
        _head(visitor, name, leaves=caller.key is not None)
    with ui.element("div").classes(f"g-page g-page-{name}") as inside:
        trouble = await _built(visitor, build, needs_mind=needs_mind)
        if trouble is not None:
            inside.clear()
            heading(words(f"frame.pages.{name}"))
            notice(*trouble)


async def _built(
    visitor: Visitor, build: Callable[[Visitor], Awaitable[None]], *, needs_mind: bool
) -> tuple[str, str] | None:
    """Build what is in the frame; return what to say where that does not work."""
    words = visitor.words
    try:
        if needs_mind and visitor.scope is None:
            await welcome(visitor)
            return None
        if needs_mind:
            await visitor.mind()  # or it is closed to them
        await build(visitor)
    except Gone:
        raise
    except Forbidden:
        return words("frame.forbidden"), words("frame.forbidden_why")
    except GieokError as trouble:
        return words("frame.trouble"), str(trouble)
    except TurnedAway as turned:
        return words("frame.busy"), turned.refusal.detail
    except Exception:  # the edge of the process: whatever went wrong, they see that, and the log has it
        log.exception("a page failed")
        return words("frame.failed"), ""
    return None


def _head(visitor: Visitor, name: str, *, leaves: bool) -> None:
    words = visitor.words
    ui.link(words("frame.skip"), "#content").classes("g-skip")
    with ui.element("div").classes("g-bar"):
        with ui.link(target=PATHS["talk"]).classes("g-brand").props(f'aria-label="{words("frame.home")}"'):
            said("gieok", tag="span").classes("g-brand-latin")
            said("기억", tag="span").classes("g-brand-hangul").props('lang="ko"')
        with ui.link(target=PATHS["scopes"]).classes("g-whose"):
            said(words("frame.whose"), tag="span").classes("g-dim")
            said(whose(visitor), tag="span").mark("whose")
        with ui.element("div").classes("g-switches"):
            _switches(visitor)
            if leaves:
                with ui.element("form").props('method="post" action="/logout"'):
                    said(words("frame.leave"), tag="button").props('type="submit"').classes("g-button g-quiet")
    with ui.element("nav").classes("g-nav").props(f'aria-label="{words("frame.navigation")}"'):
        for each, path in PATHS.items():
            link = ui.link(words(f"frame.pages.{each}"), path).classes("g-tab")
            if each == name:
                link.classes("g-here").props('aria-current="page"')


def whose(visitor: Visitor) -> str:
    """Return the name of the mind on the desk, as people read it."""
    scope = visitor.desk.scope
    return visitor.words("frame.nobody") if scope is None else scope_name(visitor, scope)


def scope_name(visitor: Visitor, scope: Scope) -> str:
    parts = (scope.character, scope.user, scope.world)
    told = [part for part in parts if part is not None]
    return " · ".join(told) if told else visitor.words("frame.nobody")


def _switches(visitor: Visitor) -> None:
    words, desk = visitor.words, visitor.desk

    def switch_language() -> None:
        desk.language = "en" if visitor.language == "ko" else "ko"
        ui.navigate.reload()

    def switch_theme() -> None:
        desk.theme = _NEXT_THEME[desk.theme]
        ui.navigate.reload()

    button(words("frame.other_language"), switch_language, quiet=True).props(
        f'lang="{"en" if visitor.language == "ko" else "ko"}"'
    ).mark("language")
    button(words(f"frame.theme.{desk.theme}"), switch_theme, quiet=True).props(
        f'title="{words("frame.theme.title")}"'
    ).mark("theme")


def _tell(visitor: Visitor, error: Exception) -> None:
    """Say what went wrong to the visitor; what is a fault of ours stands in the log as well."""
    words = visitor.words
    match error:
        case Gone():
            ui.navigate.to(LOGIN)
        case TurnedAway():
            ui.notify(words("frame.busy"), caption=error.refusal.detail, type="warning")
        case Forbidden():
            ui.notify(words("frame.forbidden"), caption=words("frame.forbidden_why"), type="warning")
        case BankClosed():
            ui.notify(words("frame.closing"), type="warning")
        case GieokError():
            ui.notify(str(error), type="warning", multi_line=True)
        case _:
            ui.notify(words("frame.failed"), type="negative")
