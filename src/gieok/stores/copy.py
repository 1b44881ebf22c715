"""Copying a whole bank to another: scope by scope, each whole or not at all, and looked at again afterwards.

It can be stopped and begun again: what is there already, and the same, is passed over. The source may be in use; a
scope that is written to meanwhile is copied once more. What went on in the target since an earlier copy stays.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from gieok.domain.erasure import unissued_certificate
from gieok.domain.scope import Scope
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
    erased: list[Scope] = field(default_factory=list)  #: in the target just now, as they were in the source
    outlived: list[Scope] = field(default_factory=list)  #: erased in the source, but written to in the target: left
    ahead: list[Scope] = field(default_factory=list)  #: written to, or erased, in the target: left as they are there

    @property
    def is_whole(self) -> bool:
        return not any((self.moving, self.different, self.ahead, self.outlived))


def copy_bank(source: TableStore, target: TableStore, *, now: datetime, progress: Progress) -> Copied:
    """Bring all that `source` keeps to `target`, and what it erased goes there, too; else `target` stays as it is.

    Certificates tell what is certain of the source's files; where `target` kept something before, nothing is yet.
    """
    copied, new = Copied(), not target.marks()
    copied.erased, copied.outlived = target.follow_erasures(source, now)
    scopes, erased = [summary.scope for summary in source.scopes()], target.erased_chains()
    for number, scope in enumerate(scopes, start=1):
        _bring(source, target, scope, copied, now, erased)
        progress(number, len(scopes), scope)
    target.bring_closed_chains(source)
    target.bring_digests(source)
    for certificate in reversed(source.certificates(_ALL)):  # but for scopes that may still hold what they say is gone
        held = any(certificate.is_about(scope) for scope in (*copied.ahead, *copied.outlived))
        if not held and target.certificate(certificate.id) is None:
            target.keep_certificate(certificate if new else unissued_certificate(certificate))
    bring_server_state(source, target)
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
            copied.scopes += 1
            copied.fresh += fresh
            copied.rows = dict(Counter(copied.rows) + Counter(wanted.rows))
            return
        if there.version == wanted.version:
            copied.different.append(scope)
            return
    copied.moving.append(scope)


def bring_what_all_share(source: TableStore, target: TableStore) -> None:
    """Bring what remains of erasures and what a server keeps."""
    target.bring_closed_chains(source)
    target.bring_digests(source)
    for certificate in reversed(source.certificates(_ALL)):
        target.keep_certificate(certificate)
    bring_server_state(source, target)


def bring_server_state(source: TableStore, target: TableStore) -> None:
    """Bring what a server keeps, but for letters: they are on their way from there."""
    for key in source.server.access_keys():
        target.server.keep_key(key)
    for webhook in source.server.webhooks():
        target.server.keep_webhook(webhook)
    for document in source.server.documents():
        target.server.put_document(document)
