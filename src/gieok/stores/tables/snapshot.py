"""One scope, read in one transaction, with what is known of it already: the base of every view."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock, local
from typing import Any, Final, TypeVar

from gieok.domain.answer import Item
from gieok.domain.memory import Provisions
from gieok.domain.scope import Scope, Sharing
from gieok.stores.tables.cache import ScopeCache
from gieok.stores.tables.columns import Row, dump, moment
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.scopes import find_scope, scope_key, scope_named

Answer = TypeVar("Answer")
Mask = Callable[[str], str]  #: see `gieok.ports.Hooks.mask`
_FEW: Final = 256  #: items read at once that are kept for the next query


@dataclass(slots=True)
class Shared:
    """What all handles on an open bank share."""

    embedder: str  #: whose vectors the bank takes
    cache: ScopeCache
    embedded_to: int = 0  #: where `unembedded` goes on looking
    entering: local = field(default_factory=local)  #: `at_work` in a thread that does what `Hooks.on_enter` asked for


class Snapshot:
    """Answers queries until it is left. Threads may share it; their queries take turns."""

    def __init__(self, connection: Connection, scope: Scope, shared: Shared, mask: Mask | None = None) -> None:
        self._scope = scope
        self._shared = shared
        self._mask = mask
        self._turn = Lock()
        self._here = find_scope(connection, scope)
        self._connection: Connection | None = self._here.connection
        self._answers = shared.cache.answers(self._here)  #: what was read already

    @property
    def version(self) -> int:
        return self._here.version

    @property
    def turn_number(self) -> int:
        return self._here.turn_number

    @property
    def latest_at(self) -> datetime | None:
        return self._known("latest at", None, self._latest_at)

    def _latest_at(self) -> datetime | None:
        rows = self._rows("latest_moment")
        return moment(*rows[0]) if rows else None

    @property
    def provisions(self) -> Provisions:
        return self._here.provisions

    def leave(self) -> None:
        """End the transaction and let go of the connection, once a query that is under way is done."""
        with self._turn:
            if self._connection is not None:
                self._connection.end()
                self._connection = None

    def held(self) -> Connection:
        """Return the connection of the transaction; raises RuntimeError once the view was left."""
        if self._connection is None:
            raise RuntimeError("this view was left, or took its entry; enter the scope again")
        return self._connection

    def cached(self, name: Hashable, make: Callable[[], Answer]) -> Answer:
        return self._known("version", name, make)

    def existing_scopes(self, scopes: Sequence[Scope]) -> frozenset[Scope]:
        keys = {tuple(scope_key(scope).values()): scope for scope in scopes}
        return frozenset(keys[row] for row in self._rows("find_begun", keys=dump([*keys]))) if keys else frozenset()

    def siblings(self, sharing: Sharing, limit: int) -> list[Scope]:
        named = self._scope.user if sharing == "user_facts" else self._scope.character
        if sharing == "none" or self._scope.is_canon or named is None:
            return []
        query = "find_siblings_of_user" if sharing == "user_facts" else "find_siblings_of_character"
        return [scope_named(*row) for row in self._rows(query, limit=limit, **scope_key(self._scope))]

    def _known(self, topic: str, question: Hashable, make: Callable[[], Answer]) -> Answer:
        """Return what `make` returns, kept for as long as the rule of its topic says: see `cache.RULES`."""
        answers = self._answers.topic(topic)
        try:
            found: Answer = answers[question]
        except KeyError:
            found = answers[question] = make()
        return found

    def _rows(self, query: str, **values: Any) -> list[Row]:
        """Return the rows of a query about the scope: its number and range of ids are among the values."""
        with self._turn:
            return self.held().rows(query, **values)

    def _ids(self, query: str, **values: Any) -> list[int]:
        return [row[0] for row in self._rows(query, **values)]

    def _loaded(self, query: str, ids: Iterable[int]) -> list[Row]:
        """Return the rows of `ids` that are in this scope."""
        wanted = list(ids)
        return self._rows(query, ids=dump(wanted)) if wanted else []

    def _items(self, query: str, make: Callable[[Row], Item], refs: Sequence[int]) -> dict[int, Item]:
        """Return those of `refs` that `query` finds or that were read before."""
        read = self._answers.topic("items")
        made = {row[0]: make(row) for row in self._loaded(query, (ref for ref in refs if ref not in read))}
        if len(made) <= _FEW:
            read.update(made)
        return {ref: item for ref in refs if (item := made.get(ref) or read.get(ref)) is not None}
