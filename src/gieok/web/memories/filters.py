"""The filters above the memories: what is chosen in them goes into the address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Any, get_args

from nicegui import ui

from gieok.bank.pages import State
from gieok.domain.attributes import ContentType
from gieok.web.kit import button, said
from gieok.web.memories.controls import Chooser, Tick, field
from gieok.web.memories.looking import Looking, View, year
from gieok.web.memories.telling import named
from gieok.web.visitors import Visitor

Go = Callable[..., Awaitable[None]]


class Filters:
    """What narrows down the memories that are shown."""

    def __init__(self, visitor: Visitor, looking: Looking, about: Sequence[tuple[str, str]], go: Go) -> None:
        """`about` is whom memories are about: (subject, subject id)."""
        self._visitor = visitor
        self._looking = looking
        self._go = go
        words = visitor.words
        with ui.element("form").classes("g-card m-filters").props('role="search"') as form:
            form.on("submit.prevent", js_handler="() => {}")
            with ui.element("div").classes("m-first"):
                self._views()
                self._words = field(words("memories.filter.words"), looking.words, self._find_words)
                states = {state: words(f"shared.states.{state}") for state in get_args(State)}
                self._state = Chooser(
                    words("memories.filter.state"), states, looking.shown_state, self._choose("state")
                )
            with ui.element("details").classes("m-more") as more:
                said(words("memories.filter.more"), "summary")
                with ui.element("div").classes("m-fields"):
                    self._more(about)
            if looking.narrows and replace(looking, words="", state=None).narrows:
                more.props["open"] = True

    def _views(self) -> None:
        words = self._visitor.words
        with ui.element("div").classes("m-views").props('role="group"') as group:
            group.props["aria-label"] = words("memories.views.label")
            self._view = {view: self._view_button(view) for view in get_args(View)}

    def _view_button(self, view: View) -> ui.button:
        async def turn() -> None:
            await self._go(replace(self._looking, view=view, before=None))

        shown = button(self._visitor.words(f"memories.views.{view}"), turn, quiet=True)
        shown.props["aria-pressed"] = "true" if self._looking.view == view else "false"
        return shown

    def _more(self, about: Sequence[tuple[str, str]]) -> None:
        words, looking, scope = self._visitor.words, self._looking, self._visitor.scope
        any_one = {"": words("memories.filter.any")}
        types = any_one | {each: words(f"shared.types.{each}") for each in get_args(ContentType)}
        people = any_one | {
            (each if subject == "other" else subject): named(subject, each, scope, words) for subject, each in about
        }
        if looking.about is not None and looking.about not in people:
            people[looking.about] = looking.about
        self._type = Chooser(words("memories.filter.type"), types, looking.type or "", self._choose("type"))
        self._about = Chooser(words("memories.filter.about"), people, looking.about or "", self._choose("about"))
        self._since = field(words("memories.filter.since"), _shown(looking.since), self._year("since"), kind="number")
        self._until = field(words("memories.filter.until"), _shown(looking.until), self._year("until"), kind="number")
        self._pinned = Tick(words("memories.filter.pinned"), self._tick("pinned"), ticked=looking.pinned)
        self._pii = Tick(words("memories.filter.pii"), self._tick("pii"), ticked=looking.pii)
        button(words("memories.filter.clear"), self._clear, quiet=True)

    def show(self, looking: Looking) -> None:
        """Show what is looked at, where somebody went there by another way than these filters."""
        self._looking = looking
        for view, shown in self._view.items():
            shown.props["aria-pressed"] = "true" if looking.view == view else "false"
            shown.update()
        self._words.value = looking.words
        self._state.show(looking.shown_state)
        self._type.show(looking.type or "")
        self._about.show(looking.about or "")
        self._since.value, self._until.value = _shown(looking.since), _shown(looking.until)
        self._pinned.show(looking.pinned)
        self._pii.show(looking.pii)

    async def _find_words(self, words: str) -> None:
        if words != self._looking.words.strip():
            await self._narrow(words=words)

    def _choose(self, name: str) -> Callable[[str], Awaitable[None]]:
        return lambda value: self._narrow(**{name: value or None})

    def _tick(self, name: str) -> Callable[[bool], Awaitable[None]]:
        return lambda ticked: self._narrow(**{name: ticked})

    def _year(self, name: str) -> Callable[[str], Awaitable[None]]:
        async def narrow(text: str) -> None:
            if year(text) != getattr(self._looking, name):
                await self._narrow(**{name: year(text)})

        return narrow

    async def _narrow(self, **fields: Any) -> None:
        await self._go(replace(self._looking, **fields, before=None), replacing="words" in fields)

    async def _clear(self) -> None:
        await self._go(self._looking.without_filters())


def _shown(year: int | None) -> str:
    return "" if year is None else str(year)
