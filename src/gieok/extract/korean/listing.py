"""Several things told as one value: 땅콩이랑 복숭아, 체스하고 바둑, 클라이밍이랑 수영 두 개."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from gieok.extract.korean.lexicon import ways
from gieok.extract.korean.reading import Finding
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import words_of

#: of which somebody may have more than one, and whose names have no "and" in them
_MANY: Final = frozenset(
    "hobby exercise allergy phobia likes dislikes skill medication medical_condition contraindication pet".split()
)
_JOINING: Final = ("이랑", "랑", "하고", "와", "과")
_COUNTED: Final = re.compile(
    r"\s(?:이렇게\s)?(?:두|세|네|다섯|[2-9])\s?(?:개|가지|종류|종목|마리)$|\s(?:둘|둘\s?다|셋)$"
)


def one_by_one(finding: Finding) -> Iterator[Finding]:
    """Yield `finding` once for each of the things it names."""
    things = in_parts(finding.attribute, finding.value)
    if things == [finding.value]:
        yield finding
        return
    yield from (replace(finding, value=thing, shown=thing, surface=thing) for thing in things)


def in_parts(attribute: str, said: str) -> list[str]:
    """Return what `said` names, one by one where there can be several values of `attribute`."""
    things = listed(said) if attribute in _MANY else [said]
    done = [words_of(thing)[-1].tag == "ETN" for thing in things if words_of(thing)]
    if attribute == "hobby" and not all(done) and not all(_is_known(thing) for thing in things):
        return [said]  # 외계인이랑 대화하기
    return things


def listed(value: str) -> list[str]:
    """Return the things that `value` names, in order; 죄와 벌 is one."""
    words = words_of(value)
    joined = [place for place, word in enumerate(words[:-1]) if word.particles[-1:] and word.particles[-1] in _JOINING]
    joined += [place for place, word in enumerate(words[:-1]) if _trained(word.text) is not None]
    if not joined or value.replace(" ", "") in taste_words().kinds:
        return [value]
    things, first = [], 0
    for place in sorted({*joined, len(words) - 1}):
        last = words[place]
        tail = _trained(last.text) or last.bare if place in joined else value[last.start :]
        things.append(" ".join([*(word.text for word in words[first:place]), tail]))
        first = place + 1
    things[-1] = _COUNTED.sub("", things[-1])
    return things if all(_is_named(thing) for thing in things) else [value]


def _trained(word: str) -> str | None:
    """수영하고 요가: taken for a verb, but it is a list."""
    noun = word.removesuffix("하고")
    return noun if noun != word and ways().is_pastime(noun) else None


def _is_known(thing: str) -> bool:
    return bool(taste_words().kind_of(thing)) or ways().is_pastime(thing)


def _is_named(thing: str) -> bool:
    """Whether `thing` is a thing by itself: not 엄마 of "엄마랑 산책"."""
    last = words_of(thing)[-1:]
    noun = bool(last) and last[0].nominal and last[0].tag != "NNP" and (len(thing) > 1 or last[0].tag == "NNG")
    return _is_known(thing) or (noun and thing not in taste_words().persons)
