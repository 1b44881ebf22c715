"""What a bank holds."""

from __future__ import annotations

from typing import Any

from gieok.stores.tables.connection import Connection
from gieok.stores.tables.reindexing import bank_vectors


def contents(connection: Connection) -> dict[str, Any]:
    """Return the parts of a `BankInfo` that stand in the tables."""
    held = bank_vectors(connection)
    counts = connection.row("count_everything") or ()
    names = ("scopes", "turns", "utterances", "memories", "operations", "unembedded")
    return {
        "embedder": held.embedder,
        "dimension": held.dimension,
        "counts": dict(zip(names, counts, strict=True)),
    }
