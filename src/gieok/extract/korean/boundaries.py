"""What somebody does not want to hear or suffer: 담배 얘기는 하지 말아줘, 반말 금지, 외모 평가는 좀 불편해."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.deeds import deed
from gieok.extract.korean.lexicon import signals
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.telling import Part, Telling, ended, finding, person_named
from gieok.language.clauses import Phrase
from gieok.language.wording import josa

_TIMES: Final = ("때", "거", "것", "게", "건", "걸")
_IF: Final = ("면", "으면")
_ASKING: Final = ("묻다", "물어보다", "캐묻다", "질문하다")
_BODY: Final = frozenset({"소름", "숨", "스트레스", "눈물", "상처", "기분", "정"})
_TURNS: Final = (
    "막히다", "돋다", "나가다", "차단하다", "손절하다", "화나다", "화내다", "열받다", "빡치다", "떨어지다", "무너지다",
    "울컥하다", "터지다", "나쁘다", "받다", "더럽다", "도망가다", "나다", "상하다", "삐지다", "끊다",
)  # fmt: skip
_OBJECT: Final = ("을", "를", "은", "는", "도", "ㄴ", "만", "ㄹ", "같은")
_IDLE: Final = frozenset("이유 왜 그거 이거 아무것 거 것 그런".split())
_SUCH: Final = frozenset({"이런", "그런", "저런", "식"})
_PLAIN: Final = {"야그": "얘기", "아부지": "아버지", "얘길": "얘기", "이야길": "이야기"}


def unbearable(telling: Telling, place: int, part: Part) -> str | None:
    """Return what is done to the speaker, where the speaker says that it hurts or drives away."""
    predicate = part.clause.predicate
    if (
        predicate is None
        or predicate.negated
        or predicate.past
        or not (part.says(*signals("boundary", "verbs")) or part.says("나오다", "듣다"))
    ):
        return None
    if part.closes in ("question", "wish", "hearsay") or not (part.clause.head in _TIMES or part.ending in _IF):
        return None
    if not any(_hurts(each) for each in telling.parts[place + 1 : place + 4]):
        return None
    return asked_whether(telling, place, part) or _question(part) or _thing(part)


def _hurts(part: Part) -> bool:
    if part.negated or part.past:
        return False
    hated = part.says(*signals("boundary", "unwelcome")) or part.says("나가다", "차단하다", "손절하다", "화내다")
    ends = part.says("이다") and bool({"손절", "차단", "스트레스", "아웃"} & part.all_words)
    return hated or ends or (part.says(*_TURNS) and bool(_BODY & part.all_words))


def asked_whether(telling: Telling, place: int, part: Part) -> str | None:
    """취업했냐고 물어볼 때마다: what is asked, as a question about it."""
    before = telling.parts[place - 1] if place else None
    if not part.says(*_ASKING) or before is None or before.clause.predicate is None:
        return None
    if not before.ending.endswith("냐고"):
        return None
    lemma = before.clause.predicate.lemma
    about = lemma.removesuffix("하다") if lemma.endswith("하다") else ""
    named = next((p.text for p in reversed(before.clause.phrases) if p.pronoun is None), "")
    return f"{about or named} 질문" if about or named else None


def _question(part: Part) -> str | None:
    thing = _object(part) if part.says(*_ASKING) else None
    return f"{thing} 질문" if thing else None


def _object(part: Part) -> str | None:
    for phrase in reversed(part.clause.phrases):
        if (
            (not phrase.particles or phrase.has("을", "를", "에", "만", "이", "가"))
            and phrase.pronoun is None
            and not phrase.pointed
        ):
            return phrase.text
    return None


def _thing(part: Part) -> str | None:
    """벌레 사진 of 벌레 사진 올리면; the bare word says too little."""
    thing = _object(part)
    told = thing is not None and thing.split()[-1] in signals("boundary", "topics")
    return thing if told and thing is not None and (" " in thing or thing in signals("boundary", "plain")) else None


def left_out(telling: Telling, place: int, part: Part) -> bool:
    """정치 얘기는 빼고 놀자; 나이 얘기 없이 가자."""
    following = telling.next(place)
    left = part.says("빼다", "제외하다", "말다") and part.ending == "고" and not part.negated
    return left and following is not None and following.mood == "command"


def kept_off(telling: Telling) -> Iterator[Finding]:
    """Read what the speaker asks to be spared."""
    for place, part in enumerate(telling.parts):
        value = _called(telling, place, part)
        if value is None and part.about is not None and part.about.subject == "other" and not _bids(part):
            continue
        value = value or _forbidden(telling, place, part) or _crossed(telling, place, part)
        value = value or unbearable(telling, place, part)
        if value and value.split()[0].rstrip("은는을를") not in _IDLE:
            value = " ".join(_PLAIN.get(word, word) for word in value.split())
            yield finding("boundary", value, whose=telling.me)
            continue
        allowed = _allowed(telling, place, part)
        if allowed is not None:
            yield ended(finding("boundary", allowed, whose=telling.me))


def _bids(part: Part) -> bool:
    return part.mood == "command" or part.says("말다")


def _forbidden(telling: Telling, place: int, part: Part) -> str | None:
    if _refuses(telling, place, part):
        return (
            asked_whether(telling, place, part)
            or _named(telling, part)
            or (_topic(telling, part) if part.says("말다") else _done(telling, part))
        )
    topic = _topic(telling, part)
    unwilling = part.negated and part.says("하다", "듣다", "꺼내다", "말하다", "얘기하다") and "싶다" in _helpers(part)
    if unwilling and "?" not in part.clause.ends_with:
        return topic
    if topic is None and part.says(*signals("boundary", "stop")) and part.mood == "command":
        return _at_that_time(part)
    if topic is None or part.mood == "question":
        return None
    begged = part.mood == "wish" and part.ending in ("어", "어요", "으면", "다", "ㅂ니다", "습니다")
    stopped = part.says(*signals("boundary", "stop")) and (part.mood == "command" or begged) and not part.negated
    stopped = stopped or left_out(telling, place, part) or (part.says("사양하다", "그만하다") and not part.past)
    last = part.clause.phrases[-1].words[-1] if part.clause.phrases else ""
    barred = part.clause.predicate is None and last in signals("boundary", "forbidden")
    talk = topic.split()[-1] in signals("boundary", "talk")
    unwelcome = talk and part.says(*signals("boundary", "unwelcome")) and not part.negated and not part.past
    mine = part.says("이다") and last in signals("boundary", "mines")
    angry = (
        part.ending in ("면", "으면") and part.says("꺼내다", "하다", "묻다", "물어보다") and _gets_angry(telling, part)
    )
    return topic if stopped or barred or unwelcome or mine or angry else None


def _at_that_time(part: Part) -> str | None:
    """밤 11시 이후로는 연락 자제해줘."""
    said = [phrase.text for phrase in part.clause.phrases if phrase.pronoun is None]
    told = len(said) > 1 and part.clause.phrases[-1].words[-1] in signals("boundary", "topics")
    return " ".join(said[-2:]) if told else None


def _gets_angry(telling: Telling, part: Part) -> bool:
    place = telling.parts.index(part)
    return any(
        each.says("화내다", "손절하다", "삐지다", "열받다", "짜증나다") for each in telling.parts[place + 1 : place + 3]
    )


_ATTENDING: Final = ("듣다", "들어보다", "보다", "읽다", "봐주다", "들어주다")  #: asked for this once


def _refuses(telling: Telling, place: int, part: Part) -> bool:
    """…하지 마, …하지 말기, 안 했으면 좋겠어."""
    predicate = part.clause.predicate
    following = telling.next(place)
    split = part.ending == "지" and following is not None and following.says("말다") and following.mood == "command"
    if split and part.says(*signals("boundary", "verbs")):
        return True  # 묻지 좀 마
    if predicate is None or not part.says(*signals("boundary", "verbs")) or not predicate.negated:
        return part.says("말다") and part.ending == "어" and _topic(telling, part) is not None  # 하덜 말어
    if "말다" in predicate.auxiliaries:
        noted = predicate.endings[-1:] == ("기",)
        wished = predicate.endings[-1:] in (("으면",), ("면",)) and _wished(telling, place)
        following = telling.next(place)
        rather = part.ending == "고" and following is not None and following.mood == "command"
        rather = rather and following is not None and not following.says(*_ATTENDING)  # 욕하지 말고 들어봐
        return part.mood == "command" or noted or wished or rather
    return predicate.endings[-1:] in (("으면",), ("면",)) and _wished(telling, place)


def _wished(telling: Telling, place: int) -> bool:
    following = telling.next(place)
    return following is not None and following.says("좋다", "하다", "싶다", "고맙다", "감사하다")


def _helpers(part: Part) -> frozenset[str]:
    return part.clause.predicate.auxiliaries if part.clause.predicate is not None else frozenset()


def _topic(telling: Telling, part: Part) -> str | None:
    """Return the 담배 얘기 of a clause."""
    for phrase in reversed(part.clause.phrases):
        fitting = not phrase.particles or phrase.has(*_OBJECT, "이", "가")
        words = [word for word in phrase.words if word not in signals("boundary", "forbidden") | _SUCH]
        if fitting and len(words) > 1 and words[-1] in signals("boundary", "topics") and phrase.pronoun is None:
            return " ".join(words)
        if fitting and words == ["거"] and phrase.modifier == "같다":  # 벌레 사진 같은 거
            place = telling.parts.index(part)
            like = telling.parts[place - 1].clause.phrases if place else ()
            return like[-1].text if like else None
        if fitting and words[-1:] and words[-1] in signals("boundary", "topics"):
            return _told_of(telling, part, phrase, words[-1])
    return None


def _told_of(telling: Telling, part: Part, phrase: Phrase, topic: str) -> str | None:
    """걔 얘기 꺼내지 마 is about whom the sentence before named; 살 빼라는 말 carries its own."""
    place = part.clause.phrases.index(phrase)
    before = part.clause.phrases[place - 1] if place else None
    if phrase.adnominal:
        at = telling.parts.index(part)
        own = [p for p in telling.parts[at - 1].clause.phrases if p.pronoun is None] if at else []
        return telling.typed((*(m for p in own for m in p.morphemes), *phrase.adnominal, *phrase.morphemes))
    if before is not None and before.pronoun in ("걔", "쟤", "그"):
        names = [person_named(p, telling.words) for each in telling.parts for p in each.clause.phrases]
        name = next((name for name in names if name is not None), None)
        return f"{name} {topic}" if name is not None else None
    return topic if topic in signals("boundary", "plain") and part.mood in ("command", "wish", "statement") else None


def _named(telling: Telling, part: Part) -> str | None:
    topic = _topic(telling, part)
    if topic is not None and part.says("하다", "꺼내다", "보내다", "쓰다", "치다", "던지다", "올리다", "보이다"):
        return topic
    return None


def _done(telling: Telling, part: Part) -> str | None:
    """Return what is not to be done, where it is something one does to others: 외모로 놀리기."""
    predicate = part.clause.predicate
    if predicate is None:
        return None
    parts = part.clause.morphemes
    stem = next((at for at, each in enumerate(parts) if each is predicate.stem[-1]), None)
    if stem is None:
        return None
    said = deed(telling.text, parts, stem, whole=True)
    place = telling.parts.index(part)
    before = telling.parts[place - 1] if place else None
    if before is not None and before.says("가지다", "갖다") and before.clause.phrases:  # 키 가지고 놀리지 마
        return f"{josa(before.clause.phrases[-1].text, '으로/로')} {said}"
    said = said.removeprefix("안 ").removeprefix("못 ")
    lone = len(said.split()) < 2 and (said.endswith("기") or part.says(*signals("boundary", "vague")))
    return said if said and not lone else None


def _crossed(telling: Telling, place: int, part: Part) -> str | None:
    """키로 놀리는 건 선 넘는 거지."""
    before = telling.parts[place - 1] if place else None
    if "선" not in part.all_words or not part.says("넘다") or before is None or before.clause.head not in ("거", "것"):
        return None
    said = [each for each in before.clause.morphemes if each.tag != "ETM"]
    return telling.typed(said) + "기" if said else None


def _called(telling: Telling, place: int, part: Part) -> str | None:
    """돼지라고 부르지 마; 아저씨라고 불릴 때마다 소름 돋아."""
    predicate = part.clause.predicate
    if predicate is None or predicate.reported not in ("부르다", "불리다", "놀리다") or not part.clause.phrases:
        return None
    name = part.clause.phrases[-1].text
    if part.mood == "command" and "말다" in predicate.auxiliaries:
        return f"{josa(name, '이라고/라고')} 부르기"
    following = telling.next(place)
    hated = following is not None and (
        following.says(*signals("boundary", "unwelcome")) or "소름" in following.all_words
    )
    return f"{josa(name, '이라고/라고')} 부르기" if part.clause.head in ("때", "거", "것", "게") and hated else None


def _allowed(telling: Telling, place: int, part: Part) -> str | None:
    """이제 시험 얘기 해도 돼; 다이어트 얘긴 괜찮아졌고."""
    topic = _topic(telling, part)
    if topic is None or part.mood == "question" or part.closes == "question":
        return None
    following = telling.next(place)
    may = part.ending == "어도" and following is not None and following.says(*signals("boundary", "allowed"))
    again = part.says("괜찮다", "괜찮아지다") and ("이제" in telling.text or "지다" in _helpers(part))
    return topic if (may and following is not None and not following.negated) or again else None
