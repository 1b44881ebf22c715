"""Following a bank that another was copied from: what went on there comes, what was erased there goes.

What was done here without the other's knowledge stays: a scope's chain here must be a beginning of the chain there.
"""

from __future__ import annotations

from collections.abc import Container
from datetime import datetime

from gieok.domain.acting import LIBRARY, Actor
from gieok.domain.scope import Scope
from gieok.stores.tables.connection import Connection, Row
from gieok.stores.tables.copying import chain_of, take_over
from gieok.stores.tables.erasing import erase
from gieok.stores.tables.scope_ids import numbered
from gieok.stores.tables.snapshot import standing


def take_over_older(
    target: Connection,
    source: Connection,
    scope: Scope,
    present: datetime,
    *,
    actor: Actor = LIBRARY,
    erased: Container[str] = (),
) -> int | None:
    """Take a scope over unless something was done in `target` that `source` does not know of: None, it stays.

    `erased` are the marks of chains that ended in `target`: what was erased there does not come back.
    """
    target.owned_by(scope.user or "").hold(str(scope))
    if not _knows_all_of(source, target, scope, erased):
        return None
    return take_over(target, source, scope, present, actor=actor)


def _knows_all_of(source: Connection, target: Connection, scope: Scope, erased: Container[str]) -> bool:
    source, target = (each.owned_by(scope.user or "") for each in (source, target))
    there, here = standing(source, scope), standing(target, scope)
    chain = chain_of(source, scope)
    if not here.version:
        return chain[:1] == () or chain[0] not in erased
    older = here.version <= there.version
    return older and _goes_on(source, there.scope_id, chain, chain_of(target, scope))


def _goes_on(source: Connection, scope_id: int, chain: Row, earlier: Row) -> bool:
    """Whether a chain of `source` begins with all of an `earlier` one."""
    if chain[:1] != earlier[:1] or not chain or earlier[2] > chain[2]:
        return False
    last = numbered(scope_id, earlier[2])
    return not earlier[2] or any(link == earlier[3] for (link,) in source.read("audit", ("link",), "id", last, last))


def closed_chains(connection: Connection) -> dict[str, Row]:
    """Return the chains of scopes that were erased, by their marks: the number, and the chain."""
    rows = connection.owned_by("").rows("find_chains")
    return {row[6]: (row[0], row[6:]) for row in rows if not row[2]}


def living_among(target: Connection, marks: Container[str]) -> list[tuple[Scope, str]]:
    """Return the scopes that live in `target` though their chains are among those with `marks`, and these."""
    return [
        (Scope(user=user or None, character=character or None, world=world or None), mark)
        for _, _, lives, user, character, world, mark, *_ in target.owned_by("").rows("find_chains")
        if lives and mark in marks
    ]


def let_go(target: Connection, source: Connection, scope: Scope, closed: Row, present: datetime) -> int | None:
    """Erase a scope whose chain is `closed` in `source`; return its number (None: it went on without it, and stays).

    Nothing is left of its chain: that of `source`, which goes on to the erasure, is to be brought.
    """
    target.owned_by(scope.user or "").hold(str(scope))
    number, chain = closed
    if not _goes_on(source.owned_by(""), number, chain, chain_of(target, scope)):
        return None
    return erase(target, scope, present, chain_too=True, held_too=True)[0]
