"""Who is doing a scope's upkeep."""

from __future__ import annotations

from datetime import datetime

from gieok.domain.scope import Scope
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.moments import microseconds
from gieok.stores.tables.snapshot import standing


def take(connection: Connection, scope: Scope, holder: str, *, until: datetime, now: datetime) -> bool:
    """Take the lease, also one that the clock was set back under: nobody would live to see its end."""
    connection = connection.owned_by(scope.user or "")
    scope_id = standing(connection, scope).scope_id
    if not scope_id:
        return False
    held = connection.row(
        "take_lease", scope_id=scope_id, holder=holder, until=microseconds(until), now=microseconds(now)
    )
    return held is not None


def let_go(connection: Connection, scope: Scope, holder: str) -> None:
    connection = connection.owned_by(scope.user or "")
    connection.run("drop_lease", scope_id=standing(connection, scope).scope_id, holder=holder)
