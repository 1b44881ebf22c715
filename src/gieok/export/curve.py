"""How close two were, as a line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from html import escape
from typing import Final

_WIDTH: Final = 640
_HEIGHT: Final = 120
_TOP: Final = 100.0


def curve(points: Sequence[tuple[datetime, float]], label: str) -> str:
    """Return a picture of the points, which are in order; of one there is none."""
    if len(points) < 2:
        return ""
    first, last = points[0][0], points[-1][0]
    span = max((last - first).total_seconds(), 1.0)
    places = " ".join(
        f"{(at - first).total_seconds() / span * _WIDTH:.1f},{_HEIGHT * (1 - value / _TOP):.1f}" for at, value in points
    )
    told = escape(f"{label} {points[0][1]:.0f} → {points[-1][1]:.0f}", quote=True)
    return (
        f'<svg class=course role=img aria-label="{told}" viewBox="0 0 {_WIDTH} {_HEIGHT}" preserveAspectRatio="none">'
        f'<path d="M0 {_HEIGHT}H{_WIDTH}M0 {_HEIGHT / 2:.0f}H{_WIDTH}M0 0H{_WIDTH}"/>'
        f'<polyline points="{places}"/></svg>\n'
        f"<p class=legend>{told}</p>\n"
    )
