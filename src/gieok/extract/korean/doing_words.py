"""What is done, as a value: 손톱 물어뜯는 버릇, 책방 여는 게, 다리 떨고 있더라 and 사진 찍기 are all said in -기."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.extract.korean.lexicon import ways
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import Word, thing_at, words_of
from gieok.language.cache import cached_by_text

_HELD: Final = frozenset(
    {"을", "를", "에", "에서", "로", "으로", "랑", "이랑", "만", "ㄹ", "도", "까지", "부터", "에다", "보러", "러"}
)
_AT_ONCE: Final = frozenset(
    {"면서", "으면서", "자마자", "고", "어서", "고서", "채", "는지", "었는지", "러", "으러", "어", "다가"}
)
_WHEN: Final = frozenset({"때", "전", "후", "뒤"})
_DESCRIBING: Final = frozenset({"ㄴ", "은", "ㄹ", "을"})
_FREE: Final = frozenset({"날", "주말", "휴일", "평일"})  #: 쉬는 날엔
_STATES: Final = frozenset({"있다", "없다", "보이다"})
_SOMEWHERE: Final = frozenset({"에", "에서", "서"})
_LONGEST: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """Something done: `value` in -기; how it was put, and the word that follows."""

    value: str
    form: str  #: "gerund" (…기), "thing" (…는 거), "ongoing" (…고 있), "wish" (…고 싶), "aim" (…려고), "being" (…는 …)
    follows: str  #: 거, 버릇, 있다 …
    first: int
    place: int


@cached_by_text
def doings(text: str) -> tuple[Doing, ...]:
    """Return what is done in `text`, from left to right."""
    return tuple(_doings(words_of(text)))


def _doings(words: Sequence[Word]) -> Iterator[Doing]:
    for place, word in enumerate(words):
        following = words[place + 1] if place + 1 < len(words) else None
        form = _form(word, following)
        if (
            form is None
            or not word.acts
            or word.lemma in ("있다", "없다", "이다", "같다", "그렇다", "아니다", "좋다", "유일하다", "간직하다")
        ):
            continue
        if word.lemma == "되다":
            yield from _becoming(words, place, form, _head(following))
            continue
        first = _first(words, place)
        value = _put_together(words, first, place)
        yield Doing(value=value, form=form, follows=_head(following), first=first, place=place)


def doing_at(words: Sequence[Word], place: int) -> Doing:
    """Return what the verb at `place` does, whatever its ending."""
    first = _first(words, place)
    return Doing(value=_put_together(words, first, place), form="verb", follows="", first=first, place=place)


def _put_together(words: Sequence[Word], first: int, place: int) -> str:
    before = [
        _shown(each) for each in words[first:place] if each.bare not in ("하나", "한번") and not _in_between(each)
    ]
    lives = words[place].lemma == "사다" and any(each.particle in _SOMEWHERE for each in words[first:place])
    return " ".join([*before, "살기" if lives else _gerund(words[place])])


def _in_between(word: Word) -> bool:
    """기타 좀 칠 줄 알아: an adverb between what is done and the verb."""
    return word.tag == "MAG" and word.text in ways().of("doing.idle")


def shortened(value: str) -> str:
    """레고 조립하기 is called 레고 조립."""
    if value.endswith(" 하기"):
        return value.removesuffix(" 하기")
    return value.removesuffix("하기") if value.endswith("하기") and len(value) > 3 else value


def _becoming(words: Sequence[Word], place: int, form: str, follows: str) -> Iterator[Doing]:
    """우주비행사가 되는 거: what somebody would become."""
    thing = thing_at(words, place - 1) if place and not words[place - 1].breaks else None
    if thing is not None and thing.particle in ("이", "가", ""):
        yield Doing(value=f"{thing.value} 되기", form=form, follows=follows, first=thing.first, place=place)


def _gerund(word: Word) -> str:
    return word.bare if word.tag == "ETN" and word.bare.endswith("기") else word.stem + "기"


def _head(following: Word | None) -> str:
    if following is None:
        return ""
    return following.lemma if following.lemma in ("있다", "싶다") else following.bare


def _form(word: Word, following: Word | None) -> str | None:
    if word.tag == "ETN" and word.bare.endswith("기"):
        return "gerund"
    if word.breaks or following is None:
        return None
    if word.tag == "ETM" and word.ending == "는":
        return "thing" if following.bare in ("거", "것", "게", "건", "걸", "기") else "being"
    if word.ending == "고" and following.lemma in ("있다", "싶다"):
        return "ongoing" if following.lemma == "있다" else "wish"
    return "aim" if word.ending in ("려고", "으려고", "려") else None


def _first(words: Sequence[Word], place: int) -> int:
    """Return where the doing begins: with its objects and what goes along with it."""
    first, idle = place, ways().of("doing.idle")
    while first > 0 and place - first < _LONGEST:
        word = words[first - 1]
        if word.bare == "하나" and not word.breaks:
            first -= 1
            continue  # 카페 하나 차리는 게
        if word.text in ways().of("hobby.leisure") or (word.bare in _FREE and word.particle == "에"):
            break
        if _in_between(word) and first == place and first > 1 and _is_object(words[first - 2]):
            first -= 1
            continue
        if word.breaks or word.copula or word.tag == "NP" or word.bare in idle or word.text in idle:
            break
        if not (_held(word) or _beside(word, words[first])):
            break
        first -= 1
    return _but_for_the_name(words, first, place)


def _but_for_the_name(words: Sequence[Word], first: int, place: int) -> int:
    """내 이름으로 된 빵집을 여는 게: whose it is to be is no part of what is done; 마당 있는 집 is not cut."""
    if words[first].lemma in _STATES and first < place:
        whole = first and words[first - 1].nominal and not words[first - 1].breaks
        return first - 1 if whole else first + 1
    named = words[first : first + 2]
    own = len(named) > 1 and named[0].bare in ("이름", "명의") and named[1].text in ("된", "하는", "걸고")
    return first + len(named) if own and first + len(named) < place else first


def _is_object(word: Word) -> bool:
    return word.nominal and word.tag != "NP" and not word.breaks and word.particle in ("", "을", "를") and _held(word)


def _held(word: Word) -> bool:
    """Whether something is done to it, with it or there, or along with something else: 밥 먹으면서."""
    if word.tag == "EC":
        return word.ending in _AT_ONCE and not word.particles
    named = word.tag != "ETN" or word.bare in ways().of("hobby.pastimes")  # 종이접기 해
    held = word.nominal and named and (not word.particles or word.particle in _HELD)
    return held and word.bare not in taste_words().persons


def _beside(word: Word, on: Word) -> bool:
    """Whether it says how or when: 바로 눕는, 밥 먹을 때, 자기 전에, 젖은 머리로, 못 버리는."""
    when = word.bare in _WHEN and word.particle in ("에", "")
    described = word.tag == "ETM" and word.acts and word.ending in _DESCRIBING and on.nominal
    described = described or (word.lemma in _STATES and word.ending == "는" and on.nominal)  # 마당 있는 집에서
    return when or described or word.tag in ("MM", "MAG") or (word.tag == "ETN" and on.bare in _WHEN)


def _shown(word: Word) -> str:
    """Return the word without the particle of an object."""
    return word.bare if word.particle in ("을", "를", "ㄹ") else word.text
