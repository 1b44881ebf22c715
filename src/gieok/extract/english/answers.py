"""Short answers, read with the question before them: "What's your favourite season?" – "autumn!"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.turn import Utterance
from gieok.extract.english.doings import reader
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import Pattern, patterns
from gieok.extract.english.phrases import values
from gieok.extract.english.reading import Finding, found
from gieok.extract.english.values import READERS
from gieok.extract.english.words import Word, straightened, words

_YES: Final = frozenset("yes yeah yep yup yea ya sure definitely absolutely indeed mhm".split())
_NO: Final = frozenset("no nope nah never".split())
_FILLER: Final = frozenset(
    "um uh umm hmm well oh so probably maybe definitely like just the easily honestly i'd say it's its is that "
    "that'd be would it i am ok okay haha always mostly usually mainly currently about around, , just def".split()
)
_LONGEST: Final = 14
_WHOLE_ANSWERS: Final = {("family", "just me"): "only child", ("family", "only me"): "only child"}
_ASKS_FOR_ONE: Final = ("what", "which", "who", "where", "when", "how", "pick", "name", "tell", "any", "anything")


def answer(text: str, before: Sequence[Utterance], speaker: str, *, silent: bool) -> Iterator[Finding]:
    """Read `text` as the answer to the last question somebody else asked; `silent`: nothing else was read in it."""
    question = before[-1].text if before and before[-1].speaker != speaker else None
    if question is None or not silent:
        return
    pattern = asked_for([word.low for word in words(straightened(question))])
    said = words(text)
    if pattern is None or not said or said[-1].low == "?" or len(said) > 4 * _LONGEST:
        return
    first, rest = _opened(said)
    whole = _WHOLE_ANSWERS.get(
        (pattern.attribute, " ".join(word.low for word in said[1 if first else 0 :] if not word.is_mark))
    )
    if whole is not None:
        yield Finding(attribute=pattern.attribute, value=whole, surface=text)
        return
    if first in _NO and not rest:
        return
    yield from _answered(pattern, rest, text, first)


def _answered(pattern: Pattern, said: Sequence[Word], text: str, first: str) -> Iterator[Finding]:
    end = next(
        (i for i, word in enumerate(said) if word.is_mark and word.low not in ("'", "+", "-", "/", "&", "(", ")")),
        len(said),
    )
    if end > _LONGEST or _is_no_answer(said[:end]):
        return
    got = list(values(said, 0, pattern.value, text, many=pattern.many, title=True)) if said else []
    if not got and pattern.free and said and first not in _NO:
        got = list(values(said, 0, "noun", text, many=False, title=False))
    for value in got[:_LONGEST]:
        yield found(pattern, value)


def _is_no_answer(said: Sequence[Word]) -> bool:
    lows = {word.low for word in said}
    if not said or lows & {
        "you",
        "why",
        "guess",
        "secret",
        "depends",
        "idk",
        "none",
        "nothing",
        "nobody",
        "know",
        "enough",
    }:
        return True
    return said[0].low in ("i", "we", "he", "she", "they", "why", "what", "not", "my", "there", "can", "did", "do")


def _opened(said: Sequence[Word]) -> tuple[str, Sequence[Word]]:
    """Return the yes or no that an answer opens with, and what follows it and the fillers."""
    first = said[0].low if said[0].low in _YES | _NO else ""
    at = 1 if first else 0
    while at < len(said) - 1 and (said[at].is_mark or said[at].low in _FILLER or said[at].low in lexicon().laughter):
        at += 1
    return first, said[at:]


def asked_for(lows: Sequence[str]) -> Pattern | None:
    """Return the attribute that a question asks for."""
    known = patterns()
    favourite = _favourite(lows)
    if favourite is not None:
        return favourite
    best: tuple[int, Pattern] | None = None
    for pattern in known.by_attribute.values():
        for phrase in pattern.asked:
            if _within(phrase, lows) and (best is None or len(phrase) > best[0]):
                best = (len(phrase), pattern)
    return best[1] if best is not None else None


def _favourite(lows: Sequence[str]) -> Pattern | None:
    most = {"favorite", "best", "most"} & set(lows)
    picked = bool({"pick", "choose"} & set(lows))
    if not (most or picked):
        return None
    found_noun = next((low for low in lows if low in patterns().by_favourite), None)
    return patterns().by_favourite[found_noun] if found_noun is not None else None


def _within(phrase: Sequence[str], lows: Sequence[str]) -> bool:
    size = len(phrase)
    return any(tuple(lows[i : i + size]) == tuple(phrase) for i in range(len(lows) - size + 1))


def confirmed(text: str, before: Sequence[Utterance], speaker: str) -> Iterator[Finding]:
    """Yes and no to a question that names the value: "Are you a nurse?" – "yep"."""
    question = before[-1].text if before and before[-1].speaker != speaker else None
    said = words(text)
    if question is None or not said or said[0].low not in _YES | _NO or "?" not in question:
        return
    asked = [word for word in words(straightened(question)) if not word.is_mark]
    if len(asked) < 3 or asked[0].low != "are" or asked[1].low != "you" or "or" in {word.low for word in asked}:
        return
    phrase = " ".join(word.text for word in asked[2:])
    for pattern in patterns().alone:
        value = reader(pattern.value)(phrase) if pattern.value in READERS else None
        if value is not None:
            yield found(pattern, value, polarity="-" if said[0].low in _NO else "+")
