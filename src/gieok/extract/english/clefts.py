"""Sentences turned round to stress a part: it's naproxen I have to avoid; what I can't stand is coriander."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gieok.extract.english.grammar import Said
from gieok.extract.english.verbs import BE

_SUBJECTS = frozenset({"i", "we"})


def straight(read: Sequence[Said]) -> list[Said]:
    """Return the clauses with what was turned round put back: I have to avoid naproxen."""
    turned: list[Said] = []
    for said in read:
        before = turned[-1] if turned else None
        mine = bool(said.subject) and said.subject[0].low in _SUBJECTS
        if mine and said.clause.intro in ("that", "what", "who", ""):
            said = _after_is(said) or (_stressed(before, said) if before is not None else None) or said
        turned.append(said)
    return turned


def _after_is(said: Said) -> Said | None:
    """What I can't stand | is coriander."""
    at = next((i for i, word in enumerate(said.rest) if word.low in BE or word.low == "'s"), None)
    leads = said.clause.intro in ("that", "what") or bool(said.before)
    if at is None or at > 2 or not leads or at + 1 >= len(said.rest) or not said.lemma:
        return None
    kept = [word for word in said.rest[:at] if word.low not in ("most", "best", "really", "more")]
    return replace(said, rest=(*kept, *said.rest[at + 1 :]))


def _stressed(before: Said, said: Said) -> Said | None:
    """It's naproxen | I have to avoid."""
    pointing = [word.low for word in before.subject] in (["it"], ["that"], ["this"])
    if not pointing or before.lemma != "be" or not before.rest or before.past:
        return None
    bare = all(
        word.low in ("to", "of", "with", "about", "at", "for", "avoid", "allergic", "most", "into")
        for word in said.rest
    )
    if not bare:
        return None
    return replace(said, rest=(*said.rest, *before.rest), negated=said.negated != before.negated)
