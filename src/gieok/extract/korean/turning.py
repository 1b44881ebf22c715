"""What something has turned into: 별명이 척척박사로 바뀌었어, 최애 영화를 파묘로 변경합니다, 새 별명 생겼어요."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.patterns import Pattern, patterns
from gieok.extract.korean.reading import Finding, Reading, found, read_value
from gieok.extract.korean.values import READERS
from gieok.language.clauses import Clause, Phrase

_TURNING: Final = frozenset(
    "바뀌다 바꾸다 변하다 변경하다 변경되다 업데이트하다 갈아타다 옮기다 전직하다 이직하다 "
    "정정하다 수정하다 확정되다 통하다 나오다 되다".split()
)
_NEWS: Final = frozenset("바뀌다 바꾸다 변하다 생기다 업데이트하다 바꿔지다 옮기다".split())
_PLACES: Final = ("동", "구", "시", "군", "역", "읍", "면")


def turned_into(reading: Reading) -> Iterator[Finding]:
    """Read the new value in 로, with its label or a kind of its own."""
    if reading.says(*_TURNING) and not reading.negated:
        value_phrase = next((p for p in reversed(reading.rest) if p.has("로", "으로", "로요", "으로요")), None)
        pattern = _labelled(reading.clause) or _typed(value_phrase)
        if value_phrase is not None and pattern is not None:
            value = read_value(pattern, pattern.value, reading.said(value_phrase).removesuffix("파"))
            if value is not None:
                yield found(pattern, value)
                return
    yield from _announced(reading)
    yield from _right(reading)


def _announced(reading: Reading) -> Iterator[Finding]:
    """새 별명 생겼어요, 펭귄이에요: the news first, then the value."""
    before, phrase = reading.main_before, reading.complement
    if before is None or before.predicate is None or phrase is None or reading.negated:
        return
    pattern = _labelled(before) if before.predicate.lemma in _NEWS else None
    named = any(other is not phrase and other.pronoun not in ("나", "저") for other in reading.clause.phrases)
    if pattern is None or (named and not reading.lately):
        return
    value = read_value(pattern, pattern.value, reading.said(phrase))
    if value is not None:
        yield found(pattern, value)


def _right(reading: Reading) -> Iterator[Finding]:
    """15살이 맞아, 솔로가 맞아요."""
    if not reading.says("맞다") or reading.negated:
        return
    for phrase in reversed(reading.rest):
        if phrase.has("이", "가") or not phrase.particles:
            for pattern in patterns().alone:
                value = READERS[pattern.value](phrase.text)
                if value is not None and value.alone:
                    yield found(pattern, value)
                    return


def _labelled(clause: Clause) -> Pattern | None:
    known = patterns()
    for phrase in clause.phrases:
        if phrase.particles and not phrase.has("이", "가", "을", "를", "은", "는", "도"):
            continue
        for word in phrase.words:
            pattern = known.by_label.get(word) or known.by_favourite.get(word)
            if pattern is not None and not (word == "집" and clause.predicate and clause.predicate.lemma == "되다"):
                return pattern
    return None


def _typed(phrase: Phrase | None) -> Pattern | None:
    """Return the attribute whose kind of value `phrase` is, where the kind says it all."""
    if phrase is None:
        return None
    known = patterns()
    for attribute in ("mbti", "relationship_status"):
        value = READERS[known.by_attribute[attribute].value](phrase.text)
        if value is not None and value.alone:
            return known.by_attribute[attribute]
    return known.by_attribute["residence"] if phrase.text.endswith(_PLACES) and len(phrase.text) > 2 else None
