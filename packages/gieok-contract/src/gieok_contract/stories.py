"""Random histories of claims, edits and rewinds, to compare a store with a replay."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Final

from gieok.domain.claim import Claim
from gieok.domain.operation import Operation
from gieok.testing.builders import claim, note
from gieok.testing.scribe import EVERYTHING, Scribe

VALUES: Final[dict[str, Sequence[str]]] = {
    "age": ("24", "25", "26"),
    "residence": ("서울", "부산", "제주"),
    "likes": ("고양이", "강아지", "떡볶이"),
    "dislikes": ("고양이", "오이"),
    "allergy": ("땅콩", "새우"),
}
CLASSES: Final = {"고양이": "animal", "강아지": "animal", "떡볶이": "food", "오이": "food"}
EVENTS: Final = ("같이 별을 봤다", "시험을 망쳤다", "첫눈이 왔다")


def random_claim(dice: Random, scribe: Scribe) -> Claim:
    """Return a random claim, sometimes about an earlier day."""
    if dice.random() < 0.15:
        return note(dice.choice(EVENTS), importance=dice.choice((0.1, 0.8)))
    attribute = dice.choice(tuple(VALUES))
    value = dice.choice(VALUES[attribute])
    earlier = scribe.clock.now() - timedelta(days=dice.randint(1, 60))
    return claim(
        attribute,
        value,
        value_class=CLASSES.get(value),
        act=dice.choices(("assert", "prefer", "correct", "retract", "end"), (8, 1, 1, 1, 1))[0],
        polarity=dice.choices("+-", (9, 1))[0],
        speaker=dice.choices(("user", "character"), (8, 1))[0],
        certainty=dice.choice((0.3, 1.0, 1.0)),
        valid_at=earlier if dice.random() < 0.2 else None,
    )


def tell(scribe: Scribe, dice: Random, *, steps: int) -> list[Operation]:
    """Let `scribe` write `steps` random entries: turns, edits and rewinds. Story time only advances."""
    return [_step(scribe, dice) for _ in range(steps)]


def _step(scribe: Scribe, dice: Random) -> Operation:
    scribe.clock.advance(hours=dice.choice((0, 1, 30)))
    with scribe.store.view(scribe.scope) as view:
        memories = [memory.id for memory in view.memories(EVERYTHING)]
        operations = [operation.id for operation in view.operations()]
    what = dice.random()
    if not memories or what < 0.7:
        claims = [random_claim(dice, scribe) for _ in range(dice.choice((0, 1, 1, 2)))]
        words = [each.content for each in claims] or ["음"]
        return scribe.observe(*words, claims=claims, used=dice.sample(memories, min(len(memories), 1)))
    if what < 0.76:
        return scribe.pin(dice.choice(memories), dice.random() < 0.5)
    if what < 0.82:
        return scribe.correct(dice.choice(memories), dice.choice(EVENTS))
    if what < 0.88:
        return scribe.forget(dice.choice(memories))
    return scribe.undo(*dice.sample(operations, min(len(operations), dice.randint(1, 3))))
