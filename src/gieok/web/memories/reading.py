"""What a page reads and changes in a mind in one go, in a thread of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from gieok.bank import Mind
from gieok.bank.pages import Month, Narrowed
from gieok.domain.acting import Actor
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation
from gieok.domain.turn import Turn
from gieok.errors import UnknownMemory
from gieok.web.memories.looking import Looking
from gieok.web.memories.telling import Row, row
from gieok.web.visitors import Visitor

PAGE: Final = 50  #: memories shown at once
_MADE_FROM: Final = 20  #: that are told of a memory that was made from others
SOURCES: Final = 12  #: turns that are told of a memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Leafed:
    """Some rows, and where to go on; None: there are no more."""

    rows: tuple[Row, ...]
    following: Any  #: what is handed in to go on


@dataclass(frozen=True, slots=True, kw_only=True)
class Full:
    """Everything that is told of one memory."""

    memory: Memory
    present: datetime
    strength: float
    history: Sequence[tuple[Operation, Change]]
    actors: Mapping[int, Actor]  #: who did it, by the number of the operation
    sources: Sequence[Turn]
    more_sources: bool
    line: Sequence[Memory]
    made_from: Sequence[Memory]


def table_page(mind: Mind, looking: Looking, visitor: Visitor) -> Leafed:
    """Return a page of the table."""
    found = mind.memories(PAGE + 1, before=looking.before, **looking.which(visitor.bank.settings.zone))
    rows = _rows(mind, [leaf.memory for leaf in found[:PAGE]], visitor)
    return Leafed(rows=rows, following=found[PAGE - 1].place if len(found) > PAGE else None)


def month_page(mind: Mind, which: Narrowed, reached: Any, visitor: Visitor) -> Leafed:
    """Return some memories of a month, the latest first, below what was `reached`."""
    found = mind.story(PAGE + 1, before=reached, **which)
    rows = _rows(mind, [leaf.memory for leaf in found[:PAGE]], visitor)
    return Leafed(rows=rows, following=found[PAGE - 1] if len(found) > PAGE else None)


def months(mind: Mind, looking: Looking, visitor: Visitor) -> list[Month]:
    return mind.months(**looking.which(visitor.bank.settings.zone))


def row_of(mind: Mind, memory_id: str, visitor: Visitor) -> Row:
    return _rows(mind, [mind.memory(memory_id)], visitor)[0]


def full(mind: Mind, memory_id: str) -> Full:
    """Return all about a memory. Raises `UnknownMemory`."""
    memory = mind.memory(memory_id)
    turns = mind.sources(memory_id, SOURCES + 1)
    return Full(
        memory=memory,
        present=mind.present(),
        strength=mind.strengths([memory])[memory.id],
        history=mind.history(memory_id),
        actors={each.operation: each.actor for each in mind.versions(memory_id) if each.actor is not None},
        sources=turns[:SOURCES],
        more_sources=len(turns) > SOURCES,
        line=mind.lineage(memory_id),
        made_from=_known(mind, memory.made_from[:_MADE_FROM]),
    )


def each_of(mind: Mind, memory_ids: Sequence[str], act: Callable[[Mind, str], object]) -> int:
    """Do the same to several memories; return to how many. What was forgotten meanwhile is left as it is."""
    done = 0
    for memory_id in memory_ids:
        try:
            act(mind, memory_id)
        except UnknownMemory:
            continue
        done += 1
    return done


def _rows(mind: Mind, memories: Sequence[Memory], visitor: Visitor) -> tuple[Row, ...]:
    strengths, present = mind.strengths(memories), mind.present()
    return tuple(row(memory, strengths[memory.id], present, visitor) for memory in memories)


def _known(mind: Mind, memory_ids: Sequence[str]) -> list[Memory]:
    known = []
    for memory_id in memory_ids:
        try:
            known.append(mind.memory(memory_id))
        except UnknownMemory:
            continue
    return known
