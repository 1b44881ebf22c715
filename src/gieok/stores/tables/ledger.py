"""A scope's counters while one entry is written to it."""

from __future__ import annotations

from dataclasses import dataclass, field

from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.errors import EmbedderMismatch
from gieok.ports import ScopeMoved
from gieok.stores.tables.connection import EMBEDDER, Connection
from gieok.stores.tables.scope_ids import numbered
from gieok.stores.tables.snapshot import scope_key, standing


@dataclass(slots=True, kw_only=True)
class Ledger:
    """Gives out ids, and notes what has to be known when the entry is closed."""

    connection: Connection
    scope_id: int
    dimension: int
    next_seq: int
    turn_number: int
    operation_number: int
    reindexed: bool = False  #: the index changed other than by new rows
    touched: dict[int, Memory | None] = field(default_factory=dict)
    """items that are no longer what they were, if they were there before, with what they are now; None: gone"""

    def new_id(self) -> int:
        """Return an id that nothing in this scope ever had; raises `ScopeFull`."""
        private_id = numbered(self.scope_id, self.next_seq)
        self.next_seq += 1
        return private_id

    def new_operation_id(self) -> int:
        self.operation_number += 1
        return numbered(self.scope_id, self.operation_number)

    def close(self) -> None:
        self.connection.run(
            "update_scope",
            scope_id=self.scope_id,
            next_seq=self.next_seq,
            operation_number=self.operation_number,
            reindexed=self.reindexed,
        )


def opened_ledger(connection: Connection, scope: Scope, *, seen_version: int, embedder: str) -> Ledger:
    """Return the ledger of `scope`, which begins here if it is new.

    Raises `ScopeMoved` if somebody wrote since `seen_version`, and `EmbedderMismatch` if the bank was re-embedded.
    """
    connection = connection.owned_by(scope.user or "")
    connection.hold(EMBEDDER, shared=True)  # before it is asked whose vectors the bank holds
    now = standing(connection, scope)
    if now.version != seen_version:
        raise ScopeMoved
    if now.embedder != embedder:
        raise EmbedderMismatch(built_with=now.embedder, configured=embedder)
    scope_id = now.scope_id or connection.value("insert_scope", **scope_key(scope))
    return Ledger(
        connection=connection,
        scope_id=scope_id,
        dimension=now.dimension,
        next_seq=max(now.next_seq, 1),
        turn_number=now.turn_number,
        operation_number=now.operation_number,
    )
