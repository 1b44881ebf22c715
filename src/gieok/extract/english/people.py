"""Names of those around somebody: my budgie Winston, a dog called Rex, our postman's called Clive."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.extract.english.patterns import patterns
from gieok.extract.english.reading import Finding, Reading, Whose, found
from gieok.extract.english.values import animal, name

_CALLED: Final = frozenset({"called", "named"})


def pet_names(reading: Reading) -> Iterator[Finding]:
    """Read the name that follows an animal of the speaker's."""
    words = reading.said.clause.words
    owned = reading.said.lemma in ("have", "get", "adopt", "own", "rescue") and reading.mine
    for i, word in enumerate(words[:-1]):
        pair = animal(f"{words[i - 1].low} {word.low}") if i else None
        kind = (pair or animal(word.low)) if not word.capital or i == 0 else None
        if kind is None or not (owned or any(each.low in ("my", "our") for each in words[max(0, i - 3) : i])):
            continue
        at = i + 2 if words[i + 1].low in _CALLED | {","} and i + 2 < len(words) else i + 1
        named = name(words[at].text) if words[at].capital else None
        if named is not None:
            pet = Whose(subject="other", subject_id=kind.value)
            yield found(patterns().by_attribute["name"], named, whose=pet)


def lost_pets(reading: Reading) -> Iterator[Finding]:
    """Our cat died; my hamster passed away."""
    said = reading.said
    lows = [word.low for word in said.subject]
    gone = said.lemma == "die" or (said.lemma in ("pass", "run") and said.rest and said.rest[0].low == "away")
    if not gone or said.asking or lows[:1] not in (["my"], ["our"]):
        return
    kind = next((value for low in lows[1:] if (value := animal(low)) is not None), None)
    if kind is not None:
        yield found(patterns().by_attribute["pet"], kind, polarity="-", act="end", whose=reading.speaking.me())
