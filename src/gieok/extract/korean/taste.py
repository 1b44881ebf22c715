"""What somebody likes and dislikes: 고양이 좋아해, 떡볶이 없으면 못 살아, 겨울이 젤 좋아, 커피보다 홍차파야."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from gieok.extract.korean.aversion import aversion
from gieok.extract.korean.choices import preferred
from gieok.extract.korean.devotion import devotion
from gieok.extract.korean.favourite_kinds import genus_of, team_of
from gieok.extract.korean.favourites import favourite, helpless
from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster, thing_wondered_at
from gieok.extract.korean.whose import Whose
from gieok.extract.korean.words import Thing, Word, last_word_before, thing_at, words_of
from gieok.language.clauses import Phrase, Predicate

_OBJECT: Final = frozenset({"", "을", "를", "이", "가", "은", "는", "도", "만", "ㄹ", "만은", "ㄴ", "이라면", "라면"})
_LISTED: Final = frozenset({"랑", "이랑", "하고", "와", "과", "나", "이나"})
_THING_HEADS: Final = frozenset({"거", "것", "게", "건", "걸"})
_BECAUSE: Final = frozenset("어서 아서 거든 거든요 니까 으니까 어서요 라서 ㄴ데 는데".split())
_POINTING: Final = frozenset({"이", "그", "저", "이런", "그런", "저런"})
_ME_AS_OBJECT: Final = frozenset({"날", "나를", "저를", "절", "널", "너를", "우리를"})
_OBSERVING: Final = frozenset("네 네요 군 군요 구나 던데 더라 던데요 더군요 더라구요".split())
_DEEPLY: Final = frozenset("너무 정말 진짜 그렇게 참 완전 넘 무척 엄청 제일 젤 가장 왜".split())
_AND: Final = frozenset("고 은데 ㄴ데 지만 으나 고요".split())
_TIMES: Final = frozenset({"시간", "순간"})
_ACQUAINTED: Final = frozenset("알다 있다 좋아하다 사귀다 만나다".split())
_FAR: Final = 7


def taste(reading: Reading) -> Iterator[Finding]:
    """Read likes, dislikes and favourites."""
    best = list(favourite(reading))
    plain = best or [*_by_predicate(reading), *_by_noun(reading)]
    yield from plain or [*aversion(reading)] or [*devotion(reading)] or filter(None, [preferred(reading)])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Attitude:
    """How the predicate stands to its thing."""

    attribute: str
    prefers: bool
    compared: str | None


def _by_predicate(reading: Reading) -> Iterator[Finding]:
    predicate = reading.predicate
    if predicate is None or predicate.past or not reading.asserts:
        return
    if reading.clause.head in _THING_HEADS and not helpless(reading):
        return
    likes = predicate.lemma in reading.words.like
    hates = predicate.lemma in reading.words.dislike | taste_words().hating
    if not likes and (not hates or predicate.negated):
        return
    liked = likes and not predicate.negated
    compared = next((phrase.text for phrase in reading.rest if phrase.has("보다")), None)
    prefers = liked and (compared is not None or ("더" in reading.clause.adverbs and reading.lately))
    attitude = _Attitude(attribute="likes" if liked else "dislikes", prefers=prefers, compared=compared)
    thing = _object_of(reading, predicate) or _elsewhere(reading, predicate)
    if thing is not None and not (liked and thing.last.bare in reading.words.ironic):
        yield from _liking(reading, thing, attitude)


def _object_of(reading: Reading, predicate: Predicate) -> Thing | None:
    """Return what the predicate is about: the nearest word that can be it, in the same stretch."""
    words = words_of(reading.text)
    last = last_word_before(words, predicate.stem[0].start)
    for place in range(last, max(-1, last - _FAR), -1):
        word = words[place]
        if word.breaks or (word.tag in ("EC", "EF") and not word.particles):
            return None
        idle = taste_words().before_thing
        if word.tag == "NP" and (word.text in _ME_AS_OBJECT or word.particle in ("을", "를")):
            return None  # 짝남이 나를 좋아해
        if (word.text in idle and not word.nominal) or word.particle not in _OBJECT or word.copula:
            continue
        thing = thing_at(words, place, doings=predicate.lemma != "좋다" or word.bare in _TIMES)
        if word.bare in idle and (thing is None or thing.first == place):
            continue  # 영화 alone may name the kind only: 영화는 …
        if word.tag == "ETN" and predicate.form == "adjective":
            return _even(words, place)
        if thing is None:
            if word.nominal and word.tag != "NP":
                return None
            continue
        return thing if _may_be_liked(reading, words, thing, predicate) else None
    return _afterthought(reading, words, predicate)


def _even(words: tuple[Word, ...], place: int) -> Thing | None:
    """오이는 냄새도 맡기 싫어: not now but ever, and it is the topic."""
    if not place or words[place - 1].particle != "도" or place < 2 or words[place - 2].breaks:
        return None
    topic = words[place - 2]
    return thing_at(words, place - 2) if topic.particle in ("은", "는", "ㄴ", "") else None


def _said_as_taste(reading: Reading, thing: Thing, predicate: Predicate) -> bool:
    """고양이가 좋아 is a taste; 구성품도 좋네요 and 속이 안 좋아 are not."""
    ending = predicate.endings[-1] if predicate.endings else ""
    compared = "더" in reading.clause.adverbs or any(phrase.has("보다") for phrase in reading.rest)
    if predicate.negated or (ending in _OBSERVING and not compared):
        return False
    known = bool(taste_words().kind_of(thing.value)) or thing.last.bare in taste_words().described
    if thing.particle == "도" and not known:
        return False
    felt = bool(_DEEPLY & reading.everything) and ending not in _AND
    return known or felt or compared or reading.of_self


def _afterthought(reading: Reading, words: tuple[Word, ...], predicate: Predicate) -> Thing | None:
    """너무 좋아 벚꽃."""
    phrase = reading.clause.phrases[-1] if reading.clause.phrases else None
    if phrase is None or phrase.morphemes[0].start < predicate.stem[0].end:
        return None
    thing = thing_at(words, last_word_before(words, phrase.morphemes[-1].end))
    return thing if thing is not None and _may_be_liked(reading, words, thing, predicate) else None


def _may_be_liked(reading: Reading, words: tuple[Word, ...], thing: Thing, predicate: Predicate) -> bool:
    last, known = thing.last.bare, reading.words
    before = words[thing.first - 1] if thing.first else None
    titled = thing.value.replace(" ", "") in taste_words().kinds
    if not titled and (not thing.last.nominal or thing.value[0].isdigit() or last.endswith(("때", "동안", "애"))):
        return False
    if predicate.lemma == "좋다" and not _said_as_taste(reading, thing, predicate):
        return False
    if before is not None and before.text in _POINTING and before.tag == "MM":
        return False
    if thing.last.tag == "ETN" and predicate.form == "adjective":
        return False  # 듣기 싫어: now, not ever
    if thing.described:
        return _kind_of_person(words, thing, predicate)
    if last in known.kin or last.removesuffix("들") in known.others or last in taste_words().persons:
        return False
    if last.isdigit() or thing.last.tag in ("NNB", "SN") or last in taste_words().most:
        return last in _THING_HEADS or (last == "곳" and thing.first < thing.place)
    alone = thing.first == thing.place
    if last in known.no_taste:
        return not alone and (last in taste_words().described or predicate.form == "verb")
    described = any(word.tag == "ETM" for word in words[thing.first : thing.place])
    return not (predicate.form == "adjective" and described) or last in taste_words().described


def _kind_of_person(words: tuple[Word, ...], thing: Thing, predicate: Predicate) -> bool:
    """약속 늦는 사람이 제일 싫어, 혼자 있는 시간을 좋아해; not 아는 사람이 싫어해."""
    if thing.last.bare not in taste_words().persons:
        return True
    known = words[thing.place - 1].lemma in _ACQUAINTED
    subject = predicate.form == "verb" and thing.particle in ("이", "가", "은", "는")
    return not known and not subject


def _elsewhere(reading: Reading, predicate: Predicate) -> Thing | None:
    """발표만은 빼 달라고 했어, 너무 싫어서: the reason comes last, and its thing was named before."""
    named = [phrase for phrase in reading.clause.phrases if phrase.pronoun is None]
    if named:
        return None
    words = words_of(reading.text)
    wondered = thing_wondered_at(reading, words)
    if wondered is not None:
        return wondered if _may_be_liked(reading, words, wondered, predicate) else None
    if predicate.endings[-1:] not in {(ending,) for ending in _BECAUSE} and not helpless(reading):
        return None
    last = last_word_before(words, reading.clause.start)
    for place in range(last, max(-1, last - _FAR), -1):
        if words[place].particle in ("을", "를", "만", "만은", "이나", "나"):
            return thing_at(words, place)
    return None


def _liking(reading: Reading, thing: Thing, attitude: _Attitude) -> Iterator[Finding]:
    whose = taster(reading, thing)
    if whose is None:
        return
    for said in (thing.value, *_listed(reading, thing)):
        for part in _taken_apart(said):
            value = reading.words.canonical.get(part, part)
            if attitude.attribute == "likes" and taste_words().mocked & set(value.split()):
                continue
            yield Finding(
                attribute=attitude.attribute,
                value=value,
                shown=value,
                surface=part,
                act="prefer" if attitude.prefers else "assert",
                instead_of=attitude.compared if attitude.prefers else None,
                whose=whose,
            )


def _taken_apart(value: str) -> list[str]:
    """커피와 홍차 are two things; 죄와 벌 is one."""
    if value.replace(" ", "") in taste_words().kinds:
        return [value]
    words, parts, begin = value.split(), [], 0
    for place, word in enumerate(words[:-1]):
        if len(word) > 1 and word.endswith(("와", "과")) and taste_words().kind_of(word[:-1]):
            parts.append(" ".join([*words[begin:place], word[:-1]]))
            begin = place + 1
    return [*parts, " ".join(words[begin:])]


def _listed(reading: Reading, thing: Thing) -> Iterator[str]:
    """고양이랑 강아지 좋아해."""
    words = words_of(reading.text)
    place = thing.first - 1
    while place >= 0 and words[place].particle in _LISTED and not words[place].breaks:
        another = thing_at(words, place)
        if another is None or another.last.bare in taste_words().persons or another.last.tag == "NNP":
            return
        yield another.value
        place = another.first - 1


def _by_noun(reading: Reading) -> Iterator[Finding]:
    """보라색 처돌이, 뉴진스 팬이에요, 홍차파야, 민초 극호."""
    phrase = reading.complement
    if phrase is None or reading.negated or reading.past:
        return
    last, named = phrase.words[-1], " ".join(phrase.words[:-1])
    if last in taste_words().fans and named:
        yield from _fan(reading, named)
    elif last in taste_words().loved:
        thing = named or _named_before(reading, phrase.morphemes[-1].start)
        if thing:
            value = reading.words.canonical.get(thing, thing)
            yield Finding(attribute="likes", value=value, shown=value, surface=thing)
    elif last.endswith("파") and _is_party(reading, phrase, last):
        compared = next((other.text for other in reading.rest if other.has("보다")), None)
        attribute = "favorite.season" if taste_words().kind_of(last[:-1]) == "season" else "likes"
        yield Finding(
            attribute=attribute, value=last[:-1], shown=last[:-1], surface=last,
            act="prefer" if compared else "assert", instead_of=compared,
        )  # fmt: skip


def _is_party(reading: Reading, phrase: Phrase, last: str) -> bool:
    """민트초코파; 나 통바지파, 부먹파예요: a side that is taken, whatever for; not 실력파, not 대파."""
    if len(last) <= 2 or reading.about.subject_id != reading.me.subject_id:
        return False
    if taste_words().kind_of(last[:-1]):
        return True
    against = last.startswith("반") and bool(taste_words().kind_of(last[1:-1]) or last[1:-1] in reading.words.canonical)
    if against:
        return False  # 반민초파
    taken = reading.of_self or (reading.predicate is not None and len(reading.clause.phrases) == 1)
    return taken and len(phrase.words) == 1 and last not in taste_words().no_party


def _fan(reading: Reading, named: str) -> Iterator[Finding]:
    first, _, rest = named.partition(" ")
    other = first[:-1] if first[-1] in "이가은는" and first[:-1] in taste_words().persons and rest else ""
    whose = Whose(subject="other", subject_id=other) if other else None
    named = rest if other else named
    genus, _, name = named.partition(" ")
    sport = genus_of(genus) if name else ""  # 야구 두산 팬
    named = name if sport else named
    kind = taste_words().kind_of(named)
    star = reading.complement is not None and reading.complement.words[-1].endswith("팬")
    own = f"favorite.{kind}" if f"favorite.{kind}" in patterns().by_attribute else ""
    topics = (each.words[-1] for each in reading.clause.phrases if each.has("은", "는"))
    own = (
        team_of(named) or sport or own or next((genus for each in topics if (genus := genus_of(each))), "")
    )  # 야구는 LG 팬
    attribute = own or ("favorite.music" if star and not kind else "likes")
    yield Finding(attribute=attribute, value=named, shown=named, surface=named, whose=whose)


def _named_before(reading: Reading, at: int) -> str:
    words = words_of(reading.text)
    place = last_word_before(words, at)
    thing = thing_at(words, place) if place >= 0 and words[place].particle in _OBJECT else None
    return thing.value if thing is not None else ""
