"""Retention: a type of memory that is kept for so many days is let go after them, whatever it says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory, by_truth
from gieok.domain.upkeep import Ground, Kept, UpkeepRules, let_go, resting_on


def retained(ground: Ground, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield what is past its time, pinned or not, and what upkeep had made from it: that holds its words."""
    memories = sorted(ground.memories(), key=by_truth) if rules.keep_days else []
    over = {memory.id: memory for memory in memories if _is_over(memory, moment, rules)}
    for memory in over.values():
        why = f"{memory.content_type} is kept for {rules.keep_days[memory.content_type]:g} days"
        yield Kept(action="forget", why=why, changes=(let_go(memory, moment),))
    for memory in resting_on(over, memories):
        if memory.id not in over:
            yield Kept(action="forget", why="made from what is past its time", changes=(let_go(memory, moment),))


def _is_over(memory: Memory, moment: Moment, rules: UpkeepRules) -> bool:
    days = rules.keep_days.get(memory.content_type)
    return days is not None and moment.at - memory.known_at > timedelta(days=days)
