"""What is past its time is gone before anybody looks: a store that lets it expire whenever a scope is entered.

That is the one thing that looking may write. It happens once for each memory that expires, and not at all where
everything is kept for good.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import local
from typing import Any

from gieok.domain.actor import LIBRARY, acting_as
from gieok.domain.memory import Days
from gieok.domain.scope import Scope
from gieok.ports import Clock, Room, Store, View


class ExpiringStore:
    """Wraps a store. Everything but `view` and `locked` is the store's own."""

    def __init__(self, store: Store, days: Days, clock: Clock, expire: Callable[[Scope], None]) -> None:
        """`expire` forgets what is past its time in a scope; it may use this very store."""
        self._store = store
        self._days = days
        self._clock = clock
        self._expire = expire
        self._here = local()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def view(self, scope: Scope) -> Iterator[View]:
        with self._store.view(scope) as view:
            if not self._anything_over(view):
                yield view
                return
        self._let_expire(scope)
        with self._store.view(scope) as view:
            yield view

    @contextmanager
    def locked(self, scope: Scope) -> Iterator[Room]:
        with self._store.locked(scope) as room:
            if not self._anything_over(room):
                yield room
                return
        self._let_expire(scope)
        with self._store.locked(scope) as room:
            yield room

    def _let_expire(self, scope: Scope) -> None:
        self._here.at_it = True
        try:
            with acting_as(LIBRARY):  # whoever looks does not ask for it
                self._expire(scope)
        finally:
            self._here.at_it = False

    def _anything_over(self, view: View) -> bool:
        days = view.provisions.days(self._days)
        if not days or getattr(self._here, "at_it", False):
            return False
        first = view.kept("first known", view.first_known)
        present = max(filter(None, (view.latest_at, self._clock.now())))
        return any(present > known_at + timedelta(days=days[name]) for name, known_at in first.items() if name in days)
