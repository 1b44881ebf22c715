"""New homes: 성수동에 원룸 구해서 독립했어요, 구미로 살림 옮겼어, 나도 이제 상무지구 사람이다.

A room that is found may still be empty: it counts where the old one was left, or where one says to live there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.becoming import happened
from gieok.extract.korean.kinds import KINDS
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Phrase

_GETTING: Final = frozenset("구하다 얻다 마련하다 계약하다".split())
_FLATS: Final = frozenset(
    "집 방 전세 월세 반전세 원룸 투룸 쓰리룸 자취방 아파트 빌라 오피스텔 전셋집 월셋집 전세집 월세집 하숙집 고시원 "
    "고시텔 셋방 신혼집 셰어하우스 쉐어하우스 주택 옥탑방 반지하 기숙사 관사 사택".split()
)
_GOODS: Final = frozenset("살림 살림살이 거처 이삿짐 보금자리 터전 주소 주소지 전입신고 둥지 신혼살림".split())
_LAID_DOWN: Final = frozenset("옮기다 차리다 풀다 합치다 틀다 잡다 꾸리다 이전하다 하다".split())
_CITIZENS: Final = frozenset("사람 주민 시민 구민 도민 군민 동민 거주자 입주민".split())
_LEFT: Final = re.compile(
    r"독립|분가|이사|입주|자취|나[왔와옴]|빼[고서]|[뺐뺌]|살[아고]|삽니|삼(?:\s|[.!~ㅋㅎ]|$)|지내|들어[왔왐옴와갔감]"
)
_NOT_YET: Final = re.compile(
    r"예정|다음\s?[달주]|내년|내일|려고|[할갈올살]\s?(?:거|것|듯|지도|까)|싶|알아보|만약|[으면]면\s"
)
_JUST_BACK: Final = frozenset("방금 막 지금 오늘 어제 아까 잠깐 잠시 저녁 새벽".split())
_MOVED_WELL: Final = re.compile(r"이사\s?(?:오|온|와|왔|잘|하길|하기|하고|한|했)")
_ONCE_HERE: Final = (("니까",), ("으니까",), ("니",), ("으니",))


def settled(reading: Reading) -> Iterator[Finding]:
    """Read where somebody lives by the home that they have found there."""
    if reading.negated:
        return
    place = _citizen(reading) if reading.predicate is None or reading.says("이다") else _housed(reading)
    if place is not None:
        yield Finding(attribute="residence", value=place, shown=place, surface=place)


def _housed(reading: Reading) -> str | None:
    if reading.clause.head is not None or _NOT_YET.search(reading.text) is not None:
        return None
    if reading.says(*_GETTING):
        return _flat_found(reading)
    if reading.says("들어오다"):
        return _flat_entered(reading)
    return _goods_moved(reading) or _glad_to_have_come(reading)


def _told(reading: Reading) -> bool:
    """구했어, 구함, 구해서 …, 얻어 살아요."""
    ends = reading.predicate.endings[-1:] if reading.predicate is not None else ()
    return happened(reading) or reading.past or ends in (("어서",), ("고",), ("어",), ("ㅁ",), ("음",))


def _flat_found(reading: Reading) -> str | None:
    """신촌에 방 구해서 고모네서 나왔어; not 신촌에 방 구했어, which may stand empty for a while."""
    flat = next((p for p in reading.rest if p.words[-1] in _FLATS and (not p.particles or p.has("을", "를"))), None)
    if flat is None or not _told(reading):
        return None
    elsewhere = reading.text[: reading.clause.start] + reading.text[reading.clause.end :]
    return _where(reading, flat) if _LEFT.search(elsewhere) else None


def _where(reading: Reading, flat: Phrase) -> str | None:
    """Return the place of `flat`: 신촌에 방, 신촌 원룸."""
    at = next((p for p in reversed(reading.rest) if p.has("에", "에다", "에다가") and p.pronoun is None), None)
    return _town(at.words) if at is not None else _town(flat.words[:-1])


def _town(words: Sequence[str]) -> str | None:
    return KINDS["town"](words) if words else None


def _flat_entered(reading: Reading) -> str | None:
    """포항 효자동 원룸 들어옴; not 방금 신촌 원룸 들어옴."""
    flat = next((p for p in reading.rest if p.words[-1] in _FLATS and not p.has("에서", "서")), None)
    if flat is None or not _told(reading) or _JUST_BACK & reading.everything:
        return None
    return _where(reading, flat)


def _goods_moved(reading: Reading) -> str | None:
    """구미로 살림 옮겼어, 원주에 신혼살림 차렸어요, 주소를 세종으로 옮겼습니다."""
    goods = any(
        _GOODS & set(p.words[:-1]) or (p.words[-1] in _GOODS and (not p.particles or p.has("을", "를", "도")))
        for p in reading.rest
    )
    if not goods or not reading.says(*_LAID_DOWN) or not _told(reading):
        return None
    into = (p for p in reversed(reading.rest) if p.has("로", "으로", "에", "에다", "에다가") and p.pronoun is None)
    return next((place for phrase in into if (place := _town(phrase.words)) is not None), None)


def _glad_to_have_come(reading: Reading) -> str | None:
    """미사 오니까 한강도 가깝고 좋아요. 이사 잘했죠."""
    ends = reading.predicate.endings[-1:] if reading.predicate is not None else ()
    if not reading.says("오다") or ends not in _ONCE_HERE or _MOVED_WELL.search(reading.text) is None:
        return None
    here = reading.rest[-1] if reading.rest else None
    fitting = here is not None and here.pronoun is None and (not here.particles or here.has("에", "로", "으로"))
    return _town(here.words) if fitting and here is not None else None


def _citizen(reading: Reading) -> str | None:
    """나도 이제 상무지구 사람이다, 저 이제 세종 시민이에요; not 이제 서울 사람 다 됐네."""
    last = reading.clause.phrases[-1] if reading.clause.phrases else None
    if last is None or last.particles or last.words[-1] not in _CITIZENS or not reading.lately or reading.past:
        return None
    asked = reading.clause.ends_with.startswith("?")
    return _town(last.words[:-1]) if not asked else None
