"""What matters to somebody, said of the thing: gardening is my thing; my ex is off limits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.english.doings import reader
from gieok.extract.english.grammar import is_doing
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import Pattern, patterns
from gieok.extract.english.phrases import phrase_end, values, written
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.values import Value, noun, thing
from gieok.extract.english.words import Word

_DEAR: Final = frozenset(
    {
        "thing", "jam", "cup of tea", "passion", "guilty pleasure", "weakness", "happy place", "obsession", "addiction",
        "bag", "vibe", "escape", "therapy", "kryptonite", "lifeblood",
        "love", "first love", "true love", "comfort zone",
    }
)  # fmt: skip
_OFF: Final = (
    ("off", "limits"), ("off-limits",), ("a", "no-go"), ("a", "no", "go"),
    ("a", "sore", "subject"),
    ("a", "touchy", "subject"), ("a", "sore", "spot"), ("out", "of", "bounds"), ("none", "of", "your", "business"),
)  # fmt: skip
_BEST: Final = frozenset({"best", "favorite", "top", "greatest"})
_IS: Final = frozenset({"is", "'s", "are", "was", "has"})
_FILL: Final = frozenset("definitely probably easily always hands down by far still honestly just".split())


def dear(reading: Reading) -> Iterator[Finding]:
    """Gardening is my thing; horror's not my cup of tea."""
    said = reading.said
    rest = [word.low for word in said.rest if word.low not in ("absolute", "total", "whole", "real", "biggest", "main")]
    if said.lemma != "be" or said.asking or said.past or said.modals or not said.subject:
        return
    if rest[:1] not in (["my"], ["our"]) or not any(" ".join(rest[1 : 1 + n]) in _DEAR for n in (1, 2, 3)):
        return
    named = [*said.subject]
    while named and named[-1].low in lexicon().adverbs:
        named.pop()
    value = thing(written(named, reading.text)) if named else None
    if value is None or said.subject[0].low in lexicon().pronouns or said.subject[0].low in ("the", "my"):
        return
    if said.negated or said.ended:
        attribute = "dislikes" if said.negated else "likes"
        ended = said.ended
        yield found(
            patterns().by_attribute[attribute], value, polarity="-" if ended else "+",
            act="end" if ended else "assert", whose=reading.speaking.me(),
        )  # fmt: skip
        return
    yield found(pastime(value), value, whose=reading.speaking.me())


def pastime(value: Value) -> Pattern:
    """Return what something that one is devoted to is: a sport, a hobby, or just liked."""
    known = patterns().by_attribute
    if reader("exercise")(value.value) is not None:
        return known["exercise"]
    first = value.value.split()[0].casefold()
    doing = first.endswith("ing") and len(first) > 5
    return known["hobby"] if doing or reader("hobby")(value.value) is not None else known["likes"]


def off_limits(reading: Reading) -> Iterator[Finding]:
    """My divorce is off limits; jokes about my height are a no-go."""
    said = reading.said
    rest = tuple(word.low for word in said.rest if word.low not in lexicon().adverbs)
    if said.lemma != "be" or said.past or said.asking or not said.subject or said.modals:
        return
    if not any(rest[: len(mark)] == mark for mark in _OFF):
        return
    subject = [word.low for word in said.subject]
    if subject[0] in lexicon().pronouns or reader("substance")(written(said.subject, reading.text)) is not None:
        return
    if len(subject) == 1 and is_doing(said.subject[0]) is False and subject[0] in lexicon().class_of:
        return
    shown = written(said.subject, reading.text)
    ended = said.ended or said.negated
    yield found(
        patterns().by_attribute["boundary"], Value(value=shown, surface=shown), polarity="-" if ended else "+",
        act="end" if ended else "assert", whose=reading.speaking.me(),
    )  # fmt: skip


def superlative(words: Sequence[Word], text: str) -> Iterator[Finding]:
    """The best book I've ever read is Dune; best film ever? Heat."""
    lows = [word.low for word in words]
    if "?" in lows[-1:] or {"his", "her", "their", "your"} & set(lows):
        return
    for i, low in enumerate(lows[:-2]):
        if low not in _BEST or (i and lows[i - 1] in ("'s", "a", "not")):
            continue
        pattern = next(
            (patterns().by_favourite.get(each) for each in lows[i + 1 : i + 3] if each in patterns().by_favourite), None
        )
        if pattern is None:
            continue
        at = next((k for k in range(i + 2, min(i + 9, len(lows))) if lows[k] in _IS), None)
        stop = next((k for k in range(i + 2, len(lows)) if lows[k] in (",", ".", "and", "but", "!", "?")), len(lows))
        if at is None or at > stop or (at == i + 2 and low == "favorite"):
            continue
        told = set(lows[i + 2 : at])
        if not told & {"ever", "i", "i've", "time", "written", "made", "world", "all"}:
            continue
        start = at + 1
        while start < len(words) and lows[start] in _FILL | {"have", "to", "be", "got"}:
            start += 1
        for value in values(words, start, pattern.value, text, many=False, title=True):
            yield found(pattern, value)
        return


def sides(reading: Reading) -> Iterator[Finding]:
    """Dog walking on the side; part-time lifeguard during term."""
    said = reading.said
    words = [word for word in said.clause.words if word.low not in lexicon().openers]
    lows = [word.low for word in words]
    pattern = patterns().by_attribute["part_time_job"]
    if said.subject or said.asking or (said.lemma and not said.doing) or not words:
        return
    at = next((i for i in range(1, len(lows) - 2) if lows[i : i + 3] == ["on", "the", "side"]), None)
    if at is not None and 1 <= at <= 4:
        value = noun(written(words[:at], reading.text))
    elif lows[0] in ("part-time", "parttime") or lows[:2] == ["part", "time"]:
        start = 1 if lows[0] != "part" else 2
        value = (
            reader("job")(written(words[start : phrase_end(words, start)], reading.text))
            if start < len(words)
            else None
        )
    else:
        return
    if value is not None:
        yield found(pattern, value, whose=reading.speaking.me())
