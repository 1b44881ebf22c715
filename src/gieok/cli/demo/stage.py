"""How the demo looks: the talk on the left, what became of it on the right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from gieok.conversation.story import Line, Scene, Story
from gieok.domain.memory import Memory

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
