"""A ground to try passes on: memories, turns and likeness as a test gives them, changed as the passes say."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np

from gieok.domain.emotion import Felt
from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory
from gieok.domain.upkeep import Kept, PassName, Ran, UpkeepRules, UpkeepTurn
from gieok.maintain.maintainer import PASS_FUNCTIONS as DOING
from gieok.testing.builders import WALL, day, memory

Likeness = Callable[[Memory, Memory], float]


@dataclass
class Field:
    """One scope that passes run on; `alike_as` says how alike two memories are: all of them, unless told otherwise."""

    known: list[Memory] = field(default_factory=list)
    turns: list[UpkeepTurn] = field(default_factory=list)
    alike_as: Likeness = lambda one, other: 0.9
    ran: dict[PassName, Ran] = field(default_factory=dict)
    hidden: list[Memory] = field(default_factory=list)
    runs: int = 0
    compared: int = 0  #: the most memories that were ever compared at once

    def memories(self) -> Sequence[Memory]:
        return list(self.known)

    def alike(self, ids: Sequence[str]) -> np.ndarray:
        self.compared = max(self.compared, len(ids))
        by_id = {each.id: each for each in self.known}
        rows = [[1.0 if a == b else self.alike_as(by_id[a], by_id[b]) for b in ids] for a in ids]
        return np.array(rows, dtype=np.float32)

    def told(self, since: int) -> Sequence[UpkeepTurn]:
        return [turn for turn in self.turns if turn.number > since]

    def last(self, name: PassName) -> Ran | None:
        return self.ran.get(name)

    def run(self, name: PassName, when: Moment, rules: UpkeepRules | None = None) -> list[Kept]:
        """Run a pass and make so what it says."""
        self.runs += 1
        kept = list(DOING[name](self, when, rules or UpkeepRules(), lambda n: f"{name}-{self.runs}-{n}"))
        self.make_so(kept)
        self.ran[name] = Ran(turn_number=when.turn_number, at=when.at)
        return kept

    def make_so(self, kept: Iterable[Kept]) -> None:
        by_id = {each.id: each for each in self.known}
        for change in (change for each in kept for change in each.changes):
            assert by_id.get(change.memory_id) == change.before
            assert change.after is not None, "upkeep never deletes"
            by_id[change.memory_id] = change.after
        self.hidden += [each for each in by_id.values() if each.hidden]
        self.known = [each for each in by_id.values() if not each.hidden]

    def contents(self) -> list[str]:
        return sorted(each.content for each in self.known)


def moment(number: float = 1, *, turn: int = 0, at: datetime | None = None) -> Moment:
    """Return the morning of the story's day `number`, after `turn` turns; by the clock it is always the same."""
    return Moment(at=at or day(number), recorded_at=WALL, turn_number=turn)


def episode(content: str, number: float = 1, **fields: object) -> Memory:
    """Return something that happened, told on the story's day `number`."""
    about: dict[str, object] = {
        "kind": "episodic",
        "content_type": "event",
        "valid_at": day(number),
        "known_at": day(number),
    }
    return memory(content, **{**about, **fields})


def turn_of(number: int, text: str, *, on: float, felt: str = "neutral", topics: tuple[str, ...] = ()) -> UpkeepTurn:
    feelings = () if felt == "neutral" else (Felt(speaker="user", emotion=felt, intensity=0.6),)
    lines = ((f"u{number}", "user", text), (f"c{number}", "character", "그랬구나."))
    return UpkeepTurn(number=number, at=day(on), lines=lines, felt=feelings, topics=topics)
