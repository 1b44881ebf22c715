"""Promises by their ending: 꼭 편지 써줄게, 다시는 안 늦을게, 손가락 걸어 … 말해주는 거다."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.deeds import deed
from gieok.extract.korean.intentions import index_of
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding

_WILL: Final = ("ㄹ게", "을게", "ㄹ게요", "을게요", "ㄹ께", "을께")
_FIRMLY: Final = frozenset("꼭 절대 절대로 반드시 다시는 무조건 평생 항상 매일 맨날 언제나 앞으로".split())
_LATER: Final = frozenset("다음 나중 이따 내일 모레 주말 담 생일 크리스마스 방학 저녁 언젠가".split())
_SEALED: Final = ("약속", "맹세", "손가락", "도장", "믿어", "기대해", "지켜봐", "거짓말 아니")
_LISTENER: Final = ("너", "네", "당신", "니")


def pledged(telling: Telling) -> Iterator[Finding]:
    """Read what the speaker promises the listener."""
    sealed = any(said in telling.text or said in telling.asked for said in _SEALED)
    for place, part in enumerate(telling.parts):
        if (
            part.about is None
            or part.about.subject == "other"
            or part.says("약속하다", "맹세하다", "알다", "그러다", "이다")
        ):
            continue
        told = _will(telling, place, part)
        bound = told and (sealed or _binds(telling, place, part))
        if bound or (sealed and _it_is_agreed(telling, place, part)):
            value = _deed(telling, place, part)
            if len(value.replace(" ", "")) > 3:
                yield finding("promise", value, whose=telling.me)
                return


def _will(telling: Telling, place: int, part: Part) -> bool:
    """…할게; also where it was cut up: 보여줄 게 기대해."""
    if part.ending in _WILL:
        return True
    following = telling.next(place)
    cut = part.clause.head == "것" and part.ending in ("ㄹ", "을") and following is not None
    if not cut or following is None:
        return False
    return following.says("기대하다", "약속하다", "믿다", "기다리다") or "약속" in following.all_words


def _binds(telling: Telling, place: int, part: Part) -> bool:
    words = part.all_words | (_chained(telling, place).all_words if _chained(telling, place) is not part else set())
    if part.negated and "다시" in words:
        return True
    if _FIRMLY & words or any(phrase.pronoun in _LISTENER or phrase.owner == "너" for phrase in part.clause.phrases):
        return True
    gives = part.clause.predicate is not None and "주다" in part.clause.predicate.auxiliaries
    before = telling.parts[place - 1] if place else None
    later = bool(_LATER & words) or (before is not None and before.ending in ("면", "으면"))
    return gives and later


def _it_is_agreed(telling: Telling, place: int, part: Part) -> bool:
    """말해주는 거다."""
    following = telling.next(place)
    is_so = following is not None and following.says("이다") and following.closes == "statement"
    return part.clause.head in ("거", "것") and part.ending == "는" and is_so and not part.past


def _chained(telling: Telling, place: int) -> Part:
    """챙겨 먹을게 is one deed."""
    part = telling.parts[place]
    before = telling.parts[place - 1] if place else part
    return before if before.ending in ("어", "아") and not part.clause.phrases and not before.clause.final else part


def _deed(telling: Telling, place: int, part: Part) -> str:
    first = _chained(telling, place)
    predicate = part.clause.predicate
    at = index_of(part.clause.morphemes, predicate.stem[-1]) if predicate is not None else None
    value = deed(telling.text, part.clause.morphemes, at, whole=True) if at is not None else ""
    if first is not part:
        value = f"{telling.text[first.clause.start : first.clause.end].strip()} {value}"
    return " ".join(word for word in value.split() if word not in _FIRMLY)
