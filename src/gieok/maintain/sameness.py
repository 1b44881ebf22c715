"""Whether two free sentences tell of the same thing, so that one may stand for both.

Likeness is a hint, never a proof: 엄마랑 싸웠어 and 아빠랑 싸웠어 lie close. What is compared are the words that carry
the meaning; in doubt the two stay apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

from gieok.domain.memory import Memory
from gieok.language.dates import find_month_days
from gieok.language.mood import mood_of
from gieok.language.morphemes import Morpheme, analyse
from gieok.language.numerals import find_numbers
from gieok.language.terms import STOP_WORDS, stem
from gieok.language.text import has_hangul, normalise
from gieok.maintain.words import words

_NOUNS: Final = frozenset({"NNG", "NNP", "XR", "SH", "W_MENTION", "W_HASHTAG"})
_STEMS: Final = frozenset({"VV", "VA", "VX", "VCN"})
_MAKING_VERBS: Final = frozenset({"XSV", "XSA"})
_CASES: Final = frozenset({"JKS", "JKO"})
_ME: Final = {"내": "나", "제": "저", "네": "너"}
_PAST: Final = frozenset({"었", "았", "였"})
_WILL: Final = frozenset({"ㄹ", "을", "ᆯ"})
_SHORTENED_NOT: Final = re.compile(r"n['’]t\b", re.IGNORECASE)
_PRONOUN: Final = re.compile(
    r"\b(?:i|me|my|you|your|he|him|his|she|her|it|its|we|us|our|they|them|their)\b", re.IGNORECASE
)
_LATIN: Final = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """What of a sentence has to agree."""

    things: frozenset[str]  #: nouns and adverbs; of the two sentences one may name more
    deeds: frozenset[str]  #: verbs and adjectives in their dictionary form, nouns with 하다 among them
    foreign: frozenset[str]  #: stems of foreign words, of which nobody knows what they are
    persons: tuple[str, ...]  #: English pronouns in order: she hit me, I hit her
    cases: frozenset[tuple[str, str]]  #: who does it, and to what: (엄마, JKS)
    figures: frozenset[tuple[int, ...]]  #: numbers and dates
    negated: bool
    past: bool
    to_come: bool
    mood: str
    shifting: bool  #: it names a day that depends on when it was said


@lru_cache(maxsize=4096)  # the same episodes are looked at again at every merging
def gist(content: str) -> Gist:
    text = normalise(content)
    morphemes = analyse(text)
    lemmas = [morpheme.lemma.casefold() for morpheme in morphemes]
    known = words()
    deeds = frozenset(_deeds(morphemes))
    return Gist(
        things=frozenset(_things(morphemes)) - {deed.removesuffix("하다") for deed in deeds},
        deeds=deeds,
        foreign=frozenset(_foreign(morphemes)),
        persons=tuple(word.casefold() for word in _PRONOUN.findall(text)),
        cases=frozenset(_cases(morphemes)),
        figures=_figures(text),
        negated=not known.negation.isdisjoint(lemmas) or _SHORTENED_NOT.search(text) is not None,
        past=any(morpheme.tag == "EP" and morpheme.form in _PAST for morpheme in morphemes[-3:]),
        to_come=_to_come(morphemes),
        mood=_mood(text, morphemes),
        shifting=not known.shifting.isdisjoint(lemmas),
    )


def _things(morphemes: Iterable[Morpheme]) -> Iterator[str]:
    passed_over = words().when | words().filling | words().negation
    for morpheme in morphemes:
        if (morpheme.tag in _NOUNS or morpheme.tag == "MAG") and morpheme.form not in passed_over:
            yield morpheme.form


def _deeds(morphemes: Sequence[Morpheme]) -> Iterator[str]:
    passed_over = words().helping | words().negation
    noun = ""  # the last one, as long as only its particle follows
    for morpheme in morphemes:
        does = morpheme.tag in _MAKING_VERBS or (morpheme.tag == "VV" and morpheme.lemma in ("하다", "되다"))
        if does and noun:
            yield f"{noun}하다"
        elif morpheme.tag in _STEMS and not (morpheme.tag == "VX" and morpheme.lemma in passed_over):
            yield from () if morpheme.lemma in words().negation else (morpheme.lemma,)
        if morpheme.tag in _NOUNS:
            noun = morpheme.form
        elif morpheme.tag not in ("JKO", "JKS", "JX", "MAG"):  # 공부를 안 했다
            noun = ""


def _foreign(morphemes: Iterable[Morpheme]) -> Iterator[str]:
    for morpheme in morphemes:
        word = morpheme.form.casefold()
        if morpheme.tag == "SL" and word not in STOP_WORDS and word not in words().when:
            yield stem(word) if _LATIN.fullmatch(word) else word


def _cases(morphemes: Sequence[Morpheme]) -> Iterator[tuple[str, str]]:
    for before, after in pairwise(morphemes):
        if after.tag in _CASES and (before.tag in _NOUNS or before.tag == "NP"):
            yield (_ME.get(before.form, before.form), after.tag)


def _figures(text: str) -> frozenset[tuple[int, ...]]:
    days = find_month_days(text)
    numbers = (n for n in find_numbers(text) if not any(d.start <= n.start < d.end for d in days))
    return frozenset({(day.month, day.day) for day in days} | {(number.value,) for number in numbers})


def _mood(text: str, morphemes: Sequence[Morpheme]) -> str:
    if not has_hangul(text):
        return "question" if text.endswith("?") else "statement"
    return mood_of(morphemes, text[-1:] if text[-1:] in "?!." else "")


def _to_come(morphemes: Sequence[Morpheme]) -> bool:
    """Whether it tells of what will be: 가겠다, 갈 거다, will go."""
    if any((m.tag, m.form.casefold()) in (("EP", "겠"), ("SL", "will")) for m in morphemes):
        return True
    return any(
        before.tag == "ETM" and before.form in _WILL and after.tag == "NNB" and after.form in ("것", "거", "게")
        for before, after in pairwise(morphemes)
    )


def same_thing(one: Memory, other: Memory, its_gist: Gist, other_gist: Gist) -> bool:
    """Whether both tell of the same thing, one of them perhaps with a little more of it."""
    return (
        (one.subject, one.subject_id, one.speaker) == (other.subject, other.subject_id, other.speaker)
        and (one.polarity, one.content_type) == (other.polarity, other.content_type)
        and frozenset(one.details) == frozenset(other.details)
        and _agree(its_gist, other_gist)
    )


def _agree(one: Gist, other: Gist) -> bool:
    return (
        not (one.shifting or other.shifting)
        and _firm(one) == _firm(other)
        and bool(one.things & other.things or one.deeds or one.foreign)
        and (one.things <= other.things or other.things <= one.things)
        and not _swapped(one, other)
    )


def _firm(gist: Gist) -> tuple[object, ...]:
    """Return what must be the same in both."""
    return (gist.deeds, gist.foreign, gist.persons, gist.figures, gist.negated, gist.past, gist.to_come, gist.mood)


def _swapped(one: Gist, other: Gist) -> bool:
    """Whether somebody does in one of them what is done to them in the other."""
    turned = frozenset((noun, "JKO" if case == "JKS" else "JKS") for noun, case in one.cases)
    return not turned.isdisjoint(other.cases)
