"""Whose fact it is: the speaker's own, the other party's, or somebody else's, and what people call them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.extract.english.grammar import Said
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.reading import Speaking, Whose
from gieok.extract.english.values import animal
from gieok.extract.english.words import Word

_MINE: Final = frozenset({"i", "we", "me", "myself"})
_POINTING: Final = frozenset("he she they it him her them his".split())
_OWNERS: Final = frozenset({"my", "our", "the"})


def whose(said: Said, speaking: Speaking, before: Whose | None, last_other: Whose | None) -> Whose | None:
    """Return whom `said` is about; None where that cannot be told.

    A clause without a subject goes on about the one before (`before`), else it is the speaker's.
    """
    subject = said.subject
    if said.clause.intro == "who" and not subject:
        return before
    if not subject:
        joined = said.clause.intro in ("and", "but", "or", "then", ",")
        return before if joined and before is not None else speaking.me()
    low = subject[0].low
    if low in _MINE:
        return speaking.me()
    if low == "you" and len(subject) == 1:
        return speaking.you()
    if low == "it" and last_other is not None and animal(last_other.subject_id) is None:
        return None  # nobody calls a person it
    if low in _POINTING and len(subject) == 1:
        return last_other
    return somebody(subject, speaking)


def somebody(words: Sequence[Word], speaking: Speaking) -> Whose | None:
    """Return the person or pet that a noun phrase names: my sister, my friend Anna, Rex, flatmate."""
    if any(word.low == "'s" for word in words):
        return None
    bare = [word for word in words if not word.is_mark]
    if not bare:
        return None
    at = next((i for i, word in enumerate(bare) if _is_relation(word)), None)
    if at is not None:
        known = bare[0].low in _OWNERS or at == 0 or bare[0].low in lexicon().determiners
        after = bare[at + 1 :]
        pet = animal(bare[at].low)
        if known and after and after[0].capital:
            return Whose(subject="other", subject_id=pet.value if pet is not None else after[0].text)
        called = pet.value if pet is not None else bare[at].low
        return Whose(subject="other", subject_id=called) if known and not after else None
    named = all(word.capital for word in bare) and len(bare) <= 2 and bare[0].low not in lexicon().no_names
    return speaking.named(" ".join(word.text for word in bare)) if named else None


def _is_relation(word: Word) -> bool:
    return word.low in lexicon().people or (animal(word.low) is not None and not word.capital)
