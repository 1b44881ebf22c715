"""What was talked of, how often, and with what feeling."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from gieok.domain.emotion import Emotion
from gieok.domain.memory import Memory
from gieok.domain.turn import USER
from gieok.domain.upkeep import Told
from gieok.language.morphemes import analyse
from gieok.language.terms import STOP_WORDS, stem
from gieok.language.text import fold, has_hangul, normalise
from gieok.maintain.words import words

_NOUNS: Final = frozenset({"NNG", "NNP", "SH"})
_READ: Final = 500  #: characters of a text that are looked at for what it is about
_SHORTEST: Final = 2  #: a noun of one syllable says too little by itself, and is often misread


def nouns_in(text: str) -> tuple[str, ...]:
    """Return the Korean nouns of `text` and the stems of its foreign words, in order."""
    return _nouns_in(text[:_READ])


@lru_cache(maxsize=4096)  # the turns of the last weeks are looked at again at every reflection
def _nouns_in(text: str) -> tuple[str, ...]:
    return tuple(_nouns(text))


def _nouns(text: str) -> Iterator[str]:
    for morpheme in analyse(normalise(text)):
        if morpheme.tag in _NOUNS:
            yield morpheme.form
        elif morpheme.tag == "SL":
            word = fold(morpheme.form)
            if word not in STOP_WORDS:
                yield stem(word)


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that may have been talked of."""

    label: str  #: as it is said
    terms: frozenset[str]  #: all of them stand in a turn that is about it


def topics_of(memory: Memory) -> Iterator[Topic]:
    """Yield what `memory` is about: whom it speaks of, the nouns in it; of English words the value alone."""
    if memory.subject == "other":
        yield Topic(memory.subject_id, frozenset({fold(memory.subject_id)}))
    if has_hangul(memory.content):
        for noun in dict.fromkeys(nouns_in(memory.content)):
            if has_hangul(noun) and len(noun) >= _SHORTEST and noun not in words().light:
                yield Topic(noun, frozenset({noun}))
    elif memory.value:
        terms = frozenset(nouns_in(memory.value))
        if terms:
            yield Topic(memory.surface or memory.value, terms)


class TalkedOf:
    """The turns of a while, by what the user talked of in them."""

    def __init__(self, turns: Sequence[Told]) -> None:
        self.turns = turns

    @cached_property
    def _terms(self) -> list[frozenset[str]]:
        return [frozenset(_terms_of(turn)) for turn in self.turns]

    def about(self, topic: Topic) -> list[Told]:
        return [turn for turn, terms in zip(self.turns, self._terms, strict=True) if topic.terms <= terms]


def _terms_of(turn: Told) -> Iterable[str]:
    for topic in turn.topics:
        yield fold(topic)
        yield from nouns_in(topic)
    for _, speaker, text in turn.lines:
        if speaker == USER:
            yield from nouns_in(text)


def feeling_of(turn: Told) -> Emotion:
    """Return what the user felt in a turn; neutral where nothing was noticed."""
    return next((felt.emotion for felt in turn.felt if felt.speaker == USER), "neutral")


def how_it_was(turns: Sequence[Told], *, korean: bool) -> str:
    """Return how the user felt in these turns, as far as one can say: always only if always; "" in doubt."""
    felt = [feeling_of(turn) for turn in turns]
    names = sorted({name for name in felt if name != "neutral"}, key=lambda name: (-felt.count(name), name))
    if not names:
        return ""
    first = names[0]
    if felt.count(first) * 2 > len(felt):
        always = felt.count(first) == len(felt)
        if korean:
            return f"{'늘' if always else '대체로'} {words().feelings[first].was}"
        return f"{'always' if always else 'mostly'} {first}"
    both = [name for name in names if felt.count(name) >= 2][:2]
    if len(both) < 2:
        return ""
    if korean:
        one, other = (words().feelings[name].can_be for name in both)
        return f"{one} 때도 있었고 {other} 때도 있었다"
    return f"sometimes {both[0]}, sometimes {both[1]}"
