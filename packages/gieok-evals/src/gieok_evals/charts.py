"""Charts of reports as SVG, drawn with matplotlib.

Text stays text in the SVG: a browser shows Korean labels with its own fonts, even if matplotlib has none to measure
them with.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from itertools import pairwise
from typing import Any, Final
from unicodedata import east_asian_width

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from gieok_evals.dialogues import LOWER_IS_BETTER, DialoguesReport
from gieok_evals.retrieval import RetrievalReport, metrics, signed
from gieok_evals.year import YearReport
from gieok_evals.year.review import Lived
from gieok_evals.year.story import DAYS, LEVELS, Person, people

PALE: Final = "#6b6b6b"
_INK: Final = "#222222"
_KOREAN_FONTS: Final = (
    "Noto Sans CJK KR", "Noto Sans KR", "Noto Sans CJK JP", "NanumGothic", "Apple SD Gothic Neo", "Malgun Gothic",
)  # fmt: skip
_STYLE: Final[dict[Any, Any]] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "gieok",
    "text.parse_math": False,
    "font.size": 9,
    "axes.edgecolor": "#dddddd",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "#dddddd",
    "ytick.left": False,
}
_METRICS: Final = {"recall@10": ("recall@10", "#2f6f9f"), "mrr": ("MRR", "#e0913a")}  #: label and colour
_BAR: Final = 0.36
_CURVE, _AWAY, _HARSH = "#1d6f86", "#8a949c", "#b5483c"
_BANDS: Final = ("#f7f9fa", "#eef5f6", "#e2eff1", "#d6e8eb", "#c9e1e5")  #: of the levels, from stranger on
_BAND: Final = 20  #: points of score in a level
_MONTHS: Final = ("Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb")
_MARK_ROWS: Final = 3  #: rows of labels above a plot
_WIDE, _NARROW = 7.0, 4.2  #: days that a letter of a label takes


@contextmanager
def chart_style() -> Iterator[None]:
    """Apply the style of gieok's charts, with a Korean font if one is installed."""
    installed = {font.name for font in fontManager.ttflist}
    fonts = [name for name in _KOREAN_FONTS if name in installed]
    with mpl.rc_context({**_STYLE, "font.family": [*fonts, "DejaVu Sans"]}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing from")
        yield


def titled(title: str, about: str, *, width: float, height: float) -> Figure:
    """Return a new figure of `width` by `height` inches, with a title and a line below it."""
    figure = Figure(figsize=(width, height))
    figure.text(0.02, 1 - 0.25 / height, title, size=13, weight="bold", color=_INK, va="center")
    figure.text(0.02, 1 - 0.5 / height, about, size=9, color=PALE, va="center")
    return figure


def as_svg(figure: Figure) -> str:
    """Return the same text for the same figure."""
    page = StringIO()
    figure.savefig(page, format="svg", bbox_inches="tight", metadata={"Date": None})
    return page.getvalue()


def retrieval_chart(report: RetrievalReport) -> str:
    """Return recall@10 and MRR by category, or the changes of an ablation if there was one."""
    if report.differences:
        title = f"{report.data}: change when left out"
        rows: dict[str, Mapping[str, metrics.Figure]] = {each.name: each.figures for each in report.differences}
    else:
        title = f"{report.data}: found"
        rows = {"overall": report.default.overall.figures}
        rows |= {name: scored.figures for name, scored in report.default.categories.items()}
        rows |= {f"{name} (not in overall)": scored.figures for name, scored in report.default.apart.items()}
    about = (
        f"{report.counts['queries']:,} questions, {report.counts['turns']:,} turns; {report.settings['embedder']}; "
        f"95 % intervals by {report.unit}"
    )
    height = 1.3 + 0.45 * len(rows)
    with chart_style():
        figure = titled(title, about, width=9, height=height)
        axes = figure.add_axes((0.22, 0.4 / height, 0.7, 1 - 1.2 / height))
        for number, (name, (label, colour)) in enumerate(_METRICS.items()):
            shown = [row[name] for row in rows.values()]
            places = [place + (number - 0.5) * _BAR for place in range(len(rows))]
            axes.barh(places, [each.value for each in shown], height=_BAR * 0.9, color=colour, label=label)
            for place, each in zip(places, shown, strict=True):
                if each.interval is not None:
                    axes.plot(each.interval, (place, place), color=_INK, linewidth=1, marker="|", markersize=5)
                end = max(each.value, 0.0, *(each.interval or ()))
                value = signed(each.value) if report.differences else f"{each.value:.3f}"
                axes.annotate(value, (end, place), (6, 0), textcoords="offset points", va="center", size=8, color=PALE)
        axes.set_yticks(range(len(rows)), list(rows))
        axes.invert_yaxis()
        axes.grid(axis="x")
        axes.axvline(0, color=PALE, linewidth=0.8)
        if not report.differences:
            axes.set_xlim(0, 1)
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1), ncols=len(_METRICS), frameon=False)
        return as_svg(figure)


def dialogues_chart(report: DialoguesReport) -> str:
    """Return one bar for each figure; those that should be low have another colour."""
    rows = {name: each for name, each in report.scores.items() if each.share.of}
    height = 1.3 + 0.32 * len(rows)
    about = f"{report.conversations} conversations, {report.turns:,} turns; 95 % intervals by conversation"
    with chart_style():
        figure = titled(f"{report.data}: what is held", about, width=9, height=height)
        axes = figure.add_axes((0.22, 0.4 / height, 0.7, 1 - 1.2 / height))
        for place, (name, each) in enumerate(rows.items()):
            rate = each.share.rate or 0.0
            axes.barh(place, rate, height=0.6, color="#e0913a" if name in LOWER_IS_BETTER else "#2f6f9f")
            if each.interval is not None:
                axes.plot(each.interval, (place, place), color=_INK, linewidth=1, marker="|", markersize=5)
            end = max(rate, *(each.interval or (0.0,)))
            label = f"{rate:.2f}" + (" (lower is better)" if name in LOWER_IS_BETTER else "")
            axes.annotate(label, (end, place), (6, 0), textcoords="offset points", va="center", size=8, color=PALE)
        axes.set_yticks(range(len(rows)), [name.replace("_", " ") for name in rows])
        axes.invert_yaxis()
        axes.grid(axis="x")
        axes.set_xlim(0, 1)
        return as_svg(figure)


def year_chart(report: YearReport) -> str:
    """Return a panel for each user: the score of the relationship over the year, over bands for the levels."""
    stories = {person.user: person for person in people()}
    columns = min(2, len(report.lives))
    rows = -(-len(report.lives) // columns)
    about = f"relationship over {DAYS} days; {report.turns:,} turns each, seed {report.seed}"
    width, height = 7.6 * columns, 0.7 + 3.1 * rows
    with chart_style():
        figure = titled("A year together", about, width=width, height=height)
        for number, lived in enumerate(report.lives):
            down, across = divmod(number, columns)
            left, bottom = 0.15 + 7.6 * across, height - 0.7 - 3.1 * (down + 1) + 0.35
            axes = figure.add_axes((left / width, bottom / height, 6.1 / width, 1.8 / height))
            _panel(axes, lived, stories[lived.user])
        return as_svg(figure)


def _panel(axes: Axes, lived: Lived, person: Person) -> None:
    axes.set_xlim(0, DAYS)
    axes.set_ylim(0, 100)
    axes.spines[:].set_visible(False)
    axes.set_title(f"{lived.user} · {lived.character}", loc="left", pad=44, size=11, weight="bold", color=_INK)
    axes.set_title(lived.title, loc="center", pad=44, size=9, color=PALE)
    if lived.course:
        end = lived.course[-1]
        axes.set_title(f"{_level(end.level)}, {end.score:.0f}", loc="right", pad=44, size=9, color=_CURVE)
    for rank, colour in enumerate(_BANDS):
        axes.axhspan(rank * _BAND, (rank + 1) * _BAND, color=colour, linewidth=0)
    axes.yaxis.tick_right()
    axes.set_yticks([_BAND * (rank + 0.5) for rank in range(len(LEVELS))], list(map(_level, LEVELS)), color=PALE)
    axes.set_xticks([DAYS / 12 * (month + 0.5) for month in range(12)], _MONTHS, color=PALE)
    axes.tick_params(length=0)
    for first, last in person.absent:
        _stretch(axes, first - 1, last, "away", _AWAY)
    ends = [*(phase.start - 1 for phase in person.phases[1:]), DAYS]
    for phase, last in zip(person.phases, ends, strict=True):
        if phase.mark is not None:
            _stretch(axes, phase.start - 1, last, phase.mark, _HARSH)
    for day, middle, row, label, strong in placed_marks(person):
        colour = _INK if strong else PALE
        top = 104 + 10 * row
        axes.plot((day, day), (0, top), color=colour, linewidth=0.7, linestyle=":", clip_on=False)
        weight = "bold" if strong else "normal"
        axes.text(middle, top, label, size=8, color=colour, weight=weight, ha="center", va="bottom")
    if lived.course:
        days = [0.0, *(point.day for point in lived.course), float(DAYS)]
        scores = [point.score for point in lived.course]
        curve = [scores[0], *scores, scores[-1]]
        axes.fill_between(days, curve, color=_CURVE, alpha=0.1, linewidth=0)
        axes.plot(days, curve, color=_CURVE, linewidth=1.8)
        changes = [after for before, after in pairwise(lived.course) if before.level != after.level]
        axes.scatter(
            [point.day for point in changes],
            [point.score for point in changes],
            s=22, facecolor="white", edgecolor=_CURVE, linewidth=1.6, zorder=3, gid=f"levels of {lived.user}",
        )  # fmt: skip


def _stretch(axes: Axes, first: float, last: float, label: str, colour: str) -> None:
    axes.axvspan(first, last, color=colour, alpha=0.13, linewidth=0)
    axes.text((first + last) / 2, 96, label, size=8, color=colour, weight="bold", ha="center", va="top")


def placed_marks(person: Person) -> Iterator[tuple[float, float, int, str, bool]]:
    """Yield day, middle of the label, row, label, and whether it is an event, so that no label covers another."""
    ends = [-_NARROW] * _MARK_ROWS
    for line in person.lines:
        if line.mark is None:
            continue
        half = label_days(line.mark) / 2
        middle = min(max(float(line.day), half), DAYS - half)
        free = [row for row in range(_MARK_ROWS) if ends[row] + _NARROW <= middle - half]
        row = free[0] if free else ends.index(min(ends))
        ends[row] = middle + half
        yield line.day, middle, row, line.mark, line.keep == "event"


def label_days(label: str) -> float:
    """Return how many days of the axis a label takes."""
    return sum(_WIDE if east_asian_width(letter) in "WF" else _NARROW for letter in label)


def _level(level: str) -> str:
    return level.replace("_", " ")
