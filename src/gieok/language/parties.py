"""Who is meant in a question: by name, or as I and you; and the question without the names, which say nothing else."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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
_CALLING: Final = re.compile(r"\s*[,!~]")
_BLANKS: Final = re.compile(r"\s{2,}")
_ENGLISH_WORD: Final = re.compile(r"[a-z]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions:
    """The parties that a question is about, and what else it says."""

    parties: frozenset[str]
    rest: str  #: without the names; the whole text if nothing else is in it


def mentions(text: str, names: Mapping[str, str], *, asker: str, asked: str) -> Mentions:
    """Return whom `text` is about; `names` says whose each name is.

    Calling somebody ("레티아야, …") is not speaking of them.
    """
    parties: set[str] = set()
    rest = text
    for name in sorted(names, key=len, reverse=True):
        pattern = re.compile(rf"(?<![^\W_]){re.escape(name)}{_AFTER_NAME}", re.IGNORECASE)
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


def _pronouns(text: str) -> Iterator[str]:
    if has_hangul(text):
        for morpheme in analyse(text):
            if morpheme.tag == "NP" or (morpheme.tag == "MM" and morpheme.form in _WHOSE):
                yield morpheme.form
    yield from _ENGLISH_WORD.findall(text.lower())
