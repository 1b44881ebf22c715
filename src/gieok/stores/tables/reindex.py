"""Vectors that are made later: for another embedder, or because the embedder was down.

For another embedder they are gathered beside the old ones, which answer until all are there; a re-embedding that is
cut off goes on where it stopped.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gieok.domain.actor import Actor
from gieok.domain.audit import REINDEX
from gieok.errors import BankError, EmbedderMismatch
from gieok.ports import Unembedded
from gieok.stores.tables.audit import note_of_bank
from gieok.stores.tables.connection import EMBEDDER, Connection

if TYPE_CHECKING:
    from gieok.ports import Matrix


@dataclass(frozen=True, slots=True)
class BankVectors:
    """Whose vectors a bank holds, and whose are being gathered."""

    embedder: str
    dimension: int
    next_embedder: str | None
    next_dimension: int | None

    @property
    def under_way(self) -> bool:
        return self.next_embedder is not None

    def left(self, connection: Connection) -> int:
        count: int = connection.value("count_unstaged" if self.under_way else "count_unembedded")
        return count


def bank_vectors(connection: Connection) -> BankVectors:
    row = connection.row("read_bank")
    assert row is not None, "every bank has its row in the table bank"
    return BankVectors(*row)


def begin(connection: Connection, embedder: str, dimension: int) -> int:
    """Gather for `embedder` from here on; what was gathered for another one is dropped. Return what is left."""
    held = bank_vectors(connection)
    if (held.next_embedder, held.next_dimension) != (embedder, dimension):
        connection.run("clear_staged_vectors")
        same = (held.embedder, held.dimension) == (embedder, dimension)
        connection.run("set_next_embedder", embedder=None if same else embedder, dimension=None if same else dimension)
    return bank_vectors(connection).left(connection)


def unembedded(connection: Connection, *, after: int, limit: int) -> list[Unembedded]:
    """Return the next items without a vector behind id `after`."""
    query = "find_unstaged" if bank_vectors(connection).under_way else "find_unembedded"
    return [Unembedded(key=key, text=text) for key, text in connection.rows(query, after=after, limit=limit)]


def put(connection: Connection, keys: Sequence[int], vectors: Sequence[Matrix], *, embedder: str) -> None:
    """Keep the rows of each key; a key whose item is gone is passed over.

    Without a re-embedding under way, only vectors of the bank's own embedder are taken.
    """
    connection.hold(EMBEDDER, shared=True)
    held = bank_vectors(connection)
    if not held.under_way:
        fill(connection, keys, vectors, embedder=embedder)
        return
    assert held.next_dimension is not None, "it stands beside the next embedder"
    for key, rows in zip(keys, vectors, strict=True):
        connection.run("stage_vector", id=key, vector=connection.packing.packed(rows, held.next_dimension))


def fill(connection: Connection, keys: Sequence[int], vectors: Sequence[Matrix], *, embedder: str) -> None:
    """Give those of the items that have none yet their rows, which are the bank's own embedder's."""
    connection.hold(EMBEDDER, shared=True)
    held = bank_vectors(connection)
    if held.embedder != embedder:
        raise EmbedderMismatch(built_with=held.embedder, configured=embedder)
    filled = set()
    for key, rows in zip(keys, vectors, strict=True):
        filled.add(connection.value("fill_vector", id=key, vector=connection.packing.packed(rows, held.dimension)))
    for scope_id in filled - {None}:
        connection.run("move_index_epoch", scope_id=scope_id)


def finish(connection: Connection, actor: Actor) -> str:
    """Let the gathered vectors answer, if a re-embedding is under way; return whose vectors answer now.

    Those who are writing are waited for: what they write is counted, too.
    """
    connection.hold(EMBEDDER)
    held = bank_vectors(connection)
    if held.next_embedder is None:
        return held.embedder
    if left := held.left(connection):
        raise BankError(f"{left} items still have no vector of {held.next_embedder!r}; go on with the reindex")
    for query in ("switch_vectors", "switch_embedder", "clear_staged_vectors", "move_every_index_epoch"):
        connection.run(query)
    note_of_bank(connection, REINDEX, actor, targets=[held.embedder, held.next_embedder])
    return held.next_embedder
