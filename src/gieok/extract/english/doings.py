"""Doings as values: renew my car insurance, knock through the kitchen wall, talking to the satnav.

Which doing can be meant depends on what is said of it: what one can do is a skill only if it has to be learnt.
"""

from __future__ import annotations

from typing import Final

from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.values import READERS, Reader, Value, firm, height, name, noun, of_class, place, weight
from gieok.extract.english.verbs import looks_doing, verb
from gieok.extract.english_measures import parts_of

_HEIGHT_UNITS: Final = ("cm", "foot", "feet", "ft", "'", "centimeters", "centimetres", "m")
_WEIGHT_UNITS: Final = ("kg", "kgs", "kilos", "kilo", "lb", "lbs", "pounds", "stone", "st", "kilograms")
_SCHOOLS: Final = frozenset(
    "university uni college high school academy institute polytechnic conservatory primary".split()
)


def deed(text: str) -> Value | None:
    """Something to be done: it begins with a verb and goes on."""
    words = parts_of(text)
    known = lexicon()
    named = known.determiners | known.prepositions | known.pronouns
    if not words or not words[0].isalpha() or words[0] in named or looks_doing(words[0]):
        return None
    return noun(text)


def errand(text: str) -> Value | None:
    """Something that has to be done once: renew my insurance, not go or say."""
    words = parts_of(text)
    chore = len(words) > 2 and words[0] == "do" and words[1] in ("the", "my", "some")
    return deed(text) if chore or (len(words) > 1 and words[0] not in lexicon().idle) else None


def soon(text: str) -> Value | None:
    """Something to be done at a named time to come."""
    words = parts_of(text)
    return deed(text) if len(words) > 2 and lexicon().soon & set(words[1:]) else None


def aim(text: str) -> Value | None:
    words = parts_of(text)
    return deed(text) if len(words) > 1 and words[0] in lexicon().aims else None


def figured(text: str) -> Value | None:
    """An aim that is counted: read 50 books."""
    words = parts_of(text)
    counted = any(word[:1].isdigit() or word in lexicon().numbers for word in words[1:3])
    return aim(text) if counted else None


def able(text: str) -> Value | None:
    words = parts_of(text)
    return deed(text) if words and words[0] in lexicon().skills else None


def demand(text: str) -> Value | None:
    """What somebody is not to do: joke about my weight."""
    words = parts_of(text)
    form = verb(words[0]) if words else None
    return noun(text) if len(words) > 1 and form is not None and form.lemma in lexicon().demands else None


def ing(text: str) -> Value | None:
    words = parts_of(text)
    return noun(text) if words and looks_doing(words[0]) else None


def feet(text: str) -> Value | None:
    """A height with its unit."""
    words = parts_of(text)
    with_unit = any(
        "'" in word or ((word.endswith(_HEIGHT_UNITS) or "ft" in word) and _measured(word, _HEIGHT_UNITS))
        for word in words
    )
    return height(text) if with_unit and len(words) <= 4 else None


def kilos(text: str) -> Value | None:
    """A weight with its unit."""
    words = parts_of(text)
    with_unit = any(word.endswith(_WEIGHT_UNITS) and _measured(word, _WEIGHT_UNITS) for word in words)
    return weight(text) if with_unit and len(words) <= 4 else None


def _measured(word: str, units: tuple[str, ...]) -> bool:
    return word[0].isdigit() or word in units


def town(text: str) -> Value | None:
    """A place that nobody takes for anything else: known, or written with a capital."""
    value = place(text)
    if value is None:
        return None
    return value if value.value[:1].isupper() or value.value.casefold() in lexicon().places else None


def proper(text: str) -> Value | None:
    """A name written with a capital."""
    first = text.split()[0] if text.split() else ""
    return name(first) if first[:1].isupper() else None


def school(text: str) -> Value | None:
    """A school by name: written with a capital, or with its kind behind it."""
    value = noun(text)
    words = parts_of(value.value) if value is not None else []
    if not words or (len(words) == 1 and words[0] in _SCHOOLS):
        return None
    named = any(word[:1].isupper() for word in text.split()) or words[-1] in _SCHOOLS
    return value if named and " ".join(words) not in lexicon().places else None


def substance(text: str) -> Value | None:
    """What can be eaten, drunk or taken."""
    said = noun(text)
    known = said is not None and said.value.casefold() in lexicon().substances
    return said if known else of_class("food", "drink", "medicine")(text)


def feat(text: str) -> Value | None:
    """Something worth wanting all one's life: see the northern lights."""
    words = parts_of(text)
    return deed(text) if len(words) > 1 and words[0] not in ("be", "become", "say", "ask", "tell", "know") else None


def spouse(text: str) -> Value | None:
    """Somebody that one can be married to; nobody is married to their job."""
    words = parts_of(text)
    person = bool(words) and (words[-1] in lexicon().people or words[-1] in _PERSONS)
    return (
        Value(value=text, surface=text)
        if person or text[:1].isupper() or words[:1] in (["someone"], ["him"], ["her"])
        else None
    )


_PERSONS: Final = frozenset("man woman guy girl love sweetheart soulmate person bloke lady".split())


def opus(text: str) -> Value | None:
    """Something long worked on: my thesis, my apprenticeship."""
    words = parts_of(text)
    return noun(text) if words and words[-1] in _OPERA else None


_OPERA: Final = frozenset(
    "thesis dissertation degree phd masters novel book manuscript course training apprenticeship residency chemo "
    "treatment marathon internship album probation finals exams".split()
)


def campus(text: str) -> Value | None:
    """A school that names its kind."""
    value = noun(text)
    return value if value is not None and set(parts_of(value.value)) & _SCHOOLS - {"high", "primary"} else None


def company(text: str) -> Value | None:
    return firm(text) if campus(text) is None else None


def someday(text: str) -> Value | None:
    """Something to be done at no named time, some day or once in a life."""
    low = f" {text.casefold()} "
    cut = next((low.find(mark) for mark in _SOME_DAY if mark in low), -1)
    return deed(text[: cut - 1] if cut > 0 else text) if cut > 0 else None


_SOME_DAY: Final = (" one day ", " someday ", " some day ", " before i die ", " before i go ", " eventually ")


def counted(text: str) -> Value | None:
    """A round number of something: 100 followers, 200 days."""
    words = parts_of(text)
    figure = len(words) > 1 and words[0].replace(",", "").removesuffix("k").isdigit()
    return noun(text) if figure and words[1] in _GATHERED else None


_GATHERED: Final = frozenset(
    "followers subs subscribers days views likes streams downloads sales members readers".split()
)


def award(text: str) -> Value | None:
    """A paper that is earned: my driving licence, my black belt."""
    words = parts_of(text)
    return noun(text) if words and words[-1] in _AWARDS else None


_AWARDS: Final = frozenset(
    "licence license degree citizenship visa phd masters certificate diploma belt qualification green card a-levels "
    "gcses doctorate".split()
)


READERS_OF_DOINGS: Final[dict[str, Reader]] = {
    "aim": aim,
    "able": able,
    "award": award,
    "campus": campus,
    "company": company,
    "counted": counted,
    "feat": feat,
    "figured": figured,
    "opus": opus,
    "spouse": spouse,
    "someday": someday,
    "deed": deed,
    "demand": demand,
    "errand": errand,
    "fancied": of_class("animal", "food", "drink", "season", "exercise"),
    "feet": feet,
    "ing": ing,
    "kilos": kilos,
    "proper": proper,
    "school": school,
    "soon": soon,
    "substance": substance,
    "town": town,
}
OPEN: Final = frozenset(
    {"doing", "deed", "errand", "soon", "aim", "able", "demand", "ing", "someday", "feat", "figured"}
)


def reader(kind: str) -> Reader:
    """Return the reader of `kind`; the name of a class of words reads its words."""
    return READERS.get(kind) or READERS_OF_DOINGS.get(kind) or of_class(kind)
