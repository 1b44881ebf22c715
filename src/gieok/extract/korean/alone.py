"""Values that say by themselves what they are: 나 INFP야, A형이라 그래, 스물두 살 디자인과 학생이고."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.figures import FELT_AGE
from gieok.extract.korean.household import AT_WORK
from gieok.extract.korean.kinds import short_major
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading, found, is_person
from gieok.extract.korean.values import READERS, Value
from gieok.language.clauses import Phrase

_MAJOR: Final = re.compile(r"(?P<major>[가-힣A-Za-z]{2,12}?)(?P<dept>학과|과|학부)$")
_NO_MAJOR: Final = frozenset(
    "결과 효과 사과 치과 내과 외과 안과 피부과 성과 통과 초과 학과 무슨과 이과 문과 소아과 정형외과 산부인과".split()
)
_DREAMS: Final = frozenset("꿈 희망 장래희망 목표 장래 소원".split())
_SELF: Final = frozenset({"user", "character"})
_OF_SOMEBODY: Final = frozenset({"gender", "age", "family", "relationship_status"})  #: 그 의사 여자예요
_NATIVE: Final = re.compile(
    r"(?:열|스물|스무|서른|마흔|쉰|예순|일흔|여든|아흔)(?:하나|둘|셋|넷|다섯|여섯|일곱|여덟|아홉)?"
)


def alone(reading: Reading) -> Iterator[Finding]:
    """Read typed values in what somebody is said to be."""
    phrase = reading.complement
    if phrase is None or not reading.asserts or _asked_back(reading):
        return
    if reading.predicate is None and not _stands_alone(reading, phrase):
        return
    said = reading.said(phrase)
    for pattern in patterns().alone:
        value = READERS[pattern.value](said)
        if value is None or not value.alone or not _fits(reading, pattern.attribute, value, phrase):
            continue
        past = reading.past and not reading.measured
        yield found(pattern, value, polarity="-" if reading.negated else "+", past=past)
    yield from _aged(reading, phrase)
    yield from _major(reading, phrase)
    yield from _from_there(reading, phrase)
    yield from _enrolled(reading, phrase)


def _aged(reading: Reading, phrase: Phrase) -> Iterator[Finding]:
    """스물여섯 사장입니다, 서른 넘은 아저씨; 스물 두 살: how old, right before what one is."""
    words = phrase.words
    told = next((at for at in (2, 1) if at < len(words) and _NATIVE.fullmatch("".join(words[:at]))), 0)
    person = is_person(words[-1]) and not phrase.pointed and not reading.negated and not reading.past
    if told and person and told == len(words) - 1 and _is_age(reading, phrase):
        value = READERS["age"]("".join(words[:told]))
        if value is not None:
            yield found(patterns().by_attribute["age"], value)


def _asked_back(reading: Reading) -> bool:
    """다들 쌍둥이냐고 해: others ask, nobody says so."""
    return reading.predicate is not None and any(ending.endswith("냐고") for ending in reading.predicate.endings)


def _stands_alone(reading: Reading, phrase: Phrase) -> bool:
    """Whether a sentence without a predicate speaks of the subject: "나 25살", "취준생 1년차"."""
    return reading.about.phrase is not None or len(reading.clause.phrases) == 1


def _fits(reading: Reading, attribute: str, value: Value, phrase: Phrase) -> bool:
    if value.surface == reading.about.subject_id or (phrase.pointed and attribute in _OF_SOMEBODY):
        return False
    if attribute == "job" and (_dreamt_of(reading) or _of_kin(reading) or phrase.owner in ("네", "너", "니")):
        return False
    if attribute == "age" and not _is_age(reading, phrase):
        return False
    if attribute == "family" and AT_WORK.search(reading.text):
        return False
    if attribute == "job":
        if reading.predicate is None and reading.about.phrase is None:
            return phrase.words[0] == value.surface and "년차" in "".join(phrase.words[1:])
        return phrase.words[-1] == value.surface or value.surface == "".join(phrase.words)
    if attribute in ("gender", "family", "relationship_status", "religion"):
        return phrase.words[-1] == value.surface or len(phrase.words) == 1
    if attribute in ("height", "age") and _of_a_thing(reading, phrase):
        return False
    if attribute == "height":
        return reading.about.subject in _SELF and (reading.about.phrase is not None or "cm" in value.surface.lower())
    return True


def _is_age(reading: Reading, phrase: Phrase) -> bool:
    """Not 마음만은 열일곱, 나 백 살인 줄, 두 살 터울, 생일 지나면 열여덟."""
    if any(year in reading.text for year in ("내년", "작년", "내후년", "지나면", "바뀌면")) or FELT_AGE.search(
        reading.text
    ):
        return False
    return reading.clause.head != "줄" and phrase.words[-1] not in ("터울", "차이", "차", "연상", "연하", "위", "아래")


def _of_a_thing(reading: Reading, phrase: Phrase) -> bool:
    """책상이 150cm야, 강아지가 열 살이라: something else has that measure."""
    things = (other for other in reading.rest if other is not phrase and other.pronoun is None)
    return any(other.has("이", "가") and other.words[-1] not in ("키", "신장", "나이", "연세") for other in things)


def _of_kin(reading: Reading) -> bool:
    """나는 조카가 고3: told by the speaker, of somebody else."""
    mine = reading.about.subject_id == reading.me.subject_id
    return mine and any(other.has("이", "가") and other.words[-1] in reading.words.kin for other in reading.rest)


def _dreamt_of(reading: Reading) -> bool:
    beside = (clause for clause in (reading.after, reading.main_before) if clause is not None)
    words = {word for clause in beside for phrase in clause.phrases for word in phrase.words}
    return bool(_DREAMS & (reading.everything | words))


def _major(reading: Reading, phrase: Phrase) -> Iterator[Finding]:
    """디자인과 학생, 컴퓨터공학과, 나 이제 컴공이야."""
    short = short_major(phrase.text)
    if short is not None and reading.predicate is not None and not reading.negated and not reading.past:
        yield Finding(attribute="major", value=short, shown=short, surface=phrase.text)
        return
    for word in phrase.words:
        said = _MAJOR.search(word)
        if said is None or word in _NO_MAJOR or len(said["major"]) < 2:
            continue
        student = any(other.endswith(("학생", "생", "전공", "출신")) for other in phrase.words)
        if student or said["dept"] in ("학과", "학부") or said["major"].endswith("공학"):
            major = said["major"] if said["dept"] == "과" else said["major"] + ("학" if said["dept"] == "학과" else "")
            yield Finding(attribute="major", value=major, shown=major, surface=word)
            return


def _from_there(reading: Reading, phrase: Phrase) -> Iterator[Finding]:
    """김천 출신이에요, 부산 토박이야."""
    if phrase.words[-1] in ("출신", "태생", "토박이") and len(phrase.words) > 1 and not reading.negated:
        place = " ".join(phrase.words[:-1])
        if place in reading.words.cities or not place.endswith(_NO_PLACES):
            yield Finding(attribute="hometown", value=place, shown=place, surface=place)


def _enrolled(reading: Reading, phrase: Phrase) -> Iterator[Finding]:
    """서울교대 학생입니다, 동래고 2학년이야."""
    last = phrase.words[-1]
    if len(phrase.words) < 2 or reading.negated or not (last.endswith(("학생", "학년", "재학생")) or last == "재학"):
        return
    school = next((word for word in phrase.words[:-1] if word.endswith(_SCHOOLS) and len(word) > 2), None)
    if school is not None:
        yield Finding(attribute="school", value=school, shown=school, surface=school)


_NO_PLACES: Final = ("대", "과", "학교", "고", "예종", "유치원", "학원", "사관", "부대", "팀", "반", "기획", "엔터")
_SCHOOLS: Final = ("대학교", "대학", "대", "고등학교", "고", "중학교", "중", "여고", "여대", "외고", "과고", "예고")
