"""A store that tells listeners of every operation once it is kept and nobody holds the scope any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final, cast

from gieok.bank.events import Listeners
from gieok.domain.emotion import Felt
from gieok.domain.operation import Operation
from gieok.domain.scope import Scope
from gieok.ports import Entry, Room, Store

_TURNS: Final = 8  #: in which a feeling that lasts is looked for


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
