"""The demo as a picture: a terminal window in SVG, with fonts that have Hangul and nothing to download."""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.terminal_theme import TerminalTheme

from gieok.errors import InvalidQuery

WIDTH: Final = 96
_ASPECT: Final = 0.55  #: width of a cell to its height; fonts with Hangul have 0.5, others 0.6
_CELL: Final = 20 * _ASPECT  #: Rich draws letters 20 high
_STRETCH: Final = re.compile(r'textLength="[^"]*"(?P<rest>[^>]*)>(?P<text>[^<]*)<')
_NIGHT: Final = TerminalTheme(
    (22, 24, 35),
    (208, 212, 226),
    [
        (22, 24, 35),
        (242, 119, 122),
        (126, 211, 138),
        (240, 198, 116),
        (122, 166, 255),
        (214, 143, 235),
        (108, 207, 217),
        (208, 212, 226),
    ],
    [
        (112, 118, 142),
        (242, 119, 122),
        (126, 211, 138),
        (240, 198, 116),
        (122, 166, 255),
        (214, 143, 235),
        (108, 207, 217),
        (255, 255, 255),
    ],
)


def check_place(path: Path) -> None:
    """Raise `InvalidQuery` where no picture can be written to `path`; nothing is written yet."""
    if path.is_dir() or not os.access(path.absolute().parent, os.W_OK):
        raise InvalidQuery(f"--svg {path} cannot be written; name a file in a folder that is there and writable")


def draw(shown: Iterable[RenderableType], path: Path, *, title: str) -> None:
    """Write `shown`, one below the other, as a picture to `path`. The same content gives the same file."""
    console = Console(
        width=WIDTH,
        record=True,
        file=io.StringIO(),
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
        markup=False,
        emoji=False,
    )
    for each in shown:
        console.print(each)
    frame = files(__package__).joinpath("terminal.svg").read_text(encoding="utf-8")
    svg = console.export_svg(title=title, theme=_NIGHT, code_format=frame, font_aspect_ratio=_ASPECT, unique_id="gieok")
    try:
        path.write_text(_fitted(svg), encoding="utf-8")
    except OSError as cause:
        raise InvalidQuery(f"--svg {path} cannot be written: {cause.strerror}; name another file") from cause


def _fitted(svg: str) -> str:
    """Return `svg` with room for wide letters: Rich gives a stretch of text one cell a letter, Hangul takes two."""

    def widened(stretch: re.Match[str]) -> str:
        cells = cell_len(html.unescape(stretch["text"]))
        return f'textLength="{cells * _CELL:g}"{stretch["rest"]}>{stretch["text"]}<'

    return _STRETCH.sub(widened, svg)
