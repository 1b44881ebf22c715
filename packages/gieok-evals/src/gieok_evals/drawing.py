"""What pictures are made of: SVG, as plain strings, on a ground of their own so that dark pages show them as well."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final
from xml.sax.saxutils import escape

_FONT: Final = "'Pretendard','Noto Sans KR','Noto Sans CJK KR','Apple SD Gothic Neo','Malgun Gothic',sans-serif"


def picture(title: str, body: Iterable[str], *, width: float, height: float) -> str:
    """Return a whole picture; `title` is what a screen reader says."""
    size = f'width="{width:.0f}" height="{height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {width:.0f} {height:.0f}" '
        f'font-family="{_FONT}" role="img">\n<title>{escape(title)}</title>\n'
        + "\n".join([f'<rect {size} fill="#ffffff"/>', *body])
        + "\n</svg>\n"
    )


def text(
    x: float, y: float, words: str, *, size: int, colour: str = "#222222", anchor: str = "start", weight: int = 400
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" font-weight="{weight}" fill="{colour}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )
