"""Hobbies and exercise that nobody calls so: 쉬는 날이면 도자기 만들어, 바둑 두는 재미로 살아, 수영 끝나고 먹는 물."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from gieok.extract.korean.doing_words import Doing, doing_at, doings, shortened
from gieok.extract.korean.lexicon import ways
from gieok.extract.korean.reading import PERSONS, Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import whose_doing
from gieok.extract.korean.words import Word, last_word_before, thing_at, words_of, words_within

_DAYS: Final = ("월수금", "화목", "월화", "주중", "평일", "매주", "주2회", "주3회", "주말")
_WATCHED: Final = frozenset(
    "보다 응원하다 중계 경기 직관 선수 팀 시청하다 관람하다 월드컵 올림픽 게임 부상 우승 감독".split()
)
_ONCE: Final = frozenset("이번 오늘 내일 지난 어제 다음".split())
_PLANNED: Final = frozenset("여행 콘서트 공연 페스티벌 전시회 연극 뮤지컬 직관 봉사".split())  #: 주말엔 여행: this one
_NEVER: Final = frozenset({"못", "안"})
_ASKED: Final = ("묻", "물어", "물으", "뭐냐", "뭐냔", "물을")


def pastime(reading: Reading) -> Iterator[Finding]:
    """Read a hobby from what somebody does in their free time, or says when asked for one."""
    if not ways().hinted("pastime", reading.text):
        return
    if reading.clause.head is not None and reading.clause.head not in PERSONS | {"지", "뒤", "시간"}:
        return
    words = words_of(reading.text)
    for rule in (_as_a_hobby, _living_for, _in_free_time, _collecting, _learning, _with_others):
        done = rule(reading, words)
        begun = reading.says("붙이다", "들이다", "붙다", "들다", "삼다")
        if done is None or reading.negated or (reading.past and not begun):
            continue
        whose = whose_doing(reading, words, done.first)
        value = shortened(done.value)
        if whose is not None and value and value not in taste_words().mocked:
            attribute = "exercise" if done.form == "noun" and ways().is_exercise(value) else "hobby"
            yield Finding(attribute=attribute, value=value, shown=value, surface=value, whose=whose)
        return


def told_when_asked(reading: Reading) -> Iterator[Finding]:
    """취미 묻길래 마술이라고 했어; 꿈이 뭐냐 물으면 늘 배우라고 해."""
    if not ways().hinted("told", reading.text):
        return
    if not reading.says("말하다", "하다", "대답하다", "그러다", "이다", "답하다") or reading.negated:
        return
    words = words_of(reading.text)
    saying = (i for i, word in enumerate(words) if word.copula and word.text.endswith("라고"))
    last = next((i for i in saying if words[i].start < reading.clause.end), None)
    if last is None or last_word_before(words, reading.clause.end) - last > 3:
        return
    for attribute in ("hobby", "dream", "habit"):
        label = next((i for i, word in enumerate(words[:last]) if word.bare in ways().labels[attribute]), None)
        if label is None or not any(word.text.startswith(_ASKED) for word in words[label : label + 4]):
            continue
        thing = thing_at(words, last)
        if thing is not None and thing.first > label:
            yield Finding(
                attribute=attribute, value=thing.value, shown=thing.value, surface=thing.value, whose=reading.me
            )
        return


def _inside(reading: Reading, word: Word) -> bool:
    return reading.clause.start <= word.start < reading.clause.end


def _predicate_word(reading: Reading, words: Sequence[Word]) -> int | None:
    if reading.predicate is None or reading.predicate.form == "copula":
        return None
    at = reading.predicate.stem[-1].start
    return next(
        (i for i, word in enumerate(words) if word.start <= at < max(word.end, word.start + len(word.text))), None
    )


def _as_a_hobby(reading: Reading, words: Sequence[Word]) -> Doing | None:
    """취미로 기타 쳐요; 식물 키우는 걸 취미로 삼았어; 작곡에 취미 붙였어."""
    label = next((i for i, word in enumerate(words) if word.bare == "취미" and _inside(reading, word)), None)
    if label is None:
        return None
    if words[label].particle in ("로", "삼아"):
        kept = next((done for done in doings(reading.text) if done.form == "thing" and done.place + 2 == label), None)
        place = _predicate_word(reading, words)
        return kept or (doing_at(words, place) if place is not None and place > label and words[place].acts else None)
    if reading.says("붙이다", "들이다", "붙다", "들다") and label and words[label - 1].particle == "에":
        thing = thing_at(words, label - 1)
        if thing is not None:
            return Doing(value=thing.value, form="noun", follows="", first=thing.first, place=thing.place)
    return None


def _living_for(reading: Reading, words: Sequence[Word]) -> Doing | None:
    """체스 두는 재미로 살아, 캠핑 가는 건 절대 포기 못 해."""
    for done in doings(reading.text):
        if done.form == "being" and done.follows in ways().of("hobby.joys") and reading.says("살다", "버티다"):
            return done if _is_pastime(words, done) else None
    return None


def _in_free_time(reading: Reading, words: Sequence[Word]) -> Doing | None:
    """주말마다 자전거 타, 쉬는 날이면 산책하는 시간이 제일 행복해."""
    if not _at_leisure(words) or any(word.bare in _ONCE for word in words):
        return None
    place = _predicate_word(reading, words)
    if place is not None and words[place].ending in ("러", "으러"):
        return None  # 전시회 보러 다녀: told with the verb that follows
    if reading.predicate is None or reading.predicate.form == "copula":
        return _named_alone(reading, words)
    candidates = [
        done
        for done in doings(reading.text)
        if done.form in ("being", "ongoing") and _inside(reading, words[done.place])
    ]
    if place is not None:
        candidates.append(doing_at(words, place))
    return next((done for done in candidates if _is_pastime(words, done)), None)


def _at_leisure(words: Sequence[Word]) -> bool:
    """주말엔, 쉬는 날이면, 시간 나면."""
    free = ways().of("hobby.leisure")
    joined = (one.text + other.text for one, other in pairwise(words))
    return any(word.text in free or word.bare in free for word in words) or any(both in free for both in joined)


def _named_alone(reading: Reading, words: Sequence[Word]) -> Doing | None:
    """주말엔 낚시; 주말엔 족구예요."""
    phrase = reading.complement
    if phrase is None or len(phrase.words) != 1 or not ways().is_pastime(phrase.words[0]):
        return None
    if phrase.words[0] in _PLANNED:
        return None
    free = ways().of("hobby.leisure")
    if not any((word.text in free or word.bare in free) and _inside(reading, word) for word in words):
        return None
    place = last_word_before(words, phrase.morphemes[-1].end)
    return Doing(value=phrase.words[0], form="noun", follows="", first=place, place=place)


def _collecting(reading: Reading, words: Sequence[Word]) -> Doing | None:
    """우표를 모아요, 피규어 수집해."""
    if not reading.says("모으다", "수집하다") or reading.clause.head is not None:
        return None
    place = _predicate_word(reading, words)
    done = doing_at(words, place) if place is not None else None
    return done if done is not None and _is_pastime(words, done) else None


def _learning(reading: Reading, words: Sequence[Word]) -> Doing | None:
    """아코디언 배우고 있어요, 요즘 서예 배워요; not 누구나 기타 배우다 포기하잖아."""
    predicate = reading.predicate
    if predicate is None or not reading.says("배우다") or reading.clause.head is not None:
        return None
    if not reading.clause.final and "있다" not in predicate.auxiliaries:
        return None
    place = _predicate_word(reading, words)
    thing = thing_at(words, place - 1) if place else None
    if thing is None or thing.particle not in ("", "을", "를") or thing.last.breaks:
        return None
    if thing.last.bare not in ways().of("hobby.pastimes") or ways().is_exercise(thing.last.bare):
        return None
    return Doing(value=thing.last.bare, form="noun", follows="", first=thing.place, place=thing.place)


def _is_pastime(words: Sequence[Word], done: Doing) -> bool:
    head = words[done.place]
    inside = words[done.first : done.place]
    pastimes = ways().of("hobby.pastimes")
    if inside and inside[-1].ending in ("러", "으러"):  # 전시회 보러 다녀
        inside = inside[:-1]
    named = any(word.bare in pastimes for word in inside[-1:]) or (head.lemma or "").removesuffix("하다") in pastimes
    return named and (
        head.lemma in ways().of("hobby.making") or (head.lemma or "").endswith("하다") or head.lemma in _GOING
    )


_GOING: Final = frozenset({"가다", "보다", "듣다", "던지다", "돌리다", "즐기다"})


def _with_others(reading: Reading, words: Sequence[Word]) -> Doing | None:
    """체스 두는 동호회 들어간 지 일 년 됐어."""
    for done in doings(reading.text):
        together = done.form == "being" and done.follows in ways().of("hobby.groups") and done.follows != "시간"
        if together and any(ways().is_pastime(word.bare) for word in words[done.first : done.place]):
            return done
    for place, word in enumerate(words[1:], start=1):
        if word.bare in ways().of("hobby.groups") - {"시간", "학원", "모임"} and not words[place - 1].particles:
            named = words[place - 1]
            if named.bare in ways().of("hobby.pastimes") and not ways().is_exercise(named.bare):
                return Doing(value=named.bare, form="noun", follows="", first=place - 1, place=place - 1)
    return None


def exercising(reading: Reading) -> Iterator[Finding]:
    """Read what somebody trains, from all that goes with training."""
    if reading.negated and not reading.says("잡다"):
        return
    words = words_of(reading.text)
    said = {word.bare for word in words} | {word.lemma for word in words if word.lemma}
    if _WATCHED & said:
        return
    for place in _near(reading, words):
        word = words[place]
        if not (ways().is_exercise(word.bare) or ways().is_exercise(word.text)):
            continue
        if _trains(reading, words, place):
            whose = whose_doing(reading, words, place)
            if whose is not None and whose.subject_id == reading.me.subject_id:
                value = word.bare if ways().is_exercise(word.bare) else word.text
                yield Finding(attribute="exercise", value=value, shown=value, surface=value, whose=whose)
            return


def _near(reading: Reading, words: Sequence[Word]) -> range:
    before = reading.before
    start = before.start if before is not None and not before.final else reading.clause.start
    return words_within(words, start, reading.clause.end + 12)


def _trains(reading: Reading, words: Sequence[Word], place: int) -> bool:
    word = words[place]
    after = words[place + 1] if place + 1 < len(words) else None
    known = ways()
    if (word.copula or word.breaks) and any(each.text.startswith(_DAYS) for each in words[:place]):
        return True
    if after is not None and after.text == "있는" and place + 2 < len(words) and words[place + 2].bare == "날":
        return True
    if after is not None and word.particle in ("", "을", "를", "에", "만") and not word.breaks:
        if after.bare in known.of("exercise.tied") and not (
            after.particle in ("", "이", "가") and after.bare == "대회"
        ):
            return True
        if after.text.startswith(
            ("하느라", "끝나고", "다닌", "배우", "빠지면", "다녀", "빠진", "이어오", "이어가", "한다고")
        ):
            return not _NEVER & {each.text for each in words[max(0, place - 1) : place + 2]}
    later = {each.bare for each in words[place + 1 : place + 5]}
    counted = any(bare.endswith(("개월", "개월째", "년째", "년차", "개월차", "주째", "차")) for bare in later)
    turned = place and words[place - 1].text in ("가요", "해요", "다녀요", "갑니다", "합니다", "간다", "다닌다", "함")
    return bool(counted or turned) and not reading.past
