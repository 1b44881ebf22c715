"""Where a value ends, and the values of a list: "ramen, sushi and pizza", "a flat in Busan", "Lord of the Rings"."""

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
_WHOLE: Final = frozenset({"noun", "thing", "doing", "firm", "job", "place", "school", "color", "company", "campus"})
_MEASURED: Final = frozenset("age birth_year month_day height weight feet kilos phone blood mbti".split())
_LONGEST_MEASURE: Final = 6
_OPEN_STOPS: Final = frozenset("but because since when if so although though which who while unless".split())
_PLACE_LINKS: Final = frozenset("in near at outside of around from called named".split())
_MOST: Final = 6  #: values in one list
_SPEAKS: Final = frozenset("i he she we they it you".split())
_SMALL: Final = frozenset({"'", "&", "/", "%", "$", "#", "£"})


def written(words: Sequence[Word], text: str) -> str:
    """Return `words` as they were typed."""
    return text[words[0].start : words[-1].end].strip() if words else ""


def values(words: Sequence[Word], start: int, kind: str, text: str, *, many: bool, title: bool) -> Iterator[Value]:
    """Yield the values of `kind` that begin at `start`."""
    at = start
    for count in range(_MOST):
        end = _end(words, at, kind, title=title)
        value = _read(words, at, end, kind, text)
        if value is None and kind == "place":
            value = _further_on(words, end, text)
        if value is not None:
            yield value
        after = _next_item(words, start, end, first=count == 0)
        if not many or after is None or (value is None and count == 0):
            return
        at = after


def _end(words: Sequence[Word], at: int, kind: str, *, title: bool) -> int:
    if kind in OPEN:
        return _open_end(words, at)
    if kind in _MEASURED:
        stop = next((i for i in range(at, len(words)) if _ends(words[i])), len(words))
        return min(stop, at + _LONGEST_MEASURE)
    return phrase_end(words, at, title=title)


def _read(words: Sequence[Word], start: int, end: int, kind: str, text: str) -> Value | None:
    """Read the longest stretch from `start` that is such a value."""
    shortest = end if kind in _WHOLE or kind in OPEN else start + 1
    for cut in range(end, shortest - 1, -1):
        said = written(words[start:cut], text)
        value = (
            reader(kind)(said.strip('"'))
            if said and (cut == end or kind in _MEASURED or _may_follow(words[cut]))
            else None
        )
        if value is not None:
            return value
    return None


def _may_follow(word: Word) -> bool:
    """Whether a value can end before `word` though the phrase goes on: a dog named Rex, but no cat allergy."""
    known = lexicon()
    form = verb(word.low)
    told = word.low.endswith("ed") or (form is not None and form.form in ("s", "past"))
    small = word.low in known.small or word.low in ("named", "called", "twice", "most")
    return told or small or word.capital or word.low in known.numbers or word.low.isdigit() or is_doing(word)


def phrase_end(words: Sequence[Word], start: int, *, title: bool = False) -> int:
    """Return where the noun phrase at `start` ends."""
    if start < len(words) and is_doing(words[start]):
        return _open_end(words, start)
    links = _TITLE_LINKS if title else _NAME_LINKS
    if start < len(words) and (words[start].low in _AND or words[start].low in lexicon().prepositions):
        return start
    if start < len(words) and _ends(words[start]):
        return start
    for at in range(start + 1, len(words)):
        word = words[at]
        if not word.quoted and not _inside(words, start, at, links) and _outside(words, at, title=title):
            return at
    return len(words)


def _inside(words: Sequence[Word], start: int, at: int, links: frozenset[str]) -> bool:
    """Whether the word at `at` belongs to the phrase though it could end one: Lord of the Rings, mac and cheese."""
    low = words[at].low
    if low in links and _goes_on(words, start, at):
        return True
    if low in _AND:
        return _fixed(words, start, at)
    return low == "'s" and _owner(words, at)


def _outside(words: Sequence[Word], at: int, *, title: bool) -> bool:
    word = words[at]
    if _ends(word) and not _hyphen(words, at):
        return True
    return word.low in _AND or word.low in AUXILIARIES or _stops(word) or (_told(word) and not title)


def _owner(words: Sequence[Word], at: int) -> bool:
    """Whether 's goes on with a noun: Anna's sister."""
    after = words[at + 1] if at + 1 < len(words) else None
    if after is None:
        return words[at - 1].capital
    known = lexicon()
    return not after.is_mark and after.low not in known.determiners | known.adverbs | {"not"}


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
    if low in ("called", "named", "last", "next", "twice", "per"):
        return True
    return low in known.small or low == "not" or (low in _SPEAKS and not (word.capital and low != "i"))


def _hyphen(words: Sequence[Word], at: int) -> bool:
    return words[at].low == "-" and at + 1 < len(words) and words[at - 1].end == words[at].start


def _goes_on(words: Sequence[Word], start: int, at: int) -> bool:
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
        if _ends(word) or (at > start and word.low in _OPEN_STOPS):
            return at
        listed = word.low in _AND and at + 1 < len(words) and is_doing(words[at + 1]) and is_doing(words[start])
        if listed:
            return at
    return len(words)


def _further_on(words: Sequence[Word], at: int, text: str) -> Value | None:
    """Read the place behind another: a small flat in Busan."""
    called = next((i for i in range(at, min(at + 5, len(words))) if words[i].low in ("called", "named")), None)
    at = called if called is not None else at
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
