"""What somebody likes best, and better than something else: nothing beats biryani, tea over coffee."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import Pattern, patterns
from gieok.extract.english.phrases import phrase_end, values, written
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.values import Value, noun, thing
from gieok.extract.english.words import Word

_LIKING: Final = frozenset({"like", "love", "prefer", "enjoy", "adore"})
_MOST: Final = (
    ("the", "most"),
    ("most", "of", "all"),
    ("more", "than", "anything"),
    ("best",),
    ("most",),
    ("above", "all"),
)
_BEATING: Final = frozenset({"beat", "top", "rival"})
_OVER: Final = frozenset({"to", "over", "than"})


def best(reading: Reading) -> Iterator[Finding]:
    """Read superlatives and comparisons of taste."""
    said = reading.said
    if said.asking or said.past or said.formerly or (said.modals - {"will", "can"}):
        return
    yield from _unbeaten(reading)
    yield from _best_of(reading)
    yield from _no_other(reading)
    if reading.about is not None and said.lemma in _LIKING and not said.negated and not said.ended:
        yield from _compared(reading)
        yield from _loved_most(reading)


def _unbeaten(reading: Reading) -> Iterator[Finding]:
    """Nothing beats biryani."""
    said = reading.said
    nothing = [word.low for word in said.subject][:1] == ["nothing"]
    if nothing and said.lemma in _BEATING:
        for value in values(said.rest, 0, "thing", reading.text, many=False, title=True):
            yield found(favourite_of(value), value, whose=reading.speaking.me())


def _best_of(reading: Reading) -> Iterator[Finding]:
    """Summer is the best season."""
    said = reading.said
    lows = [word.low for word in said.rest]
    if said.lemma != "be" or lows[:2] != ["the", "best"] or said.negated or not said.subject:
        return
    pattern = _favourite_noun(lows[2:])
    value = thing(written(said.subject, reading.text))
    if (
        pattern is not None
        and value is not None
        and said.subject[0].low not in ("my", "your", "his", "her", "this", "that")
    ):
        yield found(pattern, value, whose=reading.speaking.me())


def _no_other(reading: Reading) -> Iterator[Finding]:
    """No game will ever be as good as Scrabble; there's no genre I love more than shoegaze."""
    words = reading.said.clause.words
    before = reading.before.clause.words if reading.before is not None else ()
    lows = [word.low for word in (*before, *words)]
    at = next((i for i, low in enumerate(lows[:-1]) if low == "no"), None)
    pattern = _favourite_noun(lows[at + 1 : at + 3]) if at is not None else None
    if pattern is None:
        return
    for i, word in enumerate(words[:-1]):
        earlier = [each.low for each in words[max(0, i - 2) : i]]
        better = word.low == "than" and set(earlier) & {"more", "better"}
        if better or (word.low == "as" and earlier == ["as", "good"]):
            for value in values(words, i + 1, "thing", reading.text, many=False, title=False):
                yield found(pattern, value, whose=reading.speaking.me())
            return


def _compared(reading: Reading) -> Iterator[Finding]:
    """I prefer tea to coffee; I like cats more than dogs."""
    said = reading.said
    lows = [word.low for word in said.rest]
    at = next((i for i, low in enumerate(lows) if low in _OVER and i), None)
    better = said.lemma == "prefer" or (at is not None and set(lows[max(0, at - 2) : at]) & {"more", "better"})
    if at is None:
        if said.lemma == "prefer":
            for value in values(said.rest, 0, "thing", reading.text, many=False, title=False):
                yield found(patterns().by_attribute["likes"], value, act="prefer")
        return
    if not better or at + 1 >= len(lows) or lows[at + 1] in ("anything", "everything", "any", "ever"):
        return
    liked = thing(written(said.rest[: phrase_end(said.rest, 0)], reading.text))
    other = noun(written(said.rest[at + 1 : phrase_end(said.rest, at + 1)], reading.text))
    if liked is not None:
        instead = other.value if other is not None else None
        yield found(patterns().by_attribute["likes"], liked, act="prefer", instead_of=instead)


def _loved_most(reading: Reading) -> Iterator[Finding]:
    """I love autumn the most."""
    said = reading.said
    tail = (*(word.low for word in said.rest), *(low for low in said.adverbs if low in ("most", "best")))
    if not any(tail[i : i + len(mark)] == mark for mark in _MOST for i in range(len(tail))):
        return
    for value in values(said.rest, 0, "thing", reading.text, many=False, title=False):
        yield found(favourite_of(value), value)


def favourite_of(value: Value) -> Pattern:
    """Return the favourite that a value of this kind is: ramen is a food; else it is just liked."""
    low = value.value.casefold()
    last = low.split()[-1]
    kind = lexicon().class_of.get(low) or lexicon().class_of.get(last) or ""
    return patterns().by_class.get(kind, patterns().by_attribute["likes"])


def _favourite_noun(lows: Sequence[str]) -> Pattern | None:
    for end in range(min(len(lows), 3), 0, -1):
        pattern = patterns().by_favourite.get(" ".join(lows[:end]))
        if pattern is not None:
            return pattern
    return None


def ranked(words: Sequence[Word], text: str) -> Iterator[Finding]:
    """Winter >>>> every other season."""
    at = next((i for i, word in enumerate(words) if word.low == ">"), None)
    if not at:
        return
    value = thing(written(words[:at], text)) if at <= 4 else None
    pattern = next(
        (patterns().by_favourite[word.low] for word in words[at:] if word.low in patterns().by_favourite), None
    )
    if value is not None:
        yield found(pattern or favourite_of(value), value)
