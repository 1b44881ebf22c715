"""Deciding on upkeep: each pass by its name, over the ground of an operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gieok.domain.carrying import Present
from gieok.domain.memory import Memory
from gieok.domain.operation import Operation
from gieok.domain.upkeep import Kept, PassName, UpkeepRules
from gieok.maintain.ground import ScopeGround, Sources
from gieok.maintain.passes import PASSES
from gieok.ports import View

if TYPE_CHECKING:
    from gieok.ports import Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeKeeper:
    """Implements `domain.carrying.Keeper`."""

    rules: UpkeepRules
    sources: Sources

    def __call__(self, name: PassName, operation: Operation, present: Present) -> Iterator[Kept]:
        moment = operation.moment
        ground = ScopeGround(present=present, sources=self.sources, turn_number=moment.turn_number)
        return PASSES[name](ground, moment, self.rules, lambda number: f"{operation.id}-{name}-{number}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayKeepers:
    """Makes keepers for replays, by the rules of today."""

    rules: UpkeepRules

    def __call__(
        self,
        view: View,
        log: Sequence[Operation],
        undone: frozenset[str],
        vectors: Callable[[Sequence[Memory]], Mapping[str, Vector]],
    ) -> ScopeKeeper:
        gone = tuple(operation for operation in log if operation.id in undone)
        return ScopeKeeper(rules=self.rules, sources=Sources(view=view, undone=gone, by_words=vectors))
