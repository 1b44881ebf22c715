"""Where somebody works, named more closely behind: 게임회사 다녀 넥슨, 구청에서 일해 종로구청, 스타트업인데 토스야."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.kinds import KINDS
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Clause, Phrase

_WORKING: Final = frozenset("다니다 댕기다 일하다 근무하다 재직하다".split())
_SCHOOLS: Final = ("학교", "고등학교", "중학교", "초등학교", "대학교", "대학")


def specified(reading: Reading) -> Iterator[Finding]:
    """Read a lone name right behind where somebody works; it takes the place of what was said more broadly."""
    phrase, before = _lone(reading), reading.before
    if phrase is None or before is None:
        return
    broad = _told_of(before)
    value = _nearer(reading.said(phrase), broad) if broad is not None else None
    if broad is not None and value is not None:
        yield Finding(attribute="workplace", value=value, shown=value, surface=value, instead_of=broad.text)


def _lone(reading: Reading) -> Phrase | None:
    """Return the name that a clause consists of: 넥슨, 토스야, 한빛고요."""
    if len(reading.clause.phrases) != 1 or reading.negated or reading.past:
        return None
    if reading.predicate is not None and reading.predicate.form != "copula":
        return None
    phrase = reading.clause.phrases[0]
    plain = not phrase.particles or phrase.particles in (("요",), ("이요",))
    return phrase if plain and phrase.pronoun is None and not reading.clause.ends_with.startswith("?") else None


def _told_of(before: Clause) -> Phrase | None:
    """Return where somebody works, as the clause before says: 게임회사 of 게임회사 다녀."""
    predicate = before.predicate
    if predicate is None or predicate.negated or predicate.past or predicate.lemma not in _WORKING:
        return None
    last = before.phrases[-1] if before.phrases else None
    fitting = last is not None and (not last.particles or last.has("에서", "서", "에"))
    return last if fitting and last is not None and last.pronoun is None and not last.pointed else None


def _nearer(said: str, broad: Phrase) -> str | None:
    words = said.split()
    school = KINDS["school"](words) if broad.words[-1].endswith(_SCHOOLS) else None
    named = school or KINDS["company"](words)
    return named if named is not None and named != broad.text else None
