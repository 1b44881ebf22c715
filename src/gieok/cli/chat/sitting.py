"""The loop of a chat: hear a line, have it answered, carry out a small command."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gieok.cli.chat.answering import phrase, phrases
from gieok.cli.look.decisions import moved_line, outcome, outcome_table
from gieok.cli.look.living_words import LIVING_WORDS
from gieok.cli.look.words import WORDS
from gieok.cli.troubles import told
from gieok.domain.answer import Observed
from gieok.domain.memory import Memory
from gieok.errors import InvalidInput, NotFound

if TYPE_CHECKING:
    from gieok.bank import Mind
    from gieok.cli.chat.voices import Voice

_DIGITS = 10  #: a number with more is none that /기억 shows
_WORDS = WORDS["ko"]


@dataclass(slots=True, kw_only=True)
class Sitting:
    """One sitting with one mind."""

    mind: Mind
    console: Console
    voice: Voice
    _said: list[tuple[str, str]] = field(default_factory=list)  #: (turn id, text) that can be undone, oldest first
    _listed: dict[int, Memory] = field(default_factory=dict)  #: what /기억 showed last, by number

    def open(self) -> None:
        """Say who is there, and whether a model is."""
        self.voice.open(known=len(self._known()))

    def hear(self, typed: Iterable[str]) -> None:
        """Answer line by line, until there are no more or one says goodbye."""
        for line in typed:
            text = line.strip()
            try:
                if text and not self._answered(text):
                    return
            except (InvalidInput, NotFound) as trouble:  # one line that cannot be kept, or a memory gone meanwhile
                self.console.print(told(trouble), style="red")

    def _answered(self, text: str) -> bool:
        """Answer `text`, or carry it out; return whether the talk goes on."""
        if text.startswith("/"):
            return self._commanded(text)
        observed = self.voice.answer(text)
        if observed is not None:
            self._said.append((observed.turn.id, text))
            self._tell(observed)
        return True

    def _tell(self, observed: Observed) -> None:
        """Show what was remembered, aside."""
        rows = [outcome(decision, _WORDS) for decision in observed.decisions]
        if rows:
            self.console.print(Padding(outcome_table(rows, self.mind.key, _WORDS), (0, 0, 0, 2)))
        moved = moved_line(observed, self.mind.key, _WORDS, LIVING_WORDS["ko"])
        if moved is not None:
            self.console.print(Padding(moved, (0, 0, 0, 2)))

    def _commanded(self, text: str) -> bool:
        name, _, rest = text.partition(" ")
        names = {alias: command for command, aliases in phrases()["commands"].items() for alias in aliases.split()}
        match names.get(name):
            case "facts":
                self._list()
            case "undo":
                self._undo()
            case "again":
                self._reply_again()
            case "forget":
                self._forget(rest.strip())
            case "leave":
                self.voice.leave()
                return False
            case "help":
                self._help()
            case _:
                first = " ".join(aliases.split()[0] for aliases in phrases()["commands"].values())
                self.console.print(phrase("replies", "unknown", commands=first), style="bright_black")
        return True

    def _known(self) -> list[Memory]:
        """Return what is true, without the summaries that upkeep makes of it."""
        return [memory for memory in self.mind.facts() if memory.content_type != "summary"]

    def _list(self) -> None:
        self._listed = dict(enumerate(self._known(), start=1))
        if not self._listed:
            self.console.print(_WORDS.nothing, style="bright_black")
        table = Table.grid(padding=(0, 1, 0, 1))
        for number, memory in self._listed.items():
            who = _WORDS.named(memory.subject_id, self.mind.key)
            table.add_row(Text(str(number), style="bright_black"), Text(who, style="cyan"), memory.content)
        self.console.print(table)

    def _help(self) -> None:
        table = Table.grid(padding=(0, 2, 0, 0))
        for command, aliases in phrases()["commands"].items():
            table.add_row(Text(aliases, style="cyan"), Text(phrase("help", command), style="bright_black"))
        self.console.print(table)

    def _undo(self) -> None:
        if not self._said:
            self.console.print(phrase("replies", "nothing_to_undo"), style="bright_black")
            return
        turn_id, text = self._said.pop()
        self.mind.rewind(turn_id)
        self.console.print(phrase("replies", "undone", text=text), style="magenta")

    def _reply_again(self) -> None:
        if not self._said:
            self.console.print(phrase("replies", "nothing_to_answer"), style="bright_black")
            return
        observed = self.voice.answer_again(self._said[-1][0])
        if observed is not None:
            self._tell(observed)

    def _forget(self, number: str) -> None:
        chosen = self._listed.pop(int(number), None) if number.isdecimal() and len(number) < _DIGITS else None
        if chosen is None:
            self.console.print(phrase("replies", "which"), style="bright_black")
            return
        gone = self.mind.forget(chosen.id)
        self.console.print(phrase("replies", "forgotten", content=gone.content), style="magenta")
