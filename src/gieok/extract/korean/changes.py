"""Changes: 망원동 아니고 합정이야, 의사라고 한 거 뻥이야, 편의점 알바 때려침, 담배 끊었어."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.farewells import bought, not_so
from gieok.extract.korean.patterns import Pattern, patterns
from gieok.extract.korean.reading import Finding, Reading, found
from gieok.extract.korean.remedies import medicine
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.values import READERS
from gieok.language.clauses import Clause, Phrase

_ENDED: Final = frozenset(
    {"때려치다", "때려치우다", "그만두다", "관두다", "끊다", "접다", "퇴사하다", "잘리다", "졸업하다", "때리치다"}
)
_UPDATE: Final = frozenset("이제 지금 요즘 요새 지난주 이번 지난달 얼마".split())
_RETRACTION: Final = re.compile(
    r"(?P<said>[가-힣A-Za-z0-9 ]{1,20}?)(?:이)?라(?:고|는)\s?(?:말)?(?:한|했던|하는)\s?(?:거|것|건|게"
    r"|말)\S{0,2}\s?(?:다\s?)?"
    r"(?:뻥|거짓말|구라|농담|장난|사실\s?아니)"
)
#: what people cannot leave off
_ENJOYED: Final = frozenset(
    "담배 연초 전담 전자담배 액상 술 카페인 군것질 간식 야식 밀가루 설탕 배달음식 배달 인스턴트 탄산 패스트푸드 게임 "
    "도박 유튜브 쇼츠 릴스 인스타 SNS 트위터 넷플릭스 웹툰 웹소설 덕질 쇼핑 주식 코인".split()
)
_PART_TIME: Final = frozenset({"알바", "아르바이트"})
_BOUGHT: Final = frozenset("회원권 이용권 수강권 정기권 티켓 표 기차표 비행기표 입장권 시즌권 PT권".split())


def not_but(reading: Reading) -> Iterator[Finding]:
    """A 아니고 B: B is so, and A is not (any more)."""
    before = reading.before
    if before is None or before.predicate is None or before.predicate.form != "not" or not before.phrases:
        return
    if not {"고", "구", "라", "라서", "고요"} & set(before.predicate.endings) or reading.negated:
        return
    phrase = reading.complement
    if phrase is None:
        return
    old, new = before.phrases[-1], reading.said(phrase)
    said = reading.text[old.morphemes[-1].start : old.morphemes[-1].end] or old.words[-1]
    pattern = _attribute_of(before, said, new)
    if pattern is None:
        return
    value = READERS[pattern.value](new) or READERS["noun"](new)
    wrong = READERS[pattern.value](said) or READERS["noun"](said)
    if value is None or wrong is None:
        return
    words = set(before.adverbs) | {word for each in before.phrases for word in each.words} | set(reading.everything)
    update = bool(_UPDATE & words) or "이사" in reading.text
    yield found(pattern, value, act="assert" if update else "correct", instead_of=wrong.value)


def _attribute_of(before: Clause, old: str, new: str) -> Pattern | None:
    known = patterns()
    for phrase in before.phrases:
        for word in phrase.words:
            if word in known.by_label:
                return known.by_label[word]
    for pattern in known.alone:
        read, was = READERS[pattern.value](new), READERS[pattern.value](old)
        if read is not None and was is not None and (read.alone or was.alone):
            return pattern
    places = ("동", "구", "시", "역", "군", "읍")
    if old.endswith(places) or new.endswith(places):
        return known.by_attribute["residence"]
    return None


def taken_back(text: str) -> Iterator[Finding]:
    """의사라고 한 거 뻥이야: it was never so."""
    for match in _RETRACTION.finditer(text):
        said = re.sub(r"^(?:아까|전에|저번에|나|내가|저|제가|사실)\s+", "", match["said"].strip()).strip()
        said = re.sub(r"^(?:나|내가|저|제가)\s+", "", said)
        for pattern in patterns().alone:
            value = READERS[pattern.value](said)
            if value is not None:
                yield found(pattern, value, act="retract")
                return


def said_before(reading: Reading) -> Iterator[Finding]:
    """스물다섯이라고 했는데 이제 26이야: the same attribute has another value now."""
    before = reading.quoted_before
    phrase = reading.complement
    if before is None or phrase is None or reading.negated or not before.phrases:
        return
    for pattern in patterns().alone:
        old = READERS[pattern.value](before.phrases[-1].text)
        new = READERS[pattern.value](reading.said(phrase))
        if old is not None and new is not None and old.value != new.value:
            yield found(pattern, new, instead_of=old.value)
            return


def ended(reading: Reading) -> Iterator[Finding]:
    """Something somebody did no longer goes on."""
    predicate = reading.predicate
    if predicate is None or predicate.negated or predicate.lemma not in _ENDED or not_so(reading.clause, reading.after):
        return
    for phrase in reversed(reading.rest):
        finding = _given_up(reading, phrase)
        if finding is not None:
            yield finding
            return


def _given_up(reading: Reading, phrase: Phrase) -> Finding | None:
    last = phrase.words[-1]
    if last in _BOUGHT or bought(reading.clause):
        return None  # 회원권 끊었어 is bought
    if last in _PART_TIME:
        where = " ".join(phrase.words[:-1])
        return _end("part_time_job", where, phrase) if where else None
    exercise = READERS["exercise"](last)
    if exercise is not None:
        return _end("exercise", exercise.value, phrase)
    drug, _ = medicine(phrase)
    if drug is not None:
        return _end("medication", drug, phrase)
    if reading.says("끊다") and phrase.pronoun is None and _is_enjoyed(phrase):
        return _end("likes", phrase.text, phrase)
    job = READERS["job"](phrase.text)
    if job is not None and not reading.says("끊다", "졸업하다"):
        return _end("job", job.value, phrase)
    return None


def _is_enjoyed(phrase: Phrase) -> bool:
    """담배, 커피, 유튜브; not 이번 주에, nor 성당."""
    plain = not phrase.particles or phrase.has("을", "를", "은", "는", "도", "ㄹ", "ㄴ")
    return plain and (bool(taste_words().kind_of(phrase.text)) or phrase.words[-1] in _ENJOYED)


def _end(attribute: str, value: str, phrase: Phrase) -> Finding:
    return Finding(attribute=attribute, value=value, shown=value, surface=phrase.text, polarity="-", act="end")
