"""Posts that somebody is raised to: 점장 달았다, 경장 임용장 받았습니다, PM으로 직무 전환되고, 팀장을 맡고 있어요."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.becoming import happened
from gieok.extract.korean.farewells import verbs_of
from gieok.extract.korean.lexicon import lexicon, signals
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Phrase

_BADGES: Final = frozenset("계급장 견장 명함 배지 명패 완장".split())
_LETTERS: Final = frozenset("임용장 임명장 발령장 사령장 위촉장 임명 발령 임용".split())
_RAISED: Final = frozenset(
    "승진하다 승진되다 진급하다 진급되다 승급하다 승급되다 승격하다 승격되다 임용되다 임명되다 위촉되다 부임하다 "
    "취임하다 발탁되다 선임되다 강등되다 복귀하다 올라가다 올라서다".split()
)
_CHANGED: Final = frozenset("전환되다 전환하다 바꾸다 바뀌다 변경되다 변경하다 옮기다".split())
_LINES: Final = frozenset("직무 직군 직종 보직 커리어 포지션 업무".split())  #: of work
_HIRED: Final = frozenset("정규직 정직원 무기계약직 공무직".split())
_WITH_FIELD: Final = ("담당자", "쌤", "선생님", "선생")  #: posts by their field: 채용담당자, 중학교 쌤
_LEMMAS: Final = _RAISED | _CHANGED | frozenset("맡다 달다 닫다 받다 되다 하다".split())
_SINCE: Final = frozenset({"지", "뒤", "이후", "후"})
_NO_WORK: Final = re.compile(r"게임|길드|서버|드라마|소설|꿈에서|동아리|학생회|반에서|모임|동창회|아파트")
_WHEN: Final = re.compile(
    r"(?:이번|오늘|어제|드디어|결국|제|내|새|올해|작년|지난|달|월|년|주|일|부|학기|진짜|벌써|최연소)$"
)


def appointed(reading: Reading) -> Iterator[Finding]:
    """Read the post that somebody has now."""
    if reading.predicate is None or reading.predicate.lemma not in _LEMMAS or reading.negated:
        return
    post = _held(reading) if reading.says("맡다") else _given(reading) if _done(reading) else ""
    if post and _NO_WORK.search(reading.text) is None:
        mistaken = reading.about.subject == "other" and reading.about.subject_id in post.split()  # 상사 계급장 달았어
        yield Finding(attribute="job", value=post, shown=post, surface=post, whose=reading.me if mistaken else None)


def _done(reading: Reading) -> bool:
    """달았다, 승진함, 전환되고, 된 지 3주."""
    endings = reading.predicate.endings[-1:] if reading.predicate is not None else ()
    since = reading.clause.head in _SINCE and endings in (("ㄴ",), ("은",))
    return since or happened(reading) or (reading.clause.head is None and endings in (("고",), ("어서",)))


def _held(reading: Reading) -> str:
    """팀장을 맡고 있어요, 팀장 맡았어, 팀장 맡게 됐어."""
    after = reading.after.predicate if reading.after is not None else None
    came = after is not None and after.lemma == "되다" and after.past
    assert reading.predicate is not None, "it says 맡다"
    going = "있다" in reading.predicate.auxiliaries or happened(reading)
    last = reading.rest[-1] if reading.rest else None
    fitting = last is not None and (not last.particles or last.has("을", "를"))
    return _post(last.words) if last is not None and fitting and (going or came) else ""


def _given(reading: Reading) -> str:
    verbs = set(verbs_of(reading.clause))
    last = reading.rest[-1] if reading.rest else None
    if last is None or last.pronoun is not None:
        return ""
    turned = (p for p in reversed(reading.rest) if p.has("로", "으로") and p.pronoun is None)
    into = next((p for p in turned if not p.pointed), None)
    if verbs & {"달다", "닫다"}:  # Kiwi hears 닫다 in 달았다
        worn = last.words[:-1] if last.words[-1] in _BADGES else last.words
        return _post(worn) if not last.particles or last.has("을", "를") else ""
    if verbs & {"받다"} and last.words[-1] in _LETTERS:
        return _post(last.words[:-1]) or (_post(into.words) if into is not None else "")
    if verbs & _RAISED:
        return _post((into or last).words) if into is not None or not last.particles else _risen(last)
    became = _post(last.words) if verbs & {"되다"} and (not last.particles or last.has("이", "가")) else ""
    return became or _changed(reading, verbs, last, into)


def _risen(phrase: Phrase) -> str:
    """과장을 승진했다 is nothing, 과장에 임용됐어요 is."""
    return _post(phrase.words) if phrase.has("에", "이", "가") else ""


def _changed(reading: Reading, verbs: set[str], last: Phrase, into: Phrase | None) -> str:
    """PM으로 직무 전환되고, 정규직(으로) 전환됐어요, 기획자로 직무 바꿨어."""
    words = [word for phrase in reading.rest for word in phrase.words]
    turned = bool(verbs & _CHANGED) or ("전환" in last.words[-1:] and bool(verbs & {"되다", "하다"}))
    if not turned:
        return ""
    if into is not None and _LINES & set(words):
        return _post(into.words, any_job=True)
    hired = next((word for word in words if word in _HIRED), "")
    return hired if verbs & {"전환되다", "전환하다", "되다"} else ""


def _post(words: Sequence[str], *, any_job: bool = False) -> str:
    """Return the post that `words` end in, with where it is held: 카페 점장."""
    if not words:
        return ""
    joined = "".join(words[-2:])
    last = words[-1]
    known = last in signals("leaving", "posts") or (any_job and (lexicon().is_job(last) or lexicon().is_job(joined)))
    known = known or (joined.endswith(_WITH_FIELD) and joined not in _WITH_FIELD)
    if not known:
        return ""
    start = len(words) - 1
    while start and len(words) - start < 2 and _WHEN.search(words[start - 1]) is None:
        start -= 1
    return " ".join(words[start:])
