"""The browser's own controls, each with its label: they work with the keyboard, and on a phone as phones have them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from gieok.web.kit import said

_VALUE: Final = "(event) => emit(event.target.value)"
_CHECKED: Final = "(event) => emit(event.target.checked)"


class Chooser(Element):
    """One of several choices."""

    def __init__(
        self, label: str, choices: Mapping[str, str], value: str, act: Callable[[str], Awaitable[None]]
    ) -> None:
        with ui.element("label").classes("m-field"):
            said(label, "span")
            super().__init__("select")
        with self:
            for key, told in choices.items():
                said(told, "option").props["value"] = key
        self.props["value"] = value

        async def chosen(event: GenericEventArguments) -> None:
            self.props["value"] = str(event.args)
            await act(str(event.args))

        self.on("change", chosen, js_handler=_VALUE)

    def show(self, value: str) -> None:
        self.props["value"] = value
        self.update()


class Tick(Element):
    """A box to tick; its label stands beside it, or is only read out."""

    def __init__(self, label: str, act: Callable[[bool], Any], *, ticked: bool = False, silent: bool = False) -> None:
        with ui.element("label").classes("m-tick"):
            super().__init__("input")
            if not silent:
                said(label, "span")
        self.props["type"] = "checkbox"
        self.props["checked"] = ticked
        if silent:
            self.props["aria-label"] = label

        async def changed(event: GenericEventArguments) -> None:
            self.props["checked"] = bool(event.args)
            done = act(bool(event.args))
            if done is not None:
                await done

        self.on("change", changed, js_handler=_CHECKED)

    def show(self, ticked: bool) -> None:
        if self.props["checked"] != ticked:
            self.props["checked"] = ticked
            self.update()


def field(label: str, value: str, act: Callable[[str], Awaitable[None]], *, kind: str = "search") -> ui.input:
    """Show a field for some words, or (`kind` is "number") for a number; `act` is called when they rest."""

    async def told() -> None:
        await act(str(entry.value or "").strip())

    entry = ui.input(label=label, value=value).props(f"outlined dense debounce=350 type={kind}").classes("m-entry")
    entry.on_value_change(told)
    return entry


def link(text: str, address: str, act: Callable[[], Awaitable[None]]) -> Element:
    """Show a link that the page follows without leaving; in a new tab it opens as any other."""
    anchor = said(text, "a")
    anchor.props["href"] = address
    anchor.on("click.prevent", lambda: act(), args=[])
    return anchor
