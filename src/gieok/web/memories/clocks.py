"""The two clocks of a memory: when it was true in the story, and when it was believed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation

_THINNEST: Final = 1.5  #: per cent of the line that a span is drawn with at least
_MOMENT: Final = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch of time, and where it lies on a line that both clocks share, in per cent."""

    since: datetime
    until: datetime | None  #: None: it goes on
    left: float
    width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Clocks:
    """When it was true, and when it was known."""

    valid: Span
    known: Span


def believed_until(history: Sequence[tuple[Operation, Change]]) -> datetime | None:
    """Return since when the memory is no longer believed to hold; None: it still is.

    A memory that ends at a moment that everybody knew of beforehand is believed all along.
    """
    until: datetime | None = None
    for operation, change in history:
        if operation.undone:
            continue
        at = operation.moment.at
        if _held(change.after, at):
            until = None
        elif until is None:
            until = at
    return until


def _held(memory: Memory | None, at: datetime) -> bool:
    if memory is None or memory.hidden:
        return False
    return memory.closed_by is None and (memory.invalid_at is None or memory.invalid_at > at)


def clocks(memory: Memory, history: Sequence[tuple[Operation, Change]], present: datetime) -> Clocks:
    """Return both clocks of `memory`, on a line from the first to the last moment of either."""
    believed = believed_until(history)
    ends = [moment for moment in (memory.invalid_at, believed, present) if moment is not None]
    start = min(memory.valid_at, memory.known_at)
    end = max(*ends, memory.valid_at, memory.known_at, start + _MOMENT)
    return Clocks(
        valid=_span(memory.valid_at, memory.invalid_at, start, end),
        known=_span(memory.known_at, believed, start, end),
    )


def _span(since: datetime, until: datetime | None, start: datetime, end: datetime) -> Span:
    whole = end - start
    left = 100 * ((since - start) / whole)
    width = max(100 * (((until or end) - since) / whole), _THINNEST)
    left = max(min(left, 100 - width), 0.0)
    return Span(since=since, until=until, left=round(left, 2), width=round(min(width, 100.0), 2))
