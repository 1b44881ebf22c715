"""Doings as values: 카페 차리는 게 꿈이야, 다리 꼬는 버릇 있어, 볼링 치는 게 취미예요."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Clause, Phrase

_LABELS: Final = {"꿈": "dream", "목표": "dream", "소원": "dream", "취미": "hobby", "버릇": "habit", "습관": "habit"}
_THINGS: Final = frozenset({"거", "것", "게", "건", "걸"})
_HAVING: Final = frozenset("삼다 생기다 되다 시작하다 가지다 갖다 즐기다 붙이다 들이다 정하다 바꾸다 새롭다".split())
_IDLE: Final = frozenset({"나", "저", "내가", "제가", "맨날", "언젠가"})


def doing(reading: Reading) -> Iterator[Finding]:
    """Read what a modifying clause says as a value: its object and verb, in -기."""
    before = reading.before
    if before is None or before.head is None or before.predicate is None or reading.negated:
        return
    if before.predicate.form != "verb" or before.predicate.lemma in _HAVING:
        return  # 유일한 취미
    attribute = _named(reading, before)
    if attribute is None:
        return
    value = _gerund(reading, before)
    if value:
        pattern = patterns().by_attribute[attribute]
        yield Finding(attribute=pattern.attribute, value=value, shown=value, surface=value)


def _named(reading: Reading, before: Clause) -> str | None:
    """Return the attribute: by the head itself (…하는 버릇), or by what the thing is said to be (…하는 게 꿈이야)."""
    if before.head in _LABELS:
        has_it = reading.predicate is None or reading.says("있다", "이다", "생기다", "들다")
        return _LABELS[before.head] if has_it else None
    if before.head not in _THINGS:
        return None
    said = [word for phrase in reading.clause.phrases for word in phrase.words]
    fitting = reading.predicate is None or reading.says("이다", "되다", "삼다")
    return next((_LABELS[word] for word in said if word in _LABELS), None) if fitting else None


def _gerund(reading: Reading, clause: Clause) -> str:
    assert clause.predicate is not None, "asked before"
    parts = [_shown(phrase) for phrase in clause.phrases if _belongs(phrase)]
    stem = "".join(part.form for part in clause.predicate.stem)
    return " ".join([*parts, stem + "기"]).strip() if stem not in ("이", "있", "없") else ""


def _belongs(phrase: Phrase) -> bool:
    return phrase.pronoun is None and phrase.text not in _IDLE and not phrase.has("은", "는", "이", "가")


def _shown(phrase: Phrase) -> str:
    keep = [particle for particle in phrase.particles if particle not in ("을", "를", "ㄹ")]
    words = [word for word in phrase.words if word not in ("하나",)]
    return " ".join(words) + "".join(keep[:1])
