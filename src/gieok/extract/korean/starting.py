"""Work that somebody has begun: HD현대 첫 출근했어, 보조교사로 일 시작한 지 2주, 마케터로 출근하고 있어요."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.becoming import happened
from gieok.extract.korean.kinds import KINDS
from gieok.extract.korean.lexicon import lexicon
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Phrase

_FIRST_DAY: Final = frozenset({"첫", "첫날"})
_WORK: Final = frozenset("일 근무 활동 생활 직장생활 회사생활 업무".split())
_BEGINNING: Final = frozenset("시작하다 뛰다 일하다 근무하다 활동하다".split())
_NO_WORK: Final = re.compile(r"게임|길드|서버|드라마|소설|꿈에서|동아리|학생회|모임|동창회|공부|준비")
_TOLD_ENDS: Final = (("는데",), ("고",), ("어서",), ("ㅁ",), ("음",))


def started(reading: Reading) -> Iterator[Finding]:
    """Read the job or the workplace at which somebody has begun."""
    if reading.predicate is None or reading.negated:
        return
    if reading.says("출근하다"):
        found = _first_day(reading) or _comes_in_as(reading)
    elif reading.clause.head == "지" and reading.says(*_BEGINNING):
        found = _since(reading)
    else:
        found = None
    if found is not None and _NO_WORK.search(reading.text) is None:
        attribute, value = found
        yield Finding(attribute=attribute, value=value, shown=value, surface=value)


def _first_day(reading: Reading) -> tuple[str, str] | None:
    """HD현대 첫 출근했는데, 토스로 첫 출근함, 어제 컬리에 첫 출근했어요."""
    ends = reading.predicate.endings[-1:] if reading.predicate is not None else ()
    if not _FIRST_DAY & reading.everything or not (reading.past or happened(reading) or ends in _TOLD_ENDS):
        return None
    for phrase in reversed(reading.rest):
        named = [word for word in phrase.words if word not in _FIRST_DAY]
        company = KINDS["company"](named) if named and phrase.pronoun is None and not phrase.has("에서") else None
        if company is not None:
            return "workplace", company
    return None


def _comes_in_as(reading: Reading) -> tuple[str, str] | None:
    """월요일부터 마케터로 출근하고 있어요."""
    into = next((p for p in reversed(reading.rest) if p.has("로", "으로") and p.pronoun is None), None)
    value = _job(into.words) if into is not None and reading.clause.head is None else ""
    return ("job", value) if value else None


def _since(reading: Reading) -> tuple[str, str] | None:
    """보조교사로 일 시작한 지 2주, 포닥 시작한 지 한 달, 라이더로 뛴 지 반년; not 요가 시작한 지 2주."""
    if reading.predicate is None or reading.predicate.endings[-1:] not in (("ㄴ",), ("은",)):
        return None
    as_one = next((p for p in reversed(reading.rest) if p.has("로", "으로") and p.pronoun is None), None)
    phrase = as_one if as_one is not None else _begun(reading)
    value = _job(phrase.words) if phrase is not None else ""
    return ("job", value) if value else None


def _begun(reading: Reading) -> Phrase | None:
    last = reading.rest[-1] if reading.rest and reading.says("시작하다") else None
    return last if last is not None and (not last.particles or last.has("을", "를")) else None


def _job(words: Sequence[str]) -> str:
    """Return the job that `words` end in, with where it is done: 어린이집 보조교사, 포닥 of 포닥 생활."""
    bare = [*words[:-1]] if len(words) > 1 and words[-1] in _WORK else [*words]
    if not bare or not lexicon().is_job(bare[-1]):
        return ""
    place = len(bare) > 1 and KINDS["company"](bare[:-1]) is not None
    return " ".join(bare[-2:]) if place else bare[-1]
