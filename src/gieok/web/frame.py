"""What stands around every page: the way to the others, whose mind it is, language and theme; and what goes wrong."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal
from urllib.parse import quote

from nicegui import ui
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gieok.access.browser_sessions import LOGIN
from gieok.access.caller import Caller, acting_for
from gieok.access.refusals import TurnedAway
from gieok.bank import Mind
from gieok.conversation.story import Scene, Story, story, tell
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.errors import BankClosed, Forbidden, GieokError, InvalidScope
from gieok.web import visitors
from gieok.web.kit import PATHS, button, card, heading, notice, said, style
from gieok.web.visitors import Gone, Theme, Visitor, visitor_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How much of a story is told."""

    done: int  #: steps
    of: int
    scene: Scene


async def welcome(visitor: Visitor) -> None:
    style("scopes")
    words = visitor.words
    ui.element("img").props('src="/look/faces/happy.svg" alt="" width="88" height="88"').classes("w-face")
    heading(words("welcome.title"))
    said(words("welcome.text")).classes("g-dim")
    with ui.element("div").classes("g-split w-ways"):
        await draw_story(visitor)
        with card(words("welcome.own.title")):
            said(words("welcome.own.text"))
            with ui.element("div").classes("g-row"):
                button(words("welcome.own.go"), lambda: ui.navigate.to(f"{PATHS['scopes']}#create"))


async def draw_story(visitor: Visitor) -> None:
    """Show what the story is, and the button that loads it."""
    words = visitor.words
    told = story(visitor.bank.settings.zone)
    scope = place_for(told, (await visitor.caller()).bounds)
    with card(words("welcome.story.title")) as whole:
        whole.classes("w-story")
        said(words("welcome.story.text", user=told.user, character=told.character))
        if not _may_write(await visitor.caller(), scope):
            said(words("welcome.story.readers")).classes("g-dim")
            return
        if visitor.bank.model is not None:
            said(words("welcome.story.model")).classes("g-dim g-small")
        status = said("").classes("g-small").props('role="status"')
        bar = ui.linear_progress(0, show_value=False, color=None).classes("w-progress")
        bar.props["aria-label"] = words("welcome.story.progress")
        bar.set_visibility(False)

        async def load() -> None:
            load_button.set_enabled(False)
            caller = await visitor.caller(counts=True)
            caller.check("writer", scope)
            mind = visitor.bank.mind(scope)
            if await asyncio.to_thread(mind.turns, 1):
                status.text = words("welcome.story.already")
            else:
                status.text = words("welcome.story.starting")
                bar.set_visibility(True)
                steps = telling(told, mind)
                with acting_for(caller):
                    while (step := await asyncio.to_thread(next, steps, None)) is not None:
                        bar.value = step.done / step.of
                        status.text = words("welcome.story.loading", n=step.done, all=step.of, title=step.scene.title)
                status.text = words("welcome.story.done")
            visitor.desk.turn_to(scope)
            ui.navigate.to(PATHS["talk"])

        with ui.element("div").classes("g-row"):
            load_button = button(words("welcome.story.load"), load, main=True)


def place_for(told: Story, bounds: tuple[Bounds, ...]) -> Scope:
    """Return whose story it becomes: that of its own people, or, for a key with bounds, of those within the first."""
    own = bounds[0] if bounds else Bounds()
    return Scope(user=own.user or told.user, character=own.character or told.character, world=own.world or told.world)


def telling(told: Story, mind: Mind) -> Iterator[Progress]:
    """Tell the story to `mind`, and say after each step how far it is."""
    steps = told.turns + sum(scene.then is not None for scene in told.scenes)
    done = 0
    for scene in told.scenes:
        for _ in tell(scene, mind):
            done += 1
            yield Progress(done=done, of=steps, scene=scene)


def _may_write(caller: Caller, scope: Scope) -> bool:
    try:
        caller.check("writer", scope)
    except Forbidden:
        return False
    return True


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


Build = Callable[[Visitor], Awaitable[None]]
_SECONDS: Final = 30.0  #: that a page may take to be built
_TONGUES: Final[dict[str, Literal["ko-KR", "en-US"]]] = {"ko": "ko-KR", "en": "en-US"}  #: as Quasar calls them


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the inspector."""

    name: str  #: also of its file of words
    path: str
    build: Build
    needs_mind: bool = True  #: without one there is nothing to show: the welcome is shown instead

    def lay_out(self) -> None:
        """Have it drawn for whoever asks for its path."""

        async def shown(request: Request) -> Response | None:
            visitors.make_room()
            visitor = visitor_in(request.scope)
            _speak(visitor)
            by_link = _turn_to(visitor, request)
            try:
                await framed(visitor, self.name, self.build, needs_mind=self.needs_mind, by_link=by_link)
            except Gone:
                return RedirectResponse(f"{LOGIN}?to={quote(self.path)}", 303)
            return None

        ui.page(self.path, response_timeout=_SECONDS)(shown)


def _speak(visitor: Visitor) -> None:
    """Have Quasar and NiceGUI speak the visitor's language, too: they know one for all who open a page."""
    client = ui.context.client
    client.page = copy.copy(client.page)
    client.page.language = _TONGUES[visitor.language]


def _turn_to(visitor: Visitor, request: Request) -> bool:
    """Look into the mind that a link names: `/memories?user=minsu&character=letia`. Return whether it names one."""
    named = {each: request.query_params.get(each) or None for each in ("user", "character", "world")}
    try:
        scope = Scope(**named)
    except InvalidScope:
        return False  # it names nobody, or nobody who could have a memory: the desk stays as it is
    if scope != visitor.desk.scope:
        visitor.desk.turn_to(scope)
    return True
