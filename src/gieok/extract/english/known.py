"""Changes of what is already known: not Kat, Kit; done with Fortnite; my hamster passed away; greece fell through.

Whoever gives something up names it. Knowing which facts are mentioned tells which attribute is meant, so that the few
ways of taking back, replacing and ending need no template for every attribute.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from gieok.domain.memory import Background, Memory
from gieok.extract.english.clauses import clauses
from gieok.extract.english.doings import OPEN, reader
from gieok.extract.english.grammar import parse
from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.patterns import Pattern, patterns
from gieok.extract.english.phrases import phrase_end, written
from gieok.extract.english.reading import Finding, found
from gieok.extract.english.values import Value, noun
from gieok.extract.english.words import Word, words

_GIVING_UP: Final = (
    "not", "never", "instead of", "rather than", "no more", "done with", "am over", "so over", "got over", "gone off",
    "went off", "came off", "right off", "ruled out", "dropped out of", "moved out of", "switched out of", "gave up",
    "given up", "giving up", "quit", "left", "dropped", "sold", "cancelled", "canceled", "stopped", "let go of",
    "used to be", "lost my", "lost our", "drop the", "forget the", "forget", "scrap", "scrapped", "bored of", "sick of",
    "tired of", "no longer", "gave away", "rehomed", "broke up with", "packed in", "swapped", "ditched", "binned",
    "nobody calls me", "nobody says", "do not call me", "stop calling me", "over", "conquered", "overcome", "overcame",
    "beaten", "outgrown", "outgrew", "shaken off",
)  # fmt: skip
_GIVEN_UP: Final = (
    "anymore", "any more", "no longer", "any longer", "fell through", "passed away", "died", "is over", "'s over",
    "been dethroned", "was wrong", "is wrong", "was a mistake", "is out", "is history", "was a typo", "is gone",
    "'s gone", "ran away", "crossed the rainbow", "is not my", "'s not my", "is not right", "was a lie", "is cancelled",
    "is off", "'s off", "got cancelled", "was cancelled", "let me go", "'s fine for me", "is fine for me",
    "does not have a hold",
)  # fmt: skip
#: what is allowed, borne or liked after all ends what stood against it
_ALLOWED: Final = (
    "can have", "can eat", "can drink", "can take", "can talk about", "can ask about", "can mention", "can handle",
    "can do", "fine with", "ok with", "okay with", "cool with", "fine to talk about", "ok to talk about",
    "okay to talk about", "ready to talk about", "cleared for", "cleared me for", "allowed", "allowed to have",
    "come round to", "came round to", "come around to", "came around to", "warmed to", "warmed up to", "like", "love",
    "enjoy", "learned to love", "learnt to love", "grown to love", "do not mind", "outgrown", "outgrew",
)  # fmt: skip
_AGAINST: Final = frozenset("dislikes contraindication boundary phobia allergy constraint".split())
_UNTRUE: Final = (
    "was lying",
    "was joking",
    "was kidding",
    "just joking",
    "just kidding",
    "a lie",
    "lied",
    "a joke",
    "jk",
)
_ABOUT: Final = frozenset("said told about saying when thing".split())
_PASSING: Final = frozenset("today tonight morning evening early late".split())  # left Google at six
_MISTAKEN: Final = frozenset(
    "meant wrong mistake oops typo autocorrect muddled never sorry said mixed misspoke misread "
    "mistyped actually".split()
)
_MOVING_ON: Final = frozenset(
    "moved now anymore more switched instead changed since new longer quit left stopped turned became used over".split()
)
_BEFORE_NEW: Final = frozenset("is 's am are meant said to be that now at into become says in called for".split())
_SKIPPED: Final = frozenset("the a an my our to in at of being doing type fear phobia habit love".split())
_STRESSING: Final = frozenset("actually really now just more like only about around".split())
_ENDS: Final = frozenset(".!?\n…")


def known_changes(text: str, background: Background) -> Iterator[Finding]:
    """Yield what `text` does to the facts it mentions."""
    known = (*background.mentioned, *background.doubtful)
    spoken = words(text) if known else []
    for memory in known:
        pattern = patterns().by_attribute.get(memory.attribute or "")
        at = _place(spoken, memory)
        if pattern is not None and at is not None:
            changes = _changed(spoken, text, at, memory, pattern)
            yield from (each for each in changes if not memory.doubtful or each.act in ("end", "retract"))


def _place(spoken: Sequence[Word], memory: Memory) -> tuple[int, int] | None:
    for said in (memory.surface, memory.value):
        wanted = [word.low for word in words(said or "")]
        for i in range(len(spoken) - len(wanted) + 1):
            if wanted and all(spoken[i + k].low in (low, f"{low}s") for k, low in enumerate(wanted)):
                return i, i + len(wanted)
    return None


def _changed(
    spoken: Sequence[Word], text: str, at: tuple[int, int], memory: Memory, pattern: Pattern
) -> Iterator[Finding]:
    assert memory.value is not None, "only facts with a value are mentioned"
    lows = [word.low for word in spoken]
    old = Value(value=memory.value, surface=written(spoken[at[0] : at[1]], text))
    spoken_of = f" {' '.join(lows)} "
    if any(f" {mark} " in spoken_of for mark in _UNTRUE) and _ABOUT & set(lows):
        yield found(pattern, old, act="retract")
        return
    if not _given_up(lows, at) and not _allowed(lows, at, memory):
        return
    new = _new(spoken, text, at, memory.value, pattern)
    if new is None:
        yield found(pattern, old, polarity="-", act="end")
        return
    wrong = bool(_MISTAKEN & set(lows)) or not _MOVING_ON & set(lows)
    yield found(pattern, new, act="correct" if wrong else "prefer", instead_of=memory.value)


def _given_up(lows: Sequence[str], at: tuple[int, int]) -> bool:
    """Whether the words around the old value say that it is not so, or no longer so."""
    before = _sentence_before(lows, at[0])
    after = _sentence_after(lows, at[1])
    if before[-1:] == ["from"]:
        return "to" in after[:4] or "to" in before[-6:]
    while True:
        if _gives_up(before, lows):
            return True
        if not before or before[-1] not in _SKIPPED:
            break
        before = before[:-1]
    if before[-1:] in (["said"], ["say"]) or before[-2:] == ["told", "you"]:
        return bool({"but", "meant", "?"} & set(lows))
    return any(f" {each} " in f" {' '.join(after[:10])} " for each in _GIVEN_UP)


def _allowed(lows: Sequence[str], at: tuple[int, int], memory: Memory) -> bool:
    """Whether what stood against something is lifted: I can drink milk again; I've come round to olives."""
    if memory.attribute not in _AGAINST:
        return False
    before = _sentence_before(lows, at[0])
    told = " ".join(low for low in before if low not in lexicon().adverbs)
    mark = next((each for each in _ALLOWED if f" {told}".endswith(f" {each}")), None)
    denied = {"not", "never", "no"} & set(before[-6:]) and mark != "do not mind"
    return mark is not None and not denied and not {"if", "wish", "would", "used"} & set(before)


def _gives_up(before: Sequence[str], lows: Sequence[str]) -> bool:
    told = f" {' '.join(before)}"
    mark = next((each for each in _GIVING_UP if told.endswith(f" {each}")), None)
    if mark is None or (mark == "left" and _PASSING & set(lows)):
        return False
    size = len(mark.split())
    return list(before[-1 - size : -size]) not in (["not"], ["never"])  # don't forget Seoul


def _sentence_before(lows: Sequence[str], end: int) -> list[str]:
    start = next((i + 1 for i in range(end - 1, -1, -1) if lows[i] in _ENDS), 0)
    return [low for low in lows[start:end] if low != ","]


def _sentence_after(lows: Sequence[str], start: int) -> list[str]:
    end = next((i for i in range(start, len(lows)) if lows[i] in _ENDS), len(lows))
    return list(lows[start:end])


def _new(spoken: Sequence[Word], text: str, at: tuple[int, int], old: str, pattern: Pattern) -> Value | None:
    """Return the value that stands in for `old`: what is named beside it, or after "it's", "meant" and so on."""
    free = (
        pattern.value in ("noun", "thing", "name", "firm", "place", "job", "color", "school") or pattern.value in OPEN
    )
    for start in _places(spoken, at):
        if at[0] <= start < at[1]:
            continue
        while start + 1 < len(spoken) and spoken[start].low in _STRESSING:
            start += 1
        end = min(phrase_end(spoken, start, title=pattern.value != "name"), at[0] if start < at[0] else len(spoken))
        for cut in range(end, start if not free else end - 1, -1):
            said = written(spoken[start:cut], text)
            value = reader(pattern.value)(said) if said else None
            if value is None and free and pattern.value not in ("place", "name", "job"):
                value = noun(said)
            if value is not None and _differs(value, old) and _fits(spoken[start:cut], free=free):
                return value
    return None


def _places(spoken: Sequence[Word], at: tuple[int, int]) -> Iterator[int]:
    """Yield where the new value may begin, the likeliest first."""
    lows = [word.low for word in spoken]
    before = next(
        (i for i in range(at[0] - 1, max(-1, at[0] - 4), -1) if lows[i] in ("not", "instead", "rather")), None
    )
    if before is not None and before > 0:
        start = before - 1 if lows[before - 1] != "," else before - 2
        while start > 0 and not spoken[start - 1].is_mark and lows[start - 1] not in _BEFORE_NEW | {"i", "it", "and"}:
            start -= 1
        yield max(start, 0)
    after = at[1]
    while after < len(lows) and (lows[after] in _ENDS or lows[after] in (",", "-", ">", "but", "and", "->", "→")):
        after += 1
    if at[1] < after < len(lows) and lows[after] not in ("i", "it", "that", "this", "my", "you", "we", "its"):
        yield after
    for i, low in enumerate(lows[:-1]):
        if low in _BEFORE_NEW:
            yield i + 1


def _differs(value: Value, old: str) -> bool:
    new, known = value.value.casefold(), old.casefold()
    return new != known and new not in known.split()


def _fits(said: Sequence[Word], *, free: bool) -> bool:
    """Whether free words can be a value: no more than a few, and no sentence."""
    if not free:
        return True
    lows = [word.low for word in said]
    if lows[0] in _IDLE or lows[-1] in _IDLE:
        return False
    whole = clauses(said)
    return len(lows) <= 5 and len(whole) == 1 and not parse(whole[0]).lemma


_IDLE: Final = frozenset(
    "i it that this you we my me not just so all way one thing nothing anything now sure ok fine good work back more "
    "cancelled canceled off out history wrong right over done gone true there here high big feeling peace".split()
)
