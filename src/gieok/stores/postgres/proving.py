"""Making sure that a server's tables and indexes hold nothing any more of what was erased from them.

A plain VACUUM frees dead rows without overwriting them, and a GIN index never lets go of a word: so the tables are
written anew with their indexes. The planner's samples of them are drawn anew, too.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

from gieok.errors import ErasureUnproven
from gieok.stores.postgres.connection import Connection

Result = TypeVar("Result")
OnItsOwn = Callable[[Callable[[Connection], None]], None]
MEANS: Final = "VACUUM (FULL, ANALYZE) of every table after the last older snapshot"
#: Every table with words in it, or with rows that belong to such.
TABLES: Final = (
    "scopes", "turns", "items", "vectors", "staged_vectors", "keywords", "utterances", "memories", "operations",
    "candidates", "changes", "things", "moves", "traces", "provisions", "kept_answers", "letters", "documents",
    "chains", "audit",
)  # fmt: skip
#: Those that say nothing of anybody: keys and addresses of a server, counters, certificates.
WORDLESS: Final = frozenset({"bank", "leases", "model_calls", "access_keys", "key_uses", "webhooks", "certificates"})
_PAUSE: Final = 0.05
#: Who may still see what is gone: a transaction with an older snapshot, here or prepared.
_ONLOOKERS: Final = """
SELECT
    (
        SELECT count(*) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
            AND age(backend_xmin) > age('{mark}'::xid)
    ) + (
        SELECT count(*) FROM pg_prepared_xacts
        WHERE database = current_database() AND age(transaction) > age('{mark}'::xid)
    )
"""


def rid_of_remains(on_its_own: OnItsOwn, schema: str, seconds: float) -> None:
    """Rid the tables and indexes of what erased rows left there; raises `ErasureUnproven` if somebody is in the way."""
    on_its_own(lambda connection: _rid(connection, schema, seconds))


def _rid(connection: Connection, schema: str, seconds: float) -> None:
    connection.end()
    _wait_for_onlookers(connection, seconds)
    connection.script(f"SET statement_timeout = 0; SET lock_timeout = {int(seconds * 1000) or 1}")
    try:
        for table in TABLES:
            connection.script(f'VACUUM (FULL, ANALYZE) "{schema}"."{table}"')
        connection.script(
            "VACUUM FULL pg_catalog.pg_statistic"
        )  # the planner's samples of before; warns without rights
    finally:
        connection.script("RESET statement_timeout; RESET lock_timeout")


def _wait_for_onlookers(connection: Connection, seconds: float) -> None:
    """Wait for whoever looks at an earlier state: what they may see is not thrown away."""
    until = time.monotonic() + seconds
    ((mark,),) = connection.script("SELECT pg_current_xact_id()::xid::text")
    while True:
        ((onlookers,),) = connection.script(_ONLOOKERS.format(mark=mark))
        if not onlookers:
            return
        if time.monotonic() > until:
            raise ErasureUnproven(
                f"it is erased, but {onlookers} transactions of others have been looking at an earlier state for "
                f"{seconds:g} s, so the server keeps it; no certificate was given out: end them, then run: gieok scrub"
            )
        time.sleep(_PAUSE)
