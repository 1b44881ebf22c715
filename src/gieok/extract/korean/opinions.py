"""What somebody thinks of the other party or of the world: 따뜻한 사람이에요, 마을이 평화롭네."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gieok.extract.korean.reading import Reading
from gieok.language.particles import josa, nominalised

_KINDS_OF_PERSON: Final = frozenset("사람 분 편 성격 스타일 타입 아이 존재 남자 여자 친구".split())
_PASSING: Final = frozenset(
    "있다 없다 좋다 싫다 같다 아프다 배고프다 졸리다 괜찮다 바쁘다 피곤하다 "
    "그렇다 이렇다 어떻다 늦다 맞다 미안하다 고맙다".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """What is thought, as a noun phrase."""

    content: str
    core: str  #: the word it hangs on; 따뜻한 사람 and 차가운 사람 sound alike but differ here


def opinion(reading: Reading, speaker_is_subject: bool) -> Opinion | None:
    """Return what is thought of the subject, where it is named and is not the speaker.

    Passing states (있다, 아프다 …) are no opinions.
    """
    named = reading.about.phrase
    predicate = reading.predicate
    if named is None or predicate is None or reading.clause.head is not None:
        return None
    if speaker_is_subject or reading.about.subject == "other":
        return None
    if predicate.negated or predicate.past or predicate.lemma in _PASSING:
        return None
    if predicate.form == "copula":
        kind = reading.complement
        if kind is None or kind.words[-1] not in _KINDS_OF_PERSON or not kind.adnominal:
            return None
        said = nominalised([*kind.adnominal, *kind.morphemes, *predicate.stem])
        core = "".join(part.form for part in kind.adnominal)
    elif predicate.form == "adjective":
        said = nominalised(predicate.stem)
        core = predicate.lemma
    else:
        return None
    content = said if reading.about.subject != "world" else f"{josa(named.text, '이/가')} {said}"
    return Opinion(content=content, core=core)
