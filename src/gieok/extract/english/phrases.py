"""Where a value ends, and the values of a list: "ramen, sushi and pizza", "a small flat in Busan", "Lord of the Rings"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.english.clauses import AUXILIARIES
from gieok.extract.english.doings import OPEN, reader
from gieok.extract.english.grammar import is_doing
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.values import Value
from gieok.extract.english.verbs import verb
from gieok.extract.english.words import Word

_AND: Final = frozenset({"and", "or", "&", "+"})
_TITLE_LINKS: Final = frozenset("of the by in on to with and a an for at".split())
_NAME_LINKS: Final = frozenset({"of", "the"})
_WHOLE: Final = frozenset({"noun", "thing", "doing", "firm", "job", "place", "school", "color"})
_OPEN_STOPS: Final = frozenset("but because since when if so although though which who while unless".split())
_PLACE_LINKS: Final = frozenset("in near at outside of around from".split())
_MOST: Final = 6  #: values in one list
_SMALL: Final = frozenset({"'", "&", "/", "%", "$", "#", "£"})


def written(words: Sequence[Word], text: str) -> str:
    """Return `words` as they were typed."""
    return text[words[0].start : words[-1].end].strip() if words else ""


def values(words: Sequence[Word], start: int, kind: str, text: str, *, many: bool, title: bool) -> Iterator[Value]:
    """Yield the values of `kind` that begin at `start`."""
    at = start
    for count in range(_MOST):
        end = _open_end(words, at) if kind in OPEN else phrase_end(words, at, title=title)
        value = _read(words, at, end, kind, text)
        if value is None and kind == "place":
            value = _further_on(words, end, text)
        if value is not None:
            yield value
        after = _next_item(words, start, end, first=count == 0)
        if not many or after is None or (value is None and count == 0):
            return
        at = after


def _read(words: Sequence[Word], start: int, end: int, kind: str, text: str) -> Value | None:
    """Read the longest stretch from `start` that is such a value."""
    shortest = end if kind in _WHOLE or kind in OPEN else start + 1
    for cut in range(end, shortest - 1, -1):
        said = written(words[start:cut], text)
        value = reader(kind)(said.strip('"')) if said else None
        if value is not None:
            return value
    return None


def phrase_end(words: Sequence[Word], start: int, *, title: bool = False) -> int:
    """Return where the noun phrase at `start` ends."""
    if start < len(words) and is_doing(words[start]):
        return _open_end(words, start)
    links = _TITLE_LINKS if title else _NAME_LINKS
    for at in range(start, len(words)):
        word = words[at]
        if at == start and (word.low in _AND or word.low in lexicon().prepositions or _ends(word)):
            return start
        if word.quoted or at == start:
            continue
        if _ends(word) and not _hyphen(words, at):
            return at
        if word.low in links and _goes_on(words, start, at, title=title):
            continue
        if word.low in _AND:
            if _fixed(words, start, at):
                continue
            return at
        if word.low in AUXILIARIES or _stops(word) or (_told(word) and not title):
            return at
    return len(words)


def _ends(word: Word) -> bool:
    return word.is_mark and word.low not in _SMALL


def _told(word: Word) -> bool:
    """Whether `word` is a verb in a tense and nothing else: a beekeeper sounds cute."""
    form = verb(word.low)
    if form is None or word.capital or form.lemma in lexicon().nouns_too:
        return False
    return form.form == "s" and word.low not in lexicon().class_of


def _stops(word: Word) -> bool:
    low = word.low
    known = lexicon()
    if low == "of":
        return False
    return low in known.prepositions or low in known.time_words or low in known.adverbs or low in ("i", "not")


def _hyphen(words: Sequence[Word], at: int) -> bool:
    return words[at].low == "-" and at + 1 < len(words) and words[at - 1].end == words[at].start


def _goes_on(words: Sequence[Word], start: int, at: int, *, title: bool) -> bool:
    """Whether a small word stands inside a name: the Lord of the Rings."""
    if words[at].low == "of":
        return True
    inside = words[at - 1].capital or words[at - 1].low in _TITLE_LINKS
    named = any(word.capital for word in words[start:at])
    return named and inside and any(word.capital for word in words[at + 1 : at + 3])


def _fixed(words: Sequence[Word], start: int, at: int) -> bool:
    """Whether "and" at `at` belongs to one thing: mac and cheese."""
    if at + 1 >= len(words):
        return False
    return f"{words[at - 1].low} and {words[at + 1].low}" in lexicon().fixed_pairs


def _open_end(words: Sequence[Word], start: int) -> int:
    for at in range(start, len(words)):
        word = words[at]
        if (word.is_mark and word.low not in _SMALL) or (at > start and word.low in _OPEN_STOPS):
            return at
    return len(words)


def _further_on(words: Sequence[Word], at: int, text: str) -> Value | None:
    """Read the place behind another: a small flat in Busan."""
    for _ in range(3):
        if at + 1 >= len(words) or words[at].low not in _PLACE_LINKS:
            return None
        end = phrase_end(words, at + 1)
        value = _read(words, at + 1, end, "place", text)
        if value is not None:
            return value
        at = end
    return None


def _next_item(words: Sequence[Word], start: int, end: int, *, first: bool) -> int | None:
    """Return where the next thing of a list begins; after a lone comma there is none."""
    if end >= len(words):
        return None
    if words[end].low in _AND:
        return end + 1 if end + 1 < len(words) else None
    if words[end].low != ",":
        return None
    after = end + 1
    if after < len(words) and words[after].low in _AND:
        return after + 1 if after + 1 < len(words) else None
    listed = not first or any(word.low in _AND | {","} for word in words[after : after + 6])
    spoken = after < len(words) and words[after].low in lexicon().openers | lexicon().pronouns
    return after if listed and after < len(words) and not spoken else None
