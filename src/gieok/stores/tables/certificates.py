"""What remains of erasures, and what was laid down for scopes."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Literal

from gieok.domain.erasure import Certificate, proven
from gieok.domain.record import from_record, to_record
from gieok.domain.retention import Hold, Retention
from gieok.domain.scope import Scope
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.moments import microseconds
from gieok.stores.tables.rows import dump
from gieok.stores.tables.snapshot import scope_key, standing


def put_certificate(connection: Connection, certificate: Certificate) -> None:
    sure = certificate.proven_at
    connection.run(
        "put_certificate",
        id=certificate.id,
        at=microseconds(certificate.at),
        proven_at=None if sure is None else microseconds(sure),
        record=dump(to_record(certificate)),
    )


def latest(connection: Connection, limit: int) -> list[Certificate]:
    return [_certificate(record) for (record,) in connection.rows("find_certificates", limit=max(limit, 0))]


def by_id(connection: Connection, certificate_id: str) -> Certificate | None:
    record = connection.value("find_certificate", id=certificate_id)
    return None if record is None else _certificate(record)


def unproven(connection: Connection) -> list[Certificate]:
    return [_certificate(record) for (record,) in connection.rows("find_unproven")]


def give_out(connection: Connection, drawn_up: list[Certificate], *, at: datetime, means: str) -> list[Certificate]:
    """Note that what these certificates tell of is proven."""
    given_out = [proven(certificate, at=at, means=means) for certificate in drawn_up]
    for certificate in given_out:
        put_certificate(connection, certificate)
    return given_out


def lay_down(
    connection: Connection, scope: Scope, kind: Literal["hold", "retention"], provision: Hold | Retention | None
) -> None:
    """Lay something down for a scope, which begins by it if it is new; None takes it back."""
    connection = connection.owned_by(scope.user or "")
    connection.hold(str(scope))
    scope_id = standing(connection, scope).scope_id
    if provision is None:
        connection.run("drop_provision", scope_id=scope_id, kind=kind)
    else:
        scope_id = scope_id or connection.value("insert_scope", **scope_key(scope))
        connection.run("put_provision", scope_id=scope_id, kind=kind, record=dump(to_record(provision)))
    connection.run("move_scope", scope_id=scope_id)


def _certificate(record: str) -> Certificate:
    return from_record(Certificate, json.loads(record))
