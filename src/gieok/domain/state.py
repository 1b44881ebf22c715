"""State records beside memories: the relationship, manners, people and scenes.

Each is a frozen value with an id within the scope. A change is a `Move`. It is journalled with its causes and undone by
its inverse, as for a memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, TypeVar

from gieok.domain.entity import Entity
from gieok.domain.relationship import TOP, Axis, Manners, Relationship, Shift, level_after, raised_axis, score
from gieok.domain.scene import Scene
from gieok.domain.upkeep import Ran

DIRECTOR: Final = "director"  #: the id of the note, and the cause of a director's changes
MOST: Final = 3.0  #: maximum points by which a director may move an axis after one turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """The requested change of one axis, limited to ±`MOST`."""

    axis: Axis
    points: float
    words: str = ""  #: reason


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A director's note for the character's next reply."""

    text: str
    turn_number: int  #: the turn it was left after; it is void after another one
    at: datetime | None = None  #: story time of that turn
    by: str = ""  #: prompt and model


def directed_relationship(before: Relationship, deltas: Sequence[Delta]) -> tuple[Relationship, tuple[Shift, ...]]:
    """Return the relationship after a director's changes, one per axis, and every shift."""
    after = before
    shifts: dict[Axis, Shift] = {}
    for delta in deltas:
        value = before.axis(delta.axis)
        step = min(max(delta.points, -MOST), MOST)
        reached = raised_axis(value, step, TOP) if step > 0 else max(value + step, 0.0)
        if delta.axis in shifts or reached == value:
            continue
        after = replace(after, **{delta.axis: reached})  # type: ignore[arg-type]  # the axes are floats
        shifts[delta.axis] = Shift(axis=delta.axis, before=value, after=reached, cause=DIRECTOR, words=delta.words)
    return replace(after, level=level_after(score(after), before.level)), tuple(shifts.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Alias:
    """Another name of a person."""

    of: str  #: the entity's id


StateRecord = Relationship | Manners | Entity | Alias | Scene | Ran | Note


Kept = TypeVar("Kept", Relationship, Manners, Entity, Alias, Scene, Ran, Note)


KINDS: Final[dict[str, type[StateRecord]]] = {
    "relationship": Relationship, "manners": Manners, "entity": Entity, "alias": Alias, "scene": Scene, "pass": Ran,
    "note": Note,
}  # fmt: skip


_NAMES: Final[dict[type[StateRecord], str]] = {kind: name for name, kind in KINDS.items()}


Key = tuple[str, str]  #: kind and id


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A cause of a move."""

    name: str  #: "thanks", "absence", "turn" …
    speaker: str = ""
    words: str = ""
    axis: str = ""  #: for a relationship
    amount: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A state record before and after an operation; None: it does not exist."""

    kind: str
    id: str
    before: StateRecord | None
    after: StateRecord | None
    causes: tuple[Cause, ...] = ()

    @property
    def key(self) -> Key:
        return (self.kind, self.id)

    @property
    def inverse(self) -> Move:
        return Move(kind=self.kind, id=self.id, before=self.after, after=self.before)


class ScopeState:
    """The state records that an operation may change: a working copy that absorbs moves."""

    def __init__(self, things: Iterable[tuple[Key, StateRecord]] = ()) -> None:
        self._things: dict[Key, StateRecord] = dict(things)

    def get(self, kind: type[Kept], id: str) -> Kept | None:
        found = self._things.get((kind_of(kind), id))
        assert found is None or isinstance(found, kind), "things are kept by their kind"
        return found

    def all(self, kind: type[Kept]) -> list[tuple[str, Kept]]:
        """Return all records of a kind with their ids, sorted by id."""
        name = kind_of(kind)
        found = ((id, thing) for (kept_as, id), thing in self._things.items() if kept_as == name)
        return sorted(((id, thing) for id, thing in found if isinstance(thing, kind)), key=lambda pair: pair[0])

    def moved(self, id: str, after: StateRecord, causes: Iterable[Cause] = ()) -> Iterator[Move]:
        """Store `after`; yield the move if it changes anything."""
        kind = kind_of(type(after))
        before = self._things.get((kind, id))
        if before != after:
            self._things[kind, id] = after
            yield Move(kind=kind, id=id, before=before, after=after, causes=tuple(causes))

    def dropped(self, kind: type[StateRecord], id: str, causes: Iterable[Cause] = ()) -> Iterator[Move]:
        """Remove a record; yield the move if it existed."""
        before = self._things.pop((kind_of(kind), id), None)
        if before is not None:
            yield Move(kind=kind_of(kind), id=id, before=before, after=None, causes=tuple(causes))

    def absorb(self, moves: Iterable[Move]) -> None:
        for move in moves:
            if move.after is None:
                self._things.pop(move.key, None)
            else:
                self._things[move.key] = move.after

    def items(self) -> dict[Key, StateRecord]:
        return dict(self._things)


def kind_of(kind: type[StateRecord]) -> str:
    return _NAMES[kind]


def net_moves(before: dict[Key, StateRecord], after: dict[Key, StateRecord]) -> tuple[Move, ...]:
    keys = dict.fromkeys([*before, *after])
    moves = (Move(kind=key[0], id=key[1], before=before.get(key), after=after.get(key)) for key in keys)
    return tuple(move for move in moves if move.before != move.after)
