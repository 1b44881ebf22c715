"""A profile as a chart: one bar for each size, made of its phases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok_evals.charts import PALE, as_svg, chart_style, titled
from profiling.findings import Profiled

_PALETTE: Final = ("#2f6f9f", "#e0913a", "#4f9d69", "#b5483c", "#7a5ea8", "#c7a72c", "#3aa0a8")
_OTHERS: Final = "all others"
_OTHER_COLOUR: Final = "#b9c0c6"
_LEAST: Final = 0.045  #: of the longest bar: from here on a share is written into the bar


def svg(profiles: Sequence[Profiled], *, title: str, about: str) -> str:
    """Return the chart of one act at several sizes."""
    parts = _parts(profiles)
    longest = max(each.cpu_ms for each in profiles)
    height = 1.6 + 0.5 * len(profiles)
    with chart_style():
        figure = titled(title, about, width=9, height=height)
        axes = figure.add_axes((0.16, 0.8 / height, 0.72, 1 - 1.6 / height))
        starts = [0.0] * len(profiles)
        for (name, times), colour in zip(parts.items(), (*_PALETTE[: len(parts) - 1], _OTHER_COLOUR), strict=True):
            bars = axes.barh(range(len(profiles)), times, left=starts, color=colour, edgecolor="white", label=name)
            shares = [
                f"{time / each.cpu_ms:.0%}" if time >= _LEAST * longest else ""
                for time, each in zip(times, profiles, strict=True)
            ]
            axes.bar_label(bars, shares, label_type="center", size=8, color="black" if name == _OTHERS else "white")
            starts = [start + time for start, time in zip(starts, times, strict=True)]
        for number, each in enumerate(profiles):
            text = f"{each.cpu_ms:.1f} ms"
            axes.annotate(text, (each.cpu_ms, number), (6, 0), textcoords="offset points", va="center", color=PALE)
        labels = ["under load" if each.memories is None else f"{each.memories:,} memories" for each in profiles]
        axes.set_yticks(range(len(profiles)), labels)
        axes.set_xticks([])
        axes.spines["bottom"].set_visible(False)
        axes.invert_yaxis()
        axes.legend(loc="upper left", bbox_to_anchor=(0, 0), ncols=4, frameon=False)
        return as_svg(figure)


def _parts(profiles: Sequence[Profiled]) -> dict[str, list[float]]:
    """Return the milliseconds of the largest phases and of all others, in every profile."""
    shares: dict[str, float] = {}
    for each in profiles:
        for name in each.phases:
            shares[name] = max(shares.get(name, 0.0), each.share(name))
    largest = sorted(shares, key=lambda name: -shares[name])[: len(_PALETTE)]
    parts = {name: [each.phases.get(name, 0.0) for each in profiles] for name in largest}
    rest = [max(each.cpu_ms - sum(each.phases.get(name, 0.0) for name in largest), 0.0) for each in profiles]
    return {**parts, _OTHERS: rest}
