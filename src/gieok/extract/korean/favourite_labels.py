"""Favourites with a label: 내 최애 책은 어린 왕자야, 제일 좋아하는 건 간장게장; 동물의 숲이지, 내 최애 게임은."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from gieok.extract.korean.favourite_kinds import named_kind
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.praise import (
    CHERISHED,
    category_of,
    found_favourite,
    is_best,
    kind_of_favourite,
    most_before,
)
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.values import READERS
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, words_of

_LABEL_PARTICLES: Final = frozenset({"", "은", "는", "이", "가", "ㄴ", "도", "요"})
_SWORN: Final = frozenset("무조건 역시 단연 당연히 당연 닥치고 무적권 뭐니뭐니해도".split())
_BEST: Final = frozenset({"최애", "원픽", "최애픽"})
_MOVED: Final = frozenset({"에서", "로", "으로", "한테"})
_RENEWED: Final = frozenset("교체 갱신 경신 등극 변경 환승 완료 바뀜".split())  #: 최애 드라마 교체
_NAMELIKE: Final = 3  #: letters
_ASKED: Final = ("물어보면", "물어봐도", "물으면", "꼽으라면", "꼽자면")  #: 제일 좋아하는 가수 물어보면 무조건 백예린
_TABLES: Final = frozenset({"1위", "일위", "1등"})  #: places that others give
_THINGS: Final = frozenset({"거", "것", "게", "건", "걸"})


def named_first(reading: Reading) -> Finding | None:
    """내 최애 책 어린 왕자임; 제일 좋아하는 건 간장게장입니다; 인생겜은 문명."""
    words = words_of(reading.text)
    last = _said_to_be(reading, words)
    if last is None or reading.past:
        return None
    for label in range(last, max(-1, last - 9), -1):
        if label < last and words[label].breaks:
            return None
        attribute = _label(words, label)
        if attribute is None:
            continue
        if _of_a_table(reading, words, label):
            return None
        thing = _between(reading, words, label + 1, last) if not _another_label(words, label, last) else None
        return _labelled(reading, thing, attribute) if thing is not None else None
    return None


def _of_a_table(reading: Reading, words: Sequence[Word], label: int) -> bool:
    """요즘 1위 노래는 아파트야, 팟캐스트 1위가 나꼼수네: the first of all; but 내 1위는, 라면 1위는 신라면."""
    before = words[label - 1].bare if label else ""
    mine = reading.of_self or any(phrase.owner == "나" for phrase in reading.clause.phrases)
    if mine or _TABLES.isdisjoint((words[label].bare, before)):
        return False
    return before in _TABLES or words[label].particle in ("이", "가")


def _another_label(words: Sequence[Word], label: int, last: int) -> bool:
    """최애 부분은 후렴이야: what is best is named by a word of its own, of which no favourite is kept."""
    after = words[label + 1] if label + 1 < last else None
    bare = after is not None and not words[label].particles
    return bare and words[label].bare in _BEST and after is not None and after.particle in ("은", "는")


def _said_to_be(reading: Reading, words: Sequence[Word]) -> int | None:
    """Return the place of the last word of what something is said to be, a title in quotation marks included."""
    phrase, predicate = reading.complement, reading.predicate
    if phrase is not None:
        return last_word_before(words, phrase.morphemes[-1].end) if not is_best(phrase) else None
    if predicate is None or predicate.form != "copula":
        return None
    at = predicate.stem[0].start
    return next(
        (i for i, word in enumerate(words) if word.copula and word.start <= at <= word.start + len(word.text)), None
    )


def _between(reading: Reading, words: Sequence[Word], first: int, last: int) -> Thing | None:
    """Return what stands after a label, without what it is not: 삼겹살 아니고 항정살."""
    idle = taste_words()
    if first and not words[first - 1].particles and any(word.particle in _MOVED for word in words[first:last]):
        return None  # 최애 캐릭터 짱구에서 치이카와로 환승
    first = _start(words, first, last)
    if (
        first > last
        or words[last].bare in idle.no_thing
        or words[last].bare in _RENEWED
        or words[last].bare in patterns().by_favourite
    ):
        return None
    if first == last and first and not words[first - 1].particles and words[first].bare in idle.parts:
        return None  # 좋아하는 가수 콘서트
    if words[last].tag == "NNB" or (first < last and words[first].copula):
        return None  # 최애 바뀐 듯, 최애 장르라 플리가 다 그쪽: a sentence of its own, no title
    if words[last].bare in idle.weak and (first == last or words[last - 1].copula):
        return None  # 최애 계절은 여름인 사람
    value = _as_typed(reading, words, first, last)
    if not value or value in idle.no_thing:
        return None
    return Thing(
        value=value, start=words[first].start, end=words[last].end, particle="", last=words[last], first=first,
        place=last,
    )  # fmt: skip


def _start(words: Sequence[Word], first: int, last: int) -> int:
    """Return where what stands after a label begins."""
    for place in range(first, last):
        if words[place].text in ("아니고", "아니라", "말고") or _apart(words[place]):
            first = place + 1
    while first < last and words[first].bare in taste_words().before_thing and words[first].particle != "의":
        first += 1
    return first


def _as_typed(reading: Reading, words: Sequence[Word], first: int, last: int) -> str:
    """향수는 조말론 블랙베리야, where 야 is taken for a part of a name that nobody knows, is 조말론 블랙베리."""
    value = reading.text[words[first].start : words[last].end].strip(" '\"‘’“”")
    unknown = reading.predicate is None and not words[last].known and len(words[last].bare) > _NAMELIKE
    return value.removesuffix("야") if unknown and first and words[first - 1].particles else value


def _apart(word: Word) -> bool:
    """제일 좋아하는 가수 물어보면 무조건 백예린; 최애 유튜버 바뀜 빠니보틀: what is said of the label."""
    changed = word.ending in ("ㅁ", "음") and word.lemma is not None
    return word.text.startswith(_ASKED) or changed or word.text in _RENEWED


def named_after(reading: Reading) -> Finding | None:
    """동물의 숲이지 역시, 내 최애 게임은: the label comes last."""
    phrase, predicate = reading.complement, reading.predicate
    if phrase is None or predicate is None or reading.past or is_best(phrase):
        return None
    words = words_of(reading.text)
    done = max(part.end for part in (*predicate.stem, *predicate.tail))
    first = next((i for i, word in enumerate(words) if word.start >= done), len(words))
    while first < len(words) and words[first].bare in taste_words().before_thing and words[first].breaks:
        first += 1
    last = next((i for i in range(first, len(words)) if words[i].breaks or words[i].copula), len(words) - 1)
    attribute = _label(words, last) if first <= last <= first + 6 and not words[last].copula else None
    if attribute is None:
        return None
    thing = thing_at(words, last_word_before(words, phrase.morphemes[-1].end))
    return _labelled(reading, thing, attribute) if thing is not None else None


def _labelled(reading: Reading, thing: Thing, attribute: str) -> Finding | None:
    if attribute not in ("", "likes", "dislikes"):
        return found_favourite(reading, thing, attribute)
    found = found_favourite(reading, thing, "") if attribute != "dislikes" else None
    if found is not None and (attribute == "" or most_before(reading, thing.start)):
        return found
    before = words_of(reading.text)[thing.first - 1] if thing.first else None
    if attribute == "" and before is not None and not before.particles and thing.last.known and thing.last.tag == "NNG":
        return None  # 최애 카페
    fallback = attribute or "favorite.music"
    if attribute == "dislikes" and taste_words().kind_of(thing.value) == "bug":
        fallback = "phobia"
    whose = taster(reading, thing)
    if whose is None:
        return None
    return Finding(attribute=fallback, value=thing.value, shown=thing.value, surface=thing.value, whose=whose)


def _sworn_by(words: Sequence[Word], place: int) -> bool:
    """색은 무조건 파랑, 계절은 역시 가을이지, 게임은 역시 젤다지."""
    after = words[place + 1] if place + 1 < len(words) else None
    if after is None or after.text not in _SWORN or place + 2 >= len(words):
        return False
    value = words[place + 2].bare
    if READERS["color"](value) is not None or READERS["season"](value) is not None:
        return True
    return category_of([words[place].bare]) == f"favorite.{taste_words().kind_of(value)}"


def _label(words: Sequence[Word], place: int) -> str | None:
    """Return what the word at `place` names: a favourite, "" for one of any kind, "likes", "dislikes"; else None."""
    word = words[place]
    if word.particle not in _LABEL_PARTICLES or word.copula or word.lemma is not None:
        return None
    before = words[place - 1] if place else None
    ranked = before is not None and not before.particles and word.bare in taste_words().top and bool(word.particles)
    if ranked and before is not None and (kind := kind_of_favourite([before.bare])):
        return kind  # 과일 1순위는 샤인머스캣
    if word.bare in _BEST:
        return ""
    praised = before is not None and (before.bare in taste_words().compounds or before.bare in taste_words().best)
    cherished = before is not None and before.tag == "ETM" and before.lemma in CHERISHED
    cherished = cherished and before is not None and not before.text.endswith("던")
    compound = word.bare.startswith(taste_words().compounds)
    if word.particle in ("은", "는") and _sworn_by(words, place):
        return category_of([word.bare]) or None
    if praised or cherished or compound:
        category = category_of([word.bare]) or named_kind(word)
        if category:
            return category
    if word.bare in _THINGS and before is not None and before.tag == "ETM":
        if before.lemma in ("좋아하다", "아끼다", "사랑하다", "애정하다") or (
            before.lemma == "좋다" and word.particles
        ):
            return "likes"
        refused = before.lemma in taste_words().refused and place > 1 and words[place - 2].text in ("못", "안")
        return "dislikes" if refused or before.lemma in ("싫어하다", "싫다", "혐오하다") else None
    return None
