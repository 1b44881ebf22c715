"""A slider with its name and its value, for eyes, hands and screen readers."""

from __future__ import annotations

from typing import Final

from nicegui.elements.mixins.value_element import ValueElement
from nicegui.events import Handler, ValueChangeEventArguments

_SETTLING: Final = 0.12  #: seconds between two values that a moving hand sends


class Slider(ValueElement[float], component="slider.js"):
    """A native slider: arrow keys, page keys and the ends work as they do everywhere."""

    LOOPBACK = False

    def __init__(
        self,
        label: str,
        *,
        value: float,
        reach: tuple[float, float],
        step: float,
        digits: int,
        dot: str = "",
        on_change: Handler[ValueChangeEventArguments[float]] | None = None,
    ) -> None:
        super().__init__(value=value, on_value_change=on_change, throttle=_SETTLING)
        self._props["label"] = label
        self._props["min"], self._props["max"] = reach
        self._props["step"] = step
        self._props["digits"] = digits
        self._props["dot"] = dot
