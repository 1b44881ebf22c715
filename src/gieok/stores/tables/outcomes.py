"""Writing what became of an operation: its claims, and what it changed."""

from __future__ import annotations

from gieok.domain.operation import Operation
from gieok.stores.tables.audit_contents import Hear, heard
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.journal_rows import candidate_rows, change_rows
from gieok.stores.tables.thing_rows import move_rows


def write_outcome(connection: Connection, operation: Operation, private_id: int, hear: Hear) -> None:
    """Write it, and have every line of it heard as the audit log vouches for it."""
    connection.run_many("insert_candidate", heard("candidates", candidate_rows(operation, private_id), hear))
    connection.run_many("insert_change", heard("changes", change_rows(operation, private_id), hear))
    connection.run_many("insert_move", heard("moves", move_rows(operation, private_id), hear))


def rewrite_outcome(connection: Connection, operation: Operation, private_id: int, hear: Hear) -> None:
    """Put another outcome in the place of the one there is."""
    for query in ("delete_candidates", "delete_changes", "delete_moves"):
        connection.run(query, operation=private_id)
    write_outcome(connection, operation, private_id, hear)
