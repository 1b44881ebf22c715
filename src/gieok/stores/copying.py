"""Copying a whole bank to another: scope by scope, each whole or not at all, and looked at again afterwards.

It can be stopped and begun again: what is there already, and the same, is passed over. The source may be in use; a
scope that is written to meanwhile is copied once more. What went on in the target since an earlier copy stays.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from gieok.domain.scope import Scope
from gieok.stores.tables.copying import Fingerprint
from gieok.stores.tables.store import TableStore

Progress = Callable[[int, int, Scope], None]  #: scopes that are done, of how many, and the last of them
_ALL: Final = 1_000_000_000
_ROUNDS: Final = 3  #: that a busy scope is copied


@dataclass(slots=True, kw_only=True)
class Copied:
    """What came of it."""

    scopes: int = 0  #: that are the same in both now
    fresh: int = 0  #: of these, copied just now
    rows: dict[str, int] = field(default_factory=dict)  #: by table
    moving: list[Scope] = field(default_factory=list)  #: written to so often that the copy is not up to date
    different: list[Scope] = field(default_factory=list)  #: not the same, though nobody wrote: not to be trusted
    ahead: list[Scope] = field(default_factory=list)  #: written to, or erased, in the target: left as they are there

    @property
    def is_whole(self) -> bool:
        return not self.moving and not self.different and not self.ahead


def copy_bank(source: TableStore, target: TableStore, *, now: datetime, progress: Progress) -> Copied:
    """Bring all that `source` keeps to `target`, which stays as it is otherwise."""
    copied = Copied()
    scopes, erased = [summary.scope for summary in source.scopes()], target.erased_chains()
    for number, scope in enumerate(scopes, start=1):
        _bring(source, target, scope, copied, now, erased)
        progress(number, len(scopes), scope)
    bring_what_all_share(source, target)
    return copied


def _bring(
    source: TableStore, target: TableStore, scope: Scope, copied: Copied, now: datetime, erased: Container[str]
) -> None:
    fresh = False
    for _ in range(_ROUNDS):
        wanted, there = source.fingerprint(scope), target.fingerprint(scope)
        if there != wanted:
            if not target.take_over(source, scope, now, erased=erased):
                copied.ahead.append(scope)
                return
            fresh, there = True, target.fingerprint(scope)
        if there == wanted:
            _count(copied, wanted, fresh=fresh)
            return
        if there.version == wanted.version:
            copied.different.append(scope)
            return
    copied.moving.append(scope)


def bring_what_all_share(source: TableStore, target: TableStore) -> None:
    """Bring what remains of erasures and what a server keeps, but for letters: they are on their way from there."""
    target.bring_closed_chains(source)
    for certificate in source.certificates(_ALL):
        target.keep_certificate(certificate)
    for key in source.desk.access_keys():
        target.desk.keep_key(key)
    for webhook in source.desk.webhooks():
        target.desk.keep_webhook(webhook)
    for document in source.desk.documents():
        target.desk.put_document(document)


def _count(copied: Copied, found: Fingerprint, *, fresh: bool) -> None:
    copied.scopes += 1
    copied.fresh += fresh
    for table, count in found.rows.items():
        copied.rows[table] = copied.rows.get(table, 0) + count
