"""What is asked at a checkpoint: every planted slot, directly and indirectly, and what was never said."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

from gieok.domain.attributes import SCHEMA
from gieok.evals.planted.casting import Cast
from gieok.evals.planted.language import Language, Probe
from gieok.evals.planted.script import Question

#: A favourite is also liked and a sport a pastime, so nobody can say that these were never spoken of.
_ALWAYS_TOUCHED: Final = frozenset({"likes", "dislikes", "hobby", "exercise", "family", "gender", "habit", "friend"})
_OWN_NAMES: Final = {"phone_number": "phone"}  #: of attributes, by the authors of the probes
_NEVER_SAID: Final = 6


def questions(words: Language, people: Cast, dice: random.Random) -> tuple[Question, ...]:
    """Return the questions of one checkpoint, in a fixed order."""
    return (*_planted(words, people, dice), *_abstaining(words, people, dice))


def _planted(words: Language, people: Cast, dice: random.Random) -> Iterator[Question]:
    for slot, _ in people.facts["uA"]:
        for kind in ("direct", "indirect"):
            fitting = [probe for probe in words.probes if probe.slot == slot and probe.kind == kind]
            if fitting:
                probe = dice.choice(fitting)
                yield Question(text=probe.text, slot=slot, kind="direct" if kind == "direct" else "indirect")


def _abstaining(words: Language, people: Cast, dice: random.Random) -> list[Question]:
    """Return questions about the user that nothing answers and whose attribute the schema knows."""
    unknown = {slot for slot in people.unplanted if slot not in _ALWAYS_TOUCHED}
    asked = [
        Question(text=probe.text, slot=slot, kind="abstain")
        for probe in words.probes
        if (slot := _asked_for(probe)) is not None and (probe.kind == "abstain" or slot in unknown)
    ]
    return dice.sample(asked, k=min(_NEVER_SAID, len(asked)))


def _asked_for(probe: Probe) -> str | None:
    """Return the attribute of the user that a question without an answer asks for; None where the schema has none."""
    if probe.kind == "direct":
        return probe.slot
    if probe.kind != "abstain" or probe.attribute_if_abstain is None:
        return None
    named = _OWN_NAMES.get(probe.attribute_if_abstain, probe.attribute_if_abstain)
    return named if named in SCHEMA else None
