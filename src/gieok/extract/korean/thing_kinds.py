"""Which favourite a thing is: by its name, else by what is talked of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.korean.patterns import patterns
from gieok.extract.korean.reading import Reading
from gieok.extract.korean.taste_words import taste_words
from gieok.extract.korean.words import Thing, words_of

#: kinds that have a favourite of their own even where nobody says "favourite food"
_OWN: Final = frozenset({"food", "color", "season", "movie", "music", "book", "game"})


def talk_of(reading: Reading, thing: Thing | None) -> str:
    """Return the kind of thing that the words around `thing` betray."""
    return _talk_in(reading.text, thing)


def _talk_in(text: str, thing: Thing | None) -> str:
    return taste_words().talked_of(_words_around(text, thing))


def _words_around(text: str, thing: Thing | None) -> Iterator[str]:
    for place, word in enumerate(words_of(text)):
        if thing is None or not thing.first <= place <= thing.place:
            yield word.bare
            if word.lemma is not None:
                yield word.lemma


def favourite_of(reading: Reading, thing: Thing, *, strong: bool) -> str:
    """Return the favourite that `thing` is, or ""; `strong`: the words say that it is somebody's own choice."""
    return favourite_in(reading.text, thing, strong=strong)


def favourite_in(text: str, thing: Thing, *, strong: bool) -> str:
    """Return the favourite that `thing` is in `text`, or ""."""
    words = taste_words()
    kind = words.kind_of(thing.value)
    talk = _talk_in(text, thing)
    certain = kind and (thing.value not in words.ambiguous or talk == kind)
    if certain and not (talk and talk != kind and talk in _OWN and kind not in ("color", "season")):
        return _attribute(kind)
    if talk in ("movie", "music", "book", "game"):
        return _attribute(talk)
    return _attribute(kind) if kind and (strong or certain) else ""


def _attribute(kind: str) -> str:
    return f"favorite.{kind}" if kind in _OWN or f"favorite.{kind}" in patterns().by_attribute else ""


def in_talk(reading: Reading, thing: Thing) -> bool:
    """Whether the talk is of the kind of things that `thing` is one of: 다른 색은 … 연두만 좋아."""
    kind = taste_words().kind_of(thing.value)
    talk = talk_of(reading, thing)
    return bool(talk) and (not kind or kind == talk)
