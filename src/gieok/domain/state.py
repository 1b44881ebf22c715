"""What is kept beside memories: how it stands between user and character, whom they know, what they did together.

Each is a frozen value with an id of its own within the scope. A change of one is a `Move`, journalled with its causes
and undone by its inverse, as a memory's is.
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


def directed_relationship(before: Relationship, deltas: Sequence[Delta]) -> tuple[Relationship, tuple[Shift, ...]]:
    """Return the relationship as a director moves it, each axis once, and every shift."""
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
    """Another name of somebody."""

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
    """Why a thing moved."""

    name: str  #: "thanks", "absence", "turn" …
    speaker: str = ""
    words: str = ""
    axis: str = ""  #: of a relationship
    amount: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """One thing before and after an operation; None: it was not there."""

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
    """The things an operation may touch: a working copy that changes as moves fall."""

    def __init__(self, things: Iterable[tuple[Key, StateRecord]] = ()) -> None:
        self._things: dict[Key, StateRecord] = dict(things)

    def get(self, kind: type[Kept], id: str) -> Kept | None:
        found = self._things.get((kind_of(kind), id))
        assert found is None or isinstance(found, kind), "things are kept by their kind"
        return found

    def all(self, kind: type[Kept]) -> list[tuple[str, Kept]]:
        """Return everything of a kind with its id, in the order of the ids."""
        name = kind_of(kind)
        found = ((id, thing) for (kept_as, id), thing in self._things.items() if kept_as == name)
        return sorted(((id, thing) for id, thing in found if isinstance(thing, kind)), key=lambda pair: pair[0])

    def moved(self, id: str, after: StateRecord, causes: Iterable[Cause] = ()) -> Iterator[Move]:
        """Put `after` in its place; yield the move, if it is one."""
        kind = kind_of(type(after))
        before = self._things.get((kind, id))
        if before != after:
            self._things[kind, id] = after
            yield Move(kind=kind, id=id, before=before, after=after, causes=tuple(causes))

    def dropped(self, kind: type[StateRecord], id: str, causes: Iterable[Cause] = ()) -> Iterator[Move]:
        """Take a thing away; yield the move, if it was there."""
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
