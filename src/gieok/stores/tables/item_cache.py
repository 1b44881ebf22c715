"""What was read, kept as long as nobody changes it; what was read of the scope that was read longest ago goes first.

What a snapshot has read is true for every snapshot of the same version. When this process writes the next version, it
knows which items it touched and which answers it upset, and the rest stays true. What another process wrote is known
by the version alone: then everything is read anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

from gieok.domain.answer import Item
from gieok.stores.tables.upsetting import LISTS, NAMEABLE

_MOST: Final = 16_384  #: items and answers of all scopes together
_MOST_SCOPES: Final = 32


@dataclass(frozen=True, slots=True)
class Known:
    """What snapshots of one version of a scope have read, to look up and to add to."""

    version: int
    items: dict[int, Item] = field(default_factory=dict)  #: by ref
    answers: dict[Hashable, Any] = field(default_factory=dict)  #: of queries; of this version alone
    lasting: dict[Hashable, Any] = field(default_factory=dict)  #: of queries; until a write upsets them
    lists: dict[Hashable, list[int]] = field(default_factory=dict)  #: of memories; until a write upsets them all

    @property
    def size(self) -> int:
        return len(self.items) + len(self.answers) + len(self.lasting) + len(self.lists)


class ItemCache:
    """What was read of the scopes that were read last. Threads may share it."""

    def __init__(self, most: int = _MOST) -> None:
        self._most = most
        self._scopes: OrderedDict[int, Known] = OrderedDict()
        self._lock = Lock()

    def known(self, scope_id: int, version: int) -> Known:
        """Return what snapshots of this `version` of the scope have read."""
        with self._lock:
            known = self._scopes.get(scope_id)
            if known is not None and known.version > version:
                return Known(version)  # an older snapshot, for itself
            if known is None or known.version < version or known.size > self._most:
                known = self._scopes[scope_id] = Known(version)
            self._scopes.move_to_end(scope_id)
            self._make_way()
            return known

    def written(
        self,
        scope_id: int,
        version: int,
        touched: Mapping[int, Item | None],
        upset: Collection[Hashable] | None = None,
    ) -> None:
        """Take note that `version` of the scope differs from the one before in nothing but the items `touched`.

        They are by now what is given with them; None: they are gone. Of the lasting answers
        those in `upset` are no longer true; None: any of them may be wrong.
        """
        with self._lock:
            known = self._scopes.get(scope_id)
            if known is None or known.version != version - 1:
                return
            # Copies: what older snapshots are still going to add stays with them.
            items, lasting = known.items.copy(), {} if upset is None else known.lasting.copy()
            for ref, item in touched.items():
                if item is not None:
                    items[ref] = item
                else:
                    items.pop(ref, None)
            for name in upset or ():
                lasting.pop(name, None)
            if touched and (nameable := lasting.get(NAMEABLE)) is not None:
                lasting[NAMEABLE] = nameable.after(touched)
            lists = {} if upset is None or LISTS in upset else known.lists.copy()
            self._scopes[scope_id] = Known(version, items, {}, lasting, lists)

    def drop(self, scope_id: int) -> None:
        """Let go of a scope that is no more."""
        with self._lock:
            self._scopes.pop(scope_id, None)

    def _make_way(self) -> None:
        held = sum(known.size for known in self._scopes.values())
        while len(self._scopes) > 1 and (held > self._most or len(self._scopes) > _MOST_SCOPES):
            _, known = self._scopes.popitem(last=False)
            held -= known.size
