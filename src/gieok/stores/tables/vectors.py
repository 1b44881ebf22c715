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

    def left(self, connection: Connection) -> int:
        count: int = connection.value("count_unembedded" if self.next_embedder is None else "count_unstaged")
        return count


def bank_vectors(connection: Connection) -> BankVectors:
    row = connection.row("read_bank")
    assert row is not None, "every bank has its row in the table bank"
    return BankVectors(*row)


def check_embedder(connection: Connection, embedder: str, dimension: int) -> None:
    """Raise `EmbedderMismatch` where a bank's vectors were made by another embedder."""
    held = bank_vectors(connection)
    if held.embedder != embedder:
        raise EmbedderMismatch(built_with=held.embedder, configured=embedder)
    if held.dimension != dimension:
        raise EmbedderMismatch(built_with=f"{embedder} ({held.dimension} d)", configured=f"{embedder} ({dimension} d)")


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
    query = "find_unembedded" if bank_vectors(connection).next_embedder is None else "find_unstaged"
    return [Unembedded(key=key, text=text) for key, text in connection.rows(query, after=after, limit=limit)]


def put(connection: Connection, keys: Sequence[int], vectors: Sequence[Matrix], *, embedder: str) -> None:
    """Keep the rows of each key; a key whose item is gone is passed over.

    Without a re-embedding under way, only vectors of the bank's own embedder are taken.
    """
    connection.hold(EMBEDDER, shared=True)
    dimension = bank_vectors(connection).next_dimension
    if dimension is None:
        fill(connection, keys, vectors, embedder=embedder)
        return
    pack = connection.packing.packed
    rows = ({"id": key, "vector": pack(rows, dimension)} for key, rows in zip(keys, vectors, strict=True))
    connection.run_many("stage_vector", rows)


def fill(connection: Connection, keys: Sequence[int], vectors: Sequence[Matrix], *, embedder: str) -> None:
    """Give those of the items that have none yet their rows, which are the bank's own embedder's."""
    connection.hold(EMBEDDER, shared=True)
    held = bank_vectors(connection)
    if held.embedder != embedder:
        raise EmbedderMismatch(built_with=held.embedder, configured=embedder)
    pack = connection.packing.packed
    filled = {
        connection.value("fill_vector", id=key, vector=pack(rows, held.dimension))
        for key, rows in zip(keys, vectors, strict=True)
    }
    connection.run_many("move_index_epoch", ({"scope_id": scope_id} for scope_id in filled - {None}))


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
