"""How it looks in a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot import BOT, RecordedMove
from rich.console import Console
from rich.table import Table
from rich.text import Text

import gieok

MARKS = {"post": "글", "notification": "답글", "message": "쪽지", "comment": "댓글"}
BARS = "▁▂▃▄▅▆▇"


class Stage:
    """Where it is shown."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.conclusions: list[str] = []
        self._news: list[str] = []

    def happened(self, event: RecordedMove, *, again: bool = False) -> None:
        """Show what somebody wrote, and what was learned from it."""
        own = event.type == "comment"
        who = Text(BOT if own else event.author, "green" if own else "blue")
        self._line(f"{event.at.month}/{event.at.day}", MARKS[event.type], who, Text(event.text))
        news = ["= 이미 아는 글이 또 왔다"] if again else self._news
        for each in news:
            self.console.print(f"{'':17}{each}", style="bright_black")
        self._news = []

    def learned(self, event: gieok.Event) -> None:
        """Keep in mind what the memory tells of itself."""
        told = f"{event.what.subject_id}: {event.what.content}"
        if event.name == "reflected":
            self.conclusions.append(told)
            self._line("", "정리", Text("*", "yellow"), Text(told, "yellow"))
        else:
            self._news.append(f"{'+' if event.name == 'memory.remembered' else '-'} {told}")

    def people(self, people: Mapping[str, Any]) -> None:
        """Show whom the bot knows by now."""
        table = Table(title=f"다섯 주 뒤, {BOT}가 아는 사람들", title_justify="left", show_lines=True)
        for title in ("", "만남", "평판", "신뢰", "아는 것"):
            table.add_column(title, overflow="fold")
        for name, known in people.items():
            course = "".join(BARS[round((regard + 1) / 2 * (len(BARS) - 1))] for regard in known.regards)
            table.add_row(Text(name, "blue"), f"{known.met}번", course, f"{known.trust:.0f}", ", ".join(known.facts))
        self.console.print()
        self.console.print(table)

    def _line(self, day: str, mark: str, who: Text, words: Text) -> None:
        line = Table.grid(padding=(0, 1))
        for width in (6, 4, 4):
            line.add_column(width=width)
        line.add_column(overflow="fold")
        line.add_row(Text(day, "bright_black"), Text(mark, "bright_black"), who, words)
        self.console.print(line)
