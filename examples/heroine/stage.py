"""How it looks in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

import gieok

INK = {"민수": "blue", "레티아": "magenta", "루파메스": "red", "로코": "green"}
LEVELS = {
    "stranger": "낯선 사이",
    "acquaintance": "아는 사이",
    "friend": "친구",
    "close_friend": "단짝",
    "intimate": "연인",
}
STYLES = {"formal": "존댓말", "casual": "반말", "intimate": "다정한 반말"}
INDENT = " " * 9


class Stage:
    """Where the story is shown."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def scene(self, title: str) -> None:
        self.console.rule(Text(title, "bold"), align="left", style="bright_black")

    def says(self, who: str, words: str) -> None:
        line = Table.grid(padding=(0, 1))
        line.add_column(width=8, style=INK[who])
        line.add_column(overflow="fold")
        line.add_row(who, words)
        self.console.print(line)

    def stands(self, relationship: gieok.Relationship, style: str) -> None:
        axes = f"애정 {relationship.affection:.0f} · 신뢰 {relationship.trust:.0f} · 경쟁심 {relationship.rivalry:.0f}"
        self.console.print(f"{INDENT}{LEVELS[relationship.level]} · {STYLES[style]} · {axes}", style="bright_black")

    def news(self, events: Iterable[gieok.Event]) -> None:
        """Tell what was learned or moved, and in whose memory."""
        told: dict[str, list[str]] = {}
        for event in events:
            told.setdefault(_in_words(event), []).append(event.scope.character or "")
        for what, heroines in told.items():
            names = Text(" ").join(Text(each, INK[each]) for each in heroines)
            self.console.print(Text.assemble(INDENT, (what, "bright_black"), "  ", names))

    def secrets(self, title: str, heroines: Sequence[str], rows: Mapping[str, Sequence[tuple[bool, bool]]]) -> None:
        """Show for each secret and heroine whether she knows it, and whether she may."""
        table = Table(title=title, title_justify="left")
        table.add_column()
        for name in heroines:
            table.add_column(Text(name, INK[name]), justify="center")
        for what, cells in rows.items():
            table.add_row(what, *(_known(knows=knows, may=may) for knows, may in cells))
        self.console.print("", table)

    def answers(self, title: str, answers: Mapping[str, Sequence[str]]) -> None:
        table = Table.grid(padding=(0, 2))
        for question, found in answers.items():
            table.add_row(Text(question, "magenta"), Text("\n".join(found)))
        self.console.print()
        self.console.print(Text(title, "bold"))
        self.console.print(table)


def _in_words(event: gieok.Event) -> str:
    what = event.what
    if event.name == "relationship.level":
        return f"♥ 민수와 {LEVELS[what.level]}"
    sign = "+" if event.name == "memory.remembered" else "-"
    return f"{sign} {'민수' if what.subject == 'user' else what.subject_id}: {what.content}"


def _known(*, knows: bool, may: bool) -> Text:
    if knows != may:
        return Text("샜다!" if knows else "잊었다!", "bold red")
    return Text("안다", "green") if knows else Text("모른다", "bright_black")
