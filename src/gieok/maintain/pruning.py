"""Pruning: what faded, what never mattered, and what is too much is let go; all of it stays in history.

Names, allergies, promises — whatever has an attribute or is pinned — never go here, and what was felt strongly does
not fade away: of 3,000 turns, fading alone would leave nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from gieok.domain.fading import strength_now
from gieok.domain.judgement import Moment
from gieok.domain.memory import Memory, by_truth
from gieok.domain.upkeep import Ground, Kept, UpkeepRules, held, let_go


def pruned(ground: Ground, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield what is let go: first what faded or never mattered, then, over the cap, the weakest."""
    staying = []
    for memory in sorted(ground.memories(), key=by_truth):
        why = _reason(memory, moment, rules)
        if why is None:
            staying.append(memory)
        else:
            yield Kept(action="forget", why=why, changes=(let_go(memory, moment),))
    for memory in _too_many(staying, moment, rules):
        yield Kept(action="forget", why=f"over the cap of {rules.cap}", changes=(let_go(memory, moment),))


def _reason(memory: Memory, moment: Moment, rules: UpkeepRules) -> str | None:
    if held(memory) or "weekly" in memory.tags or memory.emotion_intensity >= rules.strong_feeling:
        return None
    if memory.mentions == 0 and strength_now(memory, moment.turn_number, rules.fading) < rules.prune_strength:
        return "faded and never mentioned"
    old = moment.at - memory.known_at > timedelta(days=rules.prune_days)
    if old and memory.uses == 0 and memory.importance <= rules.prune_importance:
        return f"unimportant, never used and older than {rules.prune_days:g} days"
    return None


def _too_many(staying: list[Memory], moment: Moment, rules: UpkeepRules) -> list[Memory]:
    """Return the weakest beyond the cap; what was felt strongly goes only when nothing else is left."""
    if rules.cap is None:
        return []
    current = [memory for memory in staying if memory.true_at(moment.at)]

    def weakest_first(memory: Memory) -> tuple[object, ...]:
        strength = strength_now(memory, moment.turn_number, rules.fading)
        return (memory.emotion_intensity >= rules.strong_feeling, memory.importance * strength, by_truth(memory))

    loose = sorted((memory for memory in current if not held(memory)), key=weakest_first)
    return loose[: max(len(current) - rules.cap, 0)]
