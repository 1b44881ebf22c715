"""Who is meant in a sentence: the listener, the speaker, somebody else, or a thing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from gieok.language.address import address_words
from gieok.language.clauses import Clause, Phrase

_Party = Literal["you", "me", "other", "thing", "nobody"]

_YOU: Final = frozenset("너 니 네 당신 그대 자네 너희".split())
_ME: Final = frozenset("나 저 내 제 우리 저희 울".split())
_SUBJECT: Final = frozenset("이 가 은 는 ㄴ 도 께서".split())
_TOPIC: Final = frozenset("은 는 ㄴ 도".split())
_ASIDE: Final = frozenset("에 에서 로 으로 부터 까지 마다 에다 보다 처럼 만큼".split())
_CALLS: Final = frozenset("야 아 이여".split())
_EMPTY: Final = frozenset(
    "오늘 어제 내일 지금 요즘 요새 하루 종일 아침 점심 저녁 밤 새벽 이번 다음 지난번 평소 매일 "
    "그때 아까 방금 이제 나중 처음 진심 진짜 정말 하나 조금 전부 항상 때 덕분 덕 번 "
    "동안 이번엔 주말 말 올해 작년 정도 혼자 서로 얘기 약속".split()
)
_HONOURS: Final = re.compile(r"^(?:으)?(?:시|셔|세|십|신)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """Who and what a stretch of speech is about."""

    you: bool = False
    me: bool = False  #: the speaker, as its subject
    others: bool = False  #: a third person
    things: bool = False
    honoured: bool = False  #: the subject is raised: 하시네요


def meant(clauses: Sequence[Clause], persons: frozenset[str], whose: frozenset[str], names: frozenset[str]) -> Meant:
    """Return who is meant in `clauses`; `persons` and `whose` are nouns and pronouns of third persons."""
    parties = set(_parties(clauses, persons, whose, names))
    return Meant(
        you="you" in parties,
        me="me" in parties,
        others="other" in parties,
        things="thing" in parties,
        honoured=any(_is_honouring(clause) for clause in clauses),
    )


def _is_honouring(clause: Clause) -> bool:
    tail = clause.predicate.tail if clause.predicate else ()
    return any(part.tag in ("EP", "EF") and _HONOURS.match(part.form) for part in tail)


def _parties(
    clauses: Sequence[Clause], persons: frozenset[str], whose: frozenset[str], names: frozenset[str]
) -> Iterator[_Party]:
    for clause in clauses:
        is_so = clause.predicate is not None and clause.predicate.form in ("copula", "not")
        complement = clause.phrases[-1] if is_so and clause.phrases else None
        before: Phrase | None = None
        for phrase in clause.phrases:
            party = _party(phrase, before, persons | whose, names)
            before = phrase
            if phrase is complement and party in ("thing", "other") and not _is_name(phrase):
                party = "you" if _is_called(phrase.words[0]) and len(phrase.words) > 1 else "nobody"
            yield party


def _party(phrase: Phrase, before: Phrase | None, persons: frozenset[str], names: frozenset[str]) -> _Party:
    first, last = phrase.words[0], phrase.words[-1]
    if phrase.pronoun is not None or first in _YOU or _is_yours(phrase):
        return _pronoun(phrase, first, persons)
    ours = phrase.owner == "우리" or (before is not None and before.pronoun in ("우리", "울") and not before.particles)
    if phrase.owner in _YOU and last not in persons:
        return "you"
    if first in names or last in names:
        return "you"
    if _is_listener(phrase, first, ours=ours or phrase.owner is not None):
        return "you"
    if last in persons or first in persons or _is_name(phrase):
        return "other"
    if ours or phrase.owner is not None or phrase.pointed:
        return "thing"
    bound = phrase.morphemes[-1].tag in ("NNB", "NR") and not (phrase.adnominal and phrase.has(*_SUBJECT, "을", "를"))
    if last in _EMPTY or bound or phrase.has(*_ASIDE):
        return "nobody"
    return "thing"


def _pronoun(phrase: Phrase, first: str, persons: frozenset[str]) -> _Party:
    pronoun = phrase.pronoun or ("너" if _is_yours(phrase) else first)
    if pronoun in _YOU:
        return "you"
    if pronoun in _ME:
        return "me" if not phrase.particles or phrase.has(*_SUBJECT) else "nobody"
    return "other" if pronoun in persons else "nobody"


def _is_listener(phrase: Phrase, first: str, *, ours: bool) -> bool:
    words = address_words()
    if first in words.sweet and not phrase.has("이", "가", "를", "을"):
        return True
    return _is_called(first) and not ours and not phrase.pointed and set(phrase.particles) <= _TOPIC


def _is_yours(phrase: Phrase) -> bool:
    """Whether it begins with 니, which Kiwi takes for a determiner: 니 목소리."""
    return phrase.morphemes[0].form == "니" and len(phrase.morphemes) > 1


def _is_called(word: str) -> bool:
    return word in address_words().called


def _is_name(phrase: Phrase) -> bool:
    """Whether it names somebody who is not called: 민지는, 김부장; a call is none."""
    named = phrase.morphemes[0].tag == "NNP" or phrase.morphemes[-1].form in ("님", "씨")
    return named and not phrase.has(*_CALLS)
