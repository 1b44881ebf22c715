"""The knobs beside a question: presets, sliders and the day as of which it is asked."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import date, datetime, time
from functools import partial

from nicegui import ui
from nicegui.events import ValueChangeEventArguments

from gieok.domain.scoring import PART_NAMES
from gieok.web.ask.knobs import CHOICES, Group, Knob, Knobs, grouped
from gieok.web.ask.slider import Slider
from gieok.web.kit import Said, button, card, said
from gieok.web.visitors import Visitor

_DOTS = {f"weights_{part}": f"a-part-{part}" for part in PART_NAMES}


class Controls:
    """What is turned now, and the controls that turn it."""

    def __init__(self, visitor: Visitor, changed: Callable[[], Awaitable[None]]) -> None:
        self.knobs = Knobs.of(visitor.bank.settings)
        self.at: datetime | None = None  #: None: now
        self._visitor = visitor
        self._words = visitor.words
        self._changed = changed
        self._sliders: dict[str, Slider] = {}
        self._presets: dict[str, ui.button] = {}
        self._rules: Said
        self._back: ui.button
        self._body: ui.element

    def draw(self) -> None:
        words = self._words
        with card() as whole:
            whole.classes("a-controls")
            with ui.element("div").classes("g-row g-between"):
                said(words("ask.controls.title"), "h2")
                self._unfold = button(words("ask.controls.open"), self._fold, quiet=True).classes("a-unfold")
                self._unfold.props('aria-expanded="false"')
            with ui.element("div").classes("a-controls-body g-stack") as self._body:
                self._draw_presets()
                self._draw_group("weights")
                self._draw_group("sizes")
                with ui.element("details").classes("a-more"):
                    said(words("ask.controls.more"), "summary")
                    self._draw_group("windows")
                    self._draw_day()
        self._update()

    async def switch(self, block: str, on: bool) -> None:
        """Switch a block of the context on or off."""
        await self._turn_to(self.knobs.switched(block, on))

    def _fold(self) -> None:
        is_open = "a-open" not in self._body.classes
        self._body.classes(toggle="a-open")
        self._unfold.text = self._words("ask.controls.close" if is_open else "ask.controls.open")
        self._unfold.props["aria-expanded"] = "true" if is_open else "false"
        self._unfold.update()

    def _draw_presets(self) -> None:
        words = self._words
        with ui.element("div").classes("g-stack a-group").props('role="group"') as group:
            group.props["aria-label"] = words("ask.presets.title")
            said(words("ask.presets.title"), "h3")
            with ui.element("div").classes("a-presets"):
                for choice in CHOICES:
                    drawn = button(words(f"ask.presets.{choice}"), partial(self._choose, choice))
                    drawn.props["title"] = words(f"ask.presets.about.{choice}")
                    self._presets[choice] = drawn.classes("a-preset")
            self._rules = said("", "p").classes("g-dim g-small")
            self._back = button(words("ask.back"), self._go_back).classes("a-back")

    def _draw_group(self, group: Group) -> None:
        with ui.element("div").classes("g-stack a-group"):
            said(self._words(f"ask.groups.{group}"), "h3")
            for knob in grouped(group):
                self._draw_slider(knob)

    def _draw_slider(self, knob: Knob) -> None:
        async def turned(event: ValueChangeEventArguments[float]) -> None:
            if event.value != self.knobs.value(knob.name):  # else it was set by us
                await self._turn_to(self.knobs.turned(knob.name, float(event.value)))

        value = self.knobs.value(knob.name)
        slider = Slider(
            self._words(f"ask.knobs.{knob.name}"),
            value=value,
            reach=(knob.least, knob.reach(value)),
            step=knob.step,
            digits=knob.digits,
            dot=_DOTS.get(knob.name, ""),
            on_change=turned,
        )
        self._sliders[knob.name] = slider.classes("a-short") if knob.group == "weights" else slider

    def _draw_day(self) -> None:
        async def chosen(event: ValueChangeEventArguments[str | None]) -> None:
            self.at = end_of_day(event.value, self._visitor)
            await self._changed()

        with ui.element("div").classes("g-stack a-group"):
            drawn = ui.input(self._words("ask.at.title"), on_change=chosen)
            drawn.props('type="date" outlined dense stack-label')
            said(self._words("ask.at.hint")).classes("g-dim g-small")

    async def _choose(self, choice: str) -> None:
        await self._turn_to(self.knobs.chosen(choice))

    async def _go_back(self) -> None:
        await self._turn_to(self.knobs.back())

    async def _turn_to(self, knobs: Knobs) -> None:
        self.knobs = knobs
        self._update()
        await self._changed()

    def _update(self) -> None:
        """Have every control stand where its knob does."""
        for name, slider in self._sliders.items():
            slider.value = self.knobs.value(name)
        for choice, drawn in self._presets.items():
            is_chosen = choice == self.knobs.choice
            drawn.props["aria-pressed"] = "true" if is_chosen else "false"
            drawn.classes(add="a-chosen") if is_chosen else drawn.classes(remove="a-chosen")
            drawn.update()
        self._back.set_enabled(self.knobs.is_changed)
        self._rules.text = self._rules_told()

    def _rules_told(self) -> str:
        """Return what else holds under these settings, for which there are no knobs."""
        words, settings = self._words, self.knobs.settings
        told = [
            words(f"ask.rules.combine.{settings.combine}"),
            words(
                f"ask.rules.curve.{settings.recency_curve}",
                days=f"{settings.recency_days:g}",
                since=words(f"ask.rules.since.{settings.recency_since}"),
            ),
            words("ask.rules.turns" if settings.search_turns else "ask.rules.no_turns"),
        ]
        return " · ".join(told)


def end_of_day(given: str | None, visitor: Visitor) -> datetime | None:
    """Return the last moment of a day as a browser writes it, by the bank's clock; None for no day."""
    try:
        day = date.fromisoformat(given or "")
    except ValueError:
        return None
    return datetime.combine(day, time.max, visitor.bank.settings.zone)
