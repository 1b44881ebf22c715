"""Templates: how a fact is put into words, written as data and matched against a clause.

`live in|near {v}` reads: the verb live, one of two words, the value. See `patterns.en.toml` for the whole notation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.extract.english.lexicon import lexicon
from gieok.extract.english.verbs import MODALS
from gieok.extract.english.words import Word

_GAP: Final = 4
_SLOT: Final = 7  #: words in a value that something follows
_WHEN: Final = frozenset({"last", "this", "every", "two", "three"})
_REQUIRED: Final = MODALS | {"not", "simple", "perfect"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One step of a template: words of which one must stand there, a slot, or a gap."""

    words: frozenset[str] = frozenset()
    optional: bool = False
    slot: str = ""  #: kind of value
    gap: bool = False
    end: bool = False  #: nothing may follow but when, where and why


@dataclass(frozen=True, slots=True, kw_only=True)
class Template:
    """How a fact is said."""

    required: frozenset[str]  #: "not", "simple", "perfect" or modals that must be there
    heads: frozenset[str]  #: verbs in their base form; for mentions, the first words
    parts: tuple[Part, ...]
    value: str  #: "" where the slot is the value; may hold {v} and {ing}


@dataclass(frozen=True, slots=True)
class Found:
    """Where a template's slot lies; an empty stretch where there is none."""

    start: int
    end: int | None  #: None: the slot is open, it ends where its phrase ends
    kind: str


def template(written: str, kind: str) -> Template:
    """Return the template that `written` describes; `kind` is the kind of a plain {v}."""
    pattern, _, value = written.partition(" = ")
    steps = pattern.split()
    required: set[str] = set()
    while steps[0] in _REQUIRED:
        required.add(steps.pop(0))
    return Template(
        required=frozenset(required),
        heads=frozenset(steps[0].split("|")),
        parts=tuple(_part(step, kind) for step in steps[1:]),
        value=value.strip(),
    )


def mention(written: str, kind: str) -> Template:
    """Return a template that begins with any of its steps, not with a verb."""
    pattern, _, value = written.partition(" = ")
    parts = tuple(_part(step, kind) for step in pattern.split())
    return Template(required=frozenset(), heads=frozenset(), parts=parts, value=value.strip())


def _part(step: str, kind: str) -> Part:
    optional = step.startswith("?")
    step = step.removeprefix("?")
    if step == "~":
        return Part(gap=True)
    if step == "$":
        return Part(end=True)
    if step.startswith("{"):
        return Part(slot=step.strip("{}").partition(":")[2] or kind, optional=optional)
    return Part(words=frozenset(step.split("|")), optional=optional)


def match(parts: Sequence[Part], words: Sequence[Word], i: int) -> Iterator[Found]:
    """Yield where the slot of `parts`, matched from word `i` on, may lie: the likeliest first."""
    if not parts:
        yield Found(i, i, "")
        return
    part, rest = parts[0], parts[1:]
    if part.end:
        if i >= len(words) or words[i].is_mark or _sets_the_scene(words[i]):
            yield from match(rest, words, i)
    elif part.gap:
        for at in range(i, min(i + _GAP, len(words)) + 1):
            if at > i and words[at - 1].is_mark:
                return
            yield from match(rest, words, at)
    elif part.slot:
        yield from _slot(part, rest, words, i)
    else:
        at = _after_adverbs(words, i, part.words)
        if at < len(words) and words[at].low in part.words:
            yield from match(rest, words, at + 1)
        if part.optional:
            yield from match(rest, words, i)


def _sets_the_scene(word: Word) -> bool:
    return word.low in lexicon().prepositions or word.low in lexicon().time_words or word.low in _WHEN


def _slot(part: Part, rest: Sequence[Part], words: Sequence[Word], i: int) -> Iterator[Found]:
    at = _after_adverbs(words, i, frozenset())
    if at < len(words) and not rest:
        yield Found(at, None, part.slot)
    elif at < len(words):
        for end in range(at + 1, min(at + _SLOT, len(words)) + 1):
            if words[end - 1].is_mark:
                break
            if next(match(rest, words, end), None) is not None:
                yield Found(at, end, part.slot)
                break
    if part.optional:
        yield Found(at, at, "")


def _after_adverbs(words: Sequence[Word], i: int, wanted: frozenset[str]) -> int:
    adverbs = lexicon().adverbs
    while i < len(words) and words[i].low in adverbs and words[i].low not in wanted:
        i += 1
    return i
