"""The page "scopes": whose memories there are, to be chosen, begun, exported and deleted."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse
from nicegui import ElementFilter, ui
from nicegui.element import Element
from nicegui.events import ValueChangeEventArguments

from gieok.access.caller import acting_for
from gieok.access.refusals import TurnedAway
from gieok.bank import MemoryBank, Mind
from gieok.bank.inputs import composed
from gieok.domain.scope import LONGEST_NAME, Holdings, Scope, ScopeSummary
from gieok.domain.server_state import ROLES
from gieok.errors import Forbidden, InvalidScope
from gieok.web.frame import draw_story, whose
from gieok.web.kit import EXPORT, PATHS, Said, button, card, chip, heading, moment_told, notice, said, style
from gieok.web.visitors import Gone, Visitor, visitor_in
from gieok.words import Words

if TYPE_CHECKING:
    from gieok.web.mount import Pages


def scope_of(names: dict[str, str | None], words: Words) -> Scope | str:
    """Return the scope that these names make, or what is wrong with them, in the visitor's words."""
    given = {field: (name or "").strip() or None for field, name in names.items()}
    if not any(given.values()):
        return words("scopes.create.need_name")
    if any(name is not None and len(name) > LONGEST_NAME for name in given.values()):
        return words("scopes.create.too_long", most=LONGEST_NAME)
    try:
        return Scope(**given)
    except InvalidScope:
        return words("scopes.create.odd")


def draw_creating(visitor: Visitor, *, may_write: bool) -> None:
    words = visitor.words
    with card(words("scopes.create.title")) as whole:
        whole.props('id="create"').classes("s-create")
        if not may_write:
            said(words("scopes.create.readers")).classes("g-dim")
            return
        said(words("scopes.create.text")).classes("g-dim g-small")
        fields = {name: ui.input(label=words(f"scopes.create.{name}")) for name in ("character", "user", "world")}
        for field in fields.values():
            field.props('outlined dense autocomplete="off"').on("keydown.enter", lambda: begin())
        canon = said(words("scopes.create.no_user")).classes("g-small s-canon")
        canon.set_visibility(False)
        trouble = said("").classes("g-trouble").props('role="alert"')
        trouble.set_visibility(False)

        def typed() -> None:
            given = {name: (field.value or "").strip() for name, field in fields.items()}
            canon.set_visibility(not given["user"] and any(given.values()))
            trouble.set_visibility(False)

        async def begin() -> None:
            made = scope_of({name: field.value for name, field in fields.items()}, words)
            if isinstance(made, str):
                trouble.text = made
                trouble.set_visibility(True)
                return
            (await visitor.caller()).check("writer", made)
            visitor.desk.turn_to(made)
            ui.navigate.to(PATHS["talk"])

        for field in fields.values():
            field.on_value_change(typed)
        said(words("scopes.create.nothing_yet")).classes("g-dim g-small")
        with ui.element("div").classes("g-row"):
            button(words("scopes.create.go"), begin, main=True)


Export = Callable[[Mind, MemoryBank], Iterator[bytes]]
_MEDIA_TYPE: Final = "application/x-ndjson"


def download_of(scope: Scope) -> str:
    """Return where all of a scope can be fetched; its names are in it as data."""
    names = {"user": scope.user, "character": scope.character, "world": scope.world}
    return f"{EXPORT}?{urlencode({key: name for key, name in names.items() if name is not None})}"


def download_routes() -> APIRouter:
    routes = APIRouter()

    @routes.get(EXPORT)
    async def export(request: Request) -> Response:
        visitor = visitor_in(request.scope)
        try:
            caller = await visitor.caller(counts=True)
            scope = Scope(**{each: request.query_params.get(each) or None for each in ("user", "character", "world")})
            caller.check("reader", scope)
            await visitor.notes_reading(caller, scope, f"GET {EXPORT}")
        except Gone:
            return PlainTextResponse(visitor.words("frame.forbidden"), 401)
        except TurnedAway as turned:
            return PlainTextResponse(turned.refusal.detail, turned.refusal.status)
        except InvalidScope as wrong:
            return PlainTextResponse(str(wrong), 422)
        except Forbidden as refused:
            return PlainTextResponse(str(refused), 403)
        pages: Pages = request.scope["gieok.pages"]
        lines = pages.export(visitor.bank.mind(scope), visitor.bank)
        return StreamingResponse(lines, media_type=_MEDIA_TYPE, headers={"Content-Disposition": _named(scope)})

    return routes


def _named(scope: Scope) -> str:
    told = "-".join(name for name in (scope.character, scope.user, scope.world) if name is not None)
    return f"attachment; filename=\"gieok.jsonl\"; filename*=UTF-8''{quote(f'gieok-{told}.jsonl', safe='')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One scope in the list."""

    scope: Scope
    title: str  #: the character, else the user, else the world
    beside: tuple[tuple[str, str], ...]  #: the other names, each with what it names
    is_canon: bool
    turns: int
    memories: int
    latest_at: datetime | None


def profile(summary: ScopeSummary) -> Profile:
    scope = summary.scope
    names = [(field, name) for field in ("character", "user", "world") if (name := getattr(scope, field)) is not None]
    return Profile(
        scope=scope,
        title=names[0][1],
        beside=tuple(names[1:]),
        is_canon=scope.is_canon,
        turns=summary.turns,
        memories=summary.memories,
        latest_at=summary.latest_at,
    )


def typed_name(scope: Scope) -> str:
    """Return what has to be typed before a scope is erased."""
    return " · ".join(name for name in (scope.character, scope.user, scope.world) if name is not None)


def is_meant(typed: str, scope: Scope) -> bool:
    """Whether somebody typed the name of `scope`; blanks and the dots between its parts do not matter."""

    def bare(text: str) -> str:
        return "".join(composed(text).replace("·", "").split())

    return bare(typed) == bare(typed_name(scope))


def what_goes(held: Holdings) -> dict[str, int]:
    """Return what would be erased, by name, without what there is none of."""
    counts = {
        "turns": held.turns + held.rewound,
        "utterances": held.utterances,
        "memories": held.memories,
        "concluded": held.concluded,
        "people": held.people,
        "scenes": held.scenes,
        "operations": held.operations,
        "traces": held.traces,
        "documents": held.documents,
    }
    return {name: count for name, count in counts.items() if count}


async def erased(visitor: Visitor, scope: Scope) -> bool:
    """Ask whether all of a scope shall go, and erase it if its name is typed; return whether it is gone."""
    (await visitor.caller()).check("admin", scope)
    words, name = visitor.words, typed_name(scope)
    held = await asyncio.to_thread(visitor.bank.holdings, scope)
    with ui.dialog() as dialog, ui.element("div").classes("g-card g-dialog") as asking:
        asking.props('role="alertdialog"').props["aria-label"] = words("scopes.erasing.title", name=name)
        said(words("scopes.erasing.title", name=name), "h2")
        said(words("scopes.erasing.text"))
        with ui.element("ul").classes("s-goes"):
            for what, count in what_goes(held).items():
                said(words(f"scopes.goes.{what}", n=count), "li")
            said(words("scopes.goes.relationship"), "li")
        said(words("scopes.erasing.type_name", name=name)).classes("s-type")
        typed = ui.input(label=words("scopes.erasing.field")).props('outlined dense autocomplete="off" autofocus')
        with ui.element("div").classes("g-row g-end"):
            button(words("frame.cancel"), lambda: dialog.submit(False), quiet=True)
            yes = button(words("scopes.erasing.yes"), lambda: dialog.submit(is_meant(typed.value, scope)), danger=True)
            yes.set_enabled(False)
        typed.on_value_change(lambda event: yes.set_enabled(is_meant(event.value or "", scope)))
    answer: Any = await dialog
    dialog.delete()
    if not answer:
        return False
    caller = await visitor.caller(counts=True)
    caller.check("admin", scope)  # the question may have stood there for long
    with acting_for(caller):
        gone = await asyncio.to_thread(visitor.bank.erase, scope)
    ui.notify(words("scopes.erasing.done", name=name, turns=gone.turns, memories=gone.memories))
    return True


_PAGE: Final = 20


class Listing:
    """The card of all profiles that the visitor's key opens."""

    _list: Element
    _below: Element
    _aside: Element
    _told: Said

    def __init__(self, visitor: Visitor, *, may_erase: bool) -> None:
        self._visitor = visitor
        self._may_erase = may_erase
        self._text = ""
        self._found: list[ScopeSummary] = []
        self._asked = 0  #: what was asked last: an older answer that comes late is not shown

    @property
    def is_empty(self) -> bool:
        return not self._found and not self._text

    async def draw(self) -> None:
        words = self._visitor.words
        with card(words("scopes.list")) as whole:
            whole.classes("s-list-card")
            search = ui.input(label=words("scopes.search"), on_change=self._search)
            search.props('outlined dense type="search" debounce="250"').classes("s-search")
            self._told = said("").classes("g-dim g-small").props('role="status"')
            self._list = ui.element("ul").classes("s-list")
            self._below = ui.element("div").classes("g-row")
            self._aside = ui.element("div")
            if not self._may_erase:
                said(words("scopes.erasing.admins")).classes("g-dim g-small")
        await self._anew()

    async def _search(self, event: ValueChangeEventArguments[str | None]) -> None:
        self._text = event.value or ""
        await self._anew()

    async def _anew(self) -> None:
        self._asked += 1
        asked = self._asked
        page = await self._page(None)
        if asked != self._asked:
            return
        self._found = []
        self._list.clear()
        self._add(page)
        if not page:
            missing = "empty" if self.is_empty else "found_none"
            words = self._visitor.words
            with self._below:
                notice(words(f"scopes.{missing}"), words(f"scopes.{missing}_text"))

    async def _more(self) -> None:
        self._add(await self._page(self._found[-1]))

    async def _page(self, after: ScopeSummary | None) -> list[ScopeSummary]:
        bounds = (await self._visitor.caller()).bounds
        read = partial(self._visitor.bank.latest_scopes, _PAGE, after=after, text=self._text, within=bounds)
        return await asyncio.to_thread(read)

    def _add(self, page: list[ScopeSummary]) -> None:
        words = self._visitor.words
        self._found += page
        with self._list:
            for summary in page:
                self._draw(profile(summary))
        self._told.text = words("scopes.shown", n=len(self._found)) if self._found else ""
        self._below.clear()
        if len(page) == _PAGE:
            with self._below:
                button(words("scopes.more"), self._more)

    def _draw(self, each: Profile) -> None:
        words, name = self._visitor.words, typed_name(each.scope)
        here = each.scope == self._visitor.desk.scope
        with ui.element("li").classes(f"s-profile{' s-here' if here else ''}"):
            with ui.element("div").classes("s-who"):
                with ui.element("div").classes("g-row"):
                    said(each.title, "h3")
                    if each.is_canon:
                        chip(words("scopes.canon"), "info").props["title"] = words("scopes.canon_why")
                    if here:
                        chip(words("scopes.here"), "good")
                with ui.element("p").classes("s-beside"):
                    for field, told in each.beside:
                        said(words(f"scopes.names.{field}"), "span").classes("g-dim")
                        said(told, "span")
                said(self._counts(each)).classes("g-dim g-small g-number")
                if each.is_canon:
                    said(words("scopes.canon_why")).classes("g-dim g-small")
            with ui.element("div").classes("s-do"):
                self._buttons(each, name)

    def _counts(self, each: Profile) -> str:
        words = self._visitor.words
        latest = (
            words("scopes.never")
            if each.latest_at is None
            else words("scopes.latest", at=moment_told(each.latest_at, self._visitor))
        )
        return " · ".join((words("scopes.turns", n=each.turns), words("scopes.memories", n=each.memories), latest))

    def _buttons(self, each: Profile, name: str) -> None:
        words = self._visitor.words
        opens = button(words("scopes.open"), lambda: self._turn_to(each.scope), main=True)
        opens.props["aria-label"] = words("scopes.open_of", name=name)
        export = said(words("scopes.export"), "a").classes("g-button g-plain-button s-export")
        export.props["href"] = download_of(each.scope)
        export.props["download"] = True
        export.props["aria-label"] = words("scopes.export_of", name=name)
        if self._may_erase:
            erase = button(words("scopes.erase"), lambda: self._erase(each.scope), quiet=True)
            erase.props["aria-label"] = words("scopes.erase_of", name=name)

    async def _turn_to(self, scope: Scope) -> None:
        (await self._visitor.caller()).check("reader", scope)
        self._visitor.desk.turn_to(scope)
        ui.navigate.to(PATHS["talk"])

    async def _erase(self, scope: Scope) -> None:
        with self._aside:  # not in the list, which may be drawn anew meanwhile
            gone = await erased(self._visitor, scope)
        if gone:
            await self._turn_away(scope)
            await self._anew()

    async def _turn_away(self, scope: Scope) -> None:
        """Leave a mind that is no more for the one that was talked to last, also in the head of the page."""
        visitor = self._visitor
        if visitor.desk.scope != scope:
            return
        bounds = (await visitor.caller()).bounds
        visitor.desk.turn_to(await asyncio.to_thread(visitor.bank.latest_scope, bounds))
        for shown in ElementFilter(kind=Said, marker="whose"):
            shown.text = whose(visitor)


async def build(visitor: Visitor) -> None:
    style("scopes")
    heading(visitor.words("frame.pages.scopes"))
    said(visitor.words("scopes.intro")).classes("g-dim")
    role = await _role(visitor)
    with ui.element("div").classes("s-split"):
        listing = Listing(visitor, may_erase=role == "admin")
        await listing.draw()
        with ui.element("div").classes("g-stack s-side"):
            draw_creating(visitor, may_write=role != "reader")
            if listing.is_empty:
                await draw_story(visitor)


async def _role(visitor: Visitor) -> str:
    """Return the highest role that the visitor's key has."""
    caller = await visitor.caller()
    return caller.key.role if caller.key is not None else ROLES[-1]
