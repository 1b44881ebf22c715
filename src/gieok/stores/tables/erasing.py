"""How much is kept of a scope, and erasing all of it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from gieok.domain.acting import LIBRARY, Actor
from gieok.domain.erasure import Certificate
from gieok.domain.scope import Scope
from gieok.errors import UnderHold
from gieok.ports import Holdings
from gieok.stores.tables.auditing import close_chain, drop_chain
from gieok.stores.tables.certificates import put_certificate
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.moments import microseconds
from gieok.stores.tables.scope_ids import first_id, last_id
from gieok.stores.tables.snapshot import scope_key, standing
from gieok.stores.tables.thing_rows import thing_from

_COUNTED: Final = (
    "turns", "rewound", "utterances", "people", "scenes", "operations", "traces", "unembedded", "documents",
)  # fmt: skip
#: What points to other rows goes before what it points to.
_BY_RANGE: Final = (
    "erase_keywords", "erase_staged_vectors", "erase_utterances", "erase_memories", "erase_items",
)  # fmt: skip
_OF_THE_JOURNAL: Final = ("erase_candidates", "erase_changes", "erase_moves", "erase_operations")
_BY_NUMBER: Final = ("erase_things", "erase_provisions", "erase_lease", "erase_scope")
_BY_NAME: Final = ("erase_answers", "erase_letters", "erase_documents")


def holdings(connection: Connection, scope: Scope, present: datetime) -> Holdings:
    connection = connection.owned_by(scope.user or "")
    scope_id = standing(connection, scope).scope_id
    low, high = first_id(scope_id), last_id(scope_id)
    row = connection.row("count_holdings", scope_id=scope_id, low=low, high=high, **scope_key(scope))
    states: Counter[str] = Counter()
    types: Counter[str] = Counter()
    conclusions: Counter[str] = Counter()
    for concluded, content_type, state, count in connection.rows(
        "count_memories", low=low, high=high, present=microseconds(present)
    ):
        if concluded:
            conclusions[content_type] += count
        else:
            states[state] += count
            types[content_type] += count
    counts = dict(zip(_COUNTED, row or (), strict=True))
    return Holdings(**counts, states=dict(states), types=dict(types), conclusions=dict(conclusions))


def erase(
    connection: Connection,
    scope: Scope,
    present: datetime,
    certificate: Certificate | None = None,
    *,
    actor: Actor = LIBRARY,
    chain_too: bool = False,
    held_too: bool = False,
) -> tuple[int, Holdings]:
    """Erase a scope and return the number that it had (0: none), with what was kept of it.

    Of its chain the bare digests are left, and that `actor` erased it; `chain_too`: nothing, for it will be put back.
    A `certificate` is completed with what was kept, and kept itself. Raises `UnderHold`; `held_too`: not so, for the
    bank that it was copied from knows of the hold, and has it otherwise since.
    """
    connection = connection.owned_by(scope.user or "")
    connection.hold(str(scope))
    held = holdings(connection, scope, present)
    here = standing(connection, scope)
    scope_id, hold = here.scope_id, here.provisions.hold
    if hold is not None and not held_too:
        raise UnderHold(str(scope), hold.by, hold.why)
    if certificate is not None:
        put_certificate(connection, replace(certificate, counts=held.counts | _sendings(connection, scope)))
    low, high = first_id(scope_id), last_id(scope_id)
    if scope_id:
        if chain_too:
            drop_chain(connection, scope_id)
        else:
            close_chain(connection, scope_id, at=datetime.now(UTC), actor=actor)
        for query in _BY_RANGE:
            connection.run(query, low=low, high=high)
        connection.run("erase_traces", scope_id=scope_id)
        connection.run("erase_turns", low=low, high=high)
        for query in _OF_THE_JOURNAL:
            connection.run(query, low=low, high=high)
        for query in _BY_NUMBER:
            connection.run(query, scope_id=scope_id)
        thing_from.cache_clear()
    for query in _BY_NAME:
        connection.run(query, **scope_key(scope))
    return scope_id, held


def _sendings(connection: Connection, scope: Scope) -> dict[str, int]:
    answers, letters = connection.row("count_sendings", **scope_key(scope)) or (0, 0)
    return {"answers": answers, "letters": letters}
