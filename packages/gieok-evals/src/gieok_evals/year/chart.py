"""How close each of them became, as a picture: one panel a life, drawn as SVG from plain strings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final
from unicodedata import east_asian_width
from xml.sax.saxutils import escape

from gieok_evals.drawing import picture, text
from gieok_evals.year.checking import Lived
from gieok_evals.year.living import Point
from gieok_evals.year.people import DAYS, LEVELS, Person, people
from gieok_evals.year.report import YearReport

_INK, _PALE, _FAINT = "#1f2a33", "#66727c", "#9aa5ae"
_CURVE, _AWAY, _HARSH = "#1d6f86", "#8a949c", "#b5483c"
_BANDS: Final = ("#f7f9fa", "#eef5f6", "#e2eff1", "#d6e8eb", "#c9e1e5")  #: of the levels, strangers first
_BAND: Final = 20  #: points of score in a level
_MARGIN: Final = 36
_COLUMNS: Final = 2
_PLOT_WIDTH, _PLOT_HEIGHT = 486, 150
_LABELS: Final = 84  #: room for the names of the levels, right of a plot
_HEAD: Final = 86  #: of a panel: its name, and three rows of marks
_FOOT: Final = 44  #: of a panel: the months, and room below
_GAP: Final = 24  #: between two columns
_TOP: Final = 92  #: title, and what it is about
_ROWS: Final = 3  #: of marks above a plot
_ROW: Final = 16
_MONTHS: Final = ("Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb")
_LENGTHS: Final = (29, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31, 30)  #: days of the story in each; it begins on 3 March

_text: Final = partial(text, colour=_INK)


@dataclass(frozen=True, slots=True)
class _Panel:
    """A plot and where it stands."""

    left: float
    top: float  #: of the plot itself

    def x(self, day: float) -> float:
        return self.left + min(max(day, 0.0), DAYS) / DAYS * _PLOT_WIDTH

    def y(self, score: float) -> float:
        return self.top + (1 - min(max(score, 0.0), 100.0) / 100) * _PLOT_HEIGHT

    @property
    def right(self) -> float:
        return self.left + _PLOT_WIDTH

    @property
    def bottom(self) -> float:
        return self.top + _PLOT_HEIGHT


def save(report: YearReport, path: Path) -> None:
    path.write_text(svg(report), encoding="utf-8")


def svg(report: YearReport) -> str:
    """Return a small plot of each relationship's score over the year, over bands for the levels."""
    stories = {person.user: person for person in people()}
    columns = min(_COLUMNS, len(report.lives))
    rows = -(-len(report.lives) // columns)
    column, row = _PLOT_WIDTH + _LABELS + _GAP, _HEAD + _PLOT_HEIGHT + _FOOT
    width, height = 2 * _MARGIN + columns * column - _GAP, _TOP + rows * row
    title = "A year together"
    about = f"how close they became over 365 days; {report.turns:,} turns each, seed {report.seed}"
    body = [
        _text(_MARGIN, 44, title, size=24, weight=700),
        _text(_MARGIN, 68, about, size=13, colour=_PALE),
    ]
    for number, lived in enumerate(report.lives):
        down, across = divmod(number, columns)
        panel = _Panel(_MARGIN + across * column, _TOP + down * row + _HEAD)
        body += _drawn(panel, lived, stories[lived.user])
    return picture(title, body, width=width, height=height)


def _drawn(panel: _Panel, lived: Lived, person: Person) -> Iterator[str]:
    yield from _heading(panel, lived)
    yield from _bands(panel)
    yield from _stretches(panel, person)
    yield from _months(panel)
    yield from _marks(panel, person)
    yield from _curve(panel, lived.course)


def _heading(panel: _Panel, lived: Lived) -> Iterator[str]:
    y = panel.top - _HEAD + 22
    names = f"{lived.user} · {lived.character}"
    title = f'<tspan dx="10" font-size="12" font-weight="400" fill="{_PALE}">{escape(lived.title)}</tspan>'
    yield (
        f'<text x="{panel.left:.1f}" y="{y:.1f}" font-size="15" font-weight="700" fill="{_INK}">'
        f"{escape(names)}{title}</text>"
    )
    if lived.course:
        end = lived.course[-1]
        yield _text(
            panel.right, y, f"{_named(end.level)}, {end.score:.0f}", size=12, colour=_CURVE, anchor="end", weight=600
        )


def _bands(panel: _Panel) -> Iterator[str]:
    for rank, (level, colour) in enumerate(zip(LEVELS, _BANDS, strict=True)):
        high = panel.y((rank + 1) * _BAND)
        low = panel.y(rank * _BAND)
        yield _rect(panel.left, high, _PLOT_WIDTH, low - high, colour)
        if rank:
            yield f'<path d="M{panel.left:.1f} {low:.1f}H{panel.right:.1f}" stroke="#ffffff" stroke-width="1.5"/>'
        yield _text(panel.right + 8, (high + low) / 2 + 4, _named(level), size=11, colour=_PALE)


def _stretches(panel: _Panel, person: Person) -> Iterator[str]:
    """Shade absences, and phases that have a name."""
    for first, last in person.absent:
        yield from _stretch(panel, first - 1, last, "away", _AWAY)
    ends = [*(phase.start - 1 for phase in person.phases[1:]), DAYS]
    for phase, end in zip(person.phases, ends, strict=True):
        if phase.mark is not None:
            yield from _stretch(panel, phase.start - 1, end, phase.mark, _HARSH)


def _stretch(panel: _Panel, first: float, last: float, label: str, colour: str) -> Iterator[str]:
    left, right = panel.x(first), panel.x(last)
    yield _rect(left, panel.top, right - left, _PLOT_HEIGHT, colour, opacity=0.13)
    yield _text((left + right) / 2, panel.top + 14, label, size=11, colour=colour, anchor="middle", weight=600)


def _months(panel: _Panel) -> Iterator[str]:
    day = 0
    for name, length in zip(_MONTHS, _LENGTHS, strict=True):
        x = panel.x(day)
        yield f'<path d="M{x:.1f} {panel.bottom:.1f}v4" stroke="{_FAINT}"/>'
        yield _text(panel.x(day + length / 2), panel.bottom + 16, name, size=10, colour=_FAINT, anchor="middle")
        day += length
    yield f'<path d="M{panel.left:.1f} {panel.bottom:.1f}H{panel.right:.1f}" stroke="{_FAINT}"/>'


def _marks(panel: _Panel, person: Person) -> Iterator[str]:
    """Name what happened, each over its day and clear of the others."""
    ends = [panel.left - 8.0] * _ROWS
    labels: list[str] = []
    for line in person.lines:
        if line.mark is None:
            continue
        x, half = panel.x(line.day), _wide(line.mark, 11) / 2
        middle = min(max(x, panel.left + half), panel.right - half)
        free = [row for row in range(_ROWS) if ends[row] + 8 <= middle - half]
        row = free[0] if free else ends.index(min(ends))
        ends[row] = middle + half
        y = panel.top - 8 - row * _ROW
        colour, weight = (_INK, 600) if line.keep == "event" else (_PALE, 400)
        stem = f"M{x:.1f} {y + 3:.1f}V{panel.bottom:.1f}"
        yield f'<path d="{stem}" stroke="{colour}" stroke-width="0.8" stroke-dasharray="2 3"/>'
        labels.append(_halo(middle, y, line.mark, colour, weight=weight))
    yield from labels  # over the stems, which run behind them


def _curve(panel: _Panel, course: Sequence[Point]) -> Iterator[str]:
    if not course:
        return
    steps = [(panel.x(point.day), panel.y(point.score)) for point in course]
    line = _path([(panel.x(0), steps[0][1]), *steps, (panel.right, steps[-1][1])])
    area = f"{line}V{panel.bottom:.1f}H{panel.left:.1f}Z"
    yield f'<path d="{area}" fill="{_CURVE}" fill-opacity="0.10"/>'
    yield f'<path d="{line}" fill="none" stroke="{_CURVE}" stroke-width="2" stroke-linejoin="round"/>'
    for before, after in pairwise(course):
        if before.level != after.level:
            yield (
                f'<circle cx="{panel.x(after.day):.1f}" cy="{panel.y(after.score):.1f}" r="3.5" fill="#ffffff" '
                f'stroke="{_CURVE}" stroke-width="2"><title>{_named(after.level)}</title></circle>'
            )


def _rect(x: float, y: float, width: float, height: float, colour: str, *, opacity: float = 1.0) -> str:
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" fill="{colour}" '
        f'fill-opacity="{opacity:g}"/>'
    )


def _path(steps: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in steps)


def _named(level: str) -> str:
    return level.replace("_", " ")


def _halo(x: float, y: float, text: str, colour: str, *, weight: int) -> str:
    """Return a label that stays legible where a line runs behind it."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="11" font-weight="{weight}" fill="{colour}" text-anchor="middle" '
        f'stroke="#ffffff" stroke-width="3" paint-order="stroke">{escape(text)}</text>'
    )


def _wide(text: str, size: int) -> float:
    return sum(size * (0.95 if east_asian_width(letter) in "WF" else 0.56) for letter in text)
