"""Copying a scope from one bank to another, whatever their engines: row by row, whole or not at all.

Private ids are numbered anew, since a scope has another number there; everything else stays. Vectors are packed as the
other bank packs them: all but the last digits of their numbers stay.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, islice
from typing import Final

from gieok.domain.actor import LIBRARY, Actor
from gieok.domain.scope import Scope
from gieok.errors import BankError, EmbedderMismatch
from gieok.stores.tables.audit import BANK, put_chain
from gieok.stores.tables.columns import AUDIT, MOST, TABLES, Row, Table, first_id, last_id, moment, number_of, numbered
from gieok.stores.tables.connection import EMBEDDER, Connection
from gieok.stores.tables.erase import erase
from gieok.stores.tables.scopes import ScopeRow, begin_scope, bound_to, find_scope, scope_named
from gieok.stores.tables.search_index import scoped_terms

_AT_ONCE: Final = 5_000  #: items whose words are written together
COUNTERS: Final = ("version", "next_seq", "turn_number", "operation_number", "index_epoch")  #: of a scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """What a scope holds, in short: equal ones hold the same."""

    version: int  #: grows with all that is written, also with who has read it
    rows: dict[str, int] = field(default_factory=dict)  #: by table
    digest: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeMark:
    """Where a scope stands: what moves with every change of it."""

    scope: Scope
    number: int  #: never given twice: one that was erased and begun anew has another
    version: int
    epoch: int  #: of its index
    head: str  #: of its chain of deeds: no other course of events comes to it, as a restored bank does to a version

    @property
    def mark(self) -> tuple[int, int, int, str]:
        return self.number, self.version, self.epoch, self.head


def marks(connection: Connection) -> list[ScopeMark]:
    return [
        ScopeMark(scope=scope_named(*names), number=number, version=version, epoch=epoch, head=head)
        for *names, number, version, epoch, head in connection.rows("list_scope_marks")
    ]


def last_turn(connection: Connection, mark: ScopeMark) -> tuple[str, datetime] | None:
    """Return the id of the last turn of a scope, and when it was recorded."""
    row = bound_to(connection.bound(owner=mark.scope.user or ""), mark.number).row("find_last_turn")
    return None if row is None else (row[0], moment(row[1], 0))


def fingerprint(connection: Connection, scope: Scope) -> Fingerprint:
    """Return what is kept of a scope, in short; vectors are counted, but not compared."""
    here = find_scope(connection, scope)
    seen, counts = hashlib.sha256(), {}
    for table in TABLES:
        rows = (table.plain(row) for row in rows_of(here, table))
        lines = sorted(json.dumps(row, ensure_ascii=False, sort_keys=True) for row in rows)
        counts[table.name] = len(lines)
        seen.update("\n".join([table.name, *lines]).encode(errors="surrogatepass"))
    words = sorted(words_of(here))
    seen.update("\n".join(f"{number} {text}" for number, text in words).encode(errors="surrogatepass"))
    first, last = here.first, here.first + min(here.next_seq, MOST)
    counts["vectors"] = sum(
        here.connection.packing.rows_in(column, here.dimension)
        for low in range(first, last + 1, _AT_ONCE)
        for _, column in here.connection.rows("copy_vectors", low=low, high=min(low + _AT_ONCE - 1, last))
    )
    own = here.chain or ("", 0, 0, "")
    seen.update(json.dumps(own).encode())
    return Fingerprint(version=here.version + own[2], rows=counts, digest=seen.hexdigest())


def take_over(
    target: Connection, source: Connection, scope: Scope, present: datetime, *, actor: Actor = LIBRARY
) -> int:
    """Keep what `source` keeps of a scope instead of what `target` did; return the number it had there (0: none).

    Where that was an earlier copy its chain goes on; else what was done there ends with the erasure.
    """
    here = find_scope(target, scope, hold=True)
    target.hold(EMBEDDER, shared=True)
    same = find_scope(source, scope).mark == here.mark
    before, _ = erase(target, scope, present, actor=actor, chain_too=same, held_too=True)
    copy_scope(source, target, scope)
    return before


def copy_scope(source: Connection, target: Connection, scope: Scope) -> None:
    """Write all that `source` keeps of a scope to `target`, which must keep nothing of it yet."""
    there, here = find_scope(source, scope), find_scope(target, scope)
    if (there.embedder, there.dimension) != (here.embedder, here.dimension):
        raise EmbedderMismatch(built_with=there.embedder, configured=here.embedder)
    if here.scope_id:
        raise BankError(f"[{scope}] is kept there already")
    to, scope_id = begin_scope(target, scope)
    for table in TABLES:
        for rows in _batches(there, table):
            moved = [table.row(table.plain(row), scope_id) for row in rows]
            if table.name != "items":
                to.insert(table.name, moved)
                continue
            ids = [row[0] for row in rows]
            vectors = {
                numbered(scope_id, number_of(id)): there.connection.packing.unpacked([column], there.dimension)
                for id, column in there.connection.rows("copy_vectors", low=min(ids), high=max(ids))
            }
            to.insert_items(moved, vectors, there.dimension)
    words = ((numbered(scope_id, number), scoped_terms(scope_id, text.split(" "))) for number, text in words_of(there))
    while some := list(islice(words, _AT_ONCE)):
        to.insert_keywords(some)
    if there.chain:
        put_chain(to, scope_id, there.chain)
    to.run("restore_scope", latest_at=there.latest_at, **{name: getattr(there, name) for name in COUNTERS})


def rows_of(here: ScopeRow, table: Table) -> Iterator[Row]:
    return chain.from_iterable(_batches(here, table))


def _batches(here: ScopeRow, table: Table) -> Iterator[list[Row]]:
    """Yield the rows that a table has of a scope, some thousands at once; no batch is empty."""
    if not here.scope_id:  # it was never written to; the rows of number 0 are the bank's own chain
        return iter(())
    by_scope = table.by == "scope_id"
    low, high = (here.scope_id, here.scope_id) if by_scope else (here.first, here.last)
    return here.connection.windows(table.name, table.columns, table.by, low, high)


def words_of(here: ScopeRow) -> Iterator[tuple[int, str]]:
    """Yield the words of every item, without the prefix of their scope, by the item's number."""
    for id, terms in here.connection.rows("load_words"):
        words = sorted(here.connection.folded(term) or "" for term in terms.split(" "))
        yield number_of(id), " ".join(word.removeprefix(f"{here.scope_id}x") for word in words if word)


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
    there, here = find_scope(source, scope), find_scope(target, scope, hold=True)
    if here.version:
        known = here.version <= there.version and _goes_on(there.connection, there.scope_id, there.chain, here.chain)
    else:
        known = there.mark is None or there.mark not in erased
    return take_over(target, source, scope, present, actor=actor) if known else None


def _goes_on(source: Connection, scope_id: int, later: Row, earlier: Row) -> bool:
    """Whether a chain of `source` begins with all of an `earlier` one."""
    if later[:1] != earlier[:1] or not later or earlier[2] > later[2]:
        return False
    last = numbered(scope_id, earlier[2])
    return not earlier[2] or any(link == earlier[3] for (link,) in source.read("audit", ("link",), "id", last, last))


def closed_chains(connection: Connection) -> dict[str, Row]:
    """Return the chains of scopes that were erased, by their marks: the number, and the chain."""
    rows = connection.bound(owner="").rows("find_chains")
    return {row[6]: (row[0], row[6:]) for row in rows if not row[2]}


def bring_closed_chains(target: Connection, source: Connection) -> int:
    """Write the chains of scopes that were erased in `source` to `target`, unless they are there; return how many.

    The chain of the bank itself goes to a target that has none yet. Elsewhere the target's own goes on: beside it the
    other would look like the chain of a scope that is gone without having been erased.
    """
    nobody = target.bound(owner="")
    there = {row[6] for row in nobody.rows("find_chains")}
    has_own = nobody.row("find_chain", scope_id=BANK) is not None
    missing = [found for mark, found in closed_chains(source).items() if mark not in there]
    closed = [found for found in missing if found[0] != BANK or not has_own]
    for source_id, own in closed:
        scope_id = BANK
        if source_id != BANK:  # the number of a scope that is made and erased for it
            scope_id = nobody.value("insert_scope", user="", character="", world=f"\x01{own[0]}")
            nobody.run("erase_scope", scope_id=scope_id)
        place = (first_id(source_id), last_id(source_id))
        for rows in source.bound(owner="").windows("audit", AUDIT.columns, "id", *place):
            nobody.insert("audit", [AUDIT.row(AUDIT.plain(row), scope_id) for row in rows])
        put_chain(nobody, scope_id, own)
    return len(closed)


def living_among(target: Connection, marks: Container[str]) -> list[tuple[Scope, str]]:
    """Return the scopes that live in `target` though their chains are among those with `marks`, and these."""
    return [
        (scope_named(user, character, world), mark)
        for _, _, lives, user, character, world, mark, *_ in target.bound(owner="").rows("find_chains")
        if lives and mark in marks
    ]


def erase_closed(target: Connection, source: Connection, scope: Scope, closed: Row, present: datetime) -> int | None:
    """Erase a scope whose chain is `closed` in `source`; return its number (None: it went on without it, and stays).

    Nothing is left of its chain: that of `source`, which goes on to the erasure, is to be brought.
    """
    here = find_scope(target, scope, hold=True)
    if not _goes_on(source.bound(owner=""), closed[0], closed[1], here.chain):
        return None
    return erase(target, scope, present, chain_too=True, held_too=True)[0]
