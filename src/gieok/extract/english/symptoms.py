"""Allergies told by what happens: I eat shrimp and come out in hives; cats make me sneeze."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.english.grammar import Said
from gieok.extract.english.patterns import patterns
from gieok.extract.english.phrases import values, written
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.values import thing
from gieok.extract.english.verbs import verb
from gieok.extract.english.words import Word

_TAKING: Final = frozenset("eat have drink touch take try swallow pet smell wear use stroke".split())
_REACTIONS: Final = frozenset(
    "hives rash rashes itchy itching itch itches swell swells swelling swollen epipen anaphylaxis anaphylactic "
    "sneezing sneeze wheezing wheeze tingle tingles tingling blotchy blotches puffs welts streaming".split()
)
_WHENEVER: Final = frozenset({"if", "when", "whenever", "after"})
_LEADING: Final = frozenset({"of", "with", "near", "around"})


def reaction(reading: Reading) -> Iterator[Finding]:
    """Read the cause in the clause before a reaction, after it, or in its subject."""
    said, before = reading.said, reading.before
    if said.negated or said.asking:
        return
    lows = {word.low for word in said.clause.words}
    reacting = bool(lows & _REACTIONS)
    if reacting and said.lemma in ("make", "give", "bring") and said.subject and {"me", "my"} & lows:
        yield from _by(reading, said.subject)
    elif reacting and _takes(said):
        yield from _cause(reading, said.rest)  # if I eat kiwi my mouth itches
    elif reacting and before is not None and (reading.mine or "my" in lows):
        yield from _earlier(reading, before)
    elif before is not None and said.clause.intro in _WHENEVER and _takes(said) and _reacted(before):
        yield from _cause(reading, said.rest)


def _reacted(before: Said) -> bool:
    return bool(_REACTIONS & {word.low for word in before.clause.words}) and not before.negated


def _by(reading: Reading, subject: Sequence[Word]) -> Iterator[Finding]:
    form = verb(subject[0].low)
    taken = subject[1:] if form is not None and form.lemma in _TAKING and form.form == "ing" else subject
    cause = thing(written(taken, reading.text)) if taken else None
    if cause is not None and subject[0].low not in ("it", "that", "this", "he", "she", "they"):
        yield found(patterns().by_attribute["allergy"], cause, whose=reading.speaking.me())


def _takes(said: Said) -> bool:
    mine = not said.subject or said.subject[0].low in ("i", "we")
    return mine and said.lemma in _TAKING and not said.modals and not said.negated


def _earlier(reading: Reading, before: Said) -> Iterator[Finding]:
    if _takes(before):
        yield from _cause(reading, before.rest)
        return
    at = next((i for i, word in enumerate(before.rest) if word.low in _LEADING), None)
    if not before.lemma and at is not None and at <= 3:
        rest = before.rest[at + 1 :]
        owned = rest and rest[0].low in ("her", "his", "their", "your", "the")
        yield from _cause(reading, rest[1:] if owned else rest)


def _cause(reading: Reading, rest: Sequence[Word]) -> Iterator[Finding]:
    for kind in ("food", "thing"):
        for value in values(rest, 0, kind, reading.text, many=False, title=False):
            yield found(patterns().by_attribute["allergy"], value, whose=reading.speaking.me())
            return
