"""What upkeep looks at: the beliefs and things of one operation, with the vectors and turns that a view has."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from gieok.domain.carrying import Present
from gieok.domain.memory import Memory
from gieok.domain.operation import Operation
from gieok.domain.upkeep import PassName, Ran, Told
from gieok.ports import View

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gieok.ports import Vector

_MOST_TOLD: Final = 2_000  #: turns that one pass looks back on, however long none has run


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Where the vectors of memories and the turns of a scope are read from.

    In a replay, turns of undone operations are left out and the later ones move up.
    """

    view: View
    undone: tuple[Operation, ...] = ()  #: operations that took part until now
    by_words: Callable[[Sequence[Memory]], Mapping[str, Vector]] | None = None  #: in a replay, by the words of then

    def vectors(self, memories: Sequence[Memory]) -> NDArray[np.float32]:
        """Return a row for each of `memories`; zeros where there is no vector."""
        by_words = self.by_words
        found = self.view.vectors([memory.id for memory in memories]) if by_words is None else by_words(memories)
        width = len(next(iter(found.values()))) if found else 1
        empty = np.zeros(width, dtype=np.float32)
        return np.array([found.get(memory.id, empty) for memory in memories], dtype=np.float32).reshape(-1, width)

    def told(self, since: int, until: int) -> list[Told]:
        """Return the turns numbered above `since` and up to `until`, oldest first; of very many the newest."""
        since = max(since, until - _MOST_TOLD)
        gone = sorted(each.moment.turn_number for each in self.undone if each.kind == "observe")
        newest = max(self.view.turn_number - since, 0)  # without this limit every turn there is would be looked through
        noticed = {each.turn_id: each.noticed for each in self.view.noticed(since=since, limit=newest)}
        told = []
        for turn in self.view.turns(newest):
            number = turn.number - int(np.searchsorted(gone, turn.number))
            if turn.number in gone or not since < number <= until:
                continue
            seen = noticed.get(turn.id)
            told.append(
                Told(
                    number=number,
                    at=turn.at,
                    lines=tuple((line.id, line.speaker, line.text) for line in turn.utterances),
                    felt=seen.felt if seen is not None else (),
                    topics=seen.topics if seen is not None else (),
                )
            )
        return told


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeGround:
    """Implements `domain.upkeep.Ground` for one operation."""

    present: Present
    sources: Sources
    turn_number: int

    def memories(self) -> list[Memory]:
        known = self.present.beliefs.all().values()
        return sorted(
            (memory for memory in known if not memory.hidden), key=lambda memory: (memory.known_at, memory.id)
        )

    def alike(self, ids: Sequence[str]) -> NDArray[np.float32]:
        rows = self.sources.vectors([self.present.beliefs[memory_id] for memory_id in ids])
        return np.asarray(rows @ rows.T, dtype=np.float32)

    def told(self, since: int) -> list[Told]:
        """Return the turns since then, without words that a memory was read from which is forgotten by now."""
        forgotten: defaultdict[str, list[Memory]] = defaultdict(list)
        for memory in self.present.beliefs.all().values():
            if memory.forgotten_at is not None and not memory.extractor.startswith("upkeep/"):
                for source in memory.sources:
                    forgotten[source].append(memory)
        turns = self.sources.told(since, self.turn_number)
        return [_without(turn, forgotten) for turn in turns] if forgotten else turns

    def last(self, name: PassName) -> Ran | None:
        return self.present.life.get(Ran, name)


def _without(turn: Told, forgotten: Mapping[str, Sequence[Memory]]) -> Told:
    """Return `turn` without the lines in `forgotten`, and without those that repeat what was read from them."""
    gone = [memory for line, _, _ in turn.lines for memory in forgotten.get(line, ())]
    if not gone:
        return turn
    words = {word for memory in gone for word in (memory.value, memory.surface) if word and len(word) > 1}
    kept = (
        (line, speaker, text)
        for line, speaker, text in turn.lines
        if line not in forgotten and not any(word in text for word in words)
    )
    return replace(turn, lines=tuple(kept))
