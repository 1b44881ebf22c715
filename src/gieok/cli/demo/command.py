"""`gieok demo`."""

from __future__ import annotations

import html
import io
import os
import re
from collections.abc import Iterable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.terminal_theme import TerminalTheme

from gieok.cli.console import answers, wake
from gieok.cli.opening import settings_for
from gieok.cli.options import BankPath
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
_PAUSE = 0.25


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


def demo(
    bank: BankPath = None,
    fast: Annotated[bool, typer.Option("--fast/--no-fast", help="Do not pause between turns.")] = False,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="PATH", help="Also draw a picture of it.")] = None,
) -> None:
    """Watch a character remember: weeks of a Korean story, in seconds."""
    from tempfile import TemporaryDirectory

    if bank is not None:
        _play(bank, kept=bank, fast=fast, svg=svg)
        return
    with TemporaryDirectory(prefix="gieok-demo-") as folder:
        _play(str(Path(folder) / "demo.db"), kept=None, fast=fast, svg=svg)


def _play(location: str, *, kept: str | None, fast: bool, svg: Path | None) -> None:
    import gieok
    from gieok.cli.demo import stage
    from gieok.cli.demo.command import check_place, draw
    from gieok.cli.demo.performance import Performance
    from gieok.conversation.story import story as read_story
    from gieok.errors import InvalidQuery
    from gieok.testing.stand_ins import FixedClock

    if svg is not None:
        check_place(svg)
    settings = replace(settings_for(location).without_models(), backup_folder=None)
    story = read_story(settings.zone)
    console = answers()
    clock = FixedClock(story.start)
    with gieok.open(settings=settings, clock=clock) as bank:
        if bank.mind(story.scope).turns(1):
            raise InvalidQuery(f"{location} holds this story already; name another file, or look: gieok facts --bank …")
        console.print(stage.opening(story, location))
        wake(bank)
        pause = _PAUSE if console.is_terminal and not fast else 0.0
        performance = Performance(story=story, bank=bank, clock=clock, console=console, pause=pause)
        performance.tell()
        console.print("", stage.part("물어보면 무엇이 떠오르는가"))
        performance.ask()
        console.print("", stage.part("그때와 지금"))
        performance.compare()
        console.print("", stage.part(f"모델에게 건네는 문맥 — “{story.message}”"))
        performance.assemble()
        console.print("", stage.what_next(kept))
    if svg is not None:
        draw(performance.picture, svg, title="gieok demo")
        console.print(f"\n{svg}", style="bright_black")
