"""The passes: which are due and why, and the buttons that try or do them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui
from nicegui.element import Element

from gieok.bank import Mind
from gieok.domain.upkeep import PassName
from gieok.web.dates import moment_told
from gieok.web.kit import Said, button, card, chip, said
from gieok.web.upkeep.outcome import Outcome
from gieok.web.upkeep.waiting import Waiting, named, waiting
from gieok.web.visitors import Visitor


class Passes:
    """The card of all passes. One thing is done at a time."""

    def __init__(self, visitor: Visitor, outcome: Outcome, *, then: Callable[[], Awaitable[None]]) -> None:
        self._visitor = visitor
        self._outcome = outcome
        self._then = then  #: called after something was done
        self._due: list[PassName] = []
        self._writes = False
        self._working = False
        self._buttons: list[ui.button] = []
        self._rows: dict[PassName, _Row] = {}

    async def draw(self) -> None:
        words = self._visitor.words
        found = await self._look()
        self._writes = await self._visitor.may("writer")
        with card(words("upkeep.due")) as whole:
            whole.classes("u-passes-card")
            self._told = said("").props('role="status"')
            with ui.element("div").classes("g-row"):
                self._all = [self._button(words("upkeep.preview_due"), lambda: self._preview(self._due))]
                if self._writes:
                    run = self._button(words("upkeep.run_due"), lambda: self._run(self._due), main=True)
                    self._all.append(run)
            if not self._writes:
                said(words("upkeep.readers")).classes("g-dim g-small")
            with ui.element("ul").classes("u-passes"):
                for each in found:
                    self._rows[each.pass_name] = self._row(each)
        self._show(found)

    async def _look(self) -> list[Waiting]:
        found = waiting(await self._visitor.ask(Mind.outlook), self._visitor.words)
        self._due = [each.pass_name for each in found if each.due]
        return found

    def _row(self, each: Waiting) -> _Row:
        words, name = self._visitor.words, each.pass_name
        with ui.element("li").classes("u-pass"):
            with ui.element("div").classes("u-pass-what"):
                with ui.element("div").classes("g-row"):
                    said(each.name, "h3")
                    due = chip(words("upkeep.is_due"), "warn")
                said(each.does).classes("g-dim g-small")
                with ui.element("div").classes("u-far"):
                    meter = ui.element("div").classes("u-meter").props('aria-hidden="true"')
                    with meter:
                        fill = ui.element("div").classes("u-fill")
                    far = said(each.far, "span").classes("g-small g-number")
                ran = said("", "p").classes("g-dim g-small")
            with ui.element("div").classes("u-pass-do"):
                preview = self._button(words("upkeep.preview"), lambda: self._preview([name]))
                preview.props["aria-label"] = words("upkeep.preview_of", **{"pass": each.name})
                if self._writes:
                    run = self._button(words("upkeep.run"), lambda: self._run([name]))
                    run.props["aria-label"] = words("upkeep.run_of", **{"pass": each.name})
        return _Row(self._visitor, due=due, fill=fill, far=far, ran=ran)

    def _button(self, text: str, act: Callable[[], Awaitable[None]], *, main: bool = False) -> ui.button:
        made = button(text, act, main=main)
        self._buttons.append(made)
        return made

    def _show(self, found: Sequence[Waiting]) -> None:
        words = self._visitor.words
        for each in found:
            self._rows[each.pass_name].show(each)
        passes = named(self._due, words)
        self._told.text = (
            words("upkeep.due_now", n=len(self._due), passes=passes) if self._due else words("upkeep.nothing_due")
        )
        self._enable()

    def _enable(self) -> None:
        for each in self._buttons:
            each.set_enabled(not self._working and (each not in self._all or bool(self._due)))

    async def _preview(self, names: Sequence[PassName]) -> None:
        await self._busy(lambda: self._outcome.preview(list(names)))

    async def _run(self, names: Sequence[PassName]) -> None:
        await self._busy(lambda: self._done(list(names)))

    async def _done(self, names: list[PassName]) -> None:
        await self._outcome.run(names)
        self._show(await self._look())
        await self._then()

    async def _busy(self, work: Callable[[], Awaitable[None]]) -> None:
        if self._working:
            return
        self._working = True
        self._enable()
        try:
            await work()
        finally:
            self._working = False
            self._enable()


class _Row:
    """What changes in the row of a pass."""

    def __init__(self, visitor: Visitor, *, due: Element, fill: Element, far: Said, ran: Said) -> None:
        self._visitor = visitor
        self._due, self._fill, self._far, self._ran = due, fill, far, ran

    def show(self, each: Waiting) -> None:
        words = self._visitor.words
        self._due.set_visibility(each.due)
        self._fill.style(f"width: {each.share:.0%}")
        self._fill.classes(add="u-full" if each.due else "", remove="" if each.due else "u-full")
        self._far.text = each.far
        self._ran.text = (
            words("upkeep.never_ran")
            if each.ran_at is None
            else words("upkeep.ran", at=moment_told(each.ran_at, self._visitor))
        )
