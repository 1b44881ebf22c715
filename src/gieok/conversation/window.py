"""The last messages of a talk, at hand without asking the bank."""

from __future__ import annotations

import unicodedata
from collections import deque
from typing import Final

from gieok.domain.turn import Utterance
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
