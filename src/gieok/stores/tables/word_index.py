"""The words of one scope, kept in memory.

A question asks for a dozen of them, and finding them in the file takes longer than all that is done with them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ids = NDArray[np.int64]

TAG: Final = "\ue000"  #: begins a tag; no word of a language does
# Python does not count these as white space, but FTS5 splits there (U+180E was a space once).
_SPLITTERS: Final = {0x0000: None, 0x180E: None}
_MOST_PLACES: Final = 100_000  #: of one word
_LAST: Final = "\U0010ffff"
_ENTRY: Final = 200  #: bytes that a word costs beside the ids of its items


def scoped_terms(scope_id: int, terms: Iterable[str]) -> list[str]:
    """Return `terms` with their scope's prefix, without those of which nothing is left."""
    return [f"{scope_id}x{term}" for term in map(_whole, terms) if term]


def _whole(term: str) -> str:
    return "".join(term.translate(_SPLITTERS).split()).encode(errors="ignore").decode()


class WordIndex:
    """In which items each word stands. Whoever adds to it keeps others from it; readers may share it."""

    def __init__(self, rows: Iterable[tuple[str, str]]) -> None:
        """Take the words in order, each with the ids of its items: once for each time, separated by commas."""
        self._ids = {word: _parsed(ids).tobytes() for word, ids in rows}  #: bytes: whoever reads them sees them whole
        self._words = list(self._ids)
        self.size = sum(map(len, self._ids.values())) + _ENTRY * len(self._words)  #: bytes, about

    def add(self, rows: Iterable[tuple[int, str]], folded: Callable[[str], str | None]) -> None:
        """Take in items by their ids, each with its words; `folded` says how the index spells a word."""
        for id, terms in rows:
            for term in terms.split(" "):
                word = folded(term)
                if word is None:
                    continue
                known = self._ids.get(word)
                here = np.int64(id).tobytes()
                self._ids[word] = here if known is None else known + here
                self.size += len(here)
                if known is None:
                    insort(self._words, word)
                    self.size += _ENTRY

    def standing(self, word: str | None) -> Ids:
        """Return the ids of the items in which a word stands, once for each time."""
        return _ids(self._ids.get(word, b"") if word is not None else b"")

    def beginning(self, start: str | None) -> Ids:
        """Return the same for all longer words that begin with `start`."""
        if start is None:
            return _ids(b"")
        first, last = bisect_right(self._words, start), bisect_left(self._words, start + _LAST)
        return _ids(b"".join(self._ids[word] for word in self._words[first:last]))


def _ids(kept: bytes) -> Ids:
    return np.frombuffer(kept, dtype=np.int64)[:_MOST_PLACES]


def _parsed(ids: str) -> Ids:
    return np.fromstring(ids, dtype=np.int64, sep=",")
