"""Allergies told by what happens: I eat shrimp and come out in hives; cats make me sneeze."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.english.patterns import patterns
from gieok.extract.english.phrases import values, written
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.values import thing

_TAKING: Final = frozenset({"eat", "have", "drink", "touch", "take", "try", "swallow", "pet", "smell"})
_REACTIONS: Final = frozenset(
    "hives rash rashes itchy itching swell swells swelling swollen epipen anaphylaxis anaphylactic sneezing sneeze "
    "wheezing wheeze".split()
)


def reaction(reading: Reading) -> Iterator[Finding]:
    """Read the cause in the clause before a reaction, or in its subject."""
    said, before = reading.said, reading.before
    lows = {word.low for word in said.clause.words}
    if not lows & _REACTIONS or said.negated or said.asking:
        return
    allergy = patterns().by_attribute["allergy"]
    if said.lemma in ("make", "give", "bring") and said.subject and {"me", "my"} & lows:
        cause = thing(written(said.subject, reading.text))
        if cause is not None and said.subject[0].low not in ("it", "that", "this", "he", "she", "they"):
            yield found(allergy, cause, whose=reading.speaking.me())
        return
    mine = reading.mine or "my" in lows
    if before is None or before.lemma not in _TAKING or not mine or before.modals or before.negated:
        return
    if before.subject and before.subject[0].low not in ("i", "we"):
        return
    for value in values(before.rest, 0, "food", reading.text, many=False, title=False):
        yield found(allergy, value, whose=reading.speaking.me())
        return
    for value in values(before.rest, 0, "thing", reading.text, many=False, title=False):
        yield found(allergy, value, whose=reading.speaking.me())
        return
