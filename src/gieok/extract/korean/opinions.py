"""What somebody thinks of the other party or the world, and what happened between the two who talk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Phrase
from gieok.language.wording import josa, nominalised

_KINDS_OF_PERSON: Final = frozenset("사람 분 편 성격 스타일 타입 아이 존재 남자 여자 친구".split())
_PASSING: Final = frozenset(
    "있다 없다 좋다 싫다 같다 아프다 배고프다 졸리다 괜찮다 바쁘다 피곤하다 "
    "그렇다 이렇다 어떻다 늦다 맞다 미안하다 고맙다".split()
)
_TOWARDS: Final = ("한테", "에게", "께", "랑", "이랑", "와", "과", "하고")
_GIVING: Final = frozenset("선물하다 고백하다 프러포즈하다 청혼하다 화해하다 사과하다 약속하다".split())
_OTHER_PARTY: Final = frozenset({"너", "당신", "네", "우리"})


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


def happened(reading: Reading) -> Iterator[Finding]:
    """Read a deed that the speaker did to or with the one they talk to."""
    predicate = reading.predicate
    if predicate is None or predicate.form != "verb" or not predicate.past or predicate.negated:
        return
    if reading.clause.head is not None or reading.about.subject_id != reading.me.subject_id:
        return
    with_you = any(phrase.pronoun in _OTHER_PARTY and phrase.has(*_TOWARDS) for phrase in reading.rest)
    given = predicate.lemma in _GIVING and not any(phrase.has("은", "는", "이", "가") for phrase in reading.rest)
    if not (with_you or given):
        return
    parts = [part for phrase in reading.rest if _belongs(phrase) for part in (*phrase.adnominal, *phrase.morphemes)]
    if not parts:
        return  # 너랑 얘기했어
    start = min(part.start for part in parts)
    said = reading.text[start : predicate.stem[0].start] + nominalised(
        [*predicate.stem, *(part for part in predicate.tail if part.tag == "EP")][:4]
    )
    yield Finding(attribute="event", value=said.strip(), shown=said.strip(), surface=said.strip())


def _belongs(phrase: Phrase) -> bool:
    """Whether a phrase says what was done: not when, and not to whom of the two."""
    return phrase.pronoun is None and not phrase.labels
