"""What a director leaves behind: a note for the next turn, and how far the two moved in the last one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from gieok.domain.relationship import Relationship, Shift, level_after, risen, score
from gieok.domain.relationship_rules import TOP, Axis

DIRECTOR: Final = "director"  #: the id of the note, and the cause of what it moved
MOST: Final = 3.0  #: points that a director may move an axis after one turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """How far one axis should move; cut to `MOST` either way."""

    axis: Axis
    points: float
    words: str = ""  #: why


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What the character is to mind in its next reply."""

    text: str
    turn_number: int  #: of the turn it was left after; it is of no use after another one
    at: datetime | None = None  #: story time of that turn
    by: str = ""  #: prompt and model


def directed(before: Relationship, deltas: Sequence[Delta]) -> tuple[Relationship, tuple[Shift, ...]]:
    """Return the relationship as a director moves it, each axis once, and every shift."""
    after = before
    shifts: dict[Axis, Shift] = {}
    for delta in deltas:
        value = before.axis(delta.axis)
        step = min(max(delta.points, -MOST), MOST)
        reached = risen(value, step, TOP) if step > 0 else max(value + step, 0.0)
        if delta.axis in shifts or reached == value:
            continue
        after = replace(after, **{delta.axis: reached})  # type: ignore[arg-type]  # the axes are floats
        shifts[delta.axis] = Shift(axis=delta.axis, before=value, after=reached, cause=DIRECTOR, words=delta.words)
    return replace(after, level=level_after(score(after), before.level)), tuple(shifts.values())
