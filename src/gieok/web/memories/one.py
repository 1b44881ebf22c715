"""One memory: all about it, beside the others, and what can be done with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from nicegui import ui

from gieok.errors import MemoryMoved, UnknownMemory
from gieok.web.kit import button, chip, confirmed, said
from gieok.web.memories import sections
from gieok.web.memories.happenings import Happening
from gieok.web.memories.reading import Full, full
from gieok.web.memories.telling import CHIPS, short, standing

if TYPE_CHECKING:
    from gieok.web.memories.browsing import Browsing

_LONG: Final = 120  #: characters that are no title any more


class One:
    """The sheet that a memory is shown on. Closing it brings the keyboard back to the memory's line."""

    def __init__(self, browsing: Browsing) -> None:
        self._browsing = browsing
        self._full: Full | None = None
        with ui.dialog().props("position=right full-height").classes("m-sheet") as self._dialog:
            self._sheet = ui.element("div").classes("g-card m-one")
        self._dialog.props["aria-label"] = browsing.visitor.words("memories.column.what")
        self._dialog.on("hide", self._hidden, args=[])

    async def show(self, memory_id: str | None) -> None:
        """Show a memory, or (None) none."""
        if memory_id is None:
            self._dialog.close()
            return
        try:
            self._full = await self._browsing.visitor.ask(full, memory_id)
        except UnknownMemory:
            self._full = None
            self._say("memories.unknown", "warning")
            await self._browsing.open(None)
            return
        self._draw(self._full)
        if self._dialog.value:
            self._to_title()
        self._dialog.open()

    async def _hidden(self) -> None:
        looking = self._browsing.looking
        closed = self._full.memory.id if self._full else looking.memory
        if looking.memory is not None and looking.memory == closed:
            await self._browsing.open(None)
        line = self._browsing.focusable(closed) if closed is not None else None
        if line is not None:
            ui.run_javascript(f"getHtmlElement({line.id})?.focus()")

    def _draw(self, known: Full) -> None:
        browsing = self._browsing
        self._sheet.clear()
        with self._sheet:
            with ui.element("div").classes("m-top"):
                with ui.element("div").classes("g-stack"):
                    length = "m-title m-long" if len(known.memory.content) > _LONG else "m-title"
                    said(known.memory.content, "h2").classes(length).props('tabindex="-1"')
                    self._chips(known)
                button("✕", self._dialog.close, quiet=True).props["aria-label"] = browsing.visitor.words(
                    "memories.one.close"
                )
            self._actions(known)
            sections.clocks_shown(known, browsing)
            sections.line_shown(known, browsing)
            sections.sources_shown(known, browsing)
            sections.why_shown(known, browsing)
            sections.history_shown(known, browsing, self._roll_back if browsing.may_write else None)

    def _chips(self, known: Full) -> None:
        words, memory = self._browsing.visitor.words, known.memory
        held = standing(memory, known.present)
        with ui.element("div").classes("g-row"):
            chip(words(f"shared.states.{held}"), CHIPS[held])
            if memory.pinned:
                chip(words("memories.row.pinned"), "info")
            if memory.pii_flags:
                chip(words("memories.row.pii"), "warn")
            said(sections.told_of(memory, self._browsing), "span").classes("g-dim g-small")

    def _actions(self, known: Full) -> None:
        words, memory = self._browsing.visitor.words, known.memory
        is_picked = memory.id in self._browsing.visitor.own_desk.picked
        with ui.element("div").classes("g-stack") as self._deeds, ui.element("div").classes("g-row"):
            if self._browsing.may_write and memory.forgotten_at is None:
                button(words("memories.one.correct"), self._begin_correcting, main=True)
                button(words(f"memories.one.{'unpin' if memory.pinned else 'pin'}"), self._pin)
                button(words("memories.one.forget"), self._forget)
            if memory.forgotten_at is None or is_picked:
                button(words(f"memories.one.{'dropped' if is_picked else 'pick'}"), self._pick, quiet=True)

    def _begin_correcting(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        words = self._browsing.visitor.words
        self._deeds.clear()
        with self._deeds:
            label = words("memories.one.correct_label")
            self._words = ui.textarea(label=label, value=self._full.memory.content).props("outlined autogrow autofocus")
            with ui.element("div").classes("g-row"):
                button(words("memories.one.save"), self._correct, main=True)
                button(words("memories.one.cancel"), self._stay, quiet=True)

    def _stay(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        self._draw(self._full)
        self._to_title()

    async def _correct(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        memory, content = self._full.memory, str(self._words.value or "").strip()
        if content == memory.content:
            self._say("memories.one.unchanged", "info")
            self._stay()
            return
        await self._do("corrected", lambda mind: mind.correct(memory.id, content, if_version=memory.version))

    async def _pin(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        memory = self._full.memory
        done = "unpinned" if memory.pinned else "pinned"
        await self._do(done, lambda mind: mind.pin(memory.id, not memory.pinned, if_version=memory.version))

    async def _forget(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        words, memory = self._browsing.visitor.words, self._full.memory
        agreed = await confirmed(
            words("memories.one.sure_forget"),
            words("memories.choosing.sure_forget_text"),
            yes=words("memories.one.forget"),
            no=words("frame.cancel"),
            danger=True,
        )
        if agreed:
            await self._do("forgotten", lambda mind: mind.forget(memory.id, if_version=memory.version))

    async def _roll_back(self, to: Happening) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        words, memory = self._browsing.visitor.words, self._full.memory
        closer = next((each for each in self._full.line if each.id == memory.closed_by), None)
        told = {"content": short(to.content or ""), "closer": short(closer.content) if closer else ""}
        text = words(f"memories.history.sure_restore_{'closer' if closer else 'text'}", **told)
        agreed = await confirmed(
            words("memories.history.sure_restore"),
            text,
            yes=words("memories.history.restore"),
            no=words("frame.cancel"),
        )
        if agreed:
            version = memory.version
            await self._do(None, lambda mind: mind.restore(memory.id, to.operation_id, if_version=version))

    async def _do(self, done: str | None, act: sections.Act) -> None:
        """Change the memory, and show it as it is then; where somebody was faster, only that."""
        assert self._full is not None, "there is a memory on the sheet"
        memory_id = self._full.memory.id
        try:
            await self._browsing.visitor.change(act)
        except MemoryMoved:
            self._say("memories.one.moved", "warning")
        except UnknownMemory:
            self._say("memories.one.gone", "warning")
        else:
            self._say(f"memories.one.{done}" if done else "memories.history.restored", "positive")
        related = [each.id for each in self._full.line]
        self._full = await self._browsing.visitor.ask(full, memory_id)
        self._draw(self._full)
        self._to_title()
        if self._full.memory.forgotten_at is not None:
            self._browsing.drop([memory_id])
        for each in dict.fromkeys([memory_id, *related]):
            await self._browsing.changed(each)
        await self._browsing.recount()

    def _pick(self) -> None:
        assert self._full is not None, "there is a memory on the sheet"
        desk, memory_id = self._browsing.visitor.own_desk, self._full.memory.id
        if memory_id in desk.picked:
            desk.drop([memory_id])
        else:
            desk.pick([memory_id])
        self._browsing.picked.show()
        self._stay()

    def _to_title(self) -> None:
        with self._sheet:
            ui.run_javascript(f"getHtmlElement({self._sheet.id})?.querySelector('.m-title')?.focus()")

    def _say(self, name: str, kind: str) -> None:
        with self._sheet:
            ui.notify(self._browsing.visitor.words(name), type=kind)  # type: ignore[arg-type]  # one of NiceGUI's own
