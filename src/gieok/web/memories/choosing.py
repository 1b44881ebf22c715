"""What was chosen in the table, and what is done with all of it at once."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, Literal

from nicegui import ui

from gieok.bank import Mind
from gieok.web.kit import button, confirmed, said
from gieok.web.memories.reading import each_of
from gieok.web.paths import PATHS

if TYPE_CHECKING:
    from gieok.web.memories.browsing import Browsing

Deed = Literal["pin", "unpin", "forget"]
_DONE: dict[Deed, str] = {"pin": "pinned", "unpin": "unpinned", "forget": "forgotten"}


class Choosing:
    """A bar that is there as long as something is chosen."""

    def __init__(self, browsing: Browsing) -> None:
        self._browsing = browsing
        words = browsing.visitor.words
        with ui.element("section").classes("m-chosen g-card") as self._bar:
            self._told = said("", "p").props('role="status" aria-live="polite"')
            with ui.element("div").classes("g-row"):
                button(words("memories.choosing.pick"), self._pick, main=True)
                if browsing.may_write:
                    button(words("memories.choosing.pin"), self._asked("pin"))
                    button(words("memories.choosing.unpin"), self._asked("unpin"))
                    button(words("memories.choosing.forget"), self._asked("forget"))
                button(words("memories.choosing.none"), browsing.choose_none, quiet=True)
        self.show()

    def show(self) -> None:
        number = len(self._browsing.chosen)
        self._told.text = self._browsing.visitor.words("memories.choosing.chosen", n=number)
        self._bar.set_visibility(number > 0)

    def _pick(self) -> None:
        browsing = self._browsing
        browsing.visitor.own_desk.pick(browsing.chosen)
        browsing.choose_none()
        browsing.picked.show()

    def _asked(self, deed: Deed) -> Callable[[], Awaitable[None]]:
        return lambda: self._do(deed)

    async def _do(self, deed: Deed) -> None:
        browsing, words = self._browsing, self._browsing.visitor.words
        chosen = [*browsing.chosen]
        agreed = await confirmed(
            words(f"memories.choosing.sure_{deed}", n=len(chosen)),
            words(f"memories.choosing.sure_{deed}_text"),
            yes=words(f"memories.choosing.{deed}"),
            no=words("frame.cancel"),
            danger=deed == "forget",
        )
        if not agreed:
            return
        done = await browsing.visitor.change(each_of, chosen, _ACTS[deed])
        ui.notify(words(f"memories.choosing.{_DONE[deed]}", n=done), type="positive")
        if done < len(chosen):
            ui.notify(words("memories.choosing.skipped", n=len(chosen) - done), type="info")
        if deed == "forget":
            browsing.drop(chosen)
        browsing.choose_none()
        await browsing.reload()


_ACTS: dict[Deed, Callable[[Mind, str], object]] = {
    "pin": Mind.pin,
    "unpin": partial(Mind.pin, pinned=False),
    "forget": Mind.forget,
}


class Picked:
    """What goes into the next context, and the way to where it is talked about."""

    def __init__(self, browsing: Browsing) -> None:
        self._visitor = browsing.visitor
        words = self._visitor.words
        with ui.element("div").classes("m-picked g-row").props('role="status" aria-live="polite"') as self._line:
            self._told = said("", "span")
            ui.link(words("memories.choosing.to_talk"), PATHS["talk"])
            button(words("memories.choosing.drop"), self._drop, quiet=True)
        self.show()

    def show(self) -> None:
        number = len(self._visitor.own_desk.picked)
        self._told.text = self._visitor.words("memories.choosing.picked", n=number)
        self._line.set_visibility(number > 0)

    def _drop(self) -> None:
        self._visitor.own_desk.drop([*self._visitor.own_desk.picked])
        self.show()
