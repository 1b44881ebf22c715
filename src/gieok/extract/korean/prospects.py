"""What lies ahead without being called a plan: 토요일에 친구랑 캠핑, 부산행 표 끊었어, 수능 30일 남음, 개강 예정.

A day ahead may stand in its own clause beside the deed: "금요일 저녁 8시, 홍대에서 소개팅 있음".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gieok.extract.korean.deeds import deed, when
from gieok.extract.korean.intentions import AHEAD, event_of, index_of, is_ahead, planned
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, ended, finding
from gieok.language.clauses import Phrase

_WITH: Final = ("랑", "이랑", "와", "과", "하고", "에서")
_LEFT: Final = re.compile(
    r"(?:\d+|며칠|[한두세네]|일주|보름|얼마)\s?(?:일|주|달|개월|밤|주일)?\s?(?:밖에\s)?(?:안\s)?남"
    r"|D-?\d|디데이|코앞"
)
_BOUND_FOR: Final = re.compile(r"(?P<where>[가-힣]{2,8})행$")
_OFTEN: Final = frozenset("매일 매주 매달 항상 늘 보통 주로 맨날 가끔 자주 원래 매년".split())
_NOTHING: Final = frozenset(
    "시간 사람 거 것 일 적 수 비 눈 소식 데 곳 돈 세일 월요일 휴일 주말 생각 말 문제 날 약 게 건 걸 날씨 답 "
    "알레르기 알러지 공포증 트라우마 지병".split()
)
_CALLED_OFF: Final = ("취소하다", "접다", "포기하다", "무산되다", "취소되다", "엎어지다", "관두다", "미루다")
_INSTEAD: Final = ("바꾸다", "변경하다", "바뀌다", "틀다", "돌리다")
_PLANNED: Final = frozenset({"예정", "계획"})


def ahead(telling: Telling) -> Iterator[Finding]:
    """Read the one plan that an utterance gives away."""
    for place, part in enumerate(telling.parts):
        if part.about is None or part.about.subject == "character" or part.mood == "question":
            continue
        if part.about.subject == "other" and part.about.phrase is not None:
            yield from _of_another(telling, place, part)
            continue
        if part.closes in ("question", "wish", "hypothetical", "command"):
            continue
        found = list(_changed(telling, place, part))
        if not found:
            value = (
                _booked(part)
                or _counted_down(telling, part)
                or _called_planned(part)
                or _appointed(telling, place, part)
            )
            found = [planned(telling, value, telling.text[part.clause.start : part.clause.end])] if value else []
        if found:
            yield from found
            return


def _of_another(telling: Telling, place: int, part: Part) -> Iterator[Finding]:
    """언니가 다음 달에 결혼해서; 부장님 모레 출장 가신대."""
    said = telling.text[part.clause.start : part.clause.end]
    if part.about is None or part.past or part.negated or AHEAD.search(said) is None or part.closes == "question":
        return
    wed = part.says("장가가다", "시집가다", "장가들다", "결혼하다") or {"장가", "시집"} & part.all_words
    value = "결혼" if wed else event_of(part)
    if value:
        yield replace(planned(telling, value, said), whose=part.about.carried())


def _booked(part: Part) -> str:
    """오사카행 비행기표 끊었다; 뮤지컬 예매 성공; 제주도 숙소 잡아놨어."""
    if not _has_booked(part):
        return ""
    for phrase in part.clause.phrases:
        words = [word for word in phrase.words if not when(word)]
        at = next((at for at, word in enumerate(words) if word in signals("plan", "tickets")), None)
        if at is None and phrase.words[-1].endswith(("표", "티켓", "권")) and len(phrase.words[-1]) > 2:
            at = len(words) - 1
        bound = _BOUND_FOR.match(words[0]) if words else None
        if bound is not None:
            return f"{bound['where']} 여행"
        if at and words[at - 1] not in ("왕복", "편도", "기차", "비행기"):
            return " ".join(words[:at])
        if words and words[-1] in signals("plan", "shows"):
            return " ".join(words)
    return ""


def _has_booked(part: Part) -> bool:
    if part.clause.predicate is None:
        return any(phrase.words[-1] in ("성공", "완료") and len(phrase.words) > 1 for phrase in part.clause.phrases)
    done = part.past or part.ending in ("ㅁ", "음")
    return done and not part.negated and part.says(*signals("plan", "booking"))


def _counted_down(telling: Telling, part: Part) -> str:
    """수능까지 30일 남았다; 결혼식 D-7; 예정일이 5월 3일이라."""
    if any(phrase.words[-1] == "예정일" for phrase in part.clause.phrases) and part.says("이다", "남다"):
        return "출산"
    said = telling.text[part.clause.start : part.clause.end + 4]
    if _LEFT.search(said) is None:
        return ""
    for phrase in part.clause.phrases:
        word = phrase.words[-1] if len(phrase.words) == 1 or not _LEFT.search(phrase.text) else phrase.words[0]
        fitting = not phrase.particles or phrase.has("까지", "이", "가", "은", "는")
        if fitting and (word in signals("plan", "events") or (phrase.has("까지") and not when(word))):
            return " ".join(phrase.words[: phrase.words.index(word) + 1])
    return next((word for word in sorted(signals("plan", "events"), key=len)[::-1] if word in telling.asked), "")


def _called_planned(part: Part) -> str:
    """다음 주 이사 예정이야; 유럽 여행 계획 중."""
    for phrase in part.clause.phrases:
        at = next((at for at, word in enumerate(phrase.words) if word in _PLANNED), None)
        open_ = part.clause.predicate is None or part.says("이다", "세우다", "있다", "잡히다", "짜다")
        if at and open_ and not part.past and not part.negated:
            words = [word for word in phrase.words[:at] if not when(word)]
            return " ".join(words) if words and words[-1] not in _NOTHING else ""
    if part.says("계획하다") and not part.past and not part.negated and part.clause.head is None:
        return event_of(part)
    return ""


def _appointed(telling: Telling, place: int, part: Part) -> str:
    """토요일에 친구랑 글램핑; 금요일에 홍대에서 회의 있음; 내일 머리 하러 가; 모레 이사해."""
    fixed = part.says("잡히다", "잡다", "생기다") and part.past
    if (part.past and not fixed) or part.negated or part.clause.head is not None or not is_ahead(telling, place):
        return ""
    if _OFTEN & part.all_words or any(word.endswith("마다") for word in part.all_words) or part.closes == "hearsay":
        return ""
    if any(phrase.has("마다") for phrase in part.clause.phrases) or part.ending in ("면", "으면", "려면", "자"):
        return ""
    last = part.clause.phrases[-1] if part.clause.phrases else None
    if part.clause.predicate is None:
        lone = last is not None and any(phrase.has(*_WITH) for phrase in part.clause.phrases)
        return _happening(last) if lone and last is not None and part.clause.final else ""
    if part.says("있다", "잡히다", "생기다") and last is not None:
        return _happening(last)
    going_to = telling.parts[place - 1] if place else None
    if part.says("가다", "오다") and going_to is not None and going_to.ending in ("러", "으러"):
        return _deed(telling, going_to)
    if not _has_object(part):
        return ""
    if part.says(*signals("plan", "doings")):
        return _deed(telling, part)
    return event_of(part) if part.says("보다", "치다", "하다", "가다", "잡다", "치르다") else ""


def _happening(phrase: Phrase) -> str:
    """Return what a phrase names as something that takes place."""
    words = [word for word in phrase.words if not when(word)]
    fitting = not phrase.particles or phrase.has("이", "가", "도", "을", "를")
    noun = phrase.morphemes[-1].tag in ("NNG", "NNP", "XSN") and phrase.pronoun is None
    if not fitting or not noun or not words or words[-1] in _NOTHING or AHEAD.search(phrase.text) or phrase.pointed:
        return ""
    return " ".join(words[-2:]) if len(words[-1]) > 1 else ""


def _has_object(part: Part) -> bool:
    others = any(p.has("이", "가") and p.pronoun not in ("나", "저", "우리") for p in part.clause.phrases)
    things = [
        p for p in part.clause.phrases if not when(p.text) and p.pronoun is None and not p.has("이", "가", "은", "는")
    ]
    own = part.clause.predicate is not None and len(part.clause.predicate.stem) > 1
    return not others and (own or any(p.words[-1] not in _NOTHING for p in things))


def _deed(telling: Telling, part: Part) -> str:
    predicate = part.clause.predicate
    at = index_of(part.clause.morphemes, predicate.stem[-1]) if predicate is not None else None
    value = deed(telling.text, part.clause.morphemes, at) if at is not None else ""
    return value if value and value.split()[0] not in signals("plan", "no_doing") else ""


def _changed(telling: Telling, place: int, part: Part) -> Iterator[Finding]:
    """유럽 가려던 거 경주로 바꿨어; 제주도 가기로 한 거 취소."""
    if part.clause.head not in ("거", "것", "건", "게", "걸"):
        return
    meant = part.ending in ("려던", "으려던") or (part.ending in ("ㄴ", "은", "던") and "기로" in telling.text)
    if not meant:
        return
    over = False
    for later in telling.parts[place + 1 : place + 4]:
        off = later.says(*_CALLED_OFF) and not later.negated
        new = next((p for p in later.clause.phrases if p.has("로", "으로") and p.pronoun is None), None)
        if off and not over:
            over = True
            yield from _given_up(telling, part)
        elif later.says(*_INSTEAD) and new is not None:
            if not over:
                yield from _given_up(telling, part)
            yield planned(telling, new.text, telling.text[later.clause.start : later.clause.end])
            return


def _given_up(telling: Telling, part: Part) -> Iterator[Finding]:
    old = _deed(telling, part).removesuffix("로").strip()
    if old:
        yield ended(finding("plan", old.split()[0] if old.endswith("가기") else old, whose=telling.me))
