"""Who is doing a scope's upkeep."""

from __future__ import annotations

from datetime import datetime

from gieok.domain.scope import Scope
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.moments import microseconds
from gieok.stores.sqlite.snapshot import standing


def take(connection: Connection, scope: Scope, holder: str, *, until: datetime, now: datetime) -> bool:
    """Take the lease, also one that the clock was set back under: nobody would live to see its end."""
    scope_id = standing(connection, scope).scope_id
    if not scope_id:
        return False
    held = connection.row(
        "take_lease", scope_id=scope_id, holder=holder, until=microseconds(until), now=microseconds(now)
    )
    return held is not None


def let_go(connection: Connection, scope: Scope, holder: str) -> None:
    connection.run("drop_lease", scope_id=standing(connection, scope).scope_id, holder=holder)
