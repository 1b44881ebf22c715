"""What the model sees before it answers, in time: memory that is late is absent, and the reply comes all the same."""

from __future__ import annotations

import unicodedata
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

from gieok.bank import Mind
from gieok.conversation.interrupting import elsewhere
from gieok.domain.answer import SHARES, Block, Context, Message
from gieok.domain.turn import CHARACTER, Utterance
from gieok.errors import EmbedderFailed
from gieok.ports import View

_ALIKE: Final = 0.5  #: share of the pairs of letters that a message must hold


class Window:
    """A few messages, oldest first. It follows the log: also after a restart, a rewind or an edit."""

    def __init__(self, messages: int) -> None:
        self._lines: deque[Utterance] = deque(maxlen=messages)

    def __len__(self) -> int:
        return len(self._lines)

    def follow(self, view: View) -> None:
        """Hold what was said last; words that were forgotten are not held, either."""
        silent = view.forgotten_words()
        turns = view.turns(self._lines.maxlen or 0)
        said = (utterance for turn in turns for utterance in turn.utterances if utterance.id not in silent)
        self._lines = deque(said, self._lines.maxlen)  # in one step: another thread may be reading

    def before(self, turn_id: str | None = None) -> tuple[Utterance, ...]:
        """Return the messages, oldest first; those that came before a turn where one is named."""
        lines = tuple(self._lines)
        place = next((number for number, line in enumerate(lines) if line.turn_id == turn_id), len(lines))
        return lines[:place]

    def find(self, words: str, limit: int) -> list[Utterance]:
        """Return the messages that speak of `words`, best first and of equal ones the newest first.

        By pairs of letters, so that 고양이를 finds 고양이가.
        """
        wanted = _pieces(words)
        if not wanted:
            return []
        alike = [
            (sum(each in _plain(line.text) for each in wanted) / len(wanted), line) for line in self._newest_first()
        ]
        found = sorted((each for each in alike if each[0] >= _ALIKE), key=lambda each: -each[0])
        return [line for _, line in found[:limit]]

    def _newest_first(self) -> list[Utterance]:
        return list(self.before())[::-1]


def _plain(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _pieces(words: str) -> set[str]:
    """Return the pairs of letters within words; of a word of one letter that letter."""
    return {word[place : place + 2] for word in _plain(words).split() for place in range(max(len(word) - 1, 1))}


@dataclass(slots=True, kw_only=True)
class Preparation:
    """Puts the context of a turn together.

    `mind.context` holds all that the talk needs in one search: what is pinned with cautions first, memories, earlier
    messages that have to do with the question, the last turns, the summary. It cuts a source of its own that is slow;
    `patience` is for all of it together.
    """

    mind: Mind
    window: Window
    persona: str
    examples: tuple[str, ...]
    budget: int | None
    patience: float
    _late: Future[Context] | None = None
    _warm: bool = False

    def context(
        self, text: str, at: datetime | None, instead_of: str | None = None, include: tuple[str, ...] = ()
    ) -> Context:
        """Return what to answer `text` with; `instead_of` names the turn whose place the answer takes."""
        self._wake()
        if self._late is not None and not self._late.done():  # what hangs is not asked again
            return self._without_memory(text, instead_of)
        remembered = elsewhere(lambda: self._remembered(text, at, include), must_end=False)
        try:
            return remembered.result(self.patience)
        except TimeoutError:
            if remembered.done():  # its own, not ours
                raise
        self._late = remembered
        return self._without_memory(text, instead_of)

    def _wake(self) -> None:
        """Load what recalling needs: that takes seconds once, and must not count."""
        if not self._warm:
            with suppress(EmbedderFailed):  # the context says so itself, and goes by words
                self.mind.bank.warm()
            self._warm = True

    def _remembered(self, text: str, at: datetime | None, include: tuple[str, ...]) -> Context:
        with self.mind.bank.services.store.view(self.mind.key) as view:
            self.window.follow(view)
        return self.mind.context(
            text, at=at, budget=self.budget, include=include, system=self.persona, examples=self.examples
        )

    def _without_memory(self, text: str, instead_of: str | None) -> Context:
        """Return persona, the last messages as far as they fit, and the question."""
        text = self.mind.bank.services.mask(text).text
        count = self.mind.bank.services.recaller.count
        budget = self.budget or self.mind.bank.settings.context_budget
        persona = self.persona.strip()
        room = budget - int(budget * SHARES["reply"]) - count(persona) - count(text)
        heard: list[Utterance] = []
        for line in reversed(self.window.before(instead_of)):
            room -= count(line.text)
            if room < 0:
                break
            heard.insert(0, line)
        talk = "\n".join(line.text for line in heard)
        said = [Message(role="assistant" if line.speaker == CHARACTER else "user", content=line.text) for line in heard]
        system = [Message(role="system", content=persona)] if persona else []
        return Context(
            query=text,
            blocks=tuple(
                Block(name=name, text=words, tokens=count(words) if words else 0)
                for name, words in (("system", persona), ("talk", talk), ("message", text))
            ),
            messages=(*system, *said, Message(role="user", content=text)),
            hits=(),
            budget=budget,
            degraded=(f"memory is off: no answer within {self.patience:g} s",),
        )


def taking_turns(messages: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return `messages` with those of one side in a row made one.

    A turn without a reply leaves two of the user's side by side, and the templates of some models refuse these.
    """
    return tuple(
        Message(role=role, content="\n\n".join(each.content for each in run))
        for role, run in groupby(messages, key=lambda message: message.role)
    )
