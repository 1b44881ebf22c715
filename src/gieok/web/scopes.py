"""The page "profiles": choose, create, export and delete the memory of a user and a character."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse
from nicegui import ElementFilter, ui
from nicegui.events import ValueChangeEventArguments

from gieok.access.caller import TurnedAway, acting_for, note_reading
from gieok.bank import MemoryBank, Mind
from gieok.bank.inputs import composed
from gieok.domain.scope import LONGEST_NAME, Holdings, Scope, ScopeSummary
from gieok.domain.server_state import ROLES
from gieok.errors import Forbidden, InvalidScope
from gieok.web import kit
from gieok.web.frame import full_name, profile_name, story_card
from gieok.web.viewer import LoggedOut, Viewer, viewer_in
from gieok.words import Words

Export = Callable[[Mind, MemoryBank], Iterator[bytes]]
_NAMES: Final = ("character", "user", "world")
_PAGE: Final = 20


async def build(viewer: Viewer) -> None:
    kit.style("scopes")
    kit.heading(viewer.words("frame.pages.scopes"))
    kit.write(viewer.words("scopes.intro")).classes("g-dim")
    key = (await viewer.caller()).key
    role = key.role if key is not None else ROLES[-1]
    with kit.box("s-split"):
        profiles = _Profiles(viewer, may_erase=role == "admin")
        await profiles.draw()
        with kit.box("g-stack s-side"):
            _draw_form(viewer, may_write=role != "reader")
            if profiles.is_empty:
                await story_card(viewer)


def _draw_form(viewer: Viewer, *, may_write: bool) -> None:
    words = viewer.words
    with kit.card(words("scopes.create.title"), "s-create") as form:
        form.props('id="create"')
        if not may_write:
            kit.write(words("scopes.create.readers")).classes("g-dim")
            return
        kit.hint(words("scopes.create.text"))
        fields = {name: ui.input(label=words(f"scopes.create.{name}")) for name in _NAMES}
        for field in fields.values():
            field.props('outlined dense autocomplete="off"').on("keydown.enter", lambda: begin())
        canon = kit.write(words("scopes.create.no_user")).classes("g-small s-canon")
        canon.set_visibility(False)
        trouble = kit.write("").classes("g-trouble").props('role="alert"')
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
            (await viewer.caller()).check("writer", made)
            viewer.session.switch_to(made)
            ui.navigate.to(kit.PATHS["talk"])

        for field in fields.values():
            field.on_value_change(typed)
        kit.hint(words("scopes.create.nothing_yet"))
        with kit.box("g-row"):
            kit.button(words("scopes.create.go"), begin, main=True)


def scope_of(names: Mapping[str, str | None], words: Words) -> Scope | str:
    """Return the scope of these names, or a message that says what is wrong with them."""
    given = {field: (name or "").strip() or None for field, name in names.items()}
    if not any(given.values()):
        return words("scopes.create.need_name")
    if any(name is not None and len(name) > LONGEST_NAME for name in given.values()):
        return words("scopes.create.too_long", most=LONGEST_NAME)
    try:
        return Scope(**given)
    except InvalidScope:
        return words("scopes.create.odd")


def names_of(scope: Scope) -> dict[str, str]:
    return {field: name for field in _NAMES if (name := getattr(scope, field)) is not None}


def download_routes() -> APIRouter:
    routes = APIRouter()

    @routes.get(kit.EXPORT)
    async def export(request: Request) -> Response:
        viewer = viewer_in(request.scope)
        try:
            caller = await viewer.caller(counts=True)
            scope = Scope(**{each: request.query_params.get(each) or None for each in _NAMES})
            caller.check("reader", scope)
            await note_reading(viewer.bank, caller, scope, f"GET {kit.EXPORT}")
        except LoggedOut:
            return PlainTextResponse(viewer.words("frame.forbidden"), 401)
        except TurnedAway as turned:
            return PlainTextResponse(turned.detail, turned.status)
        except InvalidScope as wrong:
            return PlainTextResponse(str(wrong), 422)
        except Forbidden as refused:
            return PlainTextResponse(str(refused), 403)
        lines = request.scope["gieok.pages"].export(viewer.bank.mind(scope), viewer.bank)
        file = quote(f"gieok-{'-'.join(names_of(scope).values())}.jsonl", safe="")
        named = f"attachment; filename=\"gieok.jsonl\"; filename*=UTF-8''{file}"
        return StreamingResponse(lines, media_type="application/x-ndjson", headers={"Content-Disposition": named})

    return routes


class _Profiles:
    _list: kit.GrowingList[ScopeSummary]
    _status: kit.TextElement

    def __init__(self, viewer: Viewer, *, may_erase: bool) -> None:
        self._viewer, self._may_erase = viewer, may_erase
        self._text = ""

    @property
    def is_empty(self) -> bool:
        return not self._list.shown and not self._text

    async def draw(self) -> None:
        words = self._viewer.words
        with kit.card(words("scopes.list"), "s-list-card"):
            search = ui.input(label=words("scopes.search"), on_change=self._search)
            search.props('outlined dense type="search" debounce="250"').classes("s-search")
            self._status = kit.status()
            self._list = kit.GrowingList(
                self._read, self._draw_profile, more=words("frame.more"), tag="ul", classes="s-list"
            )
            self._dialogs = kit.box()  # not in the list, which may be redrawn meanwhile
            if not self._may_erase:
                kit.hint(words("scopes.erasing.admins"))
        await self._load()

    async def _search(self, event: ValueChangeEventArguments[str | None]) -> None:
        self._text = event.value or ""
        await self._load()

    async def _load(self) -> None:
        words, missing = self._viewer.words, "found_none" if self._text else "empty"
        self._list.empty = words(f"scopes.{missing}"), words(f"scopes.{missing}_text")
        await self._list.load()

    async def _read(self, after: ScopeSummary | None) -> tuple[list[ScopeSummary], ScopeSummary | None]:
        bank, text, bounds = self._viewer.bank, self._text, (await self._viewer.caller()).bounds
        page = await asyncio.to_thread(bank.latest_scopes, _PAGE, after=after, text=text, within=bounds)
        shown = len(page) + (self._list.shown if after is not None else 0)
        if text == self._text:
            self._status.text = self._viewer.words("scopes.shown", n=shown) if shown else ""
        return page, page[-1] if len(page) == _PAGE else None

    def _draw_profile(self, summary: ScopeSummary) -> None:
        words, scope = self._viewer.words, summary.scope
        (_, title), *others = names_of(scope).items()
        here = scope == self._viewer.session.scope
        at = kit.date_time(summary.latest_at, self._viewer) if summary.latest_at is not None else None
        latest = words("scopes.never") if at is None else words("scopes.latest", at=at)
        counts = (words("scopes.turns", n=summary.turns), words("scopes.memories", n=summary.memories), latest)
        with kit.box(f"s-profile{' s-here' if here else ''}", "li"):
            with kit.box("s-who"):
                with kit.box("g-row"):
                    kit.write(title, "h3")
                    if scope.is_canon:
                        kit.chip(words("scopes.canon"), "info").props["title"] = words("scopes.canon_why")
                    if here:
                        kit.chip(words("scopes.here"), "good")
                with kit.box("s-beside", "p"):
                    for field, name in others:
                        kit.write(words(f"scopes.names.{field}"), "span", "g-dim")
                        kit.write(name, "span")
                kit.hint(" · ".join(counts)).classes("g-number")
                if scope.is_canon:
                    kit.hint(words("scopes.canon_why"))
            name = full_name(scope)
            with kit.box("s-do"):
                label = words("scopes.open_of", name=name)
                kit.button(words("scopes.open"), lambda: self._open(scope), label=label, main=True)
                file, label = f"{kit.EXPORT}?{urlencode(names_of(scope))}", words("scopes.export_of", name=name)
                classes = "g-button g-plain-button s-export"
                kit.write(words("scopes.export"), "a", classes, href=file, download=True, aria_label=label)
                if self._may_erase:
                    label = words("scopes.erase_of", name=name)
                    kit.button(words("scopes.erase"), lambda: self._erase(scope), label=label, quiet=True)

    async def _open(self, scope: Scope) -> None:
        (await self._viewer.caller()).check("reader", scope)
        self._viewer.session.switch_to(scope)
        ui.navigate.to(kit.PATHS["talk"])

    async def _erase(self, scope: Scope) -> None:
        viewer = self._viewer
        with self._dialogs:
            gone = await _erased(viewer, scope)
        if not gone:
            return
        if viewer.session.scope == scope:  # go on with the profile that was used last
            bounds = (await viewer.caller()).bounds
            viewer.session.switch_to(await asyncio.to_thread(viewer.bank.latest_scope, bounds))
            for shown in ElementFilter(kind=kit.TextElement, marker="whose"):
                shown.text = profile_name(viewer)
        await self._load()


async def _erased(viewer: Viewer, scope: Scope) -> bool:
    """Ask for the name of a profile and delete it; return whether it is gone."""
    (await viewer.caller()).check("admin", scope)
    words, name = viewer.words, full_name(scope)
    held = await asyncio.to_thread(viewer.bank.holdings, scope)
    with ui.dialog() as dialog, kit.box("g-card g-dialog") as asking:
        asking.props('role="alertdialog"').props["aria-label"] = words("scopes.erasing.title", name=name)
        kit.write(words("scopes.erasing.title", name=name), "h2")
        kit.write(words("scopes.erasing.text"))
        with kit.box("s-goes", "ul"):
            for what, count in what_goes(held).items():
                kit.write(words(f"scopes.goes.{what}", n=count), "li")
            kit.write(words("scopes.goes.relationship"), "li")
        kit.write(words("scopes.erasing.type_name", name=name)).classes("s-type")
        typed = ui.input(label=words("scopes.erasing.field")).props('outlined dense autocomplete="off" autofocus')
        with kit.box("g-row g-end"):
            kit.button(words("frame.cancel"), lambda: dialog.submit(False), quiet=True)
            yes = kit.button(
                words("scopes.erasing.yes"), lambda: dialog.submit(is_name(typed.value, scope)), danger=True
            )
            yes.set_enabled(False)
        typed.on_value_change(lambda event: yes.set_enabled(is_name(event.value or "", scope)))
    answer: Any = await dialog
    dialog.delete()
    if not answer:
        return False
    caller = await viewer.caller(counts=True)
    caller.check("admin", scope)  # the dialog may have been open for long
    with acting_for(caller):
        gone = await asyncio.to_thread(viewer.bank.erase, scope)
    ui.notify(words("scopes.erasing.done", name=name, turns=gone.turns, memories=gone.memories))
    return True


def is_name(typed: str, scope: Scope) -> bool:
    """Whether the name of `scope` was typed; blanks and the dots between its parts do not matter."""

    def bare(text: str) -> str:
        return "".join(composed(text).replace("·", "").split())

    return bare(typed) == bare(full_name(scope))


def what_goes(held: Holdings) -> dict[str, int]:
    """Return what would be deleted, by name; what there is none of is left out."""
    counts = {"turns": held.turns + held.rewound, "utterances": held.utterances, "memories": held.memories}
    counts |= {name: getattr(held, name) for name in ("concluded", "people", "scenes", "operations", "traces")}
    return {name: count for name, count in (counts | {"documents": held.documents}).items() if count}
