"""What comes up, was reached, decided or rules something out: an exam tomorrow, five years sober."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.extract.english.clauses import AUXILIARIES
from gieok.extract.english.doings import reader
from gieok.extract.english.grammar import Said
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import patterns
from gieok.extract.english.phrases import phrase_end, written
from gieok.extract.english.reading import Finding, Reading, found
from gieok.extract.english.routines import deed_of
from gieok.extract.english.values import Value, bare
from gieok.extract.english.verbs import ing_of
from gieok.extract.english.words import Word

_DAYS: Final = frozenset(
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri sat sun tomorrow "
    "tonight today yesterday weekend week month year morning afternoon evening fortnight".split()
)
_TIME_LEADS: Final = frozenset("on next this at in last tomorrow tonight today yesterday".split())
_HAVING: Final = frozenset({"have", "get", "attend", "go"})
_COUNTED: Final = frozenset("day days week weeks month months year years".split())
_FREE_OF: Final = frozenset(
    "sober clean smoke-free cancer-free alcohol-free nicotine-free cigarette-free debt-free".split()
)
_OFTEN: Final = frozenset(
    "weekends weekdays weeknights evenings mornings nights mondays tuesdays wednesdays thursdays fridays saturdays "
    "sundays afternoons".split()
)
_KEPT_FROM: Final = frozenset(
    "do make work take talk call meet go come stay drive have use text answer play eat be".split()
)
_DECIDED: Final = frozenset({"decide", "choose", "resolve"})


def coming_up(reading: Reading) -> Iterator[Finding]:
    """I have an interview on Friday; my driving test is on the 14th; got an exam tomorrow."""
    said = reading.said
    if said.asking or said.negated or said.modals - {"will"} or said.formerly:
        return
    words = said.clause.words
    at = next((i for i, _ in enumerate(words) if _event_ends(words, i)), None)
    when = _when(words, at + 1) if at is not None else None
    if at is None or when is None or not _own(reading, at):
        return
    start = _begins(words, at)
    named = bare(written(words[start : at + 1], reading.text))
    shown = f"{named} {written(words[when[0] : when[1]], reading.text)}"
    yield found(patterns().by_attribute["event"], Value(value=shown, surface=shown), whose=reading.speaking.me())


def _event_ends(words: Sequence[Word], i: int) -> bool:
    events = lexicon().of_class("event")
    follows = words[i + 1].low if i + 1 < len(words) else ""
    known = words[i].low in events or (i > 0 and f"{words[i - 1].low} {words[i].low}" in events)
    goes_on = (
        follows.isalpha() and follows not in lexicon().small and follows not in AUXILIARIES and not _is_time(follows)
    )
    return known and not goes_on


def _own(reading: Reading, at: int) -> bool:
    """Whether the event is the speaker's: what they have, go to or call theirs, or what is just named."""
    said = reading.said
    words = said.clause.words
    lows = [word.low for word in words[: at + 1]]
    if {"your", "his", "her", "their", "he", "she", "they", "you"} & set(lows):
        return False
    if reading.about is not None and reading.about.subject == "other":
        return False
    if {"my", "our"} & set(lows):
        return True
    if not said.lemma:
        return said.clause.intro == "" and at <= 3
    return reading.mine and said.lemma in _HAVING


def _begins(words: Sequence[Word], at: int) -> int:
    known = lexicon()
    start = at
    while start > 0:
        low = words[start - 1].low
        if words[start - 1].is_mark and low != "'s":
            break
        if low in known.determiners:
            return start - 1 if low in ("my", "our") and words[start].low in known.people else start
        if low in known.small or low in ("have", "got", "had", "having", "has", "get", "i", "we"):
            break
        start -= 1
    return start


def _when(words: Sequence[Word], start: int) -> tuple[int, int] | None:
    """Return the stretch of words that tells when."""
    for i in range(start, min(start + 8, len(words))):
        low = words[i].low
        leads = low in _TIME_LEADS
        ahead = [word.low for word in words[i + (1 if leads else 0) : i + 4]]
        if low in _DAYS or (leads and any(_is_time(each) for each in ahead)):
            end = i + 1
            while (
                end < len(words) and end < i + 5 and (_is_time(words[end].low) or words[end].low in ("the", "of", "at"))
            ):
                end += 1
            while words[end - 1].low in ("the", "of", "at"):
                end -= 1
            return (i, end) if end > i else None
    return None


def _is_time(low: str) -> bool:
    return low in _DAYS or low in lexicon().months or low in ("next", "this", "last") or low[:1].isdigit()


def went_through(reading: Reading) -> Iterator[Finding]:
    """I had my wisdom teeth out yesterday; I had surgery last week."""
    said = reading.said
    lows = [word.low for word in said.rest]
    if said.lemma not in ("have", "get") or not said.past or not reading.mine or said.negated:
        return
    at = next((i for i, low in enumerate(lows) if low in ("out", "removed", "done", "off", "fitted")), None)
    if (
        at is None
        or not 1 < at <= 4
        or lows[0] not in ("my", "a", "an")
        or (_when(said.rest, at + 1) is None and (not said.adverbs & _DAYS))
    ):
        return
    shown = bare(written(said.rest[: at + 1], reading.text))
    yield found(patterns().by_attribute["event"], Value(value=shown, surface=shown))


def reached(reading: Reading) -> Iterator[Finding]:
    """Five years sober today; I sold my first painting; I've become a grandmother."""
    said = reading.said
    words = [word for word in said.clause.words if not word.is_mark]
    mine = reading.mine or not said.subject
    for i, word in enumerate(words):
        if word.low in _FREE_OF and i > 1 and words[i - 1].low in _COUNTED and mine and not said.negated:
            shown = written(words[i - 2 : i + 1], reading.text)
            yield found(patterns().by_attribute["milestone"], Value(value=shown, surface=shown))
            return
    if reading.mine and (said.past or said.perfect) and not (said.negated or said.modals or said.doing or said.asking):
        yield from _first(reading)


def _first(reading: Reading) -> Iterator[Finding]:
    said = reading.said
    lows = [word.low for word in said.rest]
    at = next(
        (i for i, low in enumerate(lows[:3]) if low == "first" and i and lows[i - 1] in ("my", "our", "very")), None
    )
    if at is None or at + 1 >= len(lows) or said.lemma in ("be", "have", "like", "love", "see", "meet", "miss", "hate"):
        return
    thing = written(said.rest[at + 1 : phrase_end(said.rest, at + 1)], reading.text)
    done = [word for word in said.clause.words if word.end <= said.rest[0].start]
    verb = done[-1].text.casefold() if done else said.lemma
    if thing:
        shown = f"{verb} first {thing}"
        yield found(patterns().by_attribute["milestone"], Value(value=shown, surface=shown))


def decided(reading: Reading) -> Iterator[Finding]:
    """I've decided I'm taking him to court; made up my mind, we're not going."""
    said, before = reading.said, reading.before
    if before is None or not reading.mine or not said.lemma or said.asking or not _settles(before):
        return
    coming = said.modals & {"will", "would"} or (said.doing and not said.past)
    if coming:
        deed = deed_of(reading)
        shown = f"not {deed.value}" if said.negated else deed.value
        yield found(patterns().by_attribute["decision"], Value(value=shown, surface=deed.surface))


def _settles(before: Said) -> bool:
    lows = [word.low for word in before.clause.words]
    mind = "mind" in lows and bool({"made", "make"} & set(lows))
    slept = lows[:3] == ["slept", "on", "it"] or lows[-3:] == ["slept", "on", "it"]
    mine = not before.subject or before.subject[0].low in ("i", "we")
    return mine and not before.negated and (before.lemma in _DECIDED or mind or slept)


def ruled_out(reading: Reading) -> Iterator[Finding]:
    """I can't do calls before 3; I only have 20 minutes; not allowed out after ten; my budget is 50 quid."""
    said = reading.said
    if said.asking or said.past or said.perfect or reading.about is None:
        return
    rest = said.rest
    lows = [word.low for word in rest]
    capped = lows[:2] == ["more", "than"] and len(lows) > 2 and _hour(lows[2])
    if said.modals == {"can"} and said.negated and (capped or (said.lemma in _KEPT_FROM and _at_times(lows))):
        shown = f"can't {said.lemma} {_upto_mark(rest, reading.text)}".strip()
        yield _limit(shown)
    elif said.lemma in ("have", "get") and "only" in said.adverbs | set(lows[:1]) and not said.negated and reading.mine:
        yield from _only(reading, [word for word in rest if word.low not in lexicon().adverbs])
    elif said.lemma == "be" and said.negated and lows[:2] == ["allowed", "to"] and len(lows) > 2 and reading.mine:
        yield _limit(f"not allowed to {_upto_mark(rest[2:], reading.text)}")
    elif said.lemma == "be" and said.negated and lows[:1] == ["allowed"] and _at_times(lows) and reading.mine:
        yield _limit(f"not {_upto_mark(rest, reading.text)}")
    elif said.lemma == "have" and lows[:2] == ["to", "be"] and _by_hour(lows) and reading.mine:
        yield _limit(_upto_mark(rest[1:], reading.text))


def limited(reading: Reading) -> Iterator[Finding]:
    """My budget is 50 quid; curfew's at ten; no phone after 10pm."""
    said = reading.said
    subject = [word.low for word in said.subject if word.low not in ("my", "our", "the", "max")]
    if said.lemma == "be" and subject and " ".join(subject) in lexicon().of_class("limit") and not said.negated:
        owned = said.subject[0].low in ("my", "our") or len(said.subject) == len(subject)
        figure = any(word.low[:1].isdigit() or word.low in lexicon().numbers for word in said.rest)
        if owned and figure and not said.perfect and not said.past and not said.asking:
            yield _limit(f"{' '.join(subject)} {_upto_mark(said.rest, reading.text)}", reading)
        return
    words = said.clause.words
    lows = [word.low for word in words]
    if not said.subject and lows[:1] == ["no"] and _at_times(lows[1:]) and said.clause.intro == "" and len(lows) > 2:
        yield _limit(_upto_mark(words, reading.text), reading)


def _limit(shown: str, reading: Reading | None = None) -> Finding:
    whose = reading.speaking.me() if reading is not None else None
    return found(patterns().by_attribute["constraint"], Value(value=shown, surface=shown), whose=whose)


def _only(reading: Reading, rest: Sequence[Word]) -> Iterator[Finding]:
    if len(rest) < 2 or not (rest[0].low.isdigit() or rest[0].low in lexicon().numbers):
        return
    if rest[1].low in _UNITS:
        yield _limit(f"only {written(rest[:2], reading.text)}")


_UNITS: Final = frozenset(
    "mins min minutes minute hours hour hrs quid pounds dollars bucks euros gig gb days weeks won".split()
)


def _at_times(lows: Sequence[str]) -> bool:
    """Whether it is so at certain hours or days: before 3, after 10pm, weekends."""
    if set(lows) & _OFTEN:
        return True
    return any(
        low in ("before", "after", "past", "until", "till") and _hour(lows[i + 1]) for i, low in enumerate(lows[:-1])
    )


def _by_hour(lows: Sequence[str]) -> bool:
    return any(low in ("by", "before") and _hour(lows[i + 1]) for i, low in enumerate(lows[:-1]))


def _hour(low: str) -> bool:
    return (
        low[:1].isdigit() or low in lexicon().numbers or low in ("noon", "midnight", "dark", "dinner", "lunch", "work")
    )


def _upto_mark(words: Sequence[Word], text: str) -> str:
    end = next((i for i, word in enumerate(words) if word.low in (",", "but", "because", "so", "cos")), len(words))
    return written(words[:end], text)


def trains(reading: Reading) -> Iterator[Finding]:
    """I swim 40 lengths before work; I've been climbing for three years; I cycle to work."""
    said = reading.said
    doing = ing_of(said.lemma) if said.lemma else ""
    lows = [word.low for word in said.clause.words]
    if not said.subject and (not said.lemma or said.doing) and said.clause.intro == "" and not said.asking:
        value = reader("exercise")(written(said.clause.words[: phrase_end(said.clause.words, 0)], reading.text))
        if value is not None and (_OFTEN | {"twice", "every", "times"}) & set(lows) and "side" not in lows:
            yield found(patterns().by_attribute["exercise"], value)  # aqua aerobics, Tuesdays and Thursdays
            return
    kind = next((each for each in ("exercise", "hobby") if doing in lexicon().of_class(each)), "")
    if not kind or not reading.mine or said.past or said.negated or said.modals:
        return
    if said.ended or said.formerly or said.asking or (said.perfect and not said.doing):
        return
    lows = [word.low for word in said.rest]
    lasting = said.perfect and bool({"for", "since"} & set(lows))
    usual = not said.doing and (bool(_REGULAR & (set(lows) | said.adverbs)) or bool(_OFTEN & set(lows)))
    if kind == "hobby":
        usual = not said.doing and bool({"most", "weekends"} & (set(lows) | said.adverbs))
    if lasting or usual:
        yield found(patterns().by_attribute[kind], Value(value=doing, surface=doing))


_REGULAR: Final = frozenset(
    "every most daily twice weekly times always usually regularly instead before after to lengths laps miles km".split()
)
