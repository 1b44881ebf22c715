"""Reports as a picture: an SVG of horizontal bars with their intervals, made of plain strings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from unicodedata import east_asian_width

from gieok.errors import InvalidQuery
from gieok_evals.drawing import picture, text
from gieok_evals.retrieval.measuring import RetrievalReport
from gieok_evals.retrieval.report import Figure
from gieok_evals.retrieval.tables import plain, signed

_SHOWN: Final = {"recall@10": ("recall@10", "#2f6f9f"), "mrr": ("MRR", "#e0913a")}  #: label and colour
_INK, _PALE, _LINE = "#222222", "#6b6b6b", "#dddddd"
_MARGIN: Final = 28
_PLOT: Final = 520  #: width of the longest bar
_VALUES: Final = 64  #: room for the figure beside it
_BAR: Final = 13
_GAP: Final = 16  #: between two rows
_TOP: Final = 92  #: title, what it is about, and the key
_LETTER: Final = 7.4  #: width of a letter of the labels


@dataclass(frozen=True, slots=True)
class _Row:
    label: str
    figures: Sequence[Figure]


@dataclass(frozen=True, slots=True)
class _Axis:
    """From the lowest figure to the highest."""

    low: float
    high: float
    step: float
    left: float

    def x(self, value: float) -> float:
        inside = min(max(value, self.low), self.high)
        return self.left + (inside - self.low) / (self.high - self.low) * _PLOT

    @property
    def ticks(self) -> list[float]:
        first, last = round(self.low / self.step), round(self.high / self.step)
        return [number * self.step for number in range(first, last + 1)]


def check(path: Path) -> None:
    """Raise `InvalidQuery` for a picture that cannot be drawn, before anything is measured."""
    if path.suffix.lower() != ".svg":
        raise InvalidQuery(
            f"a chart is drawn as SVG, not as {path.suffix or path.name!r}; name it {path.with_suffix('.svg')} "
            "(any browser shows it, and can print or save it as PNG)"
        )
    if not path.absolute().parent.is_dir():
        raise InvalidQuery(f"there is no folder {path.absolute().parent} for the chart; make it first")


def save(report: RetrievalReport, path: Path) -> None:
    path.write_text(svg(report), encoding="utf-8")


def svg(report: RetrievalReport) -> str:
    """Return recall@10 and MRR by category, or what leaving each thing out changes where that was measured."""
    if report.differences:
        rows = [_Row(each.name, [each.figures[name] for name in _SHOWN]) for each in report.differences]
        return _drawn(f"{report.data}: what leaving it out changes", _about(report), rows, signs=True)
    measured = report.default
    named = {"overall": measured.overall, **measured.categories}
    named |= {f"{name} (apart)": scored for name, scored in measured.apart.items()}
    rows = [_Row(name, [scored.figures[each] for each in _SHOWN]) for name, scored in named.items()]
    return _drawn(f"{report.data}: found again", _about(report), rows, signs=False)


def _about(report: RetrievalReport) -> str:
    counts = report.counts
    return (
        f"{counts['queries']:,} questions, {counts['turns']:,} turns; {report.settings['embedder']}; "
        f"95 % intervals by {report.unit}"
    )


def _drawn(title: str, about: str, rows: Sequence[_Row], *, signs: bool) -> str:
    left = _MARGIN + max(_wide(row.label) for row in rows) + 12
    axis = _scaled(rows, left) if signs else _Axis(0.0, 1.0, 0.2, left)
    height_of_row = len(_SHOWN) * _BAR + _GAP
    bottom = _TOP + len(rows) * height_of_row
    width, height = left + _PLOT + _VALUES + _MARGIN, bottom + 40
    body = [
        text(_MARGIN, 34, title, size=18, weight=600),
        text(_MARGIN, 56, about, size=12, colour=_PALE),
        *_key(),
        *(line for tick in axis.ticks for line in _grid(axis, tick, bottom, signs)),
        *(line for at, row in enumerate(rows) for line in _bars(axis, row, _TOP + at * height_of_row, signs)),
    ]
    return picture(title, body, width=width, height=height)


def _scaled(rows: Iterable[_Row], left: float) -> _Axis:
    """Return an axis for differences: it holds 0 and every interval, and ends on round numbers."""
    ends = [end for row in rows for figure in row.figures for end in (figure.value, *(figure.interval or ()))]
    low, high = min(*ends, 0.0), max(*ends, 0.0)
    step = next((step for step in (0.005, 0.01, 0.02, 0.05, 0.1, 0.2) if (high - low) / step <= 8), 0.5)
    below, above = int(-low / step + 0.999), int(high / step + 0.999)
    return _Axis(-below * step, max(above, 1) * step, step, left)


def _key() -> Iterable[str]:
    x = float(_MARGIN)
    for label, colour in _SHOWN.values():
        yield f'<rect x="{x:.1f}" y="66" width="11" height="11" rx="2" fill="{colour}"/>'
        yield text(x + 17, 76, label, size=12)
        x += 17 + _wide(label) + 18


def _grid(axis: _Axis, tick: float, bottom: float, signs: bool) -> Iterable[str]:
    x = axis.x(tick)
    colour = _PALE if abs(tick) < axis.step / 2 else _LINE
    yield f'<line x1="{x:.1f}" y1="{_TOP - 6}" x2="{x:.1f}" y2="{bottom}" stroke="{colour}"/>'
    label = f"{tick:+.3g}".replace("-", "−") if signs and abs(tick) > axis.step / 2 else f"{abs(tick):.3g}"
    yield text(x, bottom + 18, label, size=11, colour=_PALE, anchor="middle")


def _bars(axis: _Axis, row: _Row, top: float, signs: bool) -> Iterable[str]:
    middle = top + len(_SHOWN) * _BAR / 2
    yield text(axis.left - 12, middle + 4, row.label, size=13, anchor="end")
    for at, (figure, (_, colour)) in enumerate(zip(row.figures, _SHOWN.values(), strict=True)):
        y = top + at * _BAR
        start, end = sorted((axis.x(0.0), axis.x(figure.value)))
        yield f'<rect x="{start:.1f}" y="{y}" width="{end - start:.1f}" height="{_BAR - 2}" fill="{colour}"/>'
        furthest = axis.x(max(figure.value, 0.0))
        if figure.interval is not None:
            yield from _whisker(axis, figure.interval, y + (_BAR - 2) / 2)
            furthest = max(furthest, axis.x(figure.interval[1]))
        shown = signed(figure.value) if signs else plain(figure.value)
        yield text(furthest + 6, y + _BAR - 3, shown, size=11, colour=_PALE)


def _whisker(axis: _Axis, interval: tuple[float, float], y: float) -> Iterable[str]:
    low, high = axis.x(interval[0]), axis.x(interval[1])
    ends = f"M{low:.1f} {y - 3}V{y + 3}M{low:.1f} {y}H{high:.1f}M{high:.1f} {y - 3}V{y + 3}"
    yield f'<path d="{ends}" stroke="{_INK}" fill="none"/>'


def _wide(label: str) -> float:
    return sum(_LETTER * (1.8 if east_asian_width(letter) in "WF" else 1.0) for letter in label)
