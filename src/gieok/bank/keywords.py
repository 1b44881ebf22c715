"""Words that bring a memory up in a talk, for programs that look for words alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from gieok.domain.memory import Memory
from gieok.domain.turn import CHARACTER, USER

MOST: Final = 8
_LONGEST: Final = 20
_NOUNS: Final = frozenset({"NNG", "NNP", "XR", "SL", "SH"})


def keywords(memory: Memory, names: Collection[str] = ()) -> tuple[str, ...]:
    """Return the value of a memory and the nouns in it, as they are said, each once, at most `MOST`.

    `names` of those who talk are none: they would bring up everything. May be empty.
    """
    from gieok.language.terms import topics_of

    value = (memory.surface or memory.value or "") if memory.attribute is not None else ""
    found = [
        *([value] if _is_word(value) else []),
        *(topics_of(value, names=names) if value else ()),
        *topics_of(memory.content, names=names),
    ]
    if memory.subject == "other":
        found.append(memory.subject_id)
    unsaid = {name.casefold() for name in (*names, USER, CHARACTER)}
    chosen: dict[str, str] = {}
    for word in found or _nouns(memory.content):
        if word.casefold() not in unsaid:
            chosen.setdefault(word.casefold(), word)
    return tuple(chosen.values())[:MOST]


def _is_word(value: str) -> bool:
    return 1 < len(value) <= _LONGEST and " " not in value and any(letter.isalpha() for letter in value)


def _nouns(text: str) -> Iterator[str]:
    from gieok.language.morphemes import analyse
    from gieok.language.terms import STOP_WORDS

    for part in analyse(text):
        if part.tag in _NOUNS and len(part.form) > 1 and part.form.lower() not in STOP_WORDS:
            yield part.form
