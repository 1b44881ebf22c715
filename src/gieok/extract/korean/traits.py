"""What somebody is like: 나 완전 덜렁이야, 성격이 급해서, 낯을 가리는 편이에요, 외향적으로 변했어."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, finding
from gieok.language.clauses import Phrase, Predicate
from gieok.language.wording import nominalised

_ASKED: Final = re.compile(r"성격|어떤 (?:사람|스타일|타입|편)|장점|단점|장단점|성향|MBTI.*어때|본인은 어떤")
_BY_NATURE: Final = frozenset("원래 워낙 본래 천성 천성적으로 타고나 태생 선천적으로 평소 평소에".split())
_CHARACTER: Final = frozenset("성격 성향 성질 기질 천성 성미 인간 스타일 타입 체질 편".split())
_ALWAYS: Final = frozenset({"성격", "성향", "성질", "기질", "성미"})
_THINGS: Final = ("거", "것", "게", "건")
_EASILY: Final = frozenset("잘 쉽게 금방 자주 툭하면 걸핏하면".split())
_SELF: Final = ("나", "저")
_TURNING: Final = ("변하다", "바뀌다", "되다")
_TRADES: Final = frozenset("채식주의자 점쟁이 중매쟁이 담쟁이 미장이 옹기쟁이 난쟁이 사기꾼".split())
_ADMITTED: Final = frozenset({"인정", "사실", "맞다", "유명"})


def character(telling: Telling, place: int, part: Part) -> str | None:
    """Return the trait that a clause gives as somebody's nature."""
    predicate = part.clause.predicate
    if predicate is None or predicate.negated or (part.past and part.clause.head is None):
        return _cannot(telling, part)
    if not part.says(*signals("trait", "qualities"), *signals("trait", "inner")):
        return _inclined(telling, place, part)
    return nominalised(predicate.stem) if _by_nature(telling, place, part) else None


def _by_nature(telling: Telling, place: int, part: Part) -> bool:
    mine = part.about is not None and part.about.subject_id == telling.me.subject_id
    if not mine or part.mood in ("question", "hearsay", "hypothetical"):
        return False
    if part.clause.head in _ALWAYS:
        return not telling_of_others(telling, place)
    if part.clause.head in _THINGS:
        return _set_right(telling, place)
    if part.clause.head is not None:
        return False
    asked = _ASKED.search(telling.asked) is not None and place < 2
    return asked or bool(_BY_NATURE & part.all_words)


def telling_of_others(telling: Telling, place: int) -> bool:
    """소심한 성격의 친구."""
    following = telling.next(place)
    if following is None:
        return False
    phrase = next((p for p in following.clause.phrases if p.adnominal), None)
    beside = phrase is not None and phrase.words[0] in _ALWAYS and len(phrase.words) > 1
    excused = phrase is not None and phrase.words[-1] in ("탓", "때문", "땜", "덕분", "덕", "상")
    likes = following.says("좋다", "싫다", "좋아하다", "싫어하다", "부럽다", "만나다")
    return (beside and not excused) or likes


def _set_right(telling: Telling, place: int) -> bool:
    """게으른 게 아니라 느긋한 거야: the second of the two."""
    following = telling.next(place)
    before = telling.parts[place - 1] if place else None
    is_so = following is not None and following.says("이다") and not following.negated
    return is_so and before is not None and before.says("아니다")


def denied(telling: Telling, place: int, part: Part) -> str | None:
    """Return the first of the two: 게으른 게 아니라."""
    following = telling.next(place)
    predicate = part.clause.predicate
    if predicate is None or part.clause.head not in _THINGS or not part.says(*signals("trait", "qualities")):
        return None
    undone = following is not None and following.says("아니다") and following.closes != "question"
    later = telling.parts[place + 2] if undone and place + 2 < len(telling.parts) else None
    return nominalised(predicate.stem) if later is not None and later.clause.head in _THINGS else None


def _cannot(telling: Telling, part: Part) -> str | None:
    """부탁을 거절 못 해."""
    mine = part.about is not None and part.about.subject_id == telling.me.subject_id
    refuses = part.says("거절하다") or (part.says("하다") and "거절" in part.all_words)
    if mine and refuses and part.negated and "못" in part.clause.adverbs and not part.past:
        return "거절을 못함" if part.closes == "statement" else None
    return None


def _inclined(telling: Telling, place: int, part: Part) -> str | None:
    """나 잘 우는 편이야; 금방 질리는 스타일."""
    easily = next((word for word in part.clause.adverbs if word in _EASILY), None)
    mine = part.about is not None and part.about.subject_id == telling.me.subject_id
    predicate = part.clause.predicate
    if easily is None or not mine or predicate is None or not part.says(*signals("trait", "easily")):
        return None
    kind = part.clause.head in _CHARACTER or bool(_BY_NATURE & part.all_words)
    return f"{easily} {nominalised(predicate.stem)}" if kind else None


def natured(telling: Telling) -> Iterator[Finding]:
    """Read lasting traits, not moods of the day."""
    for place, part in enumerate(telling.parts):
        if part.about is None or part.about.subject in ("character", "world") or part.mood in ("question", "wish"):
            continue
        called = part.mood == "hearsay" and any(
            p.has("보고", "한테", "더러") and p.pronoun for p in part.clause.phrases
        )
        if called and (word := _noun(part)) is not None:
            yield finding("trait", word, whose=telling.me)  # 사람들이 나보고 4차원이래
            return
        if (
            part.closes in ("question", "wish", "hypothetical", "hearsay")
            or signals("trait", "passing") & part.all_words
        ):
            continue
        value = _noun(part) or _turned(part) or _quality(telling, place, part)
        value = value or character(telling, place, part)
        not_so = denied(telling, place, part)
        if not_so is not None:
            yield replace(finding("trait", not_so, whose=telling.me), polarity="-")
        elif value is not None:
            about = part.about.carried() if part.about.subject == "other" else telling.me
            yield finding("trait", value, whose=about)
            return


def _noun(part: Part) -> str | None:
    """나 길치야; 다혈질이라."""
    if part.negated or part.past or not part.clause.phrases:
        return None
    if part.clause.predicate is not None and part.clause.predicate.reported is not None:
        return None  # 겁쟁이라고 놀리길래
    last = part.clause.phrases[-1]
    is_one = (part.clause.predicate is None or part.says("이다")) and not last.particles and not last.pointed
    if not is_one:
        return None
    word = last.words[-1]
    made = (
        len(word) > 2 and word.endswith(("쟁이", "꾸러기", "주의자", "뱅이", "데기", "형인간")) and word not in _TRADES
    )
    return word if made or word in signals("trait", "nouns") | signals("trait", "leanings") else None


def _turned(part: Part) -> str | None:
    """외향적으로 변했어."""
    if not part.says(*_TURNING) or part.negated:
        return None
    words = (phrase.words[-1] for phrase in part.clause.phrases if phrase.has("으로", "로"))
    return next((word for word in words if word in signals("trait", "leanings")), None)


def _quality(telling: Telling, place: int, part: Part) -> str | None:
    """성격이 급해서; 낯을 많이 가려요; 덜렁대는 편이야; 오지랖 넓은 건 인정."""
    predicate = part.clause.predicate
    if predicate is None or predicate.past or predicate.negated or {"싶다", "지다"} & predicate.auxiliaries:
        return None
    bearer = next((p for p in part.clause.phrases if p.words[-1] in signals("trait", "with_much")), None)
    much = bearer is not None and part.says(*signals("trait", "much"))
    if bearer is not None and much and _apt(bearer, predicate) and _claimed(telling, place, part, bearer):
        return _named(telling, bearer, predicate)
    if part.says(*signals("trait", "qualities")) and _kind_of_person(telling, place, part):
        return nominalised(predicate.stem)
    return None


def _apt(bearer: Phrase, predicate: Predicate) -> bool:
    """말이 많다 is a trait, 말이 있다 is none."""
    pairs = {
        "낯": ("가리다",), "성격": _MANNERS, "성질": _MANNERS, "귀": ("얇다",), "입": ("무겁다", "가볍다"),
        "손": ("크다",),
        "한": ("많다",), "정": ("많다",), "말": ("많다", "없다"), "잠": ("많다", "없다"), "오지랖": ("넓다", "심하다"),
        "뒤끝": ("있다", "없다"), "멘탈": ("약하다", "강하다", "좋다"),
        "생각": ("많다",), "걱정": ("많다",), "웃음": ("많다",), "눈치": ("없다", "빠르다"),
    }  # fmt: skip
    fitting = pairs.get(bearer.words[-1])
    plain = (
        "많다",
        "없다",
        "세다",
        "강하다",
        "심하다",
        "부족하다",
        "크다",
        "넓다",
        "풍부하다",
        "약하다",
        "적다",
    )
    return len(bearer.words) == 1 and predicate.lemma in (fitting or plain)


_MANNERS: Final = (
    "급하다", "느긋하다", "꼼꼼하다", "소심하다", "예민하다", "털털하다", "까칠하다", "차분하다", "활발하다",
    "무던하다", "더럽다", "불같다", "까다롭다", "모나다", "둥글둥글하다", "느리다",
)  # fmt: skip


def _claimed(telling: Telling, place: int, part: Part, bearer: Phrase) -> bool:
    """Whether a trait in two words is somebody's: broad ones only with 나, a kind of person, or a reason."""
    if part.clause.head in (None, *signals("trait", "kinds")) and bearer.words[-1] not in signals("trait", "broad"):
        return True
    return _kind_of_person(telling, place, part) or _admitted(telling, place, part)


def _kind_of_person(telling: Telling, place: int, part: Part) -> bool:
    own = any(phrase.pronoun in _SELF for phrase in part.clause.phrases) or (
        part.about is not None and part.about.subject == "other" and part.about.phrase is not None
    )
    if part.clause.head is None:
        return own
    following = telling.next(place)
    is_one = following is not None and (following.says("이다") or following.clause.predicate is None)
    kind = part.clause.head in signals("trait", "kinds") and part.clause.head not in ("사람", "애", "인간", "놈")
    return is_one and (kind or (own and part.clause.head in signals("trait", "kinds")))


def _admitted(telling: Telling, place: int, part: Part) -> bool:
    following = telling.next(place)
    return part.clause.head in ("거", "것", "게") and following is not None and bool(_ADMITTED & following.all_words)


def _named(telling: Telling, bearer: Phrase, predicate: Predicate) -> str:
    particle = "".join(bearer.particles[:1]) if bearer.has("이", "가", "을", "를") else ""
    return f"{bearer.text}{particle} {nominalised(predicate.stem)}"
