"""Beside the talk: what became of a turn, how it stands between the two, and the context that was sent."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from urllib.parse import quote

from nicegui import ui
from nicegui.element import Element

from gieok.web.kit import Handler, button, card, chip, said
from gieok.web.talk.outcomes import Outcome, Outcomes
from gieok.web.talk.sent import Sent, Sheet
from gieok.web.talk.standing import Bar, Standing
from gieok.web.wording import Words

_COLOURS = {"remember": "good", "supersede": "warn", "reinforce": "info", "retract": "bad", "ignore": ""}


class Panels:
    """The three panels, each drawn anew by itself."""

    def __init__(self, words: Words, *, newest: Handler, pick: Callable[[str], Awaitable[None]] | None) -> None:
        """Draw them; `newest` leads back to the last turn, `pick` puts a memory into the next context."""
        self._words = words
        self._pick = pick
        with ui.element("div").classes("g-row g-between t-which").props('aria-live="polite"'):
            self._which = said("", "p").classes("g-small g-dim")
            self._newest = button(words("talk.panels.newest"), newest, quiet=True)
        self._memory, self._standing, self._sent = (self._panel(name) for name in ("memory", "standing", "sent"))
        self.clear()

    def _panel(self, name: str) -> Element:
        with card(self._words(f"talk.panels.{name}")):
            return ui.element("div").classes(f"g-stack t-{name}")

    def clear(self) -> None:
        """Show that nothing was said yet."""
        self.tell_which("", earlier=False)
        for place in (self._memory, self._standing, self._sent):
            place.clear()
            with place:
                said(self._words("talk.panels.nothing"), "p").classes("g-dim")

    def tell_which(self, text: str, *, earlier: bool) -> None:
        """Say which turn is looked into; from an earlier one there is a way back."""
        self._which.text = text
        self._newest.set_visibility(earlier)

    def show_outcomes(self, told: Outcomes) -> None:
        self._memory.clear()
        with self._memory:
            if told.silence:
                said(told.silence, "p").classes("g-dim")
            if told.rows:
                with ui.element("ul").classes("t-rows"):
                    for row in told.rows:
                        self._outcome(row)

    def _outcome(self, row: Outcome) -> None:
        words = self._words
        with ui.element("li").classes(f"t-row t-{row.kind}"):
            with ui.element("div").classes("g-row"):
                chip(words(f"shared.decisions.{row.kind}"), _COLOURS[row.kind])
                said(row.whose, "span").classes("g-dim g-small")
            with ui.element("p").classes("t-content"):
                for old in row.old:
                    said(old, "s").classes("g-dim")
                    said(" → ", "span").props('aria-hidden="true"')
                if row.memory_id is None:
                    said(row.content, "span").classes("g-dim")
                else:
                    ui.link(row.content, f"/memories?memory={quote(row.memory_id, safe='')}")
            said(row.why, "p").classes("g-small g-dim t-why")
            if self._pick is not None and row.memory_id is not None and row.kind != "retract":
                button(words("talk.picked.pick"), partial(self._pick, row.memory_id), quiet=True).classes(
                    "t-tool t-pick"
                )
            if row.parts:
                with ui.element("details").classes("g-small"):
                    said(words("talk.why.parts"), "summary").classes("g-dim")
                    _table(row.parts)

    def show_standing(self, told: Standing) -> None:
        words = self._words
        self._standing.clear()
        with self._standing:
            with ui.element("div").classes("g-row"):
                changed = words("talk.standing.level_up", before=told.level_before, after=told.level)
                chip(changed if told.level_before else told.level, "good" if told.level_before else "")
                closeness = words("talk.standing.closeness", n=f"{told.closeness:.0f}")
                said(closeness, "span").classes("g-small g-dim g-number")
            with ui.element("ul").classes("t-bars"):
                for bar in told.bars:
                    self._bar(bar)
            for line in told.manners:
                said(line, "p").classes("g-small")
            if not told.manners and not any(bar.change for bar in told.bars):
                said(words("talk.standing.unmoved"), "p").classes("g-dim g-small")

    def _bar(self, bar: Bar) -> None:
        with ui.element("li").classes("t-bar"):
            said(bar.name, "span").classes("t-axis g-small")
            meter = ui.element("span").classes("t-meter").props('role="meter" aria-valuemin="0" aria-valuemax="100"')
            meter.props["aria-valuenow"] = f"{bar.value:.1f}"
            named = "talk.standing.bar_changed" if bar.change else "talk.standing.bar"
            meter.props["aria-label"] = self._words(
                named, name=bar.name, value=f"{bar.value:.1f}", change=f"{bar.change:+.2f}"
            )
            with meter:
                kept = min(bar.value, bar.before)
                ui.element("span").classes("t-fill").style(f"width:{kept:.2f}%")
                if bar.change:
                    moved = "t-more" if bar.change > 0 else "t-less"
                    ui.element("span").classes(f"t-fill {moved}").style(f"width:{max(abs(bar.change), 0.8):.2f}%")
            said(f"{bar.value:.1f}", "span").classes("g-number g-small t-value")
            change = said(f"{bar.change:+.2f}" if bar.change else "", "span").classes("g-number g-small t-change")
            change.classes("t-up" if bar.change > 0 else "t-down")
            if bar.causes:
                said(" · ".join(bar.causes), "span").classes("t-causes g-small g-dim")

    def show_sent(self, told: Sent | None) -> None:
        words = self._words
        self._sent.clear()
        with self._sent:
            if told is None:
                said(words("talk.sent.none"), "p").classes("g-dim")
                return
            with ui.element("div").classes("g-row"):
                self._meter(told.share, tokens=told.tokens, of=told.budget, label="meter", look="t-whole")
                whole = words("talk.sent.whole", tokens=f"{told.tokens:,}", budget=f"{told.budget:,}")
                said(whole, "span").classes("g-number g-small")
            for why in told.degraded:
                said(words("talk.sent.degraded", why=why), "p").classes("g-trouble g-small")
            if not told.in_full:
                said(words("talk.sent.before"), "p").classes("g-dim g-small")
            for sheet in told.sheets:
                self._sheet(sheet, told.tokens)

    def _sheet(self, sheet: Sheet, whole: int) -> None:
        words = self._words
        with ui.element("details").classes("t-block"):
            with ui.element("summary"):
                said(sheet.name, "span").classes("t-block-name")
                self._meter(sheet.share, tokens=sheet.tokens, of=whole, label="part", look="t-part")
                said(words("talk.sent.tokens", n=f"{sheet.tokens:,}"), "span").classes(
                    "g-number g-small g-dim t-tokens"
                )
            said(sheet.text or words("talk.sent.empty"), "pre").classes("t-text")
            for why, count in sheet.left_out:
                said(words("talk.sent.left_out", why=why, n=count), "p").classes("g-dim g-small")

    def _meter(self, share: float, *, tokens: int, of: int, label: str, look: str) -> None:
        meter = ui.element("span").classes(f"t-meter {look}").props('role="meter" aria-valuemin="0"')
        meter.props["aria-valuemax"] = str(of)
        meter.props["aria-valuenow"] = str(tokens)
        meter.props["aria-label"] = self._words(f"talk.sent.{label}", tokens=f"{tokens:,}", of=f"{of:,}")
        with meter:
            ui.element("span").classes("t-fill").style(f"width:{share * 100:.2f}%")


def _table(parts: tuple[tuple[str, float], ...]) -> None:
    with ui.element("table").classes("g-table t-parts"), ui.element("tbody"):
        for name, value in parts:
            with ui.element("tr"):
                said(name, "th").props('scope="row"')
                said(f"{value:.2f}", "td").classes("g-number")
