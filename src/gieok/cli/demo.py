"""`gieok demo`: a story of some weeks, played through a real bank in seconds."""

from __future__ import annotations

import html
import io
import os
import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Final

import typer
from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from gieok.bank import MemoryBank, Mind, open_bank
from gieok.cli.common import BankPath, settings_for
from gieok.cli.console import DIM, Terms, answers, terminal_language, terminal_words, terms_for, text, texts_of, wake
from gieok.cli.table import Column, Listing, grid
from gieok.cli.talk import MARKS, Hits, Outcome, changed, context_view, outcome_table, outcomes
from gieok.conversation.story import Heard, Line, PutRight, Scene, Step, Story, TakenBack, story, tell
from gieok.domain.memory import Memory
from gieok.errors import InvalidQuery
from gieok.testing.stand_ins import FixedClock

say: Final = texts_of("cli_demo")
WIDTH: Final = 96
_ASPECT: Final = 0.55  #: width of a cell to its height; fonts with Hangul have 0.5, others 0.6
_CELL: Final = 20 * _ASPECT  #: Rich draws letters 20 high
_STRETCH: Final = re.compile(r'textLength="[^"]*"(?P<rest>[^>]*)>(?P<text>[^<]*)<')
_HUES: Final = "f2777a 7ed38a f0c674 7aa6ff d68feb 6ccfd9"  #: red, green, yellow, blue, magenta, cyan


def _colours(*codes: str) -> list[tuple[int, int, int]]:
    return [(code[0], code[1], code[2]) for each in codes for code in map(bytes.fromhex, each.split())]


_NIGHT: Final = TerminalTheme(
    (22, 24, 35), (208, 212, 226), _colours("161823", _HUES, "d0d4e2"), _colours("70768e", _HUES, "ffffff")
)
_PAUSE: Final = 0.25  #: seconds after each exchange
_HITS: Final = 3
_TALK, _OUTCOME = 10, 12  #: how the width is shared


def demo(
    bank: BankPath = None,
    fast: Annotated[bool, typer.Option("--fast/--no-fast")] = False,
    svg: Annotated[Path | None, typer.Option(metavar="PATH")] = None,
) -> None:
    if svg is not None and (svg.is_dir() or not os.access(svg.absolute().parent, os.W_OK)):
        raise InvalidQuery(text("errors.svg_place", path=svg))
    if bank is not None:
        _play(bank, kept=bank, fast=fast, svg=svg)
        return
    with TemporaryDirectory(prefix="gieok-demo-") as folder:
        _play(str(Path(folder) / "demo.db"), kept=None, fast=fast, svg=svg)


def _play(location: str, *, kept: str | None, fast: bool, svg: Path | None) -> None:
    language = terminal_language()
    settings = replace(settings_for(location).without_models(), backup_folder=None, language=language)
    told = story(settings.zone, language)
    console, clock = answers(), FixedClock(told.start)
    with open_bank(settings=settings, clock=clock) as bank:
        if bank.mind(told.scope).turns(1):
            raise InvalidQuery(text("errors.story_told", location=location))
        console.print(opening(told, location))
        wake(bank)
        pause = _PAUSE if console.is_terminal and not fast else 0.0
        performance = Performance(told, bank, clock, console, pause)
        performance.tell()
        console.print("", _part(say("ask")))
        performance.ask()
        console.print("", _part(say("then_and_now")))
        performance.compare()
        console.print("", _part(say("context", message=told.message)))
        performance.assemble()
        console.print("", what_next(kept))
    if svg is not None:
        draw(performance.picture, svg, title="gieok demo")
        console.print(f"\n{svg}", style=DIM)


def opening(told: Story, location: str) -> RenderableType:
    weeks = round((told.end - told.start).days / 7)
    title = say("title", user=told.user, character=told.character, weeks=weeks)
    labels = terminal_words().some("shared.decisions")
    shown = [(labels[name], *MARKS[name]) for name in ("remember", "supersede", "reinforce", "ignore")]
    legend = [Text(f"{mark} {label}", style=style) for label, mark, style in shown]
    where = Text(say("where", turns=told.turns, location=location), style=DIM, overflow="fold")
    return Group(Text.assemble((f"{say('gieok')} ", "bold green"), (title, "bold")), where, Text("  ").join(legend))


def _part(title: str) -> RenderableType:
    return Rule(Text(title, style="bold green"), style="green", align="left")


def _day(day: date) -> str:
    return say("day", day=day, weekday=say(f"weekdays.{day:%a}"))


def _side_by_side(left: RenderableType, right: RenderableType) -> RenderableType:
    columns = (
        Column(None, lambda row: row[0], fold=True, ratio=_TALK),
        Column(None, lambda row: row[1], fold=True, ratio=_OUTCOME),
    )
    return Listing([(left, right)], columns, gap=1)


def then_and_now(told: Story, before: Sequence[Memory], after: Sequence[Memory]) -> RenderableType:
    """Return what was true of the user on an earlier day beside what is true at the end; changes stand out."""
    kept = {memory.id for memory in before} & {memory.id for memory in after}

    def facts(day: date, memories: Iterable[Memory], style: str) -> RenderableType:
        lines = [Text("  ").append(memory.content, "" if memory.id in kept else style) for memory in memories]
        return Group(Text(say("on_day", day=_day(day)), style="bold"), *lines)

    sides = [facts(told.earlier.date(), before, "yellow"), facts(told.end.date(), after, "bold green")]
    return Columns(sides, equal=True, expand=True)


def what_next(location: str | None) -> RenderableType:
    """Return three things to try; with a kept bank they go on with it."""
    kept = f" --bank {location}" if location else ""
    look = f"gieok facts --history{kept}" if location else "gieok demo --bank demo.db"
    commands = {
        f"gieok chat{kept}": say("next.chat"),
        look: say("next.facts") if location else say("next.keep"),
        "gieok doctor": say("next.doctor"),
    }
    rows = [(f"  $ {command}", purpose) for command, purpose in commands.items()]
    return Group(Text(say("next.title"), style="bold"), grid(rows, "green", DIM))


@dataclass(slots=True)
class Performance:
    """One showing of the story. It collects on the way what a picture of it should hold."""

    story: Story
    bank: MemoryBank
    clock: FixedClock
    console: Console
    pause: float = 0.0  #: seconds after each exchange
    picture: list[RenderableType] = field(default_factory=list)
    mind: Mind = field(init=False)
    terms: Terms = field(init=False)

    def __post_init__(self) -> None:
        self.mind = self.bank.mind(self.story.scope)
        self.terms = terms_for(self.mind)

    def tell(self) -> None:
        for scene in self.story.scenes:
            title = Text(f"{_day(scene.day)} · {scene.title}", style="bold")
            self._show("", Rule(title, align="left", style=DIM), pictured=bool(scene.pictured))
            for step in tell(scene, self.mind, set_clock=self.clock.set):
                self._show_step(step, scene)

    def ask(self) -> None:
        for number, asked in enumerate(self.story.questions, start=1):
            hits = Hits(self.mind.recall(asked, k=_HITS), self.mind.weights, self.terms)
            question = Text.assemble(("? ", "bold cyan"), (asked, "bold"))
            pictured = number == self.story.pictured_question
            self._show("", question, Padding(hits, (0, 0, 0, 2)), pictured=pictured)

    def compare(self) -> None:
        before = self.mind.facts("user", said_by="user", as_of=self.story.earlier)
        after = self.mind.facts("user", said_by="user")
        self._show("", then_and_now(self.story, before, after), pictured=True)

    def assemble(self) -> None:
        self._show(context_view(self.mind.context(self.story.message, budget=self.story.budget), self.terms))

    def _show_step(self, step: Step, scene: Scene) -> None:
        match step:
            case Heard(line=line):
                silence = () if step.observed.decisions else self.mind.silence(step.observed.turn.id)
                rows = outcomes(step.observed, self.terms, silence=silence)
                shown = _side_by_side(self._exchange(line), outcome_table(rows, self.terms))
                self._show(shown, pictured=step.number in scene.pictured)
                time.sleep(self.pause)
            case PutRight():
                self._by_hand(step.note, [changed("correct", [step.wrong], step.right)], scene)
            case TakenBack(back=Memory() as back):
                self._by_hand(step.note, [changed("rewind", step.gone, back)], scene)
            case TakenBack():
                rows = [Outcome("rewind", gone, Text(gone.content, style=f"strike {DIM}")) for gone in step.gone]
                self._by_hand(step.note, rows, scene)

    def _exchange(self, line: Line) -> RenderableType:
        user, character = Text(self.story.user, style="blue"), Text(self.story.character, style="magenta")
        return grid([(user, line.text), (character, line.reply)], gap=1)

    def _by_hand(self, note: str, rows: Sequence[Outcome], scene: Scene) -> None:
        shown = _side_by_side(Text(f"({note})", style=DIM), outcome_table(rows, self.terms))
        self._show(shown, pictured=bool(scene.pictured))

    def _show(self, *shown: RenderableType, pictured: bool = False) -> None:
        for each in shown:
            self.console.print(each)
        if pictured:
            self.picture.extend(shown)


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
    frame = files(__package__).joinpath("demo.svg").read_text(encoding="utf-8")
    svg = console.export_svg(title=title, theme=_NIGHT, code_format=frame, font_aspect_ratio=_ASPECT, unique_id="gieok")
    try:

        def widened(stretch: re.Match[str]) -> str:
            cells = cell_len(html.unescape(stretch["text"]))
            return f'textLength="{cells * _CELL:g}"{stretch["rest"]}>{stretch["text"]}<'

        path.write_text(_STRETCH.sub(widened, svg), encoding="utf-8")
    except OSError as cause:
        raise InvalidQuery(text("errors.svg_failed", path=path, cause=cause.strerror)) from cause
