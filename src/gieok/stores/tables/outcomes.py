"""Writing what became of an operation: its claims, and what it changed."""

from __future__ import annotations

from gieok.domain.operation import Operation
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.journal_rows import candidate_rows, change_rows
from gieok.stores.tables.thing_rows import move_rows


def write_outcome(connection: Connection, operation: Operation, private_id: int) -> None:
    connection.run_many("insert_candidate", candidate_rows(operation, private_id))
    connection.run_many("insert_change", change_rows(operation, private_id))
    connection.run_many("insert_move", move_rows(operation, private_id))


def rewrite_outcome(connection: Connection, operation: Operation, private_id: int) -> None:
    """Put another outcome in the place of the one there is."""
    for query in ("delete_candidates", "delete_changes", "delete_moves"):
        connection.run(query, operation=private_id)
    write_outcome(connection, operation, private_id)
