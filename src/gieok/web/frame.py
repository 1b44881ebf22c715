"""The frame of every page: navigation, profile, language, theme and error messages; the welcome of an empty bank."""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Final, Literal
from urllib.parse import quote

from nicegui import ui
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from gieok.access.caller import TurnedAway, acting_for
from gieok.access.guard import LOGIN
from gieok.conversation.story import Story, story, tell
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.errors import BankClosed, Forbidden, GieokError, InvalidScope
from gieok.web.kit import PATHS, box, button, card, heading, hint, notice, status, style, write
from gieok.web.viewer import LoggedOut, Theme, Viewer, drop_waiting_pages, viewer_in
from gieok.words import Words

log = logging.getLogger(__name__)
Build = Callable[[Viewer], Awaitable[None]]
_HEAD: Final = '<link rel="stylesheet" href="/look/gieok.css"><script defer src="/look/gieok.js"></script>'
_NEXT_THEME: Final[dict[Theme, Theme]] = {"auto": "light", "light": "dark", "dark": "auto"}
_DARK: Final[dict[Theme, bool | None]] = {"auto": None, "light": False, "dark": True}
_BUILD_SECONDS: Final = 30.0  #: that a page may take to be built
_QUASAR: Final[dict[str, Literal["ko-KR", "en-US"]]] = {"ko": "ko-KR", "en": "en-US"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page of the inspector."""

    name: str  #: also the name of its file of words
    path: str
    build: Build
    needs_mind: bool = True  #: where there is none, the welcome is shown instead

    def register(self) -> None:
        async def shown(request: Request) -> Response | None:
            drop_waiting_pages()
            viewer = viewer_in(request.scope)
            client = ui.context.client
            client.page = copy.copy(client.page)  # NiceGUI has one language for all viewers of a page
            client.page.language = _QUASAR[viewer.language]
            try:
                await self._draw(viewer, by_link=_follow_link(viewer, request))
            except LoggedOut:
                return RedirectResponse(f"{LOGIN}?to={quote(self.path)}", 303)
            return None

        ui.page(self.path, response_timeout=_BUILD_SECONDS)(shown)

    async def _draw(self, viewer: Viewer, *, by_link: bool) -> None:
        """Draw the page in its frame. A link to a profile that the key does not open is kept and says so."""
        words = viewer.words
        title = words(f"frame.pages.{self.name}")
        ui.on_exception(lambda error: _notify(viewer, error))
        ui.add_head_html(_HEAD)
        ui.page_title(f"{title} · {words('frame.brand')}")
        ui.dark_mode(_DARK[viewer.session.theme])
        ui.query("html").props(f'lang="{viewer.language}"')
        scope, caller = viewer.session.scope, await viewer.caller()
        if scope is None or not (by_link or caller.opens(scope)):
            scope = await asyncio.to_thread(viewer.bank.latest_scope, caller.bounds)
            viewer.session.switch_to(scope)
        viewer = replace(viewer, page_scope=scope)
        with ui.header(elevated=False).classes("g-header"):
            _header(viewer, self.name, logged_in=caller.key is not None)
        with box(f"g-page g-page-{self.name}") as inside:
            trouble = await self._build(viewer)
            if trouble is not None:
                inside.clear()
                heading(title)
                notice(*trouble)

    async def _build(self, viewer: Viewer) -> tuple[str, str] | None:
        """Draw what is in the frame; return the title and text of an error."""
        try:
            if self.needs_mind and viewer.scope is None:
                await _welcome(viewer)
                return None
            if self.needs_mind:
                await viewer.mind()  # raises where their key does not open it
            await self.build(viewer)
        except LoggedOut:
            raise
        except Exception as error:  # the edge of the process: the viewer sees that it failed
            if not isinstance(error, GieokError | TurnedAway):
                log.exception("a page failed")
            return _told(error, viewer.words)
        return None


def _follow_link(viewer: Viewer, request: Request) -> bool:
    """Switch to the profile in a link such as `/memories?user=minsu&character=letia`; return whether it names one."""
    try:
        scope = Scope(**{each: request.query_params.get(each) or None for each in ("user", "character", "world")})
    except InvalidScope:
        return False
    if scope != viewer.session.scope:
        viewer.session.switch_to(scope)
    return True


def _header(viewer: Viewer, name: str, *, logged_in: bool) -> None:
    words = viewer.words
    ui.link(words("frame.skip"), "#content").classes("g-skip")
    with box("g-bar"):
        with ui.link(target=PATHS["talk"]).classes("g-brand").props(f'aria-label="{words("frame.home")}"'):
            write("gieok", "span", "g-brand-latin")
            write(words("frame.logo"), "span", "g-brand-hangul").props('lang="ko"')
        with ui.link(target=PATHS["scopes"]).classes("g-whose"):
            write(words("frame.whose"), "span", "g-dim")
            write(profile_name(viewer), "span").mark("whose")
        with box("g-switches"):
            _switches(viewer)
            if logged_in:
                with box("", "form", method="post", action="/logout"):
                    write(words("frame.leave"), "button", "g-button g-quiet").props('type="submit"')
    with box("g-nav", "nav").props(f'aria-label="{words("frame.navigation")}"'):
        for each, path in PATHS.items():
            tab = ui.link(words(f"frame.pages.{each}"), path).classes("g-tab")
            if each == name:
                tab.classes("g-here").props('aria-current="page"')


def full_name(scope: Scope) -> str:
    """Return the name of a profile, which has to be typed before it is deleted."""
    return " · ".join(filter(None, (scope.character, scope.user, scope.world)))


def profile_name(viewer: Viewer) -> str:
    scope = viewer.session.scope
    return viewer.words("frame.nobody") if scope is None else full_name(scope)


def _switches(viewer: Viewer) -> None:
    words, session = viewer.words, viewer.session
    other: Literal["ko", "en"] = "en" if viewer.language == "ko" else "ko"

    def switch_language() -> None:
        session.language = other
        ui.navigate.reload()

    def switch_theme() -> None:
        session.theme = _NEXT_THEME[session.theme]
        ui.navigate.reload()

    button(words("frame.other_language"), switch_language, quiet=True).props(f'lang="{other}"').mark("language")
    theme = button(words(f"frame.theme.{session.theme}"), switch_theme, quiet=True).mark("theme")
    theme.props["title"] = words("frame.theme.title")


def _told(error: Exception, words: Words) -> tuple[str, str]:
    """Return the title and the text of an error."""
    match error:
        case TurnedAway():
            return words("frame.busy"), error.detail
        case Forbidden():
            return words("frame.forbidden"), words("frame.forbidden_why")
        case GieokError():
            return words("frame.trouble"), error.in_language(words)
    return words("frame.failed"), ""


def _notify(viewer: Viewer, error: Exception) -> None:
    title, why = _told(error, viewer.words)
    match error:
        case LoggedOut():
            ui.navigate.to(LOGIN)
        case TurnedAway() | Forbidden():
            ui.notify(title, caption=why, type="warning")
        case BankClosed():
            ui.notify(viewer.words("frame.closing"), type="warning")
        case GieokError():
            ui.notify(why, type="warning", multi_line=True)
        case _:
            ui.notify(title, type="negative")


async def _welcome(viewer: Viewer) -> None:
    """Draw what an empty bank offers: the demo story, or a profile of one's own."""
    style("scopes")
    words = viewer.words
    box("", "img", src="/look/faces/happy.svg", alt="", width="88", height="88").classes("w-face")
    heading(words("welcome.title"))
    write(words("welcome.text")).classes("g-dim")
    with box("g-split w-ways"):
        await story_card(viewer)
        with card(words("welcome.own.title")):
            write(words("welcome.own.text"))
            with box("g-row"):
                button(words("welcome.own.go"), lambda: ui.navigate.to(f"{PATHS['scopes']}#create"))


async def story_card(viewer: Viewer) -> None:
    words, told = viewer.words, story(viewer.bank.settings.zone)
    scope = story_scope(told, (await viewer.caller()).bounds)
    with card(words("welcome.story.title"), "w-story"):
        write(words("welcome.story.text", user=told.user, character=told.character))
        try:
            (await viewer.caller()).check("writer", scope)
        except Forbidden:
            write(words("welcome.story.readers")).classes("g-dim")
            return
        if viewer.bank.model is not None:
            hint(words("welcome.story.model"))
        progress = status(classes="g-small")
        bar = ui.linear_progress(0, show_value=False, color=None).classes("w-progress")
        bar.props["aria-label"] = words("welcome.story.progress")
        bar.set_visibility(False)

        async def load() -> None:
            load_button.set_enabled(False)
            caller = await viewer.caller(counts=True)
            caller.check("writer", scope)
            mind = viewer.bank.mind(scope)
            if await asyncio.to_thread(mind.turns, 1):
                progress.text = words("welcome.story.already")
            else:
                progress.text = words("welcome.story.starting")
                bar.set_visibility(True)
                steps = ((scene, step) for scene in told.scenes for step in tell(scene, mind))
                done, number = 0, told.turns + sum(scene.then is not None for scene in told.scenes)
                with acting_for(caller):
                    while (step := await asyncio.to_thread(next, steps, None)) is not None:
                        done += 1
                        bar.value = done / number
                        progress.text = words("welcome.story.loading", n=done, all=number, title=step[0].title)
                progress.text = words("welcome.story.done")
            viewer.session.switch_to(scope)
            ui.navigate.to(PATHS["talk"])

        with box("g-row"):
            load_button = button(words("welcome.story.load"), load, main=True)


def story_scope(told: Story, bounds: tuple[Bounds, ...]) -> Scope:
    """Return the profile for the story: its own, or for a key with bounds one within the first of them."""
    own = bounds[0] if bounds else Bounds()
    return Scope(user=own.user or told.user, character=own.character or told.character, world=own.world or told.world)
