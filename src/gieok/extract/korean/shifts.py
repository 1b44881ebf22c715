"""Part-time jobs as they come up: 카페 알바 대타 구하는 중, 알바하는 편의점 사장님이, 빵집에서 시급 만 원 받아."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.clauses import Phrase

_NOT_YET: Final = frozenset({"구하다", "찾다", "알아보다", "지원하다", "고민하다", "떨어지다", "싶다", "추천하다"})
_OVER: Final = frozenset({"그만두다", "관두다", "때려치다", "때려치우다", "잘리다", "퇴사하다", "접다"})
_NICKS: Final = {"편돌이": "편의점 알바", "편순이": "편의점 알바", "피돌이": "피시방 알바", "피순이": "피시방 알바"}
_WORKMATES: Final = frozenset({"사장", "사장님", "점장님", "매니저", "손님", "동료", "팀장님", "팀장"})
_ASKING: Final = frozenset("얼마 몇 어디 무슨 어떤 어때 어떻".split())
_THEN: Final = frozenset("작년 옛날 예전 그때 대학생때 재작년".split())
_BEFORE_KIND: Final = frozenset("달 때 주 요즘 요새 이번 지난 다음 주말 방학 시절".split())
_KINDLESS: Final = frozenset(
    "주말 평일 야간 단기 꿀 새 첫 그 이 저 무슨 다른 방학 하루 오늘 내일 요즘 이번주 이번달 이번".split()
)


def worked(telling: Telling) -> Iterator[Finding]:
    """Read where the speaker earns on the side."""
    for place, part in enumerate(telling.parts):
        if not _own(telling, part) or _THEN & part.all_words or _tried(telling, place):
            continue
        for phrase in part.clause.phrases:
            if "때" in phrase.words:
                continue  # 고딩 때 전단지 알바
            job, after = _job(telling, phrase)
            if job is not None and _is_done(telling, place, part, phrase, after):
                yield finding("part_time_job", _plain(job), surface=phrase.text, whose=telling.me)
                return
        where = _workplace(telling, place, part)
        if where is not None:
            yield finding("part_time_job", _plain(where), surface=where, whose=telling.me)
            return


def _tried(telling: Telling, place: int) -> bool:
    """전단지 알바 하루 해본 게 다야, 해본 적 있어; 과외하던 애가."""
    predicate = telling.parts[place].clause.predicate
    if predicate is None:
        return False
    tried = "보다" in predicate.auxiliaries and predicate.endings[-1:] in (("ㄴ",), ("은",))
    return tried or predicate.endings[-1:] == ("던",)


def _plain(job: str) -> str:
    """편의점 알바 is 편의점; 과외 and 안전요원 say what they are."""
    return job.removesuffix("아르바이트").removesuffix("알바").strip() or job


def _own(telling: Telling, part: Part) -> bool:
    goes_on = part.closes == "wish" and part.mood == "statement" and not part.clause.final and not part.says(*_NOT_YET)
    if part.closes in ("wish", "hypothetical", "hearsay") and not goes_on:
        return False
    return telling.mine(part) or (part.about is not None and part.about.subject_id in _WORKMATES)


def _job(telling: Telling, phrase: Phrase) -> tuple[str | None, tuple[str, ...]]:
    """Return the job that a phrase names with its kind, and the words after: 롯데리아 알바 | 시급."""
    for at, word in enumerate(phrase.words):
        bare = word.removesuffix("생") if word.endswith("알바생") else word
        ends = next((kind for kind in signals("part_time", "words") if bare.endswith(kind)), None)
        if ends is None:
            continue
        kind = " ".join((*phrase.words[:at], bare.removesuffix(ends))).strip()
        while kind.split()[:1] and kind.split()[0] in _BEFORE_KIND:
            kind = " ".join(kind.split()[1:])
        while kind.split()[-1:] and kind.split()[-1] in _KINDLESS:
            kind = " ".join(kind.split()[:-1])
        if ends == "과외":
            return f"{kind} 과외".strip(), phrase.words[at + 1 :]
        return (f"{kind} {ends}" if kind else None), phrase.words[at + 1 :]
    return None, ()


def _is_done(telling: Telling, place: int, part: Part, phrase: Phrase, after: tuple[str, ...]) -> bool:
    if part.closes == "question" and (not after or any(each.form in _ASKING for each in part.clause.morphemes)):
        return False
    if phrase.pointed or phrase.has("보다", "처럼", "만큼") or after[:1] == ("급",) or part.says("같다"):
        return False
    if after and after[0] in signals("part_time", "around"):
        return after[0] != "자리" or not part.says(*_NOT_YET)
    following = telling.next(place)
    if part.says(*_NOT_YET, *_OVER) or (following is not None and following.says(*_OVER) and not following.negated):
        return False
    doing = part.says(*signals("part_time", "doing")) and not part.negated
    over = part.past and part.says("하다", "뛰다", "다니다", "병행하다")
    is_one = part.says("이다") and phrase is part.clause.phrases[-1] and phrase.words[-1].endswith("알바생")
    if (doing and not over) or (is_one and not part.negated):
        return True
    lone = part.clause.predicate is None and phrase is part.clause.phrases[-1] and len(part.clause.phrases) > 1
    return (lone and part.closes != "question") or _still(telling, place, phrase)


def _still(telling: Telling, place: int, phrase: Phrase) -> bool:
    """방학 때 시작한 도서관 근로, 아직도 하고 있어요."""
    following = telling.next(place)
    going_on = following is not None and following.says("하다", "다니다") and not following.past
    return going_on and following is not None and not following.negated and following.closes == "statement"


def _workplace(telling: Telling, place: int, part: Part) -> str | None:
    """알바하는 카페 사장님이; 영화관에서 팝콘 튀기고 있어요; 나 올리브영 마감조라."""
    if part.says("알바하다", "아르바이트하다") and part.clause.head is not None and not part.past:
        following = telling.next(place)
        words = following.clause.phrases[0].words if following is not None and following.clause.phrases else ()
        phrase = next((p for p in following.clause.phrases if p.adnominal), None) if following is not None else None
        words = phrase.words if phrase is not None else words
        return f"{words[0]} 알바" if words and words[0] in signals("part_time", "places") else None
    bare = any(phrase.words[-1] in ("알바", "아르바이트") and len(phrase.words) == 1 for phrase in part.clause.phrases)
    if bare and part.says(*signals("part_time", "doing")) and not part.negated:
        place_of = next((p for p in part.clause.phrases if p.has("에서", "서") and p.pronoun is None), None)
        if place_of is not None and (not part.past or part.says("시작하다")) and part.closes == "statement":
            return f"{place_of.text} 알바"
    nick = next((_NICKS[word] for word in part.all_words if word in _NICKS), None)
    if nick is not None and not part.negated and part.closes == "statement":
        return nick
    for phrase in part.clause.phrases:
        known = next((word for word in phrase.words if word in signals("part_time", "places")), None)
        if known is None:
            continue
        done = {lemma.removesuffix("하다") for lemma in _lemma(part)}
        chores = signals("part_time", "chores") & (part.all_words | _lemma(part) | done)
        paid = any(word in telling.text for word in signals("part_time", "pay"))
        if (phrase.has("에서", "서") or phrase.words[-1] in chores) and chores and paid and not part.past:
            return f"{known} 알바"
        if _has_shift(part, phrase, known):
            return f"{known} 알바"
        if part.says("뛰다", "나가다", "일하다") and not part.past and (paid or "알바생" in _all_words(telling)):
            return f"{known} 알바"
    return None


def _has_shift(part: Part, phrase: Phrase, known: str) -> bool:
    """편의점 야간 한 지 일주일, 피시방 오전 시작했어; not 편의점 야간에 해?."""
    shift = phrase.words[-2:-1] == (known,) and phrase.words[-1] in _HOURS and not phrase.particles
    begun = part.says("하다", "뛰다") and part.clause.head == "지"
    return shift and not part.negated and (begun or part.says("시작하다"))


_HOURS: Final = frozenset("야간 주간 오전 오후 마감 오픈 미들 새벽 심야".split())


def _lemma(part: Part) -> frozenset[str]:
    return frozenset({part.clause.predicate.lemma}) if part.clause.predicate is not None else frozenset()


def _all_words(telling: Telling) -> frozenset[str]:
    return frozenset(word for part in telling.parts for word in part.all_words)
