"""What is written down of a backup: a label beside its file, and what it holds inside.

The label can be read without a key, and names nobody: what the file must be, and which one it goes on from. Who is in
a backup, and what of them, stands inside, under the bank's own encryption.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from gieok.domain.record import from_record, to_record
from gieok.domain.scope import Scope
from gieok.errors import BackupDamaged
from gieok.stores.tables.connection import Connection
from gieok.stores.tables.copying import Fingerprint

FORMAT: Final = 1
TABLE: Final = "backup"  #: in the file of a backup, and in no bank
_MAKE: Final = "CREATE TABLE backup (id INTEGER PRIMARY KEY, record TEXT NOT NULL) STRICT"
_HEAD: Final = 1
_BATCH: Final = 10_000
Kind = Literal["full", "part"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """What stands beside the file of a backup."""

    format: int
    name: str  #: of the file
    bank: str  #: a digest of where the bank is kept: several may share a folder
    kind: Kind  #: a part holds what changed since another backup
    made_at: datetime
    size: int  #: bytes
    sha256: str
    after: str | None = None  #: sha256 of the backup that a part goes on from
    schema: int
    encrypted: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeKept:
    """A scope as it stood when the backup was made, whether its rows are in this file or in one before it."""

    scope: Scope
    number: int  #: in the bank that was backed up; it is never given twice there
    epoch: int  #: of its index
    head: str | None = None  #: of its chain of deeds; None: made by a gieok that did not tell, so it counts as changed
    fingerprint: Fingerprint
    last_turn: str | None = None
    last_turn_at: datetime | None = None  #: wall time

    @property
    def mark(self) -> tuple[int, int, int, str | None]:
        """What moves with every change of the scope."""
        return self.number, self.fingerprint.version, self.epoch, self.head


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a backup holds, together with those that it goes on from."""

    made_at: datetime
    location: str  #: of the bank, without a password
    engine: str
    schema: int  #: of this file
    embedder: str
    dimension: int
    counts: Mapping[str, int] = field(default_factory=dict)
    scopes: tuple[ScopeKept, ...] = ()


def label_text(label: Label) -> str:
    return json.dumps(to_record(label), indent=2) + "\n"


def label_from(text: str, name: str) -> Label:
    """Return the label that `text` is. Raises `BackupDamaged`."""
    try:
        label = from_record(Label, json.loads(text))
    except (ValueError, TypeError, AttributeError, KeyError) as cause:
        raise BackupDamaged(f"the label {name} cannot be read ({cause}); nothing was restored") from cause
    if label.format != FORMAT:
        raise BackupDamaged(f"{name} is of format {label.format}, this gieok knows {FORMAT}; pip install -U gieok")
    return label


def write_contents(connection: Connection, contents: Contents) -> None:
    """Keep `contents` in the file of a backup."""
    head, *scopes = _records(contents)
    connection.script(_MAKE)
    connection.fill(TABLE, [{"id": _HEAD, "record": head}])
    for first in range(0, len(scopes), _BATCH):
        some = enumerate(scopes[first : first + _BATCH], start=_HEAD + 1 + first)
        connection.fill(TABLE, [{"id": id, "record": record} for id, record in some])


def read_contents(connection: Connection) -> Contents:
    """Return what the file of a backup holds. Raises `BankError` where it is no backup."""
    last = connection.highest(TABLE, "id", _HEAD, 2**62) or 0
    records: list[str] = []
    for first in range(_HEAD, last + 1, _BATCH):
        rows = connection.read(TABLE, ("id", "record"), "id", first, first + _BATCH - 1)
        records += [record for _, record in sorted(rows)]
    if not records:
        raise BackupDamaged("the file holds no word on what is in it; nothing was restored")
    head, *scopes = map(json.loads, records)
    return from_record(Contents, {**head, "scopes": scopes})


def _records(contents: Contents) -> list[str]:
    record = to_record(contents)
    scopes = record.pop("scopes", [])
    return [json.dumps(each, ensure_ascii=False) for each in (record, *scopes)]
