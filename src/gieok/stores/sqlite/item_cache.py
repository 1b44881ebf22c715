"""Items that were read, kept as long as nobody changes them; those of the scope that was read longest ago go first.

What a snapshot has read is true for every snapshot of the same version. When this process writes the next version, it
knows which items it touched, and the rest stays true. What another process wrote is known by the version alone: then
everything is read anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from threading import Lock
from typing import Final

from gieok.domain.answer import Item

_MOST: Final = 8_192  #: items of all scopes together
_MOST_SCOPES: Final = 32


class ItemCache:
    """What was read of the scopes that were read last. Threads may share it."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._scopes: OrderedDict[int, tuple[int, dict[int, Item]]] = OrderedDict()
        self._lock = Lock()

    def items(self, scope_id: int, version: int) -> dict[int, Item]:
        """Return what snapshots of this `version` of the scope have read, by ref, to look up and to add to."""
        with self._lock:
            known, items = self._scopes.get(scope_id, (-1, {}))
            if known > version:
                return {}  # an older snapshot, for itself
            if known < version or len(items) > self._most:
                items = {}
                self._scopes[scope_id] = (version, items)
            self._scopes.move_to_end(scope_id)
            self._make_way()
            return items

    def written(self, scope_id: int, version: int, touched: Iterable[int]) -> None:
        """Take note that `version` of the scope differs from the one before in nothing but the items `touched`."""
        with self._lock:
            known, items = self._scopes.get(scope_id, (-1, {}))
            if known != version - 1:
                return
            items = items.copy()  # what older snapshots are still going to add stays with them
            for ref in touched:
                items.pop(ref, None)
            self._scopes[scope_id] = (version, items)

    def _make_way(self) -> None:
        held = sum(len(items) for _, items in self._scopes.values())
        while len(self._scopes) > 1 and (held > self._most or len(self._scopes) > _MOST_SCOPES):
            _, (_, items) = self._scopes.popitem(last=False)
            held -= len(items)
