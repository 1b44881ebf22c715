"""What upkeep looks at: the beliefs and things of one operation, with the vectors and turns that a view has."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
        """Return the turns numbered above `since` and up to `until`, oldest first; of very many the newest.

        Words that a forgotten memory was read from are left out: nobody is to tell them again.
        """
        since = max(since, until - _MOST_TOLD)
        gone = sorted(each.moment.turn_number for each in self.undone if each.kind == "observe")
        newest = max(self.view.turn_number - since, 0)  # without this limit every turn there is would be looked through
        silent = self.view.forgotten_words()
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
                    lines=tuple(
                        (line.id, line.speaker, line.text) for line in turn.utterances if line.id not in silent
                    ),
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
        return self.sources.told(since, self.turn_number)

    def last(self, name: PassName) -> Ran | None:
        return self.present.life.get(Ran, name)
