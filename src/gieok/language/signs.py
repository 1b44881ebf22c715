"""Signs of a relationship in what one of the two says to the other."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from gieok.domain.noticed import Sign
from gieok.language.clauses import clauses
from gieok.language.lately import remembered
from gieok.language.own_words import own_words
from gieok.language.sign_words import english_patterns
from gieok.language.signs_korean import Found, korean_signs

_SENTENCE: Final = re.compile(r"[^.!?…\n]+[.!?…]*")
_REPORTED: Final = re.compile(
    r"\b(?:he|she|they|someone|somebody|everyone|people|mom|dad|my \w+|who) (?:\w+ )?"
    r"(?:said|says|told|tells|called|calls|never said|asked|thinks|thought|wrote)\b"
    r"|\b(?:if|when|unless) (?:i|you|he|she|they) (?:said?|told)\b",
    re.IGNORECASE,
)
_SUPPOSED: Final = re.compile(r"^(?:if|what if|suppose|imagine|unless)\b|\bi wish\b|\bwould (?:you|i)\b", re.IGNORECASE)
_DENIED: Final = re.compile(
    r"\b(?:not|n.t|never) (?:(?:even|really|that|so|very|to|say|want|going|gonna) )*"
    r"(?:thank|sorry|love|like|appreciate|apologi|miss|proud|promise"
    r"|an? idiot|stupid|dumb|useless|worthless|ugly|a loser)",
    re.IGNORECASE,
)
_KIND_DENIAL: Final = re.compile(
    r"\byou(?:.re| are) (?:not|n.t) (?:an? )?(?:idiot|stupid|dumb|useless|worthless|ugly|a loser|loser|a burden)",
    re.IGNORECASE,
)
_LAUGHING: Final = re.compile(r"\b(?:lol|lmao|haha|hehe|jk|xd)\b|[😂🤣😆😜😝😛]", re.IGNORECASE)
_MAY_BE_DENIED: Final = frozenset(
    {"rejection", "self_disclosure", "comfort", "promise_broken", "farewell", "greeting", "rivalry"}
)
_LONGEST: Final = 400
_MOST: Final = 4000
_LATIN: Final = re.compile(r"[A-Za-z]{2}")
_KOREAN: Final = re.compile(r"[가-힣ㄱ-ㅎ]")
_LONGEST_WORDS: Final = 80
#: of two in one utterance the first is meant
_OVERRULED: Final = {"teasing": "insult", "praise": "insult", "greeting": "farewell"}


def english_signs(text: str) -> Iterator[Found]:
    """Yield the signs in `text`, the speaker's own words."""
    laughing = _LAUGHING.search(text[:_MOST]) is not None
    for written in _SENTENCE.findall(text[:_MOST]):
        sentence = written.strip().replace("’", "'")[:_LONGEST]
        if _REPORTED.search(sentence) or _SUPPOSED.search(sentence):
            continue
        for name, strength in _in_sentence(sentence):
            hurts = name == "insult" and laughing
            yield Found(name="teasing" if hurts else name, words=sentence, strength=strength)


def _in_sentence(sentence: str) -> Iterator[tuple[str, float]]:
    denied = _DENIED.search(sentence) is not None
    if _KIND_DENIAL.search(sentence):
        yield "comfort", 0.8
    for pattern in english_patterns():
        if sentence.endswith("?") and not pattern.asks:
            continue
        if denied and pattern.sign not in _MAY_BE_DENIED:
            continue
        if pattern.find.search(sentence):
            yield pattern.sign, pattern.strength


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
