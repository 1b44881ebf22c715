"""Deciding on upkeep: each pass by its name, over the ground of an operation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from gieok.domain.carrying import Present
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth
from gieok.domain.operation import Operation
from gieok.domain.upkeep import Ground, Kept, PassName, UpkeepRules, touched
from gieok.maintain.ground import ScopeGround, Sources
from gieok.maintain.merging import merged
from gieok.maintain.pruning import pruned, retained
from gieok.maintain.reflecting import reflected
from gieok.maintain.summarising import summarised
from gieok.maintain.weekly import weeks_documented
from gieok.ports import View

if TYPE_CHECKING:
    from gieok.ports import Vector

Pass = Callable[[Ground, Moment, UpkeepRules, Callable[[int], str]], Iterator[Kept]]


def promoted(ground: Ground, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield the episodes that were said again and used often enough; nothing loses importance by it."""
    often = (m for m in ground.memories() if m.kind == "episodic" and m.mentions + m.uses >= rules.promote_at)
    for memory in sorted(often, key=by_truth):
        importance = max(memory.importance, rules.promoted_importance)
        after = touched(memory, moment, rules, kind="semantic", importance=importance)
        why = f"said again {memory.mentions} times, used {memory.uses} times"
        yield Kept(action="promote", why=why, changes=(Change(before=memory, after=after),))


PASSES: Final[Mapping[PassName, Pass]] = {
    "promote": promoted,
    "merge": merged,
    "prune": pruned,
    "retain": retained,
    "reflect": reflected,
    "summarise": summarised,
    "weekly": weeks_documented,
}


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
        rules = replace(self.rules, keep_days=view.provisions.laid_down(self.rules.keep_days))
        return ScopeKeeper(rules=rules, sources=Sources(view=view, undone=gone, by_words=vectors))
