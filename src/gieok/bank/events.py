"""Telling whoever listens what became of an operation, after it is kept."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final, Literal, cast, get_args

from gieok.domain.decision import Decision, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import Felt
from gieok.domain.operation import Hide, Learn, Operation, Undo
from gieok.domain.relationship import AXES, Level, Manners, Relationship, level_after, score
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.state import Move
from gieok.errors import InvalidQuery
from gieok.ports import Entry, Room, Store

log = logging.getLogger(__name__)
EventName = Literal[
    "memory.remembered",
    "memory.reinforced",
    "memory.superseded",
    "memory.retracted",
    "memory.forgotten",
    "memory.merged",
    "memory.promoted",
    "memory.retold",
    "relationship.changed",
    "relationship.level",
    "manners.changed",
    "emotion.changed",
    "scene.started",
    "scene.ended",
    "reflected",
    "summarised",
    "turn.rewound",
]
EVENTS: Final[tuple[EventName, ...]] = get_args(EventName)
_TURNS: Final = 8  #: in which a feeling that lasts is looked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """Something that happened in a scope; `what` is the memory, relationship, scene, manners or emotion it is about."""

    name: EventName
    scope: Scope
    operation: Operation
    what: Any
    before: Any = None


Handler = Callable[[Event], object]


Follower = Callable[[Sequence[Event]], object]


class Listeners:
    """Who wants to hear of what. A handler that fails is logged, and breaks nothing."""

    def __init__(self) -> None:
        self._handlers: defaultdict[str, list[Handler]] = defaultdict(list)
        self._followers: list[Follower] = []
        self._lock = Lock()

    def add(self, name: str, handler: Handler) -> Callable[[], None]:
        """Call `handler` with every event of that name ("*": with every one); return what takes it back."""
        if name != "*" and name not in EVENTS:
            raise InvalidQuery(f"unknown event {name!r}; there are {', '.join(EVENTS)}, and * for all")
        with self._lock:
            self._handlers[name].append(handler)

        def remove() -> None:
            with self._lock:
                if handler in self._handlers[name]:
                    self._handlers[name].remove(handler)

        return remove

    def __bool__(self) -> bool:
        return bool(self._followers) or any(self._handlers.values())

    def follow(self, follower: Follower) -> Callable[[], None]:
        """Call `follower` with all events of each operation at once; return what takes it back."""
        with self._lock:
            self._followers.append(follower)

        def remove() -> None:
            with self._lock:
                if follower in self._followers:
                    self._followers.remove(follower)

        return remove

    def tell(self, scope: Scope, operation: Operation, felt_before: Mapping[str, Felt] | None = None) -> None:
        events = tuple(events_of(scope, operation, felt_before))
        self._tell_each(events)
        with self._lock:
            following = tuple(self._followers) if events else ()
        for follower in following:
            try:
                follower(events)
            except Exception:  # the caller's own code, after the operation is kept: it must not undo that
                log.exception("a follower failed at operation %s", operation.id)

    def _tell_each(self, events: Sequence[Event]) -> None:
        for event in events:
            with self._lock:
                listening = (*self._handlers[event.name], *self._handlers["*"])
            for handler in listening:
                try:
                    handler(event)
                except Exception:  # somebody else's code: whatever it raises, the turn is kept and the rest is told
                    log.exception("a handler of %s failed", event.name)


def events_of(scope: Scope, operation: Operation, felt_before: Mapping[str, Felt] | None = None) -> Iterator[Event]:
    """Yield what `operation` is worth telling, in the order in which it came about."""
    for name, what, before in (
        *_of_memories(operation),
        *_of_upkeep(operation),
        *_of_feelings(operation, felt_before),
        *(each for move in operation.moves for each in _of_things(move)),
    ):
        yield Event(name=name, scope=scope, operation=operation, what=what, before=before)


_Told = tuple[EventName, Any, Any]


def _of_memories(operation: Operation) -> Iterator[_Told]:
    for decision in operation.decisions:
        yield from _of_decision(decision)
    if isinstance(operation.request, Hide):
        yield from (("memory.forgotten", change.after, change.before) for change in operation.changes)
    if isinstance(operation.request, Undo):
        yield "turn.rewound", operation.request.operations, None


def _of_decision(decision: Decision) -> Iterator[_Told]:
    match decision:
        case Remember():
            yield "memory.remembered", decision.memory, None
        case Reinforce():
            yield "memory.reinforced", decision.memory, decision.changes[0].before
        case Supersede():
            yield "memory.remembered", decision.memory, None
            for change in decision.changes[1:]:
                yield "memory.superseded", change.after, change.before
        case Retract():
            yield "memory.retracted", decision.memory, decision.changes[0].before


def _of_upkeep(operation: Operation) -> Iterator[_Told]:
    names: dict[str, EventName] = {
        "merge": "memory.merged",
        "promote": "memory.promoted",
        "forget": "memory.forgotten",
        "reflect": "reflected",
        "summarise": "summarised",
        "retell": "memory.retold",
        "settle": "memory.superseded",
    }
    for kept in operation.kept:
        first = kept.changes[0]
        yield names[kept.action], first.after, first.before


def _of_feelings(operation: Operation, before: Mapping[str, Felt] | None) -> Iterator[_Told]:
    now = operation.request.noticed if isinstance(operation.request, Learn) else None
    if now is None:
        return
    for felt in now.felt:
        earlier = (before or {}).get(felt.speaker)
        if earlier is None or earlier.emotion != felt.emotion:
            yield "emotion.changed", felt, earlier


def _of_things(move: Move) -> Iterator[_Told]:
    before, after = move.before, move.after
    if isinstance(after, Relationship):
        yield "relationship.changed", after, before
        if _level_before(move, after) != after.level:
            yield "relationship.level", after, before
    if isinstance(after, Manners) and isinstance(before, Manners) and _spoken(before) != _spoken(after):
        yield "manners.changed", after, before
    if isinstance(after, Scene):
        if before is None:
            yield "scene.started", after, None
        if after.ended_at is not None and (before is None or before != after):
            yield "scene.ended", after, before


def _level_before(move: Move, after: Relationship) -> Level:
    """Return the level that the two came from; before their first turn, the one that its shifts lead back to."""
    if isinstance(move.before, Relationship):
        return move.before.level
    start = {axis: after.axis(axis) - sum(c.amount for c in move.causes if c.axis == axis) for axis in AXES}
    return level_after(score(replace(after, **start)), "stranger")  # type: ignore[arg-type]  # the axes are floats


def _spoken(manners: Manners) -> tuple[object, ...]:
    return (manners.user.style, manners.user.address, manners.character.style, manners.character.address)


class _TellingRoom:
    """A room that notes what it wrote. Everything else is the room's own."""

    def __init__(self, room: Room) -> None:
        self._room = room
        self.done: list[tuple[Operation, Mapping[str, Felt]]] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._room, name)

    def apply(self, entry: Entry) -> Operation:
        felt = {each.speaker: each for turn in self._room.noticed(limit=_TURNS) for each in turn.noticed.felt}
        operation = self._room.apply(entry)
        self.done.append((operation, felt))
        return operation


class AnnouncingStore:
    """Wraps a store. Everything but `locked` is the store's own."""

    def __init__(self, store: Store, listeners: Listeners) -> None:
        self._store = store
        self._listeners = listeners

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def locked(self, scope: Scope) -> Iterator[Room]:
        if not self._listeners:
            with self._store.locked(scope) as room:
                yield room
            return
        with self._store.locked(scope) as held:
            telling = _TellingRoom(held)
            yield cast(Room, telling)
        for operation, before in telling.done:
            self._listeners.tell(scope, operation, before)
