"""What became of a source: how much came in, how much was here, and what stayed outside for which reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from gieok.domain.scope import Scope
from gieok.interop.arriving.shape import LeftOut

What = Literal["exchanges", "memories", "candidates", "people", "relationships"]
WHATS: Final[tuple[What, ...]] = ("exchanges", "memories", "candidates", "people", "relationships")


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How many of one sort."""

    new: int = 0  #: that came in; in a dry run, that would
    there: int = 0  #: that had come in before, whatever became of them since


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """What became of the part that belongs to one scope."""

    scope: Scope
    tallies: Mapping[What, Tally] = field(default_factory=dict)
    left_out: int = 0

    @property
    def new(self) -> int:
        return sum(tally.new for tally in self.tallies.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What became of a source."""

    kind: str
    path: Path
    dry_run: bool
    scopes: tuple[Moved, ...]
    left_out: tuple[LeftOut, ...] = ()
    faces: tuple[Path, ...] = ()  #: folders with the pictures of characters

    @property
    def new(self) -> int:
        return sum(scope.new for scope in self.scopes)

    def reasons(self) -> list[tuple[str, int, str]]:
        """Return why things stayed outside, how many each time, and where the first of them stands."""
        counts = Counter(each.why for each in self.left_out)
        first = {each.why: each.where for each in reversed(self.left_out)}
        return [(why, many, first[why]) for why, many in counts.most_common()]


class Count:
    """Counts as things come in."""

    def __init__(self) -> None:
        self._counts: dict[Scope, Counter[tuple[What, bool]]] = {}
        self._outside: Counter[Scope] = Counter()
        self.left_out: list[LeftOut] = []

    def add(self, scope: Scope, what: What, *, new: bool) -> None:
        self._counts.setdefault(scope, Counter())[what, new] += 1

    def leave_out(self, each: LeftOut) -> None:
        self.left_out.append(each)
        if each.scope is not None:
            self._counts.setdefault(each.scope, Counter())
            self._outside[each.scope] += 1

    def scopes(self) -> tuple[Moved, ...]:
        return tuple(
            Moved(
                scope=scope,
                tallies={
                    what: Tally(new=counts[what, True], there=counts[what, False])
                    for what in WHATS
                    if counts[what, True] or counts[what, False]
                },
                left_out=self._outside[scope],
            )
            for scope, counts in self._counts.items()
        )
