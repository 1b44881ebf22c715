"""Friends as they come up: 민석이랑은 10년째 여행 다녀, 절친 지수가 연락이 뜸해, 지호라는 친구가 있어."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, ended, finding, person_named
from gieok.language.clauses import Phrase

_WITH: Final = ("랑", "이랑", "하고", "와", "과")
_CALLED: Final = ("야", "아", "이야")
_PLAIN: Final = "친구"
_NOT_MINE: Final = frozenset(
    "엄마 아빠 언니 오빠 누나 형 동생 남편 아내 와이프 아들 딸 할머니 할아버지 남친 여친".split()
)
_NO_NAME: Final = frozenset(
    "친구 사람 애 하나 진짜 요즘 오늘 이름 남자 여자 모임 결혼 생일 소개 추천 관계 사이 얘기".split()
)
_AFTER_NAME: Final = frozenset(
    "때문 덕분 네 집 결혼식 생일 씨 언니 오빠 형 누나 얘기 하나 결혼 돌잔치 장례식 번호 별명".split()
)
_SARCASM: Final = ("그럼 그럼", "참 좋은 친구")
_CLOSE: Final = (
    "맞다",
    "통하다",
    "붙어다니다",
    "사랑하다",
    "좋아하다",
    "친하다",
    "가깝다",
    "의지하다",
    "편하다",
    "믿다",
    "아끼다",
    "없다",
    "오래되다",
    "소중하다",
)


def near(telling: Telling) -> Iterator[Finding]:
    """Read who is a friend of the speaker."""
    if any(said in telling.text for said in _SARCASM):
        return
    for place, part in enumerate(telling.parts):
        if part.closes in ("wish", "hypothetical", "question"):
            continue
        for name in (
            *_titled(telling, part),
            *_said_to_be(telling, place, part),
            *_dearest(telling, part),
            *_only_one(telling, part),
        ):
            yield finding("friend", name, whose=telling.me)
            return
    if any(part.says(*signals("friend", "ended")) and not part.negated for part in telling.parts):
        yield from _fallen_out(telling)
    else:
        yield from _bound(telling)


def _titled(telling: Telling, part: Part) -> Iterator[str]:
    """절친 지수가, 내 친구 다혜 때문에, 둘도 없는 친구인 효주와."""
    for at, phrase in enumerate(part.clause.phrases):
        before = part.clause.phrases[at - 1] if at else None
        theirs = before is not None and before.words[-1] in _NOT_MINE and not before.particles
        if theirs or phrase.words[0] in _NOT_MINE:
            continue
        for place, word in enumerate(phrase.words[:-1]):
            dear = word in ("아가", "애가") and phrase.modifier in _CLOSE  # 제일 친한 아가 …
            if dear or word == _PLAIN or {word, "".join(phrase.words[: place + 1])} & signals("friend", "words"):
                yield from _name_among(telling, phrase, phrase.words[place + 1 :])
                break
        copula = phrase.adnominal and phrase.adnominal[0].form == "이"
        if copula and _friend_before(telling, part):
            yield from _name_among(telling, phrase, phrase.words)


def _name_among(telling: Telling, phrase: Phrase, rest: tuple[str, ...]) -> Iterator[str]:
    """Yield the name that comes first in `rest`: 다혜 of 다혜 때문."""
    if not rest or len(rest) > 2 or (len(rest) == 2 and rest[1] not in _AFTER_NAME):
        return
    said = rest[0].removesuffix("네") if len(rest[0]) > 2 else rest[0]
    pieces = [part for part in phrase.morphemes if rest[0].startswith(part.form)]
    morpheme = pieces[0] if pieces else phrase.morphemes[-1]
    if len(morpheme.form) == 1 and len(said) > 1:
        morpheme = replace(morpheme, known=False)  # 승아 is no word: a name that was cut up
    name = person_named(Phrase(words=(said,), morphemes=(morpheme,)), telling.words)
    if name is not None and name not in _NO_NAME | signals("friend", "bonds") and name not in patterns().by_label:
        yield name


def _friend_before(telling: Telling, part: Part) -> bool:
    place = telling.parts.index(part)
    before = telling.parts[place - 1] if place else None
    if before is None or before.clause.head is None or not before.clause.phrases:
        return False
    return before.clause.phrases[-1].words[-1] in signals("friend", "words") | {_PLAIN}


def _said_to_be(telling: Telling, place: int, part: Part) -> Iterator[str]:
    """미소야 내 단짝; 깨복쟁이 친구가 승호여; 지호라는 친구가 있어; 유나예요, 제가 제일 의지하는 친구요."""
    label = next((phrase for phrase in part.clause.phrases if _is_title(phrase)), None)
    label = label or _name_tag(telling, place, part)
    if label is None or part.negated or part.mood == "hearsay":
        return
    described = telling.parts[place - 1] if place and label.adnominal else None
    beside = (*(described.clause.phrases if described is not None else ()), *part.clause.phrases)
    for phrase in reversed(beside):
        fitting = not phrase.particles or phrase.has(*_CALLED, "이", "가", "여")
        if phrase is not label and fitting and len(phrase.words) == 1:
            yield from _name_of(telling, phrase)
    before = telling.parts[place - 1] if place else None
    calls = before is not None and (before.says("이다") or before.clause.predicate is None) and not before.negated
    if before is None or not calls:
        return
    last = before.clause.phrases[-1] if before.clause.phrases else None
    if last is not None and before.ending in ("라는", "이라는") and not last.particles and 2 <= len(last.text) <= 3:
        yield last.text  # 여름이라는 친구
    elif len(before.clause.phrases) == 1 and before.ending != "ㄴ":
        yield from _name_of(telling, before.clause.phrases[0])


def _only_one(telling: Telling, part: Part) -> Iterator[str]:
    """친구는 많아도 진짜는 아라 하나지."""
    last = part.clause.phrases[-1] if part.clause.phrases else None
    if last is None or len(last.words) != 2 or not last.words[-1].startswith("하나") or part.negated:
        return
    if any(_PLAIN in phrase.words for each in telling.parts for phrase in each.clause.phrases):
        yield from _name_among(telling, last, last.words)


def _name_tag(telling: Telling, place: int, part: Part) -> Phrase | None:
    """베프 하나 있는데 이름이 가은이야."""
    before = telling.parts[place - 1] if place else None
    titled = before is not None and any(signals("friend", "words") & set(p.words) for p in before.clause.phrases)
    return (
        next((p for p in part.clause.phrases if p.words[-1] == "이름"), None) if titled and part.says("이다") else None
    )


def _name_of(telling: Telling, phrase: Phrase) -> Iterator[str]:
    name = person_named(phrase, telling.words)
    called = phrase.has(*_CALLED) and phrase.text not in telling.words.class_of and 2 <= len(phrase.text) <= 3
    name = phrase.text if name is None and called else name
    if name is not None and name not in _NO_NAME:
        yield name


def _is_title(phrase: Phrase) -> bool:
    if phrase.words[0] in _NOT_MINE or phrase.pointed or phrase.has("한테", "에게", "랑", "이랑", "하고"):
        return False
    last = phrase.words[-1]
    if last in signals("friend", "words") or "".join(phrase.words) in signals("friend", "words"):
        return True
    named = phrase.adnominal and phrase.adnominal[-1].form in ("라는", "이라는", "란")
    close = phrase.modifier in _CLOSE or phrase.words[0] in ("깨복쟁이", "고향", "동네", "학교", "절친한")
    dear = last in ("애", "아") and phrase.modifier in _CLOSE  # 제일 친한 애가 …
    return dear or bool(last == _PLAIN and (close or named or phrase.owner == "나"))


def _dearest(telling: Telling, part: Part) -> Iterator[str]:
    """사귄 친구 중에 종현이 제일 편해요; 지호랑 제일 친해."""
    place = telling.parts.index(part)
    words = part.all_words | (telling.parts[place - 1].all_words if place else frozenset())
    if part.negated or not {"제일", "가장", "젤"} & words:
        return
    among = any(_PLAIN in phrase.words and "중" in phrase.words for phrase in part.clause.phrases)
    for phrase in part.clause.phrases:
        if (among and phrase.has("이", "가")) or (part.says("친하다", "가깝다") and phrase.has(*_WITH)):
            yield from _name_of(telling, phrase)
    thing = part.clause.phrases[0] if part.clause.phrases else None
    turned_to = thing is not None and thing.words[-1] in ("거", "것") and thing.modifier and part.says("이다")
    if turned_to and _PLAIN in telling.text:  # 제일 먼저 전화하는 게 지수야
        yield from _name_of(telling, part.clause.phrases[-1])


def _bound(telling: Telling) -> Iterator[Finding]:
    """민석이랑은 10년째 …; 정우 결혼식 때 …, 우정이 십오 년이라; 종현이랑 … 찐친이라."""
    said = frozenset(word for part in telling.parts for word in part.all_words)
    if any(part.closes in ("question", "wish", "hypothetical") for part in telling.parts):
        return
    strong = (
        "둘도 없는 사이" in telling.text
        or bool(signals("friend", "bonds") & said)
        or any(word.endswith("년지기") for word in said)
    )
    lasting = any(word.endswith(("년째", "년지기")) for word in said)
    for part in telling.parts:
        ends = part.clause.phrases[-1].words if part.clause.phrases else ()
        plain = ends == (_PLAIN,) and (part.clause.predicate is None or part.says("이다")) and not part.negated
        for phrase in part.clause.phrases:
            house = phrase.words[0].endswith("네") and phrase.words[1:2] == ("집",)
            visited = house and part.says(*signals("friend", "visiting"))
            fitting = (
                strong
                or visited
                or (plain and any(w in telling.text for w in ("때부터", "랑", "하고")))
                or (lasting and phrase.has(*_WITH))
            )
            names = list(_name_among(telling, phrase, phrase.words[:1])) if fitting and phrase.pronoun is None else []
            if names and phrase.words[0] not in _NOT_MINE:
                yield finding("friend", names[0], whose=telling.me)
                return


def _fallen_out(telling: Telling) -> Iterator[Finding]:
    """수빈이랑 절교했어."""
    for part in telling.parts:
        if not part.says(*signals("friend", "ended")) or part.negated or not telling.mine(part):
            continue
        for phrase in part.clause.phrases:
            if phrase.has(*_WITH) and part.closes in ("statement", "command"):
                for name in _name_of(telling, phrase):
                    yield ended(finding("friend", name, whose=telling.me))
                    return
