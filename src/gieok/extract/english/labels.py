"""Facts that name their attribute: my blood type is O, my sister's birthday is …, Paddington 2 is my favourite film."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gieok.extract.english.doings import town
from gieok.extract.english.grammar import is_doing
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import Pattern, patterns
from gieok.extract.english.phrases import values, written
from gieok.extract.english.reading import Finding, Reading, Whose, found
from gieok.extract.english.values import READERS, Value, noun
from gieok.extract.english.whose import somebody
from gieok.extract.english.words import Word

_FAVOURITE: Final = frozenset({"favorite", "favorites", "number-one", "all-time", "go-to", "comfort"})
_BEFORE_LABEL: Final = frozenset(
    "new real current actual absolute all time all-time number one main only biggest big secret old full whole very "
    "little true ultimate worst best".split()
)
_LEADING: Final = frozenset(
    "called named on to in the a an at that about around just probably definitely still now also".split()
)
_FILLING: Final = frozenset("' not like : easily always obviously honestly hands by without".split())
_BEYOND_DOUBT: Final = frozenset({("hands", "down"), ("by", "far"), ("without", "doubt")})
_SPOKEN: Final = frozenset({"would", "must", "will", "might", "may"})
_POINTING: Final = frozenset({"it", "that", "this", "these", "those"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """An attribute that a noun phrase names, and whose it is."""

    pattern: Pattern
    owner: Whose | None  #: None: nobody is named
    favourite: bool = False


def label(words: Sequence[Word], reading: Reading) -> Label | None:
    """Return the attribute that `words` name: my favourite film, my sister's birthday, hometown."""
    bare = [word for word in words if not word.is_mark or word.low == "'s"]
    whole = " ".join(word.low for word in bare if word.low != "my").replace(" 's", "'s")
    if "'s" in whole and whole in patterns().by_label:
        return Label(pattern=patterns().by_label[whole], owner=reading.speaking.me())
    cut = next((i for i, word in enumerate(bare) if word.low == "'s"), None)
    owner: Whose | None = None
    owned = False
    if cut is not None:
        for_me = _pet_name_for_me(bare[cut + 1 :], reading)
        if for_me is not None:
            return for_me
        owner = somebody(bare[:cut], reading.speaking)
        whom = " ".join(word.low for word in bare[:cut] if word.low not in ("my", "our"))
        if whom in lexicon().best_friends and [word.low for word in bare[cut + 1 :]] == ["name"]:
            return Label(pattern=patterns().by_attribute["friend"], owner=reading.speaking.me())
        if owner is None and " ".join(word.low for word in bare[:cut]) not in ("my", "our"):
            return None
        bare, owned = bare[cut + 1 :], True
    elif bare and bare[0].low in ("my", "our", "your"):
        owner = reading.speaking.you() if bare[0].low == "your" else reading.speaking.me()
        bare, owned = bare[1:], True
    elif bare and bare[0].low in ("his", "her", "their", "its", "a", "an", "this", "that", "no"):
        return None
    elif bare and bare[0].low == "the":
        bare = bare[1:]
    named = _named([word.low for word in bare])
    if named is None or (not owned and named.pattern.attribute not in _UNOWNED and not named.favourite):
        return None
    return replace(named, owner=owner or reading.speaking.me())


_UNOWNED: Final = frozenset(
    {
        "name",
        "hometown",
        "blood_type",
        "mbti",
        "birthday",
        "nickname",
        "hobby",
        "dislikes",
        "phobia",
        "relationship_status",
        "residence",
        "weight",
    }
)


def _pet_name_for_me(words: Sequence[Word], reading: Reading) -> Label | None:
    """Gran's pet name for me."""
    lows = " ".join(word.low for word in words)
    if lows in ("pet name for me", "nickname for me", "name for me"):
        return Label(pattern=patterns().by_attribute["nickname"], owner=reading.speaking.me())
    return None


def _named(lows: Sequence[str]) -> Label | None:
    known = patterns()
    lows = list(lows)
    favourite = lows[:2] == ["number", "one"] and len(lows) > 2
    while lows and (lows[0] in _BEFORE_LABEL or lows[0] in _FAVOURITE) and not _begins_label(lows):
        favourite |= lows[0] in _FAVOURITE
        lows = lows[1:]
    if favourite:
        return _favourite(lows)
    for end in range(len(lows), 0, -1):
        pattern = known.by_label.get(" ".join(lows[:end]))
        tail = lows[end:]
        if pattern is not None and (
            not tail or tail[0] in lexicon().prepositions - {"of", "about", "to"} or tail[0] in lexicon().time_words
        ):
            return Label(pattern=pattern, owner=None)
    return None


def _begins_label(lows: Sequence[str]) -> bool:
    """Whether a label begins there, with or without when and where: best friend (since uni)."""
    return any(
        " ".join(lows[:end]) in patterns().by_label and (end == len(lows) or lows[end] in lexicon().prepositions)
        for end in range(1, len(lows) + 1)
    )


def _favourite(lows: Sequence[str]) -> Label | None:
    known = patterns()
    if not lows:
        return Label(pattern=known.by_attribute["likes"], owner=None, favourite=True)
    head = next(
        (i for i, low in enumerate(lows) if i and low in lexicon().small and " ".join(lows) not in known.by_favourite),
        len(lows),
    )
    spans = [(0, end) for end in range(len(lows), 0, -1)] + [(start, head) for start in range(1, head)]
    for start, end in spans:
        noun_said = " ".join(lows[start:end])
        pattern = known.by_favourite.get(noun_said) or known.by_favourite.get(noun_said.removesuffix("s"))
        if pattern is not None:
            return Label(pattern=pattern, owner=None, favourite=True)
    kind = lows[head - 1]
    if kind in ("thing", "things", "part", "person", "place", "bit") or not kind.isalpha() or kind in lexicon().small:
        return None
    if kind in known.by_label:
        return Label(pattern=known.by_label[kind], owner=None)
    base = known.by_attribute["favorite.food"]
    other = replace(base, attribute=f"favorite.{kind}")
    return Label(pattern=other, owner=None, favourite=True)


def changed(reading: Reading) -> Iterator[Finding]:
    """I changed my name to Alex."""
    said = reading.said
    lows = [word.low for word in said.rest]
    if (
        said.lemma not in ("change", "switch", "update")
        or "to" not in lows
        or said.negated
        or said.modals
        or said.asking
    ):
        return
    at = lows.index("to")
    named = label(said.rest[:at], reading)
    if named is not None and reading.mine and at + 1 < len(lows):
        yield from _value_of(named, replace(reading, said=replace(said, past=False)), said.rest[at + 1 :])


def labelled(reading: Reading) -> Iterator[Finding]:
    """Read "my X is Y", and "Y is my X"."""
    said = reading.said
    if said.lemma == "have" and [word.low for word in said.rest[:2]] == ["to", "be"]:
        reading = replace(reading, said=replace(said, lemma="be", rest=said.rest[2:]))  # would have to be
        said = reading.said
    if said.doing and not said.perfect and said.lemma != "be" and said.subject:
        reading = _doing_named(reading)  # my dream is opening a bakery
        said = reading.said
    if said.lemma not in ("be", "become", "say") or said.asking or (said.modals and not said.modals <= _SPOKEN):
        return
    if [word.low for word in said.rest[:1]] == ["home"] and said.lemma == "be" and said.subject and not said.negated:
        place = town(written(said.subject, reading.text))  # Glasgow is home
        if place is not None:
            yield found(patterns().by_attribute["residence"], place, past=said.past, whose=reading.speaking.me())
        return
    named = label(said.subject, reading) if said.subject else None
    if named is not None:
        yield from _value_of(named, reading, said.rest)
        return
    named = label(said.rest, reading) if said.rest and said.rest[0].low in ("my", "our", "your", "the") else None
    if said.lemma == "be" and named is None:
        yield from _announced(reading)
    if named is None or said.lemma != "be":
        return
    value = _value_before(named, reading)
    if value is not None:
        yield from _stated(named, reading, value)


def _doing_named(reading: Reading) -> Reading:
    said = reading.said
    named = label(said.subject, reading)
    start = said.rest[0].start if said.rest else len(reading.text) + 1
    at = next((i for i in range(len(said.clause.words) - 1, -1, -1) if said.clause.words[i].start < start), None)
    if named is None or named.pattern.value != "doing" or at is None:
        return reading
    return replace(reading, said=replace(said, lemma="be", doing=False, rest=said.clause.words[at:]))


def _announced(reading: Reading) -> Iterator[Finding]:
    """I changed my name, it's Kit: what the clause before has named."""
    said, before = reading.said, reading.before
    if [word.low for word in said.subject] != ["it"] or before is None or said.past or not said.rest:
        return
    words = before.clause.words
    at = next((i for i, word in enumerate(words) if word.low in ("my", "new")), None)
    if at is None or before.asking:
        return
    lows = [word.low for word in words[at + 1 : at + 5]]
    named = next((each for end in range(len(lows), 0, -1) if (each := _named(lows[:end])) is not None), None)
    if named is not None:
        yield from _value_of(replace(named, owner=reading.speaking.me()), reading, said.rest)


def _value_of(named: Label, reading: Reading, rest: Sequence[Word]) -> Iterator[Finding]:
    at = 0
    while at < len(rest) and (rest[at].low in _LEADING or rest[at].low in _FILLING):
        at += 2 if (rest[at].low, rest[min(at + 1, len(rest) - 1)].low) in _BEYOND_DOUBT else 1
    called = next((i + 1 for i, word in enumerate(rest) if word.low in ("called", "named")), None)
    if called is not None and named.pattern.value == "name":
        at = called
    start = max(at - 1, 0) if at and rest[at - 1].low in ("a", "an", "the") else at
    if start >= len(rest):
        return
    pattern = named.pattern
    kind = "town" if pattern.value == "place" else pattern.value  # home is quiet
    got = list(values(rest, start, kind, reading.text, many=pattern.many, title=named.favourite))
    if not got and pattern.free and (start < at or rest[start].capital or is_doing(rest[start])):
        got = list(values(rest, start, "noun", reading.text, many=False, title=False))
    for value in got:
        yield from _stated(named, reading, value)


def _stated(named: Label, reading: Reading, value: Value) -> Iterator[Finding]:
    said = reading.said
    over = said.past or said.formerly
    if over and said.lemma == "be" and named.pattern.attribute in ("birthday", "age", "weight", "height"):
        return  # my birthday was fun; my weight was 60 then
    pattern = named.pattern if not named.favourite else _of_kind(named.pattern, value)
    against = said.negated or said.ended
    yield found(
        pattern,
        value,
        polarity="-" if against else "+",
        act="end" if said.ended else "assert",
        past=over and said.lemma == "be" and not against,
        whose=named.owner,
    )


def _of_kind(pattern: Pattern, value: Value) -> Pattern:
    """Return which favourite it is where only the value tells: my favourite is ramen."""
    if pattern.attribute != "likes":
        return pattern
    words = value.value.casefold().split()
    kind = next(
        (lexicon().class_of[part] for part in (value.value.casefold(), words[-1]) if part in lexicon().class_of), ""
    )
    return patterns().by_class.get(kind, pattern)


def _value_before(named: Label, reading: Reading) -> Value | None:
    """Return the value that stands before "is my …"; it and that point back to the words before."""
    said = reading.said
    subject = [word for word in said.subject if not word.is_mark]
    if len(subject) == 1 and subject[0].low in _POINTING:
        if reading.before is None or reading.before.lemma or not reading.before.rest:
            return None
        before = [word for word in reading.before.rest if not word.is_mark]
        if not before or before[0].low in lexicon().prepositions:
            return None
        return _typed(named.pattern, written(before, reading.text)) if 0 < len(before) <= 5 else None
    if not subject or subject[0].low in lexicon().pronouns:
        return None
    if named.pattern.value == "name":  # Dorothy from bridge club
        cut = next((i for i, word in enumerate(said.subject) if word.low in lexicon().prepositions), len(said.subject))
        return _typed(named.pattern, written(said.subject[:cut], reading.text))
    return _typed(named.pattern, written(said.subject, reading.text))


def _typed(pattern: Pattern, said: str) -> Value | None:
    value = READERS[pattern.value](said)
    return value or (noun(said) if pattern.free else None)
