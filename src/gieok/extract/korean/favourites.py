"""What somebody likes best: 부산행이 내 최애야, 좋아해요 민트색; 우동부터 찾게 돼요, 제 소울푸드예요.

What is liked may stand before the words of praise, after them, or in another clause; which kind of thing it is (and
so which favourite) is told by a category (최애 영화), by the name itself, or by what else is talked of (극장, 읽다).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gieok.extract.korean.choices import enough, if_choosing, picked, unequalled
from gieok.extract.korean.favourite_kinds import genus_of, team_of
from gieok.extract.korean.favourite_labels import named_after, named_first
from gieok.extract.korean.named_around import named_around
from gieok.extract.korean.praise import (
    category_beside,
    category_of,
    found_favourite,
    in_talk,
    is_best,
    kind_of_favourite,
    most_before,
    start_of,
)
from gieok.extract.korean.reading import Finding, Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.tasters import taster
from gieok.extract.korean.words import Thing, last_word_before, thing_at, thing_before, words_of
from gieok.language.clauses import Phrase
from gieok.language.wording import josa

_LIKED_PARTICLES: Final = frozenset({"", "이", "가", "을", "를", "은", "는", "도", "만", "이랑", "랑", "ㄹ", "만은"})
_THINGS: Final = frozenset({"거", "것", "게", "건", "걸"})
_NONE_SUCH: Final = frozenset("없다 찾다 만나다 보다 나오다".split())
_PRESENT: Final = frozenset("부터 여태 지금까지 아직도 여전히 평생".split())


def favourite(reading: Reading) -> Iterator[Finding]:
    """Yield the one thing that the clause says is liked best."""
    if (reading.negated and not reading.says(*_NONE_SUCH, "하다")) or _denied(reading):
        return
    for rule in (
        named_first,
        named_after,
        _called_best,
        _ones_team,
        _liked_most,
        picked,
        unequalled,
        enough,
        if_choosing,
    ):
        found = rule(reading)
        if found is not None:
            yield found
            return


def _denied(reading: Reading) -> bool:
    """순대국이 최애인 건 아니고."""
    after = reading.after.predicate if reading.after is not None else None
    return reading.clause.head is not None and after is not None and after.negated


def _called_best(reading: Reading) -> Finding | None:
    """부산행이 내 최애야; 우동부터 찾게 돼요, 제 소울푸드예요; 최고예요 엽기적인 그녀."""
    phrase = reading.complement or _ending_in_yo(reading)
    if phrase is None or reading.past or not is_best(phrase) or phrase.has("로", "으로"):
        return None
    category = category_of(phrase.words) or kind_of_favourite(phrase.words) or category_beside(reading, None)
    own = (
        bool(category)
        or phrase.owner == "나"
        or any(word.removesuffix("라") in taste_words().own_best for word in phrase.words)
    )
    thing = thing_before(reading.text, start_of(phrase)) or _stuck_to_it(reading, phrase)
    if thing is not None and thing.particle in _LIKED_PARTICLES and thing.particle not in ("을", "를"):
        return found_favourite(reading, thing, category or category_beside(reading, thing), strong=own)
    after = _afterwards(reading)
    if after is not None:
        return found_favourite(reading, after, category)
    pointed = any(other.text in ("그것", "이것", "그거", "이거") or other.pointed for other in reading.clause.phrases)
    if not (own or pointed or reading.of_self or reading.lately):
        return None
    if phrase.words[0] == "최고" and _is_me(reading):
        return None
    around = named_around(reading, category)
    return found_favourite(reading, around, category)


def _is_me(reading: Reading) -> bool:
    """나는 심금을 울리는 최고의 작가다: the speaker is said to be it."""
    return any(
        phrase.pronoun in ("나", "저") and set(phrase.particles) <= {"은", "는", "ㄴ"}
        for phrase in reading.clause.phrases
    )


def _ones_team(reading: Reading) -> Finding | None:
    """야구는 두산이지, 축구는 전북이다: of a sport there is one team."""
    phrase = reading.complement
    team = team_of("".join(phrase.words)) if phrase is not None and not reading.past else ""
    topics = (each for each in reading.clause.phrases if each.has("은", "는") and genus_of(each.words[-1]) == team)
    if phrase is None or not team or next(topics, None) is None:
        return None
    name = " ".join(phrase.words)
    return Finding(attribute=team, value=name, shown=name, surface=name, whose=reading.me)


def _stuck_to_it(reading: Reading, phrase: Phrase) -> Thing | None:
    """세븐틴이 최애예요, where 이 is taken for a part of the name."""
    name = phrase.words[0]
    if len(phrase.words) != 2 or not name[1:] or josa(name[:-1], "이/가") != name:
        return None
    words = words_of(reading.text)
    place = last_word_before(words, phrase.morphemes[0].end)
    thing = thing_at(words, place) if place >= 0 else None
    known = thing is None or (thing.last.known and not taste_words().kind_of(name[:-1]))
    return replace(thing, value=name[:-1], particle=name[-1]) if thing is not None and not known else None


def _ending_in_yo(reading: Reading) -> Phrase | None:
    """음악 중에선 제일이요."""
    last = reading.clause.phrases[-1] if reading.clause.phrases and reading.predicate is None else None
    return last if last is not None and last.has("이요", "요") else None


def _liked_most(reading: Reading) -> Finding | None:
    """기생충을 제일 좋아해; …, 그 영화를 제일 아껴서; 좋아해요 민트색."""
    predicate, words = reading.predicate, taste_words()
    if predicate is None or predicate.lemma not in words.adore:
        return None
    if reading.clause.head in _THINGS and not helpless(reading):
        return None
    if predicate.past and not _PRESENT & reading.everything:
        return None
    at = predicate.stem[0].start
    most = most_before(reading, at)
    pointed = _pointed_at(reading, at)
    if pointed:
        return found_favourite(reading, named_around(reading, pointed), pointed)
    thing = thing_before(reading.text, at)
    if thing is not None and thing.particle in _LIKED_PARTICLES:
        return _liked_thing(reading, thing, most=most)
    after = _afterwards(reading)
    turned = after is not None and taste_words().kind_of(after.value) in ("color", "season")
    if after is not None and (most or (turned and predicate.lemma in ("좋다", "좋아하다"))):
        return found_favourite(reading, after, category_beside(reading, after))
    if not most:
        return None
    category = category_beside(reading, None)
    return found_favourite(reading, named_around(reading, category), category)


def _liked_thing(reading: Reading, thing: Thing, *, most: bool) -> Finding | None:
    if most:
        return found_favourite(reading, thing, category_beside(reading, thing)) or _fun(reading, thing)
    only = thing.particle == "만" and reading.says("좋다", "좋아하다")
    return found_favourite(reading, thing, "") if only and in_talk(reading, thing) else None


def _fun(reading: Reading, thing: Thing) -> Finding | None:
    """롤러코스터가 제일 신나: liked, though no favourite of a known kind."""
    whose = taster(reading, thing)
    if (
        not reading.says("신나다", "재밌다", "재미있다", "맛있다", "설레다")
        or whose is None
        or thing.value in taste_words().weak
    ):
        return None
    return Finding(attribute="likes", value=thing.value, shown=thing.value, surface=thing.value, whose=whose)


def helpless(reading: Reading) -> bool:
    """제일 좋은 걸 어떡해."""
    after = reading.after.predicate if reading.after is not None else None
    return after is not None and after.lemma in ("어떡하다", "어쩌다", "어떻다", "어찌하다")


def _pointed_at(reading: Reading, at: int) -> str:
    """Return the favourite that 그 영화, 이 게임 names: the thing was named elsewhere."""
    words = words_of(reading.text)
    place = last_word_before(words, at)
    while place > 0 and words[place].tag in ("MAG", "MAJ"):
        place -= 1
    pointed = place > 0 and words[place - 1].text in ("그", "이")
    return category_of([words[place].bare]) if pointed else ""


def _afterwards(reading: Reading) -> Thing | None:
    """좋아해요 늦가을이, …: what is named right after, up to the next mark."""
    predicate = reading.predicate
    if predicate is None:
        return None
    done = max(part.end for part in (*predicate.stem, *predicate.tail))
    words = words_of(reading.text)
    first = next((i for i, word in enumerate(words) if word.start >= done), None)
    if first is None:
        return None
    last = next((i for i in range(first, len(words)) if words[i].breaks), len(words) - 1)
    if last - first > 6 or words[last].particle not in _LIKED_PARTICLES or words[last].copula:
        return None
    thing = thing_at(words, last)
    return thing if thing is not None and thing.first == first else None
