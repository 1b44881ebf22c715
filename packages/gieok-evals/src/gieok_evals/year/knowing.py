"""Whether what was told is known: as a current fact, and in the context of a question about it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok_evals.figures import Share
from gieok_evals.statement import fold
from gieok_evals.year.generator import Line
from gieok_evals.year.living import Living
from gieok_evals.year.people import Fact

_NONE: Final = Share()


@dataclass(frozen=True, slots=True, kw_only=True)
class Knowing:
    """What was known at a moment of what had been told."""

    current: Share = _NONE  #: facts that are current
    asked: Share = _NONE  #: facts in the context of a question about them
    unasked: Share = _NONE  #: cautions in the context of a question about something else
    outdated: Share = _NONE  #: values that have changed, and are current no more
    misses: tuple[str, ...] = ()

    def __add__(self, other: Knowing) -> Knowing:
        return Knowing(
            current=self.current + other.current,
            asked=self.asked + other.asked,
            unasked=self.unasked + other.unasked,
            outdated=self.outdated + other.outdated,
            misses=(*self.misses, *other.misses),
        )


def fact_of(line: Line) -> Fact | None:
    return line.told.fact if line.told is not None else None


def standing_facts(lines: Iterable[Line]) -> list[Line]:
    """Return the lines whose facts hold after `lines`: those that no later line has ended."""
    standing: list[Line] = []
    for line in lines:
        fact = fact_of(line)
        if fact is not None:
            standing = [each for each in standing if not _ended(each, fact)]
            standing.append(line)
    return standing


def _ended(line: Line, later: Fact) -> bool:
    fact = fact_of(line)
    assert fact is not None
    return (
        fact.attributes == later.attributes and fact.about == later.about and bool(set(fact.values) & set(later.ends))
    )


def known(
    mind: Living,
    lines: Sequence[Line],
    in_view: Sequence[Memory],
    at: datetime,
    heard: Mapping[Line, frozenset[str]],
    aside: str,
) -> Knowing:
    """Look for the facts of `lines` among what is in view, and in contexts.

    `heard` are the utterances of each line, `aside` is a question about something else.
    """
    beside = mind.context(aside, at=at).items
    return sum((_one(mind, line, in_view, at, heard[line], beside) for line in lines), Knowing())


def _one(
    mind: Living,
    line: Line,
    in_view: Sequence[Memory],
    at: datetime,
    heard: frozenset[str],
    beside: Sequence[str],
) -> Knowing:
    fact = fact_of(line)
    assert fact is not None
    right = {memory.id for memory in in_view if states(memory, fact, fact.values)}
    old = [memory.content for memory in in_view if states(memory, fact, fact.ends)] if fact.ends else []
    result = Knowing(
        current=Share().counted(bool(right)),
        outdated=Share().counted(not old) if fact.ends else _NONE,
        misses=(
            *([] if right else [f"not current: {_shown(line)}"]),
            *(f"current still: {content} – {_shown(line)}" for content in old),
        ),
    )
    if attribute(fact.attributes[0]).category == "caution":
        result += Knowing(unasked=Share().counted(bool(right & set(beside))))
    if line.told is not None and line.told.ask is not None:
        context = mind.context(line.told.ask, at=at)
        found = bool((right | heard) & set(context.items)) or _stands_in(context.text, fact.values)
        result += Knowing(asked=Share().counted(found), misses=() if found else (f"not in context: {_shown(line)}",))
    return result


def states(memory: Memory, fact: Fact, values: Sequence[str]) -> bool:
    """Whether `memory` states `fact` with one of `values`."""
    if memory.attribute not in fact.attributes:
        return False
    whom = memory.subject if memory.subject == "user" else memory.subject_id
    if fold(fact.about) not in fold(whom):
        return False
    written = (memory.value or "", memory.surface or "")
    return any(_holds(text, value) for text in written for value in values)


def _holds(text: str, value: str) -> bool:
    """Whether `value` stands in `text`; a number only as a whole."""
    if value.isdigit():
        return re.search(rf"(?<!\d){value}(?!\d)", text) is not None
    return fold(value) in fold(text)


def _stands_in(text: str, values: Sequence[str]) -> bool:
    """Whether a context says one of `values` in words that cannot be chance."""
    return any(_holds(text, value) for value in values if len(value) > 1)


def _shown(line: Line) -> str:
    fact = fact_of(line)
    assert fact is not None
    return f"{fact.attributes[0]}={fact.values[0]} (day {line.day}: {line.text})"
