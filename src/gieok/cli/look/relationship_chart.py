"""The trajectory of a relationship as a picture (SVG): the score, its axes, and where each level begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Final
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

from gieok.bank.living import Step
from gieok.cli.console import plain
from gieok.cli.look.living_words import LivingWords
from gieok.domain.relationship import LEVELS, THRESHOLDS, Relationship, score
from gieok.domain.relationship_rules import AXES, TOP, Axis

_WIDTH, _HEIGHT = 960, 480
_LEFT, _RIGHT, _ABOVE, _BELOW = 48, 150, 48, 64
_DATES: Final = 6
_COLOURS: Final[dict[Axis, str]] = {
    "trust": "#2b6cb0",
    "affection": "#b83280",
    "respect": "#0987a0",
    "rivalry": "#c53030",
    "familiarity": "#2f855a",
}
_SCORE: Final = "#b7791f"
_GREY: Final = "#718096"

Curve = tuple[str, str, float, Callable[[Relationship], float]]  #: label, colour, width, what is drawn


def chart(steps: Sequence[Step], title: str, living: LivingWords, zone: ZoneInfo) -> str:
    """Return the picture of `steps`, oldest first; there must be at least one."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fffdf8"/>',
        _text(_LEFT, 28, title, size=17, colour="#1a202c"),
        *_levels(living),
        *_dates(steps, zone),
        *_curves(steps, living),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _levels(living: LivingWords) -> Iterator[str]:
    for level, threshold in zip(LEVELS, THRESHOLDS, strict=True):
        y = _y(threshold)
        yield f'<path d="M{_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#cbd5e0" stroke-dasharray="4 4"/>'
        yield _text(_LEFT - 8, y + 4, f"{threshold:g}", end=True)
        yield _text(_WIDTH - _RIGHT + 10, y + 4, living.levels[level])


def _dates(steps: Sequence[Step], zone: ZoneInfo) -> Iterator[str]:
    begin, end = _span(steps)
    told = ""
    for at in range(_DATES):
        date = f"{(begin + (end - begin) * at / (_DATES - 1)).astimezone(zone):%Y-%m-%d}"
        if date != told:
            yield _text(_LEFT - 32 + (_WIDTH - _LEFT - _RIGHT) * at / (_DATES - 1), _HEIGHT - _BELOW + 22, date)
        told = date


def _curves(steps: Sequence[Step], living: LivingWords) -> Iterator[str]:
    curves: list[Curve] = [(living.axes[axis], _COLOURS[axis], 1.3, _axis(axis)) for axis in AXES]
    curves.append((living.closeness, _SCORE, 3.0, score))
    for number, (label, colour, width, value) in enumerate(curves):
        points = " ".join(f"{x:.1f},{_y(value(step.relationship)):.1f}" for x, step in _placed(steps))
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        x = _LEFT + number * 120
        yield f'<path d="M{x} {_HEIGHT - 20}h18" stroke="{colour}" stroke-width="{width}"/>'
        yield _text(x + 24, _HEIGHT - 16, label, colour=colour)


def _axis(name: Axis) -> Callable[[Relationship], float]:
    return lambda relationship: relationship.axis(name)


def _placed(steps: Sequence[Step]) -> Iterator[tuple[float, Step]]:
    begin, end = _span(steps)
    whole = (end - begin).total_seconds() or 1.0
    for step in steps:
        yield _LEFT + (_WIDTH - _LEFT - _RIGHT) * (step.at - begin).total_seconds() / whole, step


def _span(steps: Sequence[Step]) -> tuple[datetime, datetime]:
    return min(step.at for step in steps), max(step.at for step in steps)


def _y(value: float) -> float:
    return _ABOVE + (_HEIGHT - _ABOVE - _BELOW) * (1 - value / TOP)


def _text(x: float, y: float, text: str, *, size: int = 12, colour: str = _GREY, end: bool = False) -> str:
    anchor = ' text-anchor="end"' if end else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"{anchor}>{escape(plain(text))}</text>'
