"""Putting a backup back: a full one and its parts become one file again, which is looked at before anybody gets it.

Checksums first, then all rows: the file must be in order, and every scope what it was when the backup was made. What a
server was about to send, or to repeat, is left out: it was sent from where the backup comes from.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from gieok.domain.scope import Scope
from gieok.errors import BackupDamaged, BankError
from gieok.stores import sqlite
from gieok.stores.backups.records import TABLE, Contents, Label, read_contents
from gieok.stores.backups.shelf import Shelf
from gieok.stores.copying import bring_what_all_share
from gieok.stores.sqlite.opening import open_at_rest
from gieok.stores.sqlite.schema import SCHEMA
from gieok.stores.tables import copying, erasing
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.copying import Fingerprint

_AT_ONCE: Final = 50  #: scopes in one transaction
_LEFT_OUT: Final = "DELETE FROM letters; DELETE FROM kept_answers; DELETE FROM leases"


def put_back(shelf: Shelf, label: Label, into: Path, *, key: str | None, now: datetime) -> Contents:
    """Make the bank that a backup is of in the new file `into`, and return what is in it.

    Raises `BackupDamaged` where anything is missing or is not what it was, `WrongKey` and the like; the file is then of
    no use.
    """
    chain = shelf.chain(label)
    for each in chain:
        shelf.check(each)
    shutil.copyfile(shelf.path(chain[0]), into)
    into.chmod(0o600)
    with closing(open_at_rest(into, key)) as connection:
        contents = _contents(connection, chain[0])
    with closing(_opened(into, contents, key)) as bank:
        bank.write(lambda connection: connection.script(f"DROP TABLE {TABLE}; {_LEFT_OUT}"))
        for each in chain[1:]:
            contents = _gone_on(bank, shelf.path(each), each, key, now)
        check(bank, contents, label.name)
    return contents


def check(bank: sqlite.SqliteStore, contents: Contents, name: str) -> None:
    """Raise `BackupDamaged` if a bank is not in order, or not what `contents` say."""
    if problems := bank.problems():
        raise BackupDamaged(f"{name} is not in order: {problems[0]}; nothing was restored")
    wanted = {each.scope: each.fingerprint for each in contents.scopes}
    there = {mark.scope for mark in bank.marks()}
    if there != set(wanted):
        strange = min(there ^ set(wanted), key=str)
        raise BackupDamaged(f"{name} does not hold the scopes that it should ([{strange}] …); nothing was restored")
    for scope, fingerprint in wanted.items():
        if not _same(bank.fingerprint(scope), fingerprint, same_schema=contents.schema == SCHEMA):
            raise BackupDamaged(f"[{scope}] in {name} is not what it was; nothing was restored")


def _same(found: Fingerprint, wanted: Fingerprint, *, same_schema: bool) -> bool:
    """Compare what is there with what was; an older schema kept the same rows with other columns."""
    if same_schema:
        return found == wanted
    both = found.rows.keys() & wanted.rows.keys()
    return found.version == wanted.version and all(found.rows[table] == wanted.rows[table] for table in both)


def _contents(connection: Connection, label: Label) -> Contents:
    try:
        return read_contents(connection)
    except BackupDamaged:
        raise
    except BankError as cause:
        raise BackupDamaged(f"{label.name} holds no word on what is in it; nothing was restored") from cause


def _opened(path: Path, contents: Contents, key: str | None) -> sqlite.SqliteStore:
    """Open a copy of a backup's file; one of an older gieok is brought to today's schema."""
    return sqlite.open_store(
        path, embedder=contents.embedder, dimension=contents.dimension, key=key, for_reindex=True, create=False
    )


def _gone_on(bank: sqlite.SqliteStore, path: Path, label: Label, key: str | None, now: datetime) -> Contents:
    """Bring what a part holds to `bank`, and let go of what was no longer there when it was made."""
    with TemporaryDirectory(prefix="gieok-restore-", dir=Path(bank.location).parent) as folder:
        copied = Path(folder) / "part.db"
        shutil.copyfile(path, copied)
        with closing(open_at_rest(copied, key)) as connection:
            contents = _contents(connection, label)
        with closing(_opened(copied, contents, key)) as part:
            fresh = [mark.scope for mark in part.marks()]
            known = {each.scope for each in contents.scopes}
            gone = [mark.scope for mark in bank.marks() if mark.scope not in known]
            _take(bank, part, fresh, now)
            bank.write(lambda connection: _drop(connection, gone, now))
            _take_desk(bank, part)
    return contents


def _take(bank: sqlite.SqliteStore, part: sqlite.SqliteStore, scopes: Sequence[Scope], now: datetime) -> None:
    for first in range(0, len(scopes), _AT_ONCE):
        some = scopes[first : first + _AT_ONCE]
        with part.snapshot() as there:
            bank.write(partial(_taken, there=there, scopes=some, now=now))


def _taken(here: Connection, *, there: Connection, scopes: Sequence[Scope], now: datetime) -> None:
    for scope in scopes:
        copying.take_over(here, there, scope, now)


def _drop(connection: Connection, scopes: Sequence[Scope], now: datetime) -> None:
    for scope in scopes:
        erasing.erase(connection, scope, now)


def _take_desk(bank: sqlite.SqliteStore, part: sqlite.SqliteStore) -> None:
    hooks = {each.id for each in part.desk.webhooks()}
    for webhook in bank.desk.webhooks():
        if webhook.id not in hooks:
            bank.desk.drop_webhook(webhook.id)
    documents = {(each.namespace, each.key) for each in part.desk.documents()}
    for document in bank.desk.documents():
        if (document.namespace, document.key) not in documents:
            bank.desk.drop_document(document.namespace, document.key)
    bring_what_all_share(part, bank)
