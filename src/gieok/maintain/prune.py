"""Letting go: what faded, never mattered, is too much, or was to be kept for so many days. It stays in history."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta

from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory, by_truth, is_over, strength_now
from gieok.domain.upkeep import Kept, UpkeepRules, UpkeepSource, closing_change, derived_from, is_protected


def pruned(ground: UpkeepSource, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield what is let go: first what faded or never mattered, then, over the cap, the weakest.

    What was felt strongly goes only when nothing else is left.
    """
    staying = []
    for memory in sorted(ground.memories(), key=by_truth):
        why = _reason(memory, moment, rules)
        if why is None:
            staying.append(memory)
        else:
            yield Kept(action="forget", why=why, changes=(closing_change(memory, moment),))
    if rules.cap is None:
        return

    def weakest_first(memory: Memory) -> tuple[object, ...]:
        strength = strength_now(memory, moment.turn_number, rules.fading)
        return (memory.emotion_intensity >= rules.strong_feeling, memory.importance * strength, by_truth(memory))

    current = [memory for memory in staying if memory.true_at(moment.at)]
    loose = sorted((memory for memory in current if not is_protected(memory)), key=weakest_first)
    for memory in loose[: max(len(current) - rules.cap, 0)]:
        yield Kept(action="forget", why=f"over the cap of {rules.cap}", changes=(closing_change(memory, moment),))


def _reason(memory: Memory, moment: Moment, rules: UpkeepRules) -> str | None:
    if is_protected(memory) or "weekly" in memory.tags or memory.emotion_intensity >= rules.strong_feeling:
        return None
    if memory.mentions == 0 and strength_now(memory, moment.turn_number, rules.fading) < rules.prune_strength:
        return "faded and never mentioned"
    old = moment.at - memory.known_at > timedelta(days=rules.prune_days)
    if old and memory.uses == 0 and memory.importance <= rules.prune_importance:
        return f"unimportant, never used and older than {rules.prune_days:g} days"
    return None


def retained(ground: UpkeepSource, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield what is past its time, pinned or not, and what upkeep had made from it: that holds its words.

    It is forgotten, not merely let go: neither it nor what it was read from is told any more, and a scrub takes it.
    """
    memories = sorted(ground.memories(), key=by_truth) if rules.keep_days else []
    over = {memory.id: memory for memory in memories if is_over(memory, moment.at, rules.keep_days)}
    for memory in over.values():
        why = f"{memory.content_type} is kept for {rules.keep_days[memory.content_type]:g} days"
        yield Kept(action="forget", why=why, changes=(_forgotten(memory, moment),))
    for memory in derived_from(over, memories):
        if memory.id not in over:
            yield Kept(action="forget", why="made from what is past its time", changes=(_forgotten(memory, moment),))


def _forgotten(memory: Memory, moment: Moment) -> Change:
    return Change(before=memory, after=memory.changed(forgotten_at=moment.at))
