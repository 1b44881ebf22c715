"""Where one writes: the input, what is put into the next context, and the way to stop a reply.

Its keys are heard in the browser: while a Korean syllable is being put together, Enter belongs to the input method.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Final

from nicegui import ui
from nicegui.events import GenericEventArguments

from gieok.domain.turn import LONGEST_UTTERANCE
from gieok.web.kit import button, said
from gieok.web.wording import Words

_INPUT: Final = "t-input"
_TAKE: Final = (
    f'const box = document.getElementById("{_INPUT}"); const text = box.value;'
    "if (box.dataset.busy || !text.trim()) return; box.value = ''; box.focus(); emit(text);"
)
_ENTER: Final = (
    f"(e) => {{ if (e.key !== 'Enter' || e.shiftKey || e.isComposing || e.keyCode === 229) return; "
    f"e.preventDefault(); {_TAKE} }}"
)
_CLICK: Final = f"() => {{ {_TAKE} }}"


class Composer:
    """The input and what belongs to it."""

    def __init__(
        self,
        words: Words,
        *,
        send: Callable[[str], Awaitable[None]],
        stop: Callable[[], None],
        drop: Callable[[str], Awaitable[None]],
    ) -> None:
        self._words = words
        self._drop = drop
        self._picked = ui.element("div").classes("t-picked").props('role="group"')
        with ui.element("div").classes("t-write"):
            label = said(words("talk.input"), "label").classes("t-hidden")
            label.props["for"] = _INPUT
            self._box = ui.element("textarea").classes("t-input")
            for name, value in (("id", _INPUT), ("rows", 2), ("maxlength", LONGEST_UTTERANCE)):
                self._box.props[name] = value
            self._box.props["placeholder"] = words("talk.placeholder")
            self._box.props["aria-describedby"] = "t-keys"
            self._box.on("keydown", partial(_taken, send), js_handler=_ENTER)
            self._send = button(words("talk.send"), _nothing, main=True)
            self._send.on("click", partial(_taken, send), js_handler=_CLICK)
            self._stop = button(words("talk.stop"), stop).classes("t-stop")
        said(words("talk.keys"), "p").classes("g-dim g-small").props('id="t-keys"')
        self.be_busy(False)
        self.show_picked({})

    def be_busy(self, on: bool) -> None:
        """Offer to stop instead of to send; what is written meanwhile stays."""
        self._send.set_visibility(not on)
        self._stop.set_visibility(on)
        if on:
            self._box.props["data-busy"] = "1"
        else:
            self._box.props.pop("data-busy", None)
        self._box.update()

    def give_back(self, text: str) -> None:
        """Put words that could not be sent back before what was written meanwhile."""
        self._box.run_method("setRangeText", text, 0, 0, "end")

    def show_picked(self, picked: Mapping[str, str]) -> None:
        """Show what is put into the next context: texts by their ids."""
        self._picked.clear()
        self._picked.set_visibility(bool(picked))
        self._picked.props["aria-label"] = title = self._words("talk.picked.title", n=len(picked))
        with self._picked:
            said(title, "span").classes("g-small g-dim")
            for item_id, text in picked.items():
                with ui.element("span").classes("g-chip g-info t-chip"):
                    said(text, "span").classes("t-chip-text")
                    away = button("×", partial(self._drop, item_id), quiet=True).classes("t-away")
                    away.props["aria-label"] = self._words("talk.picked.drop", text=text)


def _nothing() -> None:
    """The button's words are taken in the browser."""


async def _taken(send: Callable[[str], Awaitable[None]], event: GenericEventArguments) -> None:
    if isinstance(event.args, str):
        await send(event.args)
