"""Events that report the result of an operation to listeners after it is stored."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any, Final, Literal, TypeVar, get_args

from gieok.domain.decision import Decision, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import Felt
from gieok.domain.memory import Change
from gieok.domain.operation import Amend, Confirm, Hide, Learn, Operation, Reject, Undo
from gieok.domain.relationship import AXES, Manners, Relationship, level_after, score
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.state import Move
from gieok.errors import InvalidQuery
from gieok.ports import Entry, View

log = logging.getLogger(__name__)
EventName = Literal[
    "memory.remembered", "memory.reinforced", "memory.superseded", "memory.retracted", "memory.doubtful",
    "memory.confirmed", "memory.rejected", "memory.forgotten", "memory.merged", "memory.promoted", "memory.retold",
    "relationship.changed", "relationship.level", "manners.changed", "emotion.changed", "scene.started",
    "scene.ended", "reflected", "summarised", "turn.rewound",
]  # fmt: skip
EVENTS: Final[tuple[EventName, ...]] = get_args(EventName)
_LASTING_FEELING_TURNS: Final = 8  #: number of turns searched for a lasting feeling


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """An event in a scope; `what` is the memory, relationship, scene, manners or emotion concerned."""

    name: EventName
    scope: Scope
    operation: Operation
    what: Any
    before: Any = None


Handler = Callable[[Event], object]
Follower = Callable[[Sequence[Event]], object]
Listener = TypeVar("Listener", Handler, Follower)


class Listeners:
    """The handlers and followers of a bank. A failing one is logged and affects nothing else."""

    def __init__(self) -> None:
        self._handlers: defaultdict[str, list[Handler]] = defaultdict(list)
        self._followers: list[Follower] = []
        self._lock = Lock()

    def __bool__(self) -> bool:
        return bool(self._followers) or any(self._handlers.values())

    def add(self, name: str, handler: Handler) -> Callable[[], None]:
        """Call `handler` for every event with that name ("*": all events); return a function that unsubscribes it."""
        if name != "*" and name not in EVENTS:
            raise InvalidQuery(f"unknown event {name!r}; there are {', '.join(EVENTS)}, and * for all")
        return self._added(self._handlers[name], handler)

    def follow(self, follower: Follower) -> Callable[[], None]:
        """Call `follower` once per operation with all its events; return a function that unsubscribes it."""
        return self._added(self._followers, follower)

    def _added(self, listening: list[Listener], listener: Listener) -> Callable[[], None]:
        with self._lock:
            listening.append(listener)

        def remove() -> None:
            with self._lock:
                if listener in listening:
                    listening.remove(listener)

        return remove

    def on_apply(self, scope: Scope, view: View, entry: Entry) -> Callable[[Operation], None] | None:
        """Return a function that notifies listeners once the operation is written; a store hook."""
        if not self:
            return None
        felt = {each.speaker: each for turn in view.noticed(limit=_LASTING_FEELING_TURNS) for each in turn.noticed.felt}
        return lambda operation: self.tell(scope, operation, felt)

    def tell(self, scope: Scope, operation: Operation, felt_before: Mapping[str, Felt] | None = None) -> None:
        events = tuple(events_of(scope, operation, felt_before))
        for event in events:
            with self._lock:
                handlers = (*self._handlers[event.name], *self._handlers["*"])
            for handler in handlers:
                self._call(handler, event, event.name)
        with self._lock:
            followers = tuple(self._followers) if events else ()
        for follower in followers:
            self._call(follower, events, f"operation {operation.id}")

    def _call(self, listener: Callable[[Any], object], told: object, what: str) -> None:
        try:
            listener(told)
        except Exception:  # the caller's code, after the operation is stored: it must not undo the operation
            log.exception("a listener failed at %s", what)


_Part = tuple[EventName, Any, Any]  #: name, what, before
_OF_UPKEEP: Final[dict[str, EventName]] = {
    "merge": "memory.merged",
    "promote": "memory.promoted",
    "forget": "memory.forgotten",
    "reflect": "reflected",
    "summarise": "summarised",
    "retell": "memory.retold",
    "settle": "memory.superseded",
}


def events_of(scope: Scope, operation: Operation, felt_before: Mapping[str, Felt] | None = None) -> Iterator[Event]:
    """Yield the events of `operation`, in order."""
    for name, what, before in (
        *(part for decision in operation.decisions for part in _of_decision(decision)),
        *_of_request(operation, felt_before or {}),
        *(part for move in operation.moves for part in _of_state(move)),
    ):
        yield Event(name=name, scope=scope, operation=operation, what=what, before=before)


def _of_decision(decision: Decision) -> Iterator[_Part]:
    match decision:
        case Remember():
            yield "memory.doubtful" if decision.memory.doubtful else "memory.remembered", decision.memory, None
        case Reinforce():
            yield "memory.reinforced", decision.memory, decision.changes[0].before
            yield from _confirmed(decision.changes[0])
        case Supersede():
            yield "memory.remembered", decision.memory, None
            yield from _confirmed(decision.changes[0])
            for change in decision.changes[1:]:
                yield "memory.superseded", change.after, change.before
        case Retract():
            yield "memory.retracted", decision.memory, decision.changes[0].before


def _confirmed(change: Change) -> Iterator[_Part]:
    before, after = change.before, change.after
    if before is not None and after is not None and before.doubtful and not after.doubtful:
        yield "memory.confirmed", after, before


def _of_request(operation: Operation, felt_before: Mapping[str, Felt]) -> Iterator[_Part]:
    request = operation.request
    if isinstance(request, Hide):
        yield from (("memory.forgotten", change.after, change.before) for change in operation.changes)
    if isinstance(request, Amend | Confirm) and operation.changes:
        yield from _confirmed(operation.changes[0])
    if isinstance(request, Confirm):
        yield from (("memory.superseded", change.after, change.before) for change in operation.changes[1:])
    if isinstance(request, Reject):
        yield from (("memory.rejected", change.after, change.before) for change in operation.changes)
    if isinstance(request, Undo):
        yield "turn.rewound", request.operations, None
    for kept in operation.kept:
        yield _OF_UPKEEP[kept.action], kept.changes[0].after, kept.changes[0].before
    if isinstance(request, Learn) and request.noticed is not None:
        for felt in request.noticed.felt:
            earlier = felt_before.get(felt.speaker)
            if earlier is None or earlier.emotion != felt.emotion:
                yield "emotion.changed", felt, earlier


def _of_state(move: Move) -> Iterator[_Part]:
    before, after = move.before, move.after
    if isinstance(after, Relationship):
        yield "relationship.changed", after, before
        if isinstance(before, Relationship):
            level = before.level
        else:  # before their first turn: the level that precedes its shifts
            start = {axis: after.axis(axis) - sum(c.amount for c in move.causes if c.axis == axis) for axis in AXES}
            level = level_after(score(replace(after, **start)), "stranger")  # type: ignore[arg-type]  # floats
        if level != after.level:
            yield "relationship.level", after, before
    if isinstance(after, Manners) and isinstance(before, Manners) and _spoken(before) != _spoken(after):
        yield "manners.changed", after, before
    if isinstance(after, Scene):
        if before is None:
            yield "scene.started", after, None
        if after.ended_at is not None and (before is None or before != after):
            yield "scene.ended", after, before


def _spoken(manners: Manners) -> list[object]:
    return [(each.style, each.address) for each in (manners.user, manners.character)]
