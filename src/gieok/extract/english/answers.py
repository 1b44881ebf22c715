"""Short answers, read with the question before them: "What's your favourite season?" – "autumn!"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.turn import Utterance
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import Pattern, patterns
from gieok.extract.english.phrases import values
from gieok.extract.english.reading import Finding, found
from gieok.extract.english.words import Word, straightened, words

_YES: Final = frozenset("yes yeah yep yup yea ya sure definitely absolutely indeed mhm".split())
_NO: Final = frozenset("no nope nah never".split())
_FILLER: Final = frozenset(
    "'s to at in from of on with um uh umm hmm well oh so probably maybe definitely like just the easily honestly say "
    "is that be would it i am ok okay haha always mostly usually mainly currently about around def".split()
)
_LONGEST: Final = 14
_WHOLE_ANSWERS: Final = {("family", "just me"): "only child", ("family", "only me"): "only child"}


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
    said = [word for word in said if word.low not in lexicon().laughter]
    called = next((i + 1 for i, word in enumerate(said[:end]) if word.low in ("called", "named")), 0)
    start = called if pattern.value == "name" else 0
    got = list(values(said, start, pattern.value, text, many=pattern.many, title=True)) if said[start:] else []
    if not got and pattern.value == "family":
        got = list(values(said, 0, "relatives", text, many=True, title=False))
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


def restated(text: str, before: Sequence[Utterance], speaker: str) -> str | None:
    """Return what a yes or no states: "Do you live in Seoul?" – "yep" is "I live in Seoul"."""
    question = before[-1].text if before and before[-1].speaker != speaker else None
    said = words(text)
    if question is None or not said or said[0].low not in _YES | _NO | {"not"} or "?" not in question:
        return None
    asked = [word for word in words(straightened(question.rsplit("?", 1)[0])) if word.low not in ("so", "and", "oh")]
    if asked and asked[0].low == "still":
        return _no_longer(asked[1:], said)
    start = next((i for i, word in enumerate(asked) if word.low in _HELPING), None)
    if start is None or start > 2 or [word.low for word in asked[start + 1 : start + 2]] != ["you"]:
        return None
    rest = [_OTHER_WAY.get(word.low, word.text) for word in asked[start + 2 :] if word.low != "still"]
    if not rest or {word.low for word in asked} & _NO_STATEMENT:
        return None
    return " ".join(["I", *_HELPING[asked[start].low], *(["not"] if said[0].low in _NO else []), *rest])


def _no_longer(asked: Sequence[Word], said: Sequence[Word]) -> str | None:
    """Still single? – nah: whatever was so is no longer."""
    rest = [_OTHER_WAY.get(word.low, word.text) for word in asked]
    return " ".join(["I", "am", "no", "longer", *rest]) if rest and said[0].low not in _YES else None


_HELPING: Final = {"do": ("do",), "are": ("am",), "can": ("can",)}
_OTHER_WAY: Final = {"your": "my", "yours": "mine", "yourself": "myself", "me": "you", "my": "your"}
_NO_STATEMENT: Final = frozenset("or what which who where when why how any want".split())
