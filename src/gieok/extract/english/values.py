"""Values as people say them, and what they mean: five foot two is 157, veggie is vegetarian, a lefty left-handed.

Each kind of value has a reader: it takes the words of a phrase and returns the value, or None if they
are no such value.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gieok.domain.personal import masks_of
from gieok.extract import english_measures as measures
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.verbs import verb
from gieok.extract.english_measures import parts_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Value:
    """A value, normalised, and how it was said."""

    value: str
    surface: str


Reader = Callable[[str], Value | None]

_MBTI: Final = re.compile(r"[ei][ns][tf][jp](?:-[at]|s)?$")
_AGE_WORD: Final = re.compile(r"(\d{1,3})(?:-?y/?o|-?yrs?|-?years?-?olds?|[mf])?$")
_BLOOD: Final = re.compile(r"(ab|a|b|o)(?:[+-]|pos|neg)?$")
_MASKED: Final = re.compile("|".join(map(re.escape, masks_of("phone"))))
_PHONE: Final = re.compile(r"[+(]?\d[\d ()./-]{5,18}\d")
_ARTICLES: Final = frozenset("a an the my our some any".split())
_PEOPLE: Final = frozenset(
    "person people guy girl man woman boy lady citizen national type kind household individual family".split()
)
_MALE: Final = frozenset("man guy boy male dude bloke lad gentleman m men".split())
_FEMALE: Final = frozenset("woman girl female lady gal lass f women".split())
_STATUS: Final = {
    "single": "single", "married": "married", "divorced": "divorced", "engaged": "engaged", "widowed": "widowed",
    "separated": "separated", "dating": "dating", "taken": "dating", "seeing someone": "dating", "divorcee": "divorced",
    "in a relationship": "dating", "a widow": "widowed", "a widower": "widowed", "newlyweds": "married",
    "newly single": "single", "happily married": "married", "recently divorced": "divorced", "widow": "widowed",
    "seeing somebody": "dating", "going out with someone": "dating", "freshly single": "single", "newlywed": "married",
    "bachelor": "single", "widower": "widowed", "forever alone": "single", "recently engaged": "engaged",
}  # fmt: skip
_BIRTH_ORDER: Final = frozenset("youngest oldest eldest middle baby firstborn".split())
_COUNTED: Final = re.compile(r"^(?:about|around|roughly|like|only|just|exactly|nearly|almost|over|under)\s+")


def bare(text: str) -> str:
    """Return `text` without articles at its head and marks around it."""
    words = text.strip(" .,!?~\"'").split()
    while len(words) > 1 and words[0].casefold() in _ARTICLES:
        words = words[1:]
    while len(words) > 1 and words[-1].casefold() in ("the", "a", "an", "my"):
        words = words[:-1]
    return " ".join(words)


def noun(text: str) -> Value | None:
    """Whatever is named, as it is named."""
    said = bare(text)
    low = said.casefold()
    if not said or low in lexicon().pronouns | lexicon().determiners or len(said) > 80:
        return None
    return Value(value=lexicon().canonical.get(low, said), surface=text.strip())


def thing(text: str) -> Value | None:
    """Something that can be liked: no pronoun, nobody's relative."""
    value = noun(text)
    words = parts_of(value.value) if value is not None else []
    if not words or words[0] in lexicon().pronouns or words[-1] in _NO_THING:
        return None
    if text.split()[0].casefold() in ("my", "our", "your", "his", "her", "their", "this", "that", "these", "those"):
        return None  # what is loved of somebody is no taste
    kin = words[-1] in lexicon().people
    return value if not (kin and len(words) <= 2) else None


_NO_THING: Final = frozenset(
    "huge big massive bigger great real way ways one ones thing things more most less much it that".split()
)


def name(text: str) -> Value | None:
    """A name: one to three words that are nothing else."""
    words = bare(text).split()
    if not 1 <= len(words) <= 3 or not all(word[:1].isalpha() for word in words):
        return None
    low = [word.casefold() for word in words]
    known = lexicon().no_names | lexicon().pronouns | lexicon().determiners | lexicon().prepositions
    if any(word in known for word in low) or low[0] in lexicon().skippable | lexicon().time_words:
        return None
    said = " ".join(words)
    return Value(value=said if said != said.lower() else said.title(), surface=text.strip())


def age(text: str) -> Value | None:
    low = _COUNTED.sub("", text.casefold().strip())
    parts = [part for part in parts_of(low.replace("-year", " year")) if part not in ("a", "an")]
    after = measures.number_at(parts, 0)
    tail = parts[after[1] :] if after is not None else parts[1:]
    if after is None and parts:
        joined = _AGE_WORD.match(parts[0])
        after = (int(joined[1]), 1) if joined is not None else None
    old = all(part in _AGING for part in tail) and ("old" in low or "young" in low or not _SPAN & set(tail))
    if after is None or not old or not 1 <= after[0] <= 119:
        return None
    return Value(value=str(after[0]), surface=text.strip())


_SPAN: Final = frozenset({"years", "year", "yrs", "yr"})
_AGING: Final = frozenset(
    "years year old young yo yrs yr yo-old now today m f male female -old year-old years-old and half i'm still".split()
)


def birth_year(text: str) -> Value | None:
    year = measures.year_of_birth(text)
    return Value(value=year, surface=text.strip()) if year is not None else None


def month_day(text: str) -> Value | None:
    day = measures.month_day(text)
    return Value(value=day, surface=text.strip()) if day is not None else None


def height(text: str) -> Value | None:
    number = measures.centimetres(_COUNTED.sub("", text.casefold().strip()))
    return Value(value=str(number), surface=text.strip()) if number is not None and 100 <= number <= 230 else None


def weight(text: str) -> Value | None:
    amount = measures.kilos(_COUNTED.sub("", text.casefold().strip()))
    return Value(value=amount, surface=text.strip()) if amount is not None else None


def mbti(text: str) -> Value | None:
    for part in reversed(parts_of(text)):
        if _MBTI.match(part):
            return Value(value=part[:4].upper(), surface=part)
    return None


def blood(text: str) -> Value | None:
    """A, type O, O+, AB positive, B type."""
    parts = [
        part for part in parts_of(text) if part not in ("type", "blood", "positive", "negative", "rh", "pos", "neg")
    ]
    if "a" in parts and len(parts) > 1:
        parts.remove("a")
    said = _BLOOD.match(parts[0]) if len(parts) == 1 else None
    if said is not None and text.strip() == "a":
        return None  # the article
    return Value(value=said[1].upper(), surface=text.strip()) if said is not None else None


def phone(text: str) -> Value | None:
    if masked := _MASKED.search(text):
        return Value(value=masked[0], surface=masked[0])
    said = _PHONE.search(text)
    if said is None or not 7 <= sum(letter.isdigit() for letter in said[0]) <= 15:
        return None
    return Value(value=said[0].strip(), surface=said[0].strip())


def gender(text: str) -> Value | None:
    parts = parts_of(text)
    for part in reversed(parts):
        if part in _MALE | _FEMALE:
            return Value(value="male" if part in _MALE else "female", surface=text.strip())
    if parts and parts[-1] in ("non-binary", "nonbinary", "enby"):
        return Value(value="non-binary", surface=text.strip())
    joined = re.match(r"\d{2}([mf])$", parts[0]) if parts else None
    return Value(value={"m": "male", "f": "female"}[joined[1]], surface=text.strip()) if joined else None


def status(text: str) -> Value | None:
    said = bare(text).casefold()
    words = said.split()
    known = _STATUS.get(said) or (_STATUS.get(words[0]) if words[1:] and words[-1] in _PEOPLE else None)
    return Value(value=known, surface=text.strip()) if known is not None else None


def family(text: str) -> Value | None:
    """An only child, the youngest of three, two sisters."""
    words = bare(text).casefold().split()
    if words[:2] == ["only", "child"] or words[:1] == ["only-child"]:
        return Value(value="only child", surface=text.strip())
    if (
        words
        and words[0] in _BIRTH_ORDER
        and (len(words) == 1 or words[1] in ("of", "child", "sibling", "one", "son", "daughter"))
    ):
        return Value(value=words[0] if words[0] != "middle" else "middle child", surface=text.strip())
    if words and words[-1] == "twin":
        return Value(value="twin", surface=text.strip())
    return None


def relatives(text: str) -> Value | None:
    """Two brothers, a little sister: whom somebody has."""
    words = bare(text).casefold().split()
    if not words or words[-1] not in lexicon().siblings:
        return None
    count = lexicon().numbers.get(words[0])
    whom = " ".join(words[-2:]) if words[-2:-1] == ["twin"] else words[-1]
    said = f"{count} {whom}" if count is not None else whom
    return Value(value=said, surface=text.strip())


def hand(text: str) -> Value | None:
    said = bare(text).casefold()
    meaning = lexicon().canonical.get(said, said)
    if meaning in ("left", "right"):
        meaning += "-handed"
    known = meaning in ("left-handed", "right-handed", "ambidextrous")
    return Value(value=meaning, surface=text.strip()) if known else None


def job(text: str) -> Value | None:
    """A nurse, a qualified dental nurse: the words must end in something people work as."""
    said = bare(text)
    low = said.casefold()
    words = low.split()
    if not words or len(words) > 5 or words[0] in _JUDGED or low in lexicon().of_class("trait"):
        return None
    known = lexicon().of_class("job")
    fits = low in known or words[-1] in known
    if not fits and not low.endswith(lexicon().job_endings):
        return None
    return Value(value=said, surface=text.strip())


_JUDGED: Final = frozenset(
    "decent good great terrible bad amazing awful natural born huge big little real proper".split()
)


def place(text: str) -> Value | None:
    """A place by name: written with a capital, or known."""
    said = text.strip(" .,!?~\"'")
    low = bare(said).casefold()
    if not low or low in lexicon().pronouns:
        return None
    if low in lexicon().places or said.casefold() in lexicon().places:
        return Value(value=bare(said), surface=said)
    if low.split()[-1] in lexicon().nowhere or low.split()[0] in lexicon().nowhere or any(c.isdigit() for c in low):
        return None
    plain = said.split()[0].casefold() in ("a", "an", "my", "our", "this", "that", "your", "some", "the")
    capital = any(word[:1].isupper() for word in bare(said).split())
    if capital or (not plain and len(low.split()) <= 3):
        return Value(value=bare(said), surface=said)
    return None


def firm(text: str) -> Value | None:
    """A workplace or school: a proper name, or a kind of place with its article."""
    said = bare(text)
    low = said.casefold()
    if not said or low in lexicon().pronouns or low.split()[-1] in _NO_FIRM or low.split()[0] in _NO_FIRM:
        return None
    if low.split()[-1] in _PERIODS:
        return None  # a plumber for 12 years
    return Value(value=said, surface=text.strip())


_PERIODS: Final = frozenset("years months weeks days hours ages decades minutes while year month uni college".split())
_NO_FIRM: Final = frozenset(
    "home night nights day days weekends weekend moment time it that this least once first last all work hours "
    "money cash fun peace school myself living free minimum hard moment monday tuesday wednesday thursday friday "
    "saturday sunday bed gym party dawn noon midnight lunch dinner desk pace level stake risk hand".split()
)


def of_class(*classes: str, people: bool = False) -> Reader:
    """Return a reader for closed sets of words; the whole phrase must be one, an adjective may stand before it."""

    def read(text: str) -> Value | None:
        words = bare(text).casefold().split()
        if people and len(words) > 1 and words[-1] in _PEOPLE and " ".join(words) not in lexicon().class_of:
            words = words[:-1]
        for start in range(min(len(words), 3)):
            if any(_acts(word) or word in lexicon().people or "'" in word for word in words[:start]):
                break
            for said in _spellings(" ".join(words[start:])):
                meaning = lexicon().canonical.get(said, said)
                if any(said in lexicon().of_class(each) or meaning in lexicon().of_class(each) for each in classes):
                    return Value(value=meaning, surface=text.strip())
        return None

    return read


def _acts(word: str) -> bool:
    form = verb(word)
    return form is not None and form.form != "ing" and word not in lexicon().nouns_too


def _spellings(said: str) -> list[str]:
    if said.endswith("ies"):
        return [said, f"{said[:-3]}y"]
    return [said, said.removesuffix("s")] if said.endswith("s") else [said]


def animal(text: str) -> Value | None:
    known = of_class("animal")(text)
    if known is None:
        return None
    eaten = known.value in lexicon().of_class("food") or known.value in ("fish", "chicken", "duck")
    first = text.casefold().split()[0]
    if (
        eaten
        and first not in ("a", "my", "our", "pet", "some")
        and first not in lexicon().numbers
        and not first.isdigit()
    ):
        return None  # fish for dinner
    one = {"mice": "mouse", "geese": "goose", "puppies": "puppy", "kitties": "kitty", "bunnies": "bunny"}.get(
        known.value, known.value.removesuffix("s")
    )
    return Value(value=one if one in lexicon().of_class("animal") else known.value, surface=known.surface)


def major(text: str) -> Value | None:
    said = bare(text)
    low = said.casefold()
    for ending in (" major", " degree", " student", " undergrad"):
        low = low.removesuffix(ending)
    meaning = lexicon().canonical.get(low, low)
    if meaning in lexicon().of_class("major") or low in lexicon().of_class("major"):
        return Value(value=meaning if meaning != low else said[: len(low)], surface=text.strip())
    return None


def nationality(text: str) -> Value | None:
    known = of_class("nationality", people=True)(text)
    exact = known is not None and bare(text).casefold().split()[0] in known.value.split()
    return Value(value=known.value.title(), surface=known.surface) if known is not None and exact else None


def religion(text: str) -> Value | None:
    known = of_class("religion", people=True)(text)
    return Value(value=known.value.title(), surface=known.surface) if known is not None else None


def color(text: str) -> Value | None:
    """Mustard yellow, navy."""
    said = bare(text)
    words = said.casefold().split()
    known = bool(words) and (words[-1] in lexicon().of_class("color") or words[0] in lexicon().of_class("color"))
    return Value(value=said, surface=text.strip()) if known and len(words) <= 3 else None


READERS: Final[dict[str, Reader]] = {
    "age": age,
    "animal": animal,
    "birth_year": birth_year,
    "blood": blood,
    "color": color,
    "condition": of_class("condition"),
    "diet": of_class("diet", people=True),
    "doing": noun,
    "exercise": of_class("exercise"),
    "family": family,
    "firm": firm,
    "gender": gender,
    "hand": hand,
    "height": height,
    "hobby": of_class("hobby"),
    "instrument": of_class("instrument"),
    "job": job,
    "language": of_class("language"),
    "major": major,
    "mbti": mbti,
    "medicine": of_class("medicine"),
    "month_day": month_day,
    "name": name,
    "nationality": nationality,
    "noun": noun,
    "phobia": of_class("phobia"),
    "phone": phone,
    "place": place,
    "relatives": relatives,
    "religion": religion,
    "season": of_class("season", people=True),
    "status": status,
    "thing": thing,
    "trait": of_class("trait", people=True),
    "weight": weight,
}
