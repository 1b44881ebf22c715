"""How it looks in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

import gieok

INK = ("yellow", "cyan", "magenta")
INDENT = " " * 6


class Stage:
    """Where the years are shown."""

    def __init__(self, console: Console, cats: Sequence[str]) -> None:
        self.console = console
        self.ink = dict(zip(cats, INK, strict=False))
        self._learned: list[gieok.Memory] = []

    def title(self, words: str) -> None:
        self.console.print()
        self.console.rule(Text(words, "bold"), align="left", style="bright_black")

    def says(self, who: str, words: str) -> None:
        line = Table.grid(padding=(0, 1))
        line.add_column(width=5, style="blue" if who != "미야" else "green")
        line.add_column(overflow="fold")
        line.add_row(who, words)
        self.console.print(line)

    def learned(self, event: gieok.Event) -> None:
        if event.what.attribute:
            self._learned.append(event.what)

    def news(self) -> None:
        """Show what was just learned, each under the name of the cat it is about."""
        for memory in self._learned:
            who = "지은" if memory.subject == "user" else memory.subject_id
            mark = "📌" if memory.pinned else " +"
            self.console.print(Text.assemble(INDENT, mark, " ", (who, self.ink.get(who, "blue")), f" {memory.content}"))
        self._learned.clear()

    def kept(self, known: int, missing: Sequence[str], done: int) -> None:
        if missing:
            self.console.print(f"{INDENT}잊었다! {missing}", style="bold red")
        elif known:
            told = f"주의 사항 {known}가지가 모두 문맥에 있습니다 · 기억 정리 {done}건"
            self.console.print(f"{INDENT}{told}", style="bright_black")

    def warns(self, cat: str, cautions: Sequence[str], others: Sequence[str]) -> None:
        """Show what the context says of the cat that was asked about, and, paler, of the others."""
        self.console.print(Text.assemble(INDENT, ("미야가 보는 문맥", "green")))
        for each in cautions:
            self.console.print(Text.assemble(INDENT, "📌 ", (each, f"bold {self.ink[cat]}")))
        for each in others:
            self.console.print(f"{INDENT}   {each}", style="bright_black")

    def book(self, shots: Mapping[str, Sequence[str]], weights: Mapping[str, Sequence[tuple[int, str]]]) -> None:
        """Show each cat's vaccinations and weights over the years."""
        table = Table(title="건강 수첩", title_justify="left")
        for heading in ("", "접종", "몸무게"):
            table.add_column(heading)
        for cat, ink in self.ink.items():
            weighed = "\n".join(f"{year}년 {kilograms}kg" for year, kilograms in weights[cat])
            table.add_row(Text(cat, ink), "\n".join(shots[cat]), weighed)
        self.console.print("", table)
