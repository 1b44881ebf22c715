"""Phone numbers: a long row of figures beside words of calling and of oneself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from gieok.domain.personal import masks_of
from gieok.extract.english.patterns import patterns
from gieok.extract.english.reading import Finding, Speaking, found
from gieok.extract.english.values import phone
from gieok.extract.english.words import words

_SENTENCE: Final = re.compile(r"[.!?\n](?=\s|$)")
_MASKED: Final = "|".join(map(re.escape, masks_of("phone")))
_NUMBER: Final = re.compile(rf"{_MASKED}|(?<![\w.,-])[+(]?\d[\d ()./-]{{5,18}}\d(?!\w)")
_CALLING: Final = frozenset(
    "number num mobile cell phone text ring call whatsapp reach landline sim digits contact message msg dial".split()
)
_OWN: Final = frozenset("my me mine i our".split())
_OTHERS: Final = frozenset("your his her their he she they him them".split())
_TRACKED: Final = frozenset(
    "order tracking account reference ref serial ticket booking parcel card invoice model isbn".split()
)
_DATE: Final = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$")


def phones(text: str, speaking: Speaking) -> Iterator[Finding]:
    """Yield the speaker's own number; whose number it is, the words around it tell."""
    if "[" not in text and sum(letter.isdigit() for letter in text) < 7:
        return
    for part in _SENTENCE.split(text):
        said = _NUMBER.search(part)
        value = phone(said[0]) if said is not None and not _DATE.match(said[0].strip()) else None
        if value is None:
            continue
        lows = {word.low for word in words(part)}
        around = {word.low for word in words(text)}
        called = (
            lows & _CALLING - {"number"}
            or {"my"} & lows
            or around & {"number", "sim", "phone", "mobile", "cell", "landline", "digits"}
        )
        labelled = _labelled(part[: part.find(value.value)]) and not around & _OTHERS
        if (
            called
            and (around & _OWN or labelled)
            and not _TRACKED & lows
            and not lows & _OTHERS
            and not _somebody_else(part, said[0] if said else "")
        ):
            old = "not" in lows and part.find(value.value) > part.find(" not ") > 0
            if not old:
                yield found(patterns().by_attribute["phone"], value, whose=speaking.me())


def _labelled(before: str) -> bool:
    """Mobile is …, number: …."""
    lows = [word.low for word in words(before)]
    while lows and lows[-1] in ("is", "'s", ":", ",", "-"):
        lows.pop()
    lows = [low for low in lows if low not in ("new", "my", "the", "old")]
    return len(lows) == 1 and lows[0] in ("mobile", "cell", "landline", "number", "phone", "whatsapp")


def _somebody_else(part: str, number: str) -> bool:
    """My sister's number is …; call the clinic on …."""
    before = [word.low for word in words(part[: part.find(number)])]
    owned = any(low == "'s" and k + 1 < len(before) and before[k + 1] in _CALLING for k, low in enumerate(before))
    called = any(
        low in ("call", "ring", "text", "dial") and before[k + 1] in ("the", "a", "my")
        for k, low in enumerate(before[:-1])
    )
    return owned or (called and "me" not in before)
