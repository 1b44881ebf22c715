"""Charts that read like the rest of a page: in its colours, without motion, and told in words beside them.

They are drawn as SVG, so that colours are the page's own variables and follow its theme. What somebody wrote only ever
stands in values, never in a key: NiceGUI runs what stands behind a key that begins with a colon.
"""

from __future__ import annotations

from typing import Any, Final

from nicegui import ui

Options = dict[str, Any]

INK: Final = "var(--ink)"
DIM: Final = "var(--dim)"
LINE: Final = "var(--line)"
_FONT: Final = 'system-ui, -apple-system, "Apple SD Gothic Neo", "Noto Sans KR", "Noto Sans CJK KR", sans-serif'
_TOOLTIP: Final[Options] = {
    "renderMode": "richText",  # drawn as text: nothing in it can be markup
    "confine": True,
    "backgroundColor": "var(--card)",
    "borderColor": LINE,
    "borderWidth": 1,
    "padding": [8, 12],
    "textStyle": {"color": INK, "fontSize": 13, "lineHeight": 19, "fontFamily": _FONT},
}
LOOK: Final = '<link rel="stylesheet" href="/look/charts.css">'  #: for the head of a page with charts
#: what a point tells when one points at it; `told` is part of its data
TOLD: Final = "point => point.data.told"


def chart(options: Options, told: str, look: str) -> ui.echart:
    """Draw a chart; `told` says in words what it shows, `look` is the class that gives it its size."""
    whole = {"animation": False, "textStyle": {"color": INK, "fontFamily": _FONT}, **options}
    if "tooltip" in options:
        whole["tooltip"] = {**_TOOLTIP, **options["tooltip"]}
    drawn = ui.echart(whole, renderer="svg").classes(f"g-chart {look}")
    drawn.props["role"] = "img"
    drawn.props["aria-label"] = told
    return drawn


def axis(**more: Any) -> Options:
    """Return an axis in the colours of the page."""
    return {
        "axisLine": {"lineStyle": {"color": LINE}},
        "axisTick": {"show": False},
        "axisLabel": {"color": DIM, "fontSize": 12, "hideOverlap": True},
        "splitLine": {"show": False},
        **more,
    }


def legend(**more: Any) -> Options:
    return {
        "top": 0,
        "left": 0,
        "itemWidth": 18,
        "itemGap": 9,
        "textStyle": {"color": INK, "fontSize": 12.5},
        "inactiveColor": LINE,
        "inactiveBorderColor": LINE,
        **more,
    }


def plain(text: str, most: int) -> str:
    """Return `text` in one line of at most `most` letters, without the brackets that style text in a chart."""
    line = " ".join(text.split()).replace("{", "(").replace("}", ")")
    return line if len(line) <= most else f"{line[: most - 1]}…"
