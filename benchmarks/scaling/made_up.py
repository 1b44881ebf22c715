"""Made-up talk, as much as wanted and the same in every run.

Korean-looking words, as common as words are (Zipf), a random direction for each text, and every utterance understood
as one memory, of an event: one can have any number of these, and none has a say in how the next is judged.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.cli import bench
from gieok.domain.claim import Claim, claim_id
from gieok.domain.scope import Scope
from gieok.domain.turn import USER, Turn, Utterance
from gieok.language.terms import query_terms
from gieok.language.topics import topics
from gieok.ports import IndexEntry, Mark
from scaling.loading import Heard

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Matrix

VOCABULARY: Final = 30_000
ITEMS_OF_A_TURN: Final = 2  #: what was said, and the memory read from it
_SAID: Final = 9  #: words of an utterance …
_UNDERSTOOD: Final = 5  #: … and of the memory read from it, which are its first
_ZIPF: Final = 1.0
_TELLING: Final = 0.4  #: share of the items that tell something lasting, each tagged with an attribute
_TAGGED_TIMES: Final = 4
_FIRST_DAY: Final = datetime(2025, 1, 1, 9, tzinfo=UTC)
_APART: Final = timedelta(minutes=20)
_FIRST_SYLLABLE: Final = 0xAC00
_STEP: Final = 28  #: from one syllable without a final consonant to the next
_SYLLABLES: Final = 399


def questions(count: int) -> list[str]:
    """Return real questions; their words are among the vocabulary."""
    return list(islice(bench.questions(), count))


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """Users who all talk in the same words."""

    words: tuple[str, ...]  #: the commonest first
    odds: NDArray[np.float64]  #: cumulated
    tags: tuple[str, ...]
    dimension: int

    def talk(self, scope: Scope, items: int) -> Iterator[Heard]:
        """Yield the turns that give `scope` so many items, rounded up to whole turns."""
        assert scope.user is not None, "canon hears no talk"
        dice = np.random.default_rng(list(scope.user.encode()))
        count = -(-items // ITEMS_OF_A_TURN)
        said = np.searchsorted(self.odds, dice.random((count, _SAID)))
        tagged = np.where(dice.random((count, 2)) < _TELLING, dice.integers(0, len(self.tags), (count, 2)), -1)
        vectors = unit_rows(dice.standard_normal((2 * count, self.dimension), dtype=np.float32))
        for number in range(count):
            rows = vectors[2 * number : 2 * number + 2]
            yield self._heard(f"{scope.user}/{number}", number, said[number].tolist(), tagged[number].tolist(), rows)

    def _heard(self, name: str, number: int, places: list[int], tagged: list[int], vectors: Matrix) -> Heard:
        at = _FIRST_DAY + number * _APART
        words = tuple(self.words[place] for place in places)
        utterance = Utterance(id=name, turn_id=f"{name}/t", speaker=USER, text=" ".join(words), at=at, position=0)
        understood = words[:_UNDERSTOOD]
        claim = Claim(
            id=claim_id(name, 0),
            speaker=USER,
            subject="user",
            subject_id=USER,
            content=" ".join(understood),
            content_type="event",
            attribute="event",
            value=name,  # no two are the same
            source_id=name,
            origin="import",  # never ignored as unimportant
            extractor="made-up",
        )
        index = {
            name: self._entry(words, tagged[0], vectors[:1]),
            claim.id: self._entry(understood, tagged[1], vectors[1:]),
        }
        turn = Turn(id=utterance.turn_id, utterances=(utterance,), at=at, recorded_at=at)
        return Heard(turn=turn, claims=(claim,), index=index)

    def _entry(self, terms: tuple[str, ...], tagged: int, vectors: Matrix) -> IndexEntry:
        if tagged < 0:
            return IndexEntry(terms=terms, vectors=vectors)
        tags = (self.tags[tagged],) * _TAGGED_TIMES
        return IndexEntry(terms=terms, tags=tags, marks=Mark.TELLS, vectors=vectors)


def people(dimension: int, asked: list[str]) -> People:
    """Return users whose vocabulary holds the words that are `asked`, somewhere among the commoner ones."""
    dice = random.Random(0)
    words = dict.fromkeys(word for question in asked for word in query_terms(question).words)
    common = dict.fromkeys(_word(dice) for _ in range(VOCABULARY // 10))
    first = list(words | common)
    dice.shuffle(first)
    known = dict.fromkeys(first)
    while len(known) < VOCABULARY:
        known.setdefault(_word(dice))
    shares = 1 / np.arange(1, len(known) + 1) ** _ZIPF
    odds = np.cumsum(shares / shares.sum())
    odds[-1] = 1.0
    names = tuple(name for name in topics().telling.names if name.isascii() and name[0].isalpha())
    return People(words=tuple(known), odds=odds, tags=names, dimension=dimension)


def unit_rows(rows: Matrix) -> Matrix:
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return rows


def _word(dice: random.Random) -> str:
    return "".join(chr(_FIRST_SYLLABLE + _STEP * dice.randrange(_SYLLABLES)) for _ in range(dice.choice((2, 2, 2, 3))))
