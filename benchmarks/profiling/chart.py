"""A profile as a picture: one bar for each size, made of its phases; drawn as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from gieok_evals.drawing import picture, text
from profiling.findings import Profiled

_PALETTE: Final = ("#2f6f9f", "#e0913a", "#4f9d69", "#b5483c", "#7a5ea8", "#c7a72c", "#3aa0a8")
_OTHERS: Final = "all others"
_OTHER_COLOUR, _INK, _PALE, _LINE = "#b9c0c6", "#222222", "#6b6b6b", "#dddddd"
_MARGIN, _LEFT, _PLOT, _VALUES = 28, 150, 560, 84
_TOP: Final = 78  #: title, and what it is about
_BAR, _GAP = 30, 14
_KEY_ROW, _KEY_COLUMNS = 20, 4
_LEAST: Final = 0.045  #: of the longest bar: where a share is written in


def svg(profiles: Sequence[Profiled], *, title: str, about: str) -> str:
    """Return the picture of one act at several sizes."""
    shown = _shown(profiles)
    colours = {**dict(zip(shown, _PALETTE, strict=False)), _OTHERS: _OTHER_COLOUR}
    longest = max(each.cpu_ms for each in profiles)
    bottom = _TOP + len(profiles) * (_BAR + _GAP)
    rows = -(-len(colours) // _KEY_COLUMNS)
    body = [
        text(_MARGIN, 34, title, size=18, weight=600),
        text(_MARGIN, 56, about, size=12, colour=_PALE),
        f'<path d="M{_LEFT} {_TOP - 6}V{bottom - 4}" stroke="{_LINE}"/>',
    ]
    for number, each in enumerate(profiles):
        body += _bar(each, colours, longest, _TOP + number * (_BAR + _GAP))
    body += _key(colours, bottom + 12)
    return picture(title, body, width=_LEFT + _PLOT + _VALUES, height=bottom + 16 + rows * _KEY_ROW + 12)


def _shown(profiles: Sequence[Profiled]) -> list[str]:
    """Return the phases that have a colour of their own: the largest over all sizes."""
    shares: dict[str, float] = {}
    for each in profiles:
        for name in each.phases:
            shares[name] = max(shares.get(name, 0.0), each.share(name))
    return sorted(shares, key=lambda name: -shares[name])[: len(_PALETTE)]


def _bar(each: Profiled, colours: dict[str, str], longest: float, y: float) -> Iterable[str]:
    label = "under load" if each.memories is None else f"{each.memories:,} memories"
    yield text(_LEFT - 10, y + _BAR / 2 + 4, label, size=13, anchor="end")
    parts = {name: each.phases.get(name, 0.0) for name in colours if name != _OTHERS}
    parts[_OTHERS] = max(each.cpu_ms - sum(parts.values()), 0.0)
    x = float(_LEFT)
    for name, milliseconds in parts.items():
        width = milliseconds / longest * _PLOT
        yield (
            f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_BAR}" fill="{colours[name]}" stroke="#ffffff">'
            f"<title>{name}: {milliseconds:.2f} ms</title></rect>"
        )
        if width >= _LEAST * _PLOT:
            share = f"{milliseconds / each.cpu_ms:.0%}"
            ink = _INK if name == _OTHERS else "#ffffff"
            yield text(x + width / 2, y + _BAR / 2 + 4, share, size=11, colour=ink, anchor="middle")
        x += width
    yield text(x + 8, y + _BAR / 2 + 4, f"{each.cpu_ms:.1f} ms", size=12, colour=_PALE)


def _key(colours: dict[str, str], top: float) -> Iterable[str]:
    for number, (name, colour) in enumerate(colours.items()):
        down, across = divmod(number, _KEY_COLUMNS)
        x, y = _MARGIN + across * 190, top + down * _KEY_ROW
        yield f'<rect x="{x}" y="{y}" width="11" height="11" rx="2" fill="{colour}"/>'
        yield text(x + 17, y + 10, name, size=12)
