"""What somebody likes and dislikes: 고양이 좋아해, 떡볶이 없으면 못 살아, 겨울이 젤 좋아, 커피보다 홍차파야."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Finding, Reading
from gieok.language.clauses import Phrase, Predicate

_OBJECT: Final = frozenset({"을", "를", "이", "가", "은", "는", "도", "만", "ㄹ", "라면", "이라면"})
_MOST: Final = frozenset("제일 가장 젤 젤로 제일로 최고 세상 무조건 1등 일등 으뜸".split())
_BEST: Final = frozenset("최고 1등 일등 으뜸 원픽 최애 인생작".split())
_FANS: Final = frozenset("처돌이 덕후 팬 러버 매니아 마니아 빠 광 중독자 덕 찐팬 성애자".split())
_THING_HEADS: Final = frozenset({"거", "것", "게", "건", "걸"})
_HATED: Final = frozenset("극혐 질색 극혐임 혐오 노답".split())


def taste(reading: Reading) -> Iterator[Finding]:
    """Read likes, dislikes and favourites."""
    yield from _by_predicate(reading)
    yield from _by_noun(reading)
    yield from _cannot_live_without(reading)
    yield from _carried_away(reading)


def _carried_away(reading: Reading) -> Iterator[Finding]:
    """재즈에 빠졌어, 떡볶이에 환장해; and the other way: 건포도만은 못 참아."""
    hated = reading.says("참다", "견디다", "버티다") and reading.negated
    loved = reading.says("빠지다", "꽂히다", "환장하다", "미치다", "입덕하다") and not reading.negated
    for phrase in reversed(reading.rest):
        fitting = phrase.has("만", "은", "는") if hated else phrase.has("에", "한테", "에게")
        if (hated or loved) and fitting and phrase.pronoun is None and phrase.words[-1] not in reading.words.no_taste:
            value = reading.written(phrase) if phrase.adnominal else phrase.text
            if reading.words.class_of.get(value) != "exercise":
                yield Finding(attribute="dislikes" if hated else "likes", value=value, shown=value, surface=value)
            return


def _by_predicate(reading: Reading) -> Iterator[Finding]:
    predicate = reading.predicate
    words = reading.words
    if predicate is None or predicate.past or not reading.asserts or reading.clause.head in _THING_HEADS:
        return
    likes = predicate.lemma in words.like
    if predicate.lemma in ("재밌다", "재미있다", "맛있다", "그립다") and _MOST & reading.everything:
        likes = True
    if (not likes and predicate.lemma not in words.dislike) or (not likes and predicate.negated):
        return
    thing = next((phrase for phrase in reversed(reading.rest) if _tasted(phrase, predicate, reading)), None)
    if thing is None:
        return
    liked = likes and not predicate.negated
    if liked and thing.words[-1] in words.ironic:
        return
    compared = next((phrase.text for phrase in reading.rest if phrase.has("보다")), None)
    prefers = liked and (compared is not None or ("더" in reading.clause.adverbs and reading.lately))
    yield _liking(reading, thing, liked=liked, prefers=prefers, compared=compared)


def _liking(reading: Reading, thing: Phrase, *, liked: bool, prefers: bool, compared: str | None) -> Finding:
    value = reading.written(thing) if thing.adnominal else thing.text
    value = reading.words.canonical.get(value, value)
    attribute = "likes" if liked else "dislikes"
    most = bool(_MOST & reading.everything)
    if liked and most:
        attribute, value = _favourite(reading, thing, value)
    return Finding(
        attribute=attribute,
        value=value,
        shown=value,
        surface=reading.written(thing),
        act="prefer" if prefers else "assert",
        instead_of=compared if prefers else None,
    )


def _favourite(reading: Reading, thing: Phrase, value: str) -> tuple[str, str]:
    """Return the attribute that a superlative names, and the value without its category: 에스파 노래를 제일 좋아해."""
    known = patterns()
    if thing.words[-1] in known.by_favourite and len(thing.words) > 1:
        return known.by_favourite[thing.words[-1]].attribute, " ".join(thing.words[:-1])
    for phrase in reading.clause.phrases:
        if phrase is not thing:
            for word in phrase.words:
                if word in known.by_favourite:
                    return known.by_favourite[word].attribute, value
    of_class = known.by_class.get(_class_of(reading, value))
    return (of_class.attribute if of_class is not None else "likes"), value


def _class_of(reading: Reading, value: str) -> str:
    last = value.split()[-1] if value.split() else ""
    known = reading.words.class_of.get(last)
    if known is not None:
        return known
    if last.endswith("색") and len(last) > 1:
        return "color"
    if last.endswith(reading.words.food_endings):
        return "food"
    return "season" if last[1:] in reading.words.of_class("season") and last[0] in "늦초한" else ""


def _tasted(phrase: Phrase, predicate: Predicate, reading: Reading) -> bool:
    if phrase.pronoun is not None or phrase.pointed or (phrase.particles and not _OBJECT & set(phrase.particles)):
        return False
    last = phrase.words[-1]
    if last in ("요즘", "요새", "지금", "이제", "오늘", "원래", "평소", "젤", "제일"):
        return False
    if last in ("거", "것", "게", "건", "걸") and phrase.adnominal:
        return predicate.form == "verb"
    if phrase.morphemes[-1].tag == "NNB" or last.removesuffix("들") in reading.words.others | {"다들", "남"}:
        return False
    if predicate.form == "adjective" and phrase.adnominal:
        return False
    return last not in reading.words.no_taste and last not in reading.words.kin


def _by_noun(reading: Reading) -> Iterator[Finding]:
    """보라색 처돌이, 뉴진스 팬이에요, 벌레 극혐, 홍차파야."""
    phrase = reading.complement
    if phrase is None or reading.negated or reading.past:
        return
    last, named = phrase.words[-1], " ".join(phrase.words[:-1])
    if last in _BEST and not named:
        best = next((p for p in reversed(reading.rest) if p is not phrase and p.has("이", "가", "은", "는")), None)
        if best is not None and best.pronoun is None and not best.pointed:
            attribute, value = _favourite(reading, best, reading.said(best))
            if attribute != "likes":
                yield Finding(attribute=attribute, value=value, shown=value, surface=value)
    elif last in _FANS and named:
        yield from _fan(reading, named)
    elif last in _HATED or (reading.clause.adverbs and reading.clause.adverbs[-1] in ("별로",)):
        thing = named or _named_before(reading, phrase)
        if thing and thing not in reading.words.no_taste:
            feared = reading.words.class_of.get(thing.split()[-1]) == "bug"
            yield Finding(attribute="phobia" if feared else "dislikes", value=thing, shown=thing, surface=thing)
    elif last.endswith("파") and len(last) > 2 and last[:-1] in reading.words.class_of:
        compared = next((other.text for other in reading.rest if other.has("보다")), None)
        yield Finding(
            attribute="likes", value=last[:-1], shown=last[:-1], surface=last,
            act="prefer" if compared else "assert", instead_of=compared,
        )  # fmt: skip


def _fan(reading: Reading, named: str) -> Iterator[Finding]:
    of_class = patterns().by_class.get(reading.words.class_of.get(named.split()[-1], ""))
    star = reading.complement is not None and reading.complement.words[-1] in ("팬", "찐팬")
    attribute = of_class.attribute if of_class is not None else "favorite.music" if star else "likes"
    yield Finding(attribute=attribute, value=named, shown=named, surface=named)


def _named_before(reading: Reading, phrase: Phrase) -> str:
    fitting = [other for other in reading.rest if other is not phrase and other.pronoun is None]
    others = [other for other in fitting if not other.particles or _OBJECT & set(other.particles)]
    return others[-1].text if others else ""


def _cannot_live_without(reading: Reading) -> Iterator[Finding]:
    """떡볶이 없으면 못 살아: an "if" and a "cannot" that together say love."""
    if not reading.says("살다") or not reading.negated or reading.before is None:
        return
    before = reading.before.predicate
    if before is None or before.lemma != "없다" or not reading.before.phrases:
        return
    value = reading.before.phrases[-1].text
    of_class = patterns().by_class.get(reading.words.class_of.get(value.split()[-1], ""))
    attribute = of_class.attribute if of_class is not None else "likes"
    yield Finding(attribute=attribute, value=value, shown=value, surface=value)
