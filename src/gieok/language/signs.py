"""Signs of a relationship in what one of the two says to the other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from gieok.domain.noticed import Sign
from gieok.language.clauses import clauses
from gieok.language.lately import remembered
from gieok.language.own_words import own_words
from gieok.language.signs_english import english_signs
from gieok.language.signs_korean import Found, korean_signs

_LATIN: Final = re.compile(r"[A-Za-z]{2}")
_KOREAN: Final = re.compile(r"[가-힣ㄱ-ㅎ]")
_LONGEST_WORDS: Final = 80
#: of two in one utterance the first is meant
_OVERRULED: Final = {"teasing": "insult", "praise": "insult", "greeting": "farewell"}


def signs(text: str, speaker: str, names: Collection[str] = ()) -> tuple[Sign, ...]:
    """Return the signs in `text`, each name once, in the order in which they were found.

    `names` are the listener's own. What is asked, supposed, cited, narrated or said of somebody else is no sign.
    """
    return _signs(text, speaker, tuple(names))


@remembered
def _signs(text: str, speaker: str, names: tuple[str, ...]) -> tuple[Sign, ...]:
    found: dict[str, Found] = {}
    for each in _found(own_words(text), names):
        if each.name not in found or found[each.name].strength < each.strength:
            found[each.name] = each
    return tuple(
        Sign(name=each.name, speaker=speaker, words=each.words[:_LONGEST_WORDS], strength=each.strength)
        for each in found.values()
        if _OVERRULED.get(each.name) not in found
    )


def _found(own: str, names: Collection[str]) -> Iterator[Found]:
    if _KOREAN.search(own):
        yield from korean_signs(own, clauses(own), names)
    if _LATIN.search(own):
        yield from english_signs(own)
