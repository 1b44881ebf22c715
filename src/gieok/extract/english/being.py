"""What somebody is: I'm Anna, 27, a nurse from Busan; single and fed up; INFP here."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile
from typing import Final

from gieok.extract.english.doings import reader
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import Pattern, patterns
from gieok.extract.english.phrases import phrase_end, values, written
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.values import Value, name
from gieok.extract.english.verbs import BE
from gieok.extract.english.words import Word

_LIKENESS: Final = frozenset({"like", "as", "more", "less"})
_NEARLY: Final = frozenset({"nearly", "almost"})
_OUT_OF_WORK: Final = frozenset({"unemployed", "retired", "self-employed"})
_FIGURATIVE: Final = frozenset(
    "basically practically literally virtually essentially honestly almost kinda sorta".split()
)
_PASSING: Final = frozenset({"age", "trait", "gender", "family", "handedness", "nationality"})  # was 12, was quiet
_UNITS: Final = frozenset(
    "minutes minute hours hour days day weeks week months percent % km miles dollars pages cm kg".split()
)
#: what a sentence without a verb may say of its speaker; with "here" at its end it may say more
_FRAGMENTS: Final = frozenset({"mbti", "handedness", "relationship_status", "diet", "family"})
_SURE: Final = (("here",), ("through", "and", "through"), ("by", "trade"), ("by", "day"), ("household",))
_WITH_UNIT: Final = {"height": "feet", "weight": "kilos"}
_NATIVE: Final = (["born", "and", "bred"], ["born", "and", "raised"], ["born", "&", "bred"])
_LONGEST: Final = 6


def being(reading: Reading) -> Iterator[Finding]:
    """Read the parts of what somebody is said to be."""
    said = reading.said
    if said.lemma != "be" or said.doing or reading.about is None or said.modals or not said.clause.words:
        return
    if not said.subject and not _carried(reading):
        return
    if said.rest and said.rest[0].low in _LIKENESS:
        return
    yield from _coming_from(reading)
    for segment in _segments(said.rest):
        got = list(_typed(reading, segment))
        yield from got or _introduced(reading, segment)
        if any(finding.attribute == "job" and finding.polarity == "+" for finding in got):
            yield from _employed(reading, segment)


def _coming_from(reading: Reading) -> Iterator[Finding]:
    """Anna, 27, from Busan."""
    rest = reading.said.rest
    at = next((i for i, word in enumerate(rest) if word.low == "from" and i and rest[i - 1].low == ","), None)
    if at is not None and at + 1 < len(rest) and not reading.said.negated:
        for value in values(rest, at + 1, "town", reading.text, many=False, title=False):
            yield found(patterns().by_attribute["hometown"], value)


def _employed(reading: Reading, segment: Sequence[Word]) -> Iterator[Finding]:
    """A nurse at St Mary's."""
    rest = reading.said.rest
    at = next((i + 1 for i, word in enumerate(rest) if word is segment[-1]), len(rest))
    if at + 1 < len(rest) and rest[at].low in ("at", "for", "with"):
        attribute = "school" if segment[-1].low in _STUDENTS else "workplace"
        for value in values(rest, at + 1, "firm", reading.text, many=False, title=False):
            yield found(patterns().by_attribute[attribute], value, past=reading.said.past or reading.said.formerly)


_STUDENTS: Final = frozenset("student freshman sophomore undergrad postgrad junior senior".split())


def _carried(reading: Reading) -> bool:
    """Whether the subject of "am 27 and …" is left out."""
    adverbs = lexicon().skippable
    first = next((word.low for word in reading.said.clause.words if word.low not in adverbs and not word.is_mark), "")
    return first in ("am", "was", "used", "been", "currently", "still", "not", "stopped")


def fragment(reading: Reading) -> Iterator[Finding]:
    """Read a sentence without a verb: INFP, which is why …; only child here; five foot two and …."""
    said = reading.said
    if said.asking or not said.rest:
        return
    left_out = said.lemma == "be" and not said.subject and not any(word.low in BE for word in said.clause.words)
    if said.lemma and not left_out:
        yield from _afterthought(reading)
        return
    words = list(dropwhile(lambda word: word.low in lexicon().openers, said.clause.words))
    end, sure = _before_mark(words)
    role = _role(words) if said.clause.intro == "" else 0
    words, sure, end = words[role:], sure or role > 0, min(end, len(words) - role)
    if said.clause.intro not in ("", "-", "—") and not sure:
        return
    for segment in _segments(words[:end]):
        text = written(segment, reading.text)
        for pattern in _of_fragments(sure=sure):
            wed = pattern.attribute == "relationship_status" and _wed_to_it(words, segment)
            value = reader(_WITH_UNIT.get(pattern.value, pattern.value))(text) if not wed else None
            if value is not None and (sure or _tells_itself(pattern, segment, value)):
                yield found(pattern, value, polarity="-" if _negated(said.clause.words) else "+")
        if not sure:
            return
        if len(segment) == 1 and end == 1:
            yield from _named(reading, segment)


def _role(words: Sequence[Word]) -> int:
    """Return how many words only lead up to what somebody is: total | perfectionist, born and bred | Scot."""
    if [word.low for word in words[:3]] in _NATIVE:
        return 3
    return next((i for i, word in enumerate(words) if word.low not in lexicon().roles), 0)


def _wed_to_it(words: Sequence[Word], segment: Sequence[Word]) -> bool:
    """Married to my work."""
    last = segment[-1] if segment else None
    after = next((i + 1 for i, word in enumerate(words) if word is last), len(words))
    return [word.low for word in words[after : after + 1]] == ["to"]


def _afterthought(reading: Reading) -> Iterator[Finding]:
    """Been driving for years, lorry driver through and through."""
    words = reading.said.rest
    comma = next((i for i in range(len(words) - 1, -1, -1) if words[i].low == ","), None)
    tail = words[comma + 1 :] if comma is not None else ()
    end, sure = _before_mark(tail)
    if sure and reading.mine:
        for pattern in _of_fragments(sure=True):
            value = reader(pattern.value)(written(tail[:end], reading.text))
            if value is not None:
                yield found(pattern, value)


def _before_mark(words: Sequence[Word]) -> tuple[int, bool]:
    """Return where the words before "here" end; if there is none, all of them count, with less trust."""
    for at in range(1, min(len(words), _LONGEST) + 1):
        if any(tuple(word.low for word in words[at : at + len(mark)]) == mark for mark in _SURE):
            return at, True
    return len(words), False


def _of_fragments(*, sure: bool) -> list[Pattern]:
    known = patterns()
    if sure:
        return [
            *known.alone,
            known.by_attribute["blood_type"],
            known.by_attribute["birth_year"],
            known.by_attribute["major"],
        ]
    return [
        *(pattern for pattern in known.alone if pattern.attribute in _FRAGMENTS | {"age", "gender", "job"}),
        known.by_attribute["height"],
        known.by_attribute["weight"],
    ]


def _tells_itself(pattern: Pattern, segment: Sequence[Word], value: Value) -> bool:
    if pattern.attribute == "job":
        return value.value.casefold() in _OUT_OF_WORK
    if pattern.attribute == "age":
        return any("old" in word.low or word.low in ("young", "yo") for word in segment) or _age_and_sex(segment)
    if pattern.attribute == "gender":
        return _age_and_sex(segment)
    return len(segment) <= 4


def _age_and_sex(segment: Sequence[Word]) -> bool:
    """27F."""
    low = segment[0].low
    return len(segment) == 1 and low[-1] in "mf" and low[:-1].isdigit()


def _negated(words: Sequence[Word]) -> bool:
    return bool(words) and words[0].low == "not"


def _segments(rest: Sequence[Word]) -> Iterator[Sequence[Word]]:
    """Yield the phrases of a complement: Anna | 27 | a nurse; what follows a preposition is left to the templates."""
    at = 0
    while at < len(rest):
        word = rest[at]
        if word.low == "not" and at:
            return
        if (
            word.is_mark
            or word.low in ("and", "or", "but", "also", "not", "&", "such")
            or word.low in lexicon().adverbs
        ):
            at += 1
            continue
        if word.low in lexicon().prepositions - {"like"}:
            return
        end = phrase_end(rest, at)
        yield rest[at:end]
        following = rest[end].low if end < len(rest) else ""
        if following not in (",", "and", "&", "/", "or"):
            return
        at = end


def _typed(reading: Reading, segment: Sequence[Word]) -> Iterator[Finding]:
    said = reading.said
    rest = list(segment)
    while rest:
        got = list(_whole(reading, rest))
        if got:
            for pattern, value in got:
                past = said.past or said.formerly
                if past and pattern.attribute in _PASSING:
                    continue
                against = said.negated or said.ended
                yield found(
                    pattern, value, polarity="-" if against else "+", act="end" if said.ended else "assert",
                    past=past and not against,
                )  # fmt: skip
            return
        cut = _first_typed(rest, reading.text)
        if cut is None:
            return
        yield from _typed(reading, rest[:cut])
        rest = rest[cut:]


def _first_typed(words: Sequence[Word], text: str) -> int | None:
    """Return where an age or a status at the head of a phrase ends: a 27-year-old | nurse, a divorced | woman."""
    for cut in range(min(len(words) - 1, 4), 0, -1):
        said = written(words[:cut], text)
        aged = reader("age")(said) is not None and "old" in said.casefold()
        status = reader("status")(said) is not None
        counted = words[cut].low.isdigit() or words[cut].low in lexicon().numbers
        if aged or (status and (counted or words[-1].low in ("man", "woman", "guy", "girl", "lady"))):
            return cut
    return None


def _whole(reading: Reading, words: Sequence[Word]) -> Iterator[tuple[Pattern, Value]]:
    text = written(words, reading.text)
    figurative = bool(_FIGURATIVE & reading.said.adverbs)
    for pattern in patterns().alone:
        value = reader(pattern.value)(text)
        if value is None or (figurative and pattern.attribute in ("job", "family")):
            continue
        if pattern.attribute == "age" and (
            _some_day(reading) or _has_unit(reading, words) or _NEARLY & reading.said.adverbs
        ):
            continue
        if pattern.attribute == "gender" and (len(words) > 4 or text.casefold().startswith("the ")):
            continue
        if pattern.attribute == "handedness" and text.casefold() in ("left", "right"):
            continue  # you're right
        if pattern.attribute == "job" and words[0].low == "the" and _at_work(reading, words):
            yield pattern, value
            continue
        if pattern.attribute == "job" and words[0].low in ("the", "your", "his", "her", "their", "my", "our"):
            continue
        yield pattern, value


def _at_work(reading: Reading, words: Sequence[Word]) -> bool:
    """The librarian at a primary school: one of its kind, where somebody works."""
    rest = reading.said.rest
    after = next((rest[i + 1].low for i, word in enumerate(rest[:-1]) if word is words[-1]), "")
    return after in ("at", "for", "here") and reading.mine


def _some_day(reading: Reading) -> bool:
    """When I'm 64."""
    said = reading.said
    first = said.before[0].low if said.before else said.clause.intro
    return first in ("when", "until", "till", "once", "by", "before", "after")


def _has_unit(reading: Reading, words: Sequence[Word]) -> bool:
    rest = reading.said.rest
    after = next((rest[i + 1].low for i, word in enumerate(rest[:-1]) if word is words[-1]), "")
    return after in _UNITS or any(word.low in _UNITS for word in words)


def _introduced(reading: Reading, segment: Sequence[Word]) -> Iterator[Finding]:
    """I'm Anna: a capital tells a name where the word is nothing else."""
    said = reading.said
    if not reading.mine and reading.about is not None and reading.about.subject != "character":
        return
    if said.negated or said.past or said.ended or said.formerly or not 1 <= len(segment) <= 2:
        return
    yield from _named(reading, segment)


def _named(reading: Reading, segment: Sequence[Word]) -> Iterator[Finding]:
    if not all(word.text.istitle() and word.text.isalpha() for word in segment):
        return
    low = " ".join(word.low for word in segment)
    known = lexicon()
    if (
        low in known.class_of
        or segment[-1].low in known.class_of
        or low in known.places
        or segment[0].low in known.no_names
    ):
        return
    value = name(written(segment, reading.text))
    if value is not None and segment[0].low not in known.regular | known.people:
        yield found(patterns().by_attribute["name"], value)
