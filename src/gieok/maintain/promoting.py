"""Promoting: an episode that keeps coming up becomes something known."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, by_truth
from gieok.domain.upkeep import Ground, Kept, UpkeepRules, touched


def promoted(ground: Ground, moment: Moment, rules: UpkeepRules, new_id: Callable[[int], str]) -> Iterator[Kept]:
    """Yield the episodes that were said again and used often enough; nothing loses importance by it."""
    often = (m for m in ground.memories() if m.kind == "episodic" and m.mentions + m.uses >= rules.promote_at)
    for memory in sorted(often, key=by_truth):
        importance = max(memory.importance, rules.promoted_importance)
        after = touched(memory, moment, rules, kind="semantic", importance=importance)
        why = f"said again {memory.mentions} times, used {memory.uses} times"
        yield Kept(action="promote", why=why, changes=(Change(before=memory, after=after),))
