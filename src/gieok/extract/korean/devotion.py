"""Tastes told by what somebody does: 힙합에 빠졌어, 육회 앞에서는 말이 없어져, 봄만 기다려, 팥만 봐도 인상 써져."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.korean.lexicon import ways
from gieok.extract.korean.named_around import named_around
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.praise import favourite_of, talk_of
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, words_of

_ONCE_MET: Final = ("면", "도", "서", "니까")
_MEETING: Final = frozenset(
    "보다 있다 생각하다 듣다 먹다 나오다 되다 마시다 떠올리다 보이다 오다 하다 꺼내다 시작되다 나다 맡다 없다".split()
)
_MENTIONED: Final = ("얘기", "이야기", "생각", "소리", "냄새", "이름", "사진", "말", "배경음", "물건", "첫")
_BY: Final = (
    "때문",
    "덕분",
    "땜",
    "덕에",
    "하나로",
    "하나에",
    "하나면",
    "없이",
    "없으면",
    "없인",
    "없는",
    "앞에서",
    "앞에선",
    "하면",
    "라면",
    "시작되면",
    "먹자는",
)
_FAR: Final = 12  #: words between a thing and what it does to somebody
_TIMES: Final = frozenset("번 회독 회차 차".split())
_AGAIN: Final = frozenset("하도 매번 또 다시 몇 수십 수백 정주행 재탕 N차 무한반복 반복재생 통째로 달달".split())
_OVER_AND_OVER: Final = frozenset(
    "정주행하다 돌려보다 재탕하다 외우다 무한반복하다 반복하다 재주행하다 소장하다 완독하다".split()
)
_CLOSING: Final = frozenset("는데 고 어서 더니 길래 니까 지만 면 으면".split())
_SPOTS: Final = (
    "지점",
    "위치",
    "바닥",
    "벽",
    "구석",
    "자리",
    "옆",
    "위",
    "아래",
    "안",
    "밖",
    "앞",
    "뒤",
    "물",
    "구멍",
    "함정",
)
_WATERS: Final = frozenset("강 바다 호수 연못 저수지 개울 계곡 늪 우물 웅덩이 구덩이 수영장 풀장 하수구 도랑".split())
_UNPLEASANT: Final = frozenset(
    "찝찝하다 지루하다 별로다 재미없다 노잼이다 어렵다 무섭다 불쾌하다 답답하다 모르다".split()
)
_TITLED: Final = frozenset({"movie", "music", "book", "game"})


def devotion(reading: Reading) -> Iterator[Finding]:
    """Yield what somebody's doings say they like or cannot stand."""
    named = reading.about.phrase
    thing_for_a_name = named is not None and bool(taste_words().kind_of(named.text))  # 라떼는 못 끊어
    if reading.about.subject_id != reading.me.subject_id and not thing_for_a_name:
        return
    for rule in (_taken_with, _cannot_stop, _fan_of, _only, _again_and_again, _counted, _surrounded, _reacting):
        found = rule(reading)
        if found is not None:
            yield found
            return


def _liked(reading: Reading, thing: Thing | None, *, attribute: str = "") -> Finding | None:
    if thing is None or thing.last.bare in taste_words().persons:
        return None
    if thing.value in taste_words().mocked and attribute != "dislikes":
        return None
    if thing.last.bare in patterns().by_label:
        return None
    if taste_words().kind_of(thing.value) == "exercise":
        return None  # 클라이밍에 빠졌어 is told of what somebody does
    attribute = attribute or favourite_of(reading, thing, strong=False) or "likes"
    whose = taster(reading, thing)
    if whose is None:
        return None
    return Finding(attribute=attribute, value=thing.value, shown=thing.value, surface=thing.value, whose=whose)


def _taken_with(reading: Reading) -> Finding | None:
    """힙합에 빠진 뒤로, 게임이라면 환장하지, 그 색에 진심이야."""
    if reading.negated:
        return None
    noun = reading.complement.words[-1] + "이다" if reading.complement is not None else ""
    lemma = reading.predicate.lemma if reading.predicate is not None else ""
    if lemma not in taste_words().into and noun not in taste_words().into:
        return None
    words = words_of(reading.text)
    end = reading.predicate.stem[0].start if reading.predicate is not None else reading.clause.end
    last = last_word_before(words, end)
    for place in range(last, max(-1, last - 4), -1):
        if words[place].breaks:
            return None
        if not {"에", "에게", "한테"} & set(words[place].particles):
            if words[place].ending in _CLOSING or words[place].particle in ("이", "가"):
                return None  # 절에 갔는데 밥이 미쳤음: something else is
            continue
        if words[place].bare.endswith(_SPOTS) or _falls_in(lemma, words[place].bare, reading.text):
            return None  # 목표 지점에 꽂힘
        if words[place].bare.endswith(("때문", "덕분", "땜")):
            return None
        if words[place].bare in patterns().by_favourite and place and words[place - 1].text in ("그", "이"):
            attribute = patterns().by_favourite[words[place].bare].attribute
            return _liked(reading, named_around(reading, attribute), attribute=attribute)
        thing = thing_at(words, place)
        pastime = thing is not None and (thing.last.tag == "ETN" or thing.value in ways().of("hobby.pastimes"))
        return _liked(reading, thing, attribute="hobby" if pastime else "")
    return None


def _falls_in(lemma: str, thing: str, text: str) -> bool:
    """어릴 때 강에 빠졌거든; not 바다에 푹 빠졌어."""
    return lemma == "빠지다" and thing in _WATERS and "푹" not in text


def _cannot_stop(reading: Reading) -> Finding | None:
    """라떼는 한겨울에도 못 끊어, 오뎅은 진짜 못 참지."""
    predicate = reading.predicate
    if predicate is None or predicate.past or not reading.negated:
        return None
    tempted = reading.says("참다") and predicate.endings[-1:] in (("지",), ("죠",), ("지요",))
    if not tempted and not reading.says("끊다", "잃다"):
        return None
    words = words_of(reading.text)
    last = last_word_before(words, predicate.stem[0].start)
    for place in range(last, max(-1, last - 5), -1):
        if words[place].particle in ("은", "는", "을", "를", "만은", "") and taste_words().kind_of(words[place].bare):
            return _liked(reading, thing_at(words, place))
    return None


def _fan_of(reading: Reading) -> Finding | None:
    """스타듀밸리 배경음만 들어도 설레는 찐팬이 나야: a fan, and the thing stands with what the fan does."""
    clause = reading.clause
    fan = next((p for p in clause.phrases if p.words[-1] in taste_words().fans and len(p.words) == 1), None)
    if fan is None or not fan.adnominal or reading.negated or reading.past:
        return None
    if not (fan is reading.complement or reading.of_self):
        return None
    return _liked(reading, named_around(reading, ""))


def _only(reading: Reading) -> Finding | None:
    """재즈만 들어, 봄만 기다려, 양말 서랍에 자주색밖에 없어."""
    predicate = reading.predicate
    if predicate is None or (predicate.past and not reading.lately):
        return None
    words = words_of(reading.text)
    last = last_word_before(words, predicate.stem[0].start)
    for place in range(last, max(-1, last - 5), -1):
        word = words[place]
        if word.breaks:
            return None
        nothing_else = word.particle == "밖에" and (predicate.lemma in ("없다", "모르다") or predicate.negated)
        if word.particle != "만" and not nothing_else:
            continue
        thing = thing_at(words, place)
        if thing is None or (predicate.negated and not nothing_else):
            return None
        kind = _kind(reading, thing)
        fitting = nothing_else and kind in ("color", "music", "game")
        if kind and (fitting or predicate.lemma in taste_words().only.get(kind, frozenset())):
            return _liked(reading, thing, attribute=f"favorite.{kind}")
        return None
    return None


def _kind(reading: Reading, thing: Thing) -> str:
    if thing.last.bare in taste_words().cues and thing.value.replace(" ", "") not in taste_words().kinds:
        return ""
    kind, talk = taste_words().kind_of(thing.value), talk_of(reading, thing)
    if kind and thing.value not in taste_words().ambiguous:
        return kind
    return talk if talk in _TITLED or talk == kind else ""


def _again_and_again(reading: Reading) -> Finding | None:
    """기생충을 열 번 넘게 봤어, 데미안은 하도 읽어서 책등이 다 갈라졌어."""
    predicate = reading.predicate
    if predicate is None or predicate.negated:
        return None
    words = words_of(reading.text)
    inside = [word for word in words if reading.clause.start <= word.start < reading.clause.end]
    counted = any(
        word.bare.endswith(tuple(_TIMES)) and word.bare not in ("이번", "저번", "한번", "매번") for word in inside
    )
    often = predicate.lemma in _OVER_AND_OVER or (
        predicate.lemma in ("보다", "읽다", "듣다", "들다", "깨다", "틀다")
        and (counted or bool(_AGAIN & {word.bare for word in inside}))
    )
    then = reading.after.predicate if reading.after is not None else None
    if not often or (then is not None and then.lemma in _UNPLEASANT):
        return None
    for word in inside:
        place = words.index(word)
        thing = (
            thing_at(words, place)
            if {"을", "를", "은", "는", "만"} & set(word.particles) or _bare_object(word)
            else None
        )
        if thing is not None and _kind(reading, thing) in _TITLED:
            return _liked(reading, thing, attribute=f"favorite.{_kind(reading, thing)}")
    return None


def _bare_object(word: Word) -> bool:
    return word.nominal and not word.particles and not word.copula and bool(taste_words().kind_of(word.bare))


def _counted(reading: Reading) -> Finding | None:
    """연말 결산에 세븐틴 상위 1프로 찍혔어, 오버워치 플탐 4천 시간."""
    words = words_of(reading.text)
    inside = {word.bare for word in words} | {word.lemma for word in words if word.lemma}
    if reading.negated or not taste_words().statistics & inside:
        return None
    for place, word in enumerate(words):
        thing = thing_at(words, place) if reading.clause.start <= word.start < reading.clause.end else None
        if thing is not None and taste_words().kind_of(thing.value) in ("music", "game"):
            return _liked(reading, thing, attribute=f"favorite.{taste_words().kind_of(thing.value)}")
    return None


def _surrounded(reading: Reading) -> Finding | None:
    """옷장 열면 온통 베이지야; 커튼까지 다홍색으로 맞췄어."""
    words = words_of(reading.text)
    bares = {word.bare for word in words}
    if not taste_words().belongings & bares or reading.negated:
        return None
    phrase = reading.complement
    if phrase is not None and taste_words().wholly & (bares | reading.everything) and not reading.past:
        thing = thing_at(words, last_word_before(words, phrase.morphemes[-1].end), titled=False)
    elif reading.says("맞추다", "도배하다", "도배되다", "통일하다", "깔맞춤하다"):
        place = next(
            (i for i, word in enumerate(words) if word.particle in ("로", "으로") and word.start < reading.clause.end),
            -1,
        )
        thing = thing_at(words, place, titled=False) if place >= 0 else None
    else:
        return None
    if thing is None or taste_words().kind_of(thing.value) != "color":
        return None
    return _liked(reading, thing, attribute="favorite.color")


def _reacting(reading: Reading) -> Finding | None:
    """육회 앞에서만 말이 없어져; 팥 얘기만 나와도 표정 관리 안 됨."""
    words = words_of(reading.text)
    inside = [word for word in words if reading.clause.start <= word.start < reading.clause.end]
    if reading.past or not inside:
        return None
    said = {word.bare for word in inside} | {word.lemma for word in inside if word.lemma} | reading.everything
    said |= {reading.predicate.lemma} if reading.predicate is not None else set()
    negated = reading.negated or bool({"못", "안", "못하다", "않다"} & said)
    cause = _cause(words, words.index(inside[-1]))
    if cause is None:
        return None
    thing, missed = cause
    if missed == "without":
        lost = any(each.words <= said and each.negated == negated for each in taste_words().lost_without)
        needed = thing.last.bare in taste_words().needs or thing.last.bare.endswith("약")  # 안약 없인 못 산다
        return _liked(reading, thing) if lost and not needed else None
    reaction = next((r for r in taste_words().reactions if r.words <= said and r.negated == negated), None)
    if reaction is None or (missed and not reaction.likes):
        return None
    return _liked(reading, thing, attribute="" if reaction.likes and not missed else "dislikes")


def _cause(words: Sequence[Word], last: int) -> tuple[Thing, str] | None:
    """Return what calls the reaction forth: the thing that is only seen, thought of, or there (or missed)."""
    for place in range(last, max(-1, last - _FAR), -1):
        word = words[place]
        after = words[place + 1] if place + 1 < len(words) else None
        if after is None or not (word.nominal or word.particles) or (word.breaks and not word.copula):
            continue
        met = word.particle == "만" and after.lemma in _MEETING and after.text.endswith(_ONCE_MET)
        mentioned = word.bare in _MENTIONED and word.particle in ("만", "") and after.lemma in _MEETING
        thing = None
        if mentioned and place and after.text.endswith(_ONCE_MET):
            thing = thing_at(words, place - 1)
        elif met or (not word.particles and after.text.startswith(_BY)) or _if_it_is(word):
            thing = thing_at(words, place)
        if thing is not None:
            missing = after.text.startswith(("없", "아니"))
            return thing, ("spared" if word.particle == "만" else "without") if missing else ""
    return None


def _if_it_is(word: Word) -> bool:
    return word.copula and word.text.endswith(("라면", "하면"))
