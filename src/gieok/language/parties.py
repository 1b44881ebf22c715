"""Who is meant in a question: by name, or as I and you; and the question without the names, which say nothing else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gieok.language.morphemes import analyse
from gieok.language.text import has_hangul

_ASKER: Final = frozenset({"나", "내", "저", "제", "본인", "i", "me", "my", "mine", "myself"})
_ASKED: Final = frozenset({"너", "니", "당신", "you", "your", "yours", "yourself"})
_AFTER_NAME: Final = (
    r"(?:['’]s|(?P<called>아|야|여|이여)|(?:이)?(?:씨|님|양|군)?"
    r"(?:은|는|이|가|을|를|의|도|만|와|과|랑|이랑|하고|한테|에게|께서|께|보다|처럼)?)(?![^\W_])"
)
_WHOSE: Final = frozenset({"내", "제", "니"})  #: taken for determiners now and then: 내 취미; 네 is four (네 명)
_THEIRS: Final = r"(?:(?:내|제|우리|저희|my|our)\s(?:친구\s|friend\s)?)?"
_SOMEBODY, _OF = "\ue000", "\ue001"  #: stand for a name, and for what makes it somebody's
_MARKED: Final = re.compile(f"{_SOMEBODY}(?P<of>{_OF})?")
_GIVEN: Final = re.compile(r"[가-힣]{2,}이")  #: as 지훈이 is called among friends
_CALLING: Final = re.compile(r"\s*[,!~]")
_BLANKS: Final = re.compile(r"\s{2,}")
_ENGLISH_WORD: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """The parties that a question is about, and what else it says."""

    parties: frozenset[str]
    rest: str  #: without the names; the whole text if nothing else is in it


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """The others whom a question names, and what else it says."""

    people: tuple[str, ...]
    rest: str  #: without them, and without whose they are; the whole text if nothing else is in it
    of_oneself: str  #: the same asked of oneself: 나 어디 살아?


def named(text: str, people: Collection[str]) -> Named:
    """Return which of `people` stand in `text`: 지훈이 also as 지훈, 엄마 also as 우리 엄마."""
    found: list[str] = []
    marked = text.replace(_SOMEBODY, " ")
    for name in sorted(people, key=len, reverse=True):
        given = name[:-1] if _GIVEN.fullmatch(name) else name
        marked, times = _pattern(given, _THEIRS).subn(_stand_in, marked)
        if times:
            found.append(name)
    rest = _BLANKS.sub(" ", _MARKED.sub(" ", marked)).strip(" ,!~")
    if not found or not any(map(str.isalnum, rest)):
        return Named(people=tuple(found), rest=text, of_oneself=text)
    whole, theirs = (" 나 ", " 나의 ") if has_hangul(rest) else (" I ", " my ")
    of_oneself = _MARKED.sub(lambda mark: theirs if mark["of"] else whole, marked)
    return Named(people=tuple(found), rest=rest, of_oneself=_BLANKS.sub(" ", of_oneself).strip())


def _stand_in(found: re.Match[str]) -> str:
    return _SOMEBODY + _OF * found[0].endswith(("'s", "’s", "의"))


def mentions(text: str, names: Mapping[str, str], *, asker: str, asked: str) -> Mentions:
    """Return whom `text` is about; `names` says whose each name is.

    Calling somebody ("레티아야, …") is not speaking of them.
    """
    parties: set[str] = set()
    rest = text
    for name in sorted(names, key=len, reverse=True):
        pattern = _pattern(name)
        for found in pattern.finditer(rest):
            if not found["called"] and not _CALLING.match(rest, found.end()):
                parties.add(names[name])
        rest = pattern.sub(" ", rest)
    rest = _BLANKS.sub(" ", rest).strip(" ,!~")
    pronouns = set(_pronouns(rest))
    if pronouns & _ASKER:
        parties.add(asker)
    if pronouns & _ASKED:
        parties.add(asked)
    return Mentions(parties=frozenset(parties), rest=rest if any(map(str.isalnum, rest)) else text)


@lru_cache(maxsize=1024)
def _pattern(name: str, before: str = "") -> re.Pattern[str]:
    return re.compile(rf"(?<![^\W_]){before}{re.escape(name)}{_AFTER_NAME}", re.IGNORECASE)


def _pronouns(text: str) -> Iterator[str]:
    if has_hangul(text):
        for morpheme in analyse(text):
            if morpheme.tag == "NP" or (morpheme.tag == "MM" and morpheme.form in _WHOSE):
                yield morpheme.form
    yield from _ENGLISH_WORD.findall(text.lower())
