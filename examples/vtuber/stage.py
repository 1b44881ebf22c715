"""Her window: a face, what is said, and what goes on behind it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from play import Shown

FACES = {
    "neutral": ("( ･_･ )", "white"),
    "happy": ("＼(^o^)／", "yellow"),
    "sad": ("( T_T )", "blue"),
    "angry": ("(｀皿´)", "red"),
}


class Stage:
    """Where the evenings are shown."""

    def __init__(self, console: Console, user: str, character: str) -> None:
        self.console, self.user, self.character = console, user, character

    def title(self, words: str) -> None:
        self.console.print()
        self.console.rule(Text(words, "bold"), align="left", style="bright_black")

    def turn(self, shown: Shown) -> None:
        """Show one turn: the sprite on the left, the talk and the notes on the right."""
        face, ink = FACES[shown.emotion]
        window = Panel(Text(f"\n{face}\n", ink, justify="center"), subtitle=shown.sprite, width=22, border_style=ink)
        said = Text.assemble((f"{self.user} ", "cyan"), shown.says)
        answered = Text.assemble((f"{self.character} ", "magenta"), shown.reply)
        beside = Table.grid(padding=(0, 2))
        beside.add_row(window, Group(said, answered, *(Text(note, "bright_black") for note in _notes(shown))))
        self.console.print(beside)

    def slots(self, slots: Sequence[str]) -> None:
        body = "\n".join(f"■ {slot}" for slot in slots)
        self.console.print(Panel(body, title=f"{self.character}의 슬롯", title_align="left", border_style="magenta"))


def _notes(shown: Shown) -> Iterator[str]:
    if shown.judged is not None:
        yield f"모델  {shown.judged}"
    yield f"화면  {json.dumps(dict(shown.face))}"
    for each in shown.candidates:
        yield f"{'■ 슬롯' if each.slot else '□ 후보'} {each.score:.2f}  {each.about}: {each.words}"
    for each in shown.recalled:
        yield f"떠오른 슬롯: {each} · 들고 있는 원문 {shown.turns}턴"
