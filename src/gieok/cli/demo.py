"""The demo: a story of some weeks, played through a real bank in seconds."""

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
from typing import Annotated, Final

import typer
from rich.cells import cell_len
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.terminal_theme import TerminalTheme
from rich.text import Text

from gieok.bank import MemoryBank, Mind
from gieok.cli.common import BankPath, settings_for
from gieok.cli.console import answers, wake
from gieok.cli.look.memories import (
    HitsTable,
    Outcome,
    changed,
    context_blocks,
    moods,
    outcome_table,
    outcomes,
    token_meter,
)
from gieok.cli.look.words import WORDS
from gieok.conversation.story import Heard, Line, PutRight, Scene, Step, Story, TakenBack, tell
from gieok.domain.memory import Memory
from gieok.errors import InvalidQuery
from gieok.testing.stand_ins import FixedClock

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
    frame = files(__package__).joinpath("demo.svg").read_text(encoding="utf-8")
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
        console.print(opening(story, location))
        wake(bank)
        pause = _PAUSE if console.is_terminal and not fast else 0.0
        performance = Performance(story=story, bank=bank, clock=clock, console=console, pause=pause)
        performance.tell()
        console.print("", part("물어보면 무엇이 떠오르는가"))
        performance.ask()
        console.print("", part("그때와 지금"))
        performance.compare()
        console.print("", part(f"모델에게 건네는 문맥 — “{story.message}”"))
        performance.assemble()
        console.print("", what_next(kept))
    if svg is not None:
        draw(performance.picture, svg, title="gieok demo")
        console.print(f"\n{svg}", style="bright_black")


_WEEKDAYS: Final = "월화수목금토일"
_TALK, _OUTCOME = 10, 12  #: how the width is shared


def opening(story: Story, location: str) -> RenderableType:
    title = Text.assemble(("기억 ", "bold green"), (f"{story.user}와 {story.character}, {_span(story)}", "bold"))
    legend = Text("  ").join(
        Text(f"{mark} {word}", style=style)
        for mark, word, style in (
            ("+", "기억함", "green"),
            ("~", "바뀜", "yellow"),
            ("=", "다시 들음", "cyan"),
            ("·", "건너뜀", "bright_black"),
        )
    )
    where = Text(
        f"대화 {story.turns}번을 진짜 기억 파일에 들려줍니다: {location}", style="bright_black", overflow="fold"
    )
    return Group(title, where, legend)


def heading(scene: Scene) -> RenderableType:
    return Rule(Text(f"{day(scene.day)} · {scene.title}", style="bold"), align="left", style="bright_black")


def exchange(line: Line, story: Story, outcome: RenderableType) -> RenderableType:
    talk = Table.grid(padding=(0, 1, 0, 0))
    talk.add_column(no_wrap=True, style="blue")
    talk.add_column(overflow="fold")
    talk.add_row(story.user, line.text)
    talk.add_row(Text(story.character, style="magenta"), line.reply)
    return _side_by_side(talk, outcome)


def aside(note: str, outcome: RenderableType) -> RenderableType:
    """Return what a person did by hand, in the place of an exchange."""
    return _side_by_side(Text(f"({note})", style="bright_black"), outcome)


def part(title: str) -> RenderableType:
    return Rule(Text(title, style="bold green"), style="green", align="left")


def question(text: str) -> RenderableType:
    return Text.assemble(("? ", "bold cyan"), (text, "bold"))


def then_and_now(story: Story, before: Sequence[Memory], after: Sequence[Memory]) -> RenderableType:
    """Return what was true of the user on an earlier day beside what is true at the end; changes stand out."""
    kept = {memory.id for memory in before} & {memory.id for memory in after}
    left = _facts(f"{day(story.earlier.date())}에는", before, kept, "yellow")
    right = _facts(f"{day(story.end.date())}에는", after, kept, "bold green")
    return Columns([left, right], equal=True, expand=True)


def what_next(location: str | None) -> RenderableType:
    """Return three things to try; with a kept bank they go on with it."""
    kept = f" --bank {location}" if location else ""
    lines = [
        (f"gieok chat{kept}", "직접 이야기해 보기"),
        (f"gieok facts --history{kept}" if location else "gieok demo --bank demo.db", _facts_hint(location)),
        ("gieok doctor", "이 컴퓨터에서 잘 도는지 보기"),
    ]
    table = Table.grid(padding=(0, 2, 0, 0))
    for command, purpose in lines:
        table.add_row(Text(f"  $ {command}", style="green"), Text(purpose, style="bright_black"))
    return Group(Text("이제 이렇게 해 보세요", style="bold"), table)


def day(day: date) -> str:
    return f"{day.month}월 {day.day}일 ({_WEEKDAYS[day.weekday()]})"


def _facts_hint(location: str | None) -> str:
    return "지금까지의 기억과 그 날짜 보기" if location else "기억 파일을 남기고 gieok facts -b demo.db"


def _facts(title: str, memories: Iterable[Memory], kept: set[str], changed: str) -> RenderableType:
    lines = [Text(title, style="bold")]
    lines += [Text("  ").append(memory.content, "" if memory.id in kept else changed) for memory in memories]
    return Group(*lines)


def _side_by_side(left: RenderableType, right: RenderableType) -> RenderableType:
    row = Table.grid(padding=(0, 1, 0, 0), expand=True)
    row.add_column(ratio=_TALK)
    row.add_column(ratio=_OUTCOME)
    row.add_row(left, right)
    return row


def _span(story: Story) -> str:
    weeks = round((story.end - story.start).days / 7)
    return f"{weeks}주 동안의 이야기"


_WORDS = WORDS["ko"]
_HITS = 3


@dataclass(slots=True, kw_only=True)
class Performance:
    """One showing of the story. It collects on the way what a picture of it should hold."""

    story: Story
    bank: MemoryBank
    clock: FixedClock
    console: Console
    pause: float = 0.0  #: seconds after each exchange
    picture: list[RenderableType] = field(default_factory=list)
    _mind: Mind = field(init=False)

    def __post_init__(self) -> None:
        self._mind = self.bank.mind(self.story.scope)

    def tell(self) -> None:
        """Play every scene."""
        for scene in self.story.scenes:
            self._show("", heading(scene), pictured=bool(scene.pictured))
            for step in tell(scene, self._mind, set_clock=self.clock.set):
                self._show_step(step, scene)

    def ask(self) -> None:
        """Ask the questions and show what comes to mind."""
        weights = self.bank.services.weights
        for number, asked in enumerate(self.story.questions, start=1):
            hits = self._mind.recall(asked, k=_HITS)
            table = HitsTable(hits=hits, scope=self._mind.key, words=_WORDS, weights=weights)
            self._show(
                "",
                question(asked),
                Padding(table, (0, 0, 0, 2)),
                pictured=number == self.story.pictured_question,
            )

    def compare(self) -> None:
        """Show what was true on an earlier day beside what is true now."""
        before = self._mind.facts("user", said_by="user", as_of=self.story.earlier)
        after = self._mind.facts("user", said_by="user")
        self._show("", then_and_now(self.story, before, after), pictured=True)

    def assemble(self) -> None:
        """Show what a model would get to see, and what it costs."""
        context = self._mind.context(self.story.message, budget=self.story.budget)
        self._show(context_blocks(context), "", token_meter(context, _WORDS))

    def _show_step(self, step: Step, scene: Scene) -> None:
        match step:
            case Heard(line=line):
                rows = outcomes(step.observed, _WORDS, silence=moods(line.text))
                shown = exchange(line, self.story, self._table(rows))
                self._show(shown, pictured=step.number in scene.pictured)
                time.sleep(self.pause)
            case PutRight():
                self._aside(step.note, changed("correct", [step.wrong], step.right), scene)
            case TakenBack():
                self._aside(step.note, changed("rewind", step.gone, step.back), scene)

    def _aside(self, note: str, outcome: Outcome, scene: Scene) -> None:
        self._show(aside(note, self._table([outcome])), pictured=bool(scene.pictured))

    def _table(self, rows: Iterable[Outcome]) -> RenderableType:
        return outcome_table(rows, self._mind.key, _WORDS)

    def _show(self, *shown: RenderableType, pictured: bool = False) -> None:
        for each in shown:
            self.console.print(each)
        if pictured:
            self.picture.extend(shown)
