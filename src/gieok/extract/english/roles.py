"""What somebody is, said by the way: as a nurse I …; being vegan is hard; at 45 I …; ten years as a paramedic."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.english.doings import reader
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import patterns
from gieok.extract.english.phrases import phrase_end, values, written
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.values import Value, name
from gieok.extract.english.verbs import ing_of
from gieok.extract.english.words import Word

_SPENT: Final = frozenset(
    "years months weeks decades decade life career job work time shift me myself i shifts".split()
)
_BEFORE_BEING: Final = frozenset(
    "of about from despite like love hate enjoy with by besides than after and not myself me".split()
)
_YOUNG: Final = frozenset("kid child baby teen teenager toddler boy girl student pupil result whole rule treat".split())
_UNREAL: Final = frozenset("wonder imagine stop quit dream dreams idea thought instead want used stopped".split())
_WOULD: Final = frozenset({"would", "must", "could", "might", "should", "may"})
_OTHERS: Final = frozenset("you your yours he she his her they their him them".split())
_GREETING: Final = frozenset("hi hello hey hiya heya meet meeting here btw yo greetings howdy".split())


def by_the_way(reading: Reading) -> Iterator[Finding]:
    """Read "as a nurse", "being vegan"."""
    words = reading.said.clause.words
    for i, word in enumerate(words[:-1]):
        if word.low == "as" and words[i + 1].low in ("a", "an", "someone", "somebody") and _as_myself(reading, i):
            yield from _roles(reading, words, i + 1)
        elif word.low == "being" and _being_myself(reading, i):
            yield from _roles(reading, words, i + 1)
            yield from _in_town(reading, words, i + 1)


def _in_town(reading: Reading, words: Sequence[Word], start: int) -> Iterator[Finding]:
    """Being a vegan in Texas."""
    at = phrase_end(words, start)
    if at + 1 < len(words) and words[at].low == "in" and words[at + 1].capital:
        for value in values(words, at + 1, "town", reading.text, many=False, title=False):
            if value.value.casefold() not in lexicon().months:
                yield found(patterns().by_attribute["residence"], value, whose=reading.speaking.me())


def _as_myself(reading: Reading, i: int) -> bool:
    words, said = reading.said.clause.words, reading.said
    lows = {word.low for word in words}
    if said.clause.ends == "?" or (said.past and not said.perfect and not lows & {"me", "my"}):
        return False  # as a waitress I saw a lot, once
    opens = i == 0 or words[i - 1].is_mark or words[i - 1].low in lexicon().openers
    if opens:
        mine = reading.mine or bool(lows & {"me", "my", "i"})
        return mine and not (said.subject and said.subject[0].low in _OTHERS)
    return words[i - 1].low in _SPENT and not lows & _OTHERS - {"you"}


def _being_myself(reading: Reading, i: int) -> bool:
    said = reading.said
    if said.modals & _WOULD or said.commanding or said.asking or said.past:
        return False
    words = said.clause.words
    lows = {word.low for word in words}
    if said.subject and said.subject[0].low in _OTHERS | {"it", "that", "this"}:
        return False
    if (
        i
        and words[i - 1].low not in _BEFORE_BEING
        and not words[i - 1].is_mark
        and words[i - 1].low not in (lexicon().openers)
    ):
        return False
    return not lows & (_OTHERS - {"you"}) and not lows & _WOULD and not _UNREAL & lows


def _roles(reading: Reading, words: Sequence[Word], start: int) -> Iterator[Finding]:
    end = phrase_end(words, start)
    if words[start].low in ("someone", "somebody"):
        with_it = [i for i in range(start, min(start + 4, len(words) - 1)) if words[i].low in ("with", "is", "'s")]
        start = with_it[0] + 1 if with_it else start
        end = phrase_end(words, start)
    rest = list(words[start:end])
    if not rest or rest[-1].low in _YOUNG:
        return
    while rest and (rest[0].low in lexicon().adverbs or rest[0].low in lexicon().roles):
        rest = rest[1:]
    text = written(rest, reading.text)
    for pattern in (*patterns().alone, patterns().by_attribute["medical_condition"]):
        if pattern.attribute == "age" and "old" not in text:
            continue
        if pattern.attribute == "relationship_status" and words[start - 1].low == "as":
            continue
        value = reader(pattern.value)(text)
        if value is not None and text:
            yield found(pattern, value, whose=reading.speaking.me())


def measured(reading: Reading) -> Iterator[Finding]:
    """At 45 I still …; at 150cm I can't reach anything."""
    said = reading.said
    before = [word for word in said.before if not word.is_mark]
    if (
        not reading.mine
        or said.past
        or said.formerly
        or said.modals & _WOULD
        or len(before) < 2
        or before[0].low != "at"
    ):
        return
    text = written(before[1:], reading.text)
    for attribute, kind in (("age", "age"), ("height", "feet"), ("weight", "kilos")):
        value = reader(kind)(text)
        if value is not None and not (attribute == "age" and int(value.value) < 13):
            yield found(patterns().by_attribute[attribute], value)
            return


def introduced(reading: Reading) -> Iterator[Finding]:
    """I'm john; it's leo here; hannah here: a lower-case name is one that is known as such."""
    said = reading.said
    words = [word for word in said.clause.words if not word.is_mark]
    subject = [word.low for word in said.subject]
    rest = [word for word in said.rest if not word.is_mark]
    me = subject == ["i"] and said.lemma == "be" and not (said.negated or said.past or said.modals)
    it = subject in (["it"], ["this"]) and said.lemma == "be" and not said.negated and not said.past
    if (
        (me or it)
        and rest
        and (len(rest) == 1 or said.rest[1].is_mark or rest[1].low in _GREETING | {"and", "from", "by"})
    ):
        yield from _called(reading, rest[0])
    if not said.lemma and len(words) in (2, 3) and words[1].low == "here":
        yield from _called(reading, words[0])
    if len(words) in (2, 3) and words[0].low == "names":
        yield from _called(reading, words[1])


def _called(reading: Reading, word: Word) -> Iterator[Finding]:
    if word.low in lexicon().first_names:
        value = name(word.text)
        if value is not None:
            yield found(patterns().by_attribute["name"], value, whose=reading.speaking.me())


def friends(reading: Reading) -> Iterator[Finding]:
    """Aisha and I have been friends since …; me and Callum are best mates."""
    lows = [word.low for word in reading.said.clause.words]
    words = reading.said.clause.words
    before = reading.before
    paired = reading.said.clause.intro == "and" and before is not None and not before.lemma
    if paired and before is not None and (reading.mine or [word.low for word in before.clause.words[-1:]] == ["me"]):
        words = (*before.clause.words, Word("and", "and", 0, 0), *words)
        lows = [word.low for word in words]
    at = next((i for i, low in enumerate(lows) if low in _FRIENDS), None)
    joint = next((i for i, low in enumerate(lows) if low == "and" and 0 < i < len(lows) - 1), None)
    if at is None or joint is None or joint > at or reading.said.negated or reading.said.asking:
        return
    sides = (words[joint - 1], words[joint + 1])
    mine = next((k for k in (0, 1) if sides[k].low in ("i", "me")), None)
    if mine is None or not sides[1 - mine].capital or not _linking(reading):
        return
    value = name(sides[1 - mine].text)
    if value is not None:
        yield found(patterns().by_attribute["friend"], value, whose=reading.speaking.me())


_FRIENDS: Final = frozenset("friends mates besties pals buddies bffs inseparable".split())


def _linking(reading: Reading) -> bool:
    return bool({word.low for word in reading.said.clause.words} & {"are", "been", "were", "am", "is"})


def for_a_living(reading: Reading) -> Iterator[Finding]:
    """I restore clocks for a living: whatever is done so is the job."""
    said = reading.said
    lows = [word.low for word in said.rest]
    at = next((i for i in range(len(lows) - 2) if lows[i : i + 3] == ["for", "a", "living"]), None)
    if at is None or reading.about is None or said.negated or said.asking or said.past or said.modals:
        return
    text = written(said.rest[:at], reading.text)
    shown = text if said.lemma == "do" else f"{ing_of(said.lemma)} {text}".strip()
    if shown:
        yield found(patterns().by_attribute["job"], Value(value=shown, surface=shown))


def now_at(reading: Reading) -> Iterator[Finding]:
    """I'm at Netflix these days."""
    said = reading.said
    now = said.adverbs & {"now", "these days", "currently", "nowadays", "at the moment", "atm"}
    if said.lemma != "be" or not reading.mine or not now or said.negated or said.past or len(said.rest) < 2:
        return
    if said.rest[0].low in ("at", "with") and said.rest[1].capital:
        for value in values(said.rest, 1, "company", reading.text, many=False, title=False):
            yield found(patterns().by_attribute["workplace"], value)


def here_in(reading: Reading) -> Iterator[Finding]:
    """Here in Denver; it's raining over here in Leith."""
    words = reading.said.clause.words
    for i, word in enumerate(words[:-2]):
        if word.low == "here" and words[i + 1].low in ("in", "near") and not reading.said.past:
            for value in values(words, i + 2, "town", reading.text, many=False, title=False):
                yield found(patterns().by_attribute["residence"], value, whose=reading.speaking.me())
