"""The context that would be sent: block by block, what it costs, and what was left out of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Final

from nicegui import ui
from nicegui.events import GenericEventArguments, ValueChangeEventArguments

from gieok.web.ask.asking import Answered
from gieok.web.ask.knobs import SWITCHED
from gieok.web.ask.shown import Line, Missing, Reason, ShownBlock, blocks_shown, left_out, reply_width, text_of
from gieok.web.kit import Said, button, chip, said
from gieok.web.visitors import Visitor

#: In the order in which they are sent; nobody gives a system prompt or examples here.
_ORDER: Final = ("preface", "pinned", "people", "memories", "summary", "talk", "message")
_FIRST: Final = 8  #: lines of a reason; the others are folded away

Switch = Callable[[str, bool], Awaitable[None]]


class Sent:
    """The column of the context. Its switches stay where they are while the words below them change."""

    def __init__(self, visitor: Visitor, switch: Switch, unpick: Callable[[str], Awaitable[None]]) -> None:
        self._visitor = visitor
        self._words = visitor.words
        self._switch = switch
        self._unpick = unpick
        self._blocks: dict[str, _Place] = {}
        self._unfolded: set[str] = set()  #: reasons of which all is shown

    def draw(self) -> None:
        self._picked = ui.element("div").classes("a-picked")
        with ui.element("div").classes("g-stack a-meter-place"):
            self._sum = said("", "p").classes("g-number")
            self._meter = ui.element("div").classes("a-meter").props('role="img"')
        for name in _ORDER:
            self._blocks[name] = _Place(name, self._words, self._switch if name in SWITCHED else None)
        self._left_out = ui.element("section").classes("g-stack a-left-out")

    def show(self, answer: Answered) -> None:
        blocks = {block.name: block for block in blocks_shown(answer)}
        for name, place in self._blocks.items():
            place.show(blocks.get(name))
        self._show_picked(answer)
        self._show_meter(answer, list(blocks.values()))
        self._left_out.clear()
        with self._left_out:
            self._draw_left_out(left_out(answer))

    def _show_picked(self, answer: Answered) -> None:
        words = self._words
        self._picked.clear()
        if not answer.asked.picked:
            return
        with self._picked, ui.element("section").classes("g-stack a-picked-card"):
            said(words("ask.picked.title", n=len(answer.picked)), "h3")
            with ui.element("ul").classes("a-plain"):
                for item_id in answer.picked:
                    self._draw_picked(item_id, answer)
            if len(answer.picked) < len(answer.asked.picked):
                gone = len(answer.asked.picked) - len(answer.picked)
                said(words("ask.picked.gone", n=gone)).classes("g-dim g-small")

    def _draw_picked(self, item_id: str, answer: Answered) -> None:
        text = text_of(item_id, answer)
        with ui.element("li").classes("g-row g-between"):
            said(text, "span")
            drop = button(self._words("ask.picked.drop"), lambda: self._unpick(item_id), quiet=True)
            drop.props["aria-label"] = self._words("ask.picked.drop_what", text=text)

    def _show_meter(self, answer: Answered, blocks: list[ShownBlock]) -> None:
        context, names = answer.context, self._words.some("ask.blocks")
        told = {"tokens": f"{context.tokens:,}", "budget": f"{context.budget:,}"}
        self._sum.text = self._words("ask.sent.sum", **told)
        costs = ", ".join(f"{names[block.name]} {block.tokens:,}" for block in blocks if block.tokens)
        self._meter.props["aria-label"] = self._words("ask.sent.meter", costs=costs, **told)
        self._meter.props["title"] = costs
        self._meter.clear()
        room = 100.0
        with self._meter:
            for block in blocks:
                width = min(block.width, room)  # a question alone may cost more than the budget
                room -= width
                if width > 0:
                    ui.element("span").classes(f"a-block-{block.name}").style(f"width: {width:.2f}%")
            free = min(reply_width(), room)
            ui.element("span").classes("a-reply").style(f"width: {free:.2f}%")
        self._meter.update()

    def _draw_left_out(self, reasons: list[Reason]) -> None:
        words = self._words
        if not reasons:
            return
        said(words("ask.left_out.title"), "h3")
        for reason in reasons:
            with ui.element("div").classes("g-stack a-reason"):
                with ui.element("div").classes("g-row"):
                    chip(words(f"ask.fates.{reason.why}"), "" if reason.why == "said_elsewhere" else "warn")
                    said(words("ask.left_out.count", n=reason.count), "span").classes("g-dim g-small")
                self._draw_missing(reason.missing[:_FIRST])
                if len(reason.missing) > _FIRST:
                    self._draw_others(reason)

    def _draw_missing(self, missing: Iterable[Missing]) -> None:
        words = self._words
        with ui.element("ul").classes("g-small"):
            for each in missing:
                with ui.element("li"):
                    said(each.text or words("ask.left_out.lines", n=each.count), "span")
                    said(f" · {words(f'ask.blocks.{each.block}')}", "span").classes("g-dim")

    def _draw_others(self, reason: Reason) -> None:
        """Draw what is folded away; it stays as it was unfolded while knobs are turned."""
        others = reason.missing[_FIRST:]
        with ui.element("details").classes("a-more") as more:
            if reason.why in self._unfolded:
                more.props["open"] = True
            more.on("toggle", partial(self._unfold, reason.why), js_handler="(event) => emit(event.target.open)")
            said(self._words("ask.left_out.more", n=sum(each.count for each in others)), "summary")
            self._draw_missing(others)

    def _unfold(self, why: str, event: GenericEventArguments) -> None:
        self._unfolded.add(why) if event.args else self._unfolded.discard(why)


class _Place:
    """Where a block is shown."""

    def __init__(self, name: str, words: Callable[..., str], switch: Switch | None) -> None:
        self._shown: ShownBlock | None = None
        self._words = words
        self._switch: ui.switch | None = None
        with ui.element("section").classes(f"a-block a-edge-{name}") as self._whole:
            with ui.element("div").classes("g-row g-between"):
                said(words(f"ask.blocks.{name}"), "h3")
                with ui.element("div").classes("g-row"):
                    self._tokens: Said = said("", "span").classes("g-dim g-small g-number")
                    if switch is not None:
                        self._draw_switch(name, switch)
            self._lines = ui.element("div").classes("a-lines")

    def show(self, block: ShownBlock | None) -> None:
        """Show the block as it is now; what is shown already stays untouched."""
        self._whole.set_visibility(block is not None)
        if block is None or block == self._shown:
            return
        self._shown = block
        self._tokens.text = self._words("ask.sent.tokens", n=f"{block.tokens:,}")
        if self._switch is not None:
            self._switch.value = block.is_on
        self._lines.clear()
        with self._lines:
            self._draw_lines(block)

    def _draw_switch(self, name: str, switch: Switch) -> None:
        async def switched(event: ValueChangeEventArguments[bool | None]) -> None:
            if self._shown is not None and event.value != self._shown.is_on:
                await switch(name, bool(event.value))

        self._switch = ui.switch(value=True, on_change=switched).props("dense")
        self._switch.props["aria-label"] = self._words("ask.sent.switch", block=self._words(f"ask.blocks.{name}"))

    def _draw_lines(self, block: ShownBlock) -> None:
        if not block.is_on:
            said(self._words("ask.sent.off")).classes("g-dim g-small")
            return
        if not block.lines:
            said(self._words("ask.sent.empty")).classes("g-dim g-small")
            return
        if block.heading:
            said(block.heading, "div").classes("a-line g-dim")
        for line in block.lines:
            self._draw_line(line)

    def _draw_line(self, line: Line) -> None:
        with ui.element("div").classes("a-line a-picked-line" if line.picked else "a-line"):
            said(line.text, "span")
            if line.picked:
                chip(self._words("ask.picked.mark"), "info")
            if line.shortened:
                chip(self._words("ask.sent.shortened"))
