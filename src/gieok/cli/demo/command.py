"""`gieok demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gieok.cli.console import answers, wake
from gieok.cli.opening import settings_for
from gieok.cli.options import BankPath

_PAUSE = 0.25


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
    from gieok.cli.demo.performance import Performance
    from gieok.cli.demo.picture import check_place, draw
    from gieok.cli.demo.story import story as read_story
    from gieok.errors import InvalidQuery
    from gieok.testing.stand_ins import FixedClock

    if svg is not None:
        check_place(svg)
    settings = settings_for(location).without_models()
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
