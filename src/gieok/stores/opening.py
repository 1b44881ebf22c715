"""Opening a bank wherever its location says: a file, a PostgreSQL server, or a store that somebody plugged in."""

from __future__ import annotations

import os
from importlib.metadata import entry_points
from typing import Any, Final, cast

from gieok.errors import BankUnavailable
from gieok.ports import Store
from gieok.stores import sqlite
from gieok.stores.key_sources import found_key

GROUP: Final = "gieok.stores"  #: entry points: a scheme, and a function that opens what stands there
_POSTGRES: Final = ("postgresql", "postgres")
_OF_A_SERVER: Final = ("pool", "seconds", "keyword")


def open_store(
    location: str | os.PathLike[str],
    *,
    embedder: str,
    dimension: int,
    key: str | None = None,
    key_file: str | None = None,
    key_command: str | None = None,
    **options: Any,
) -> Store:
    """Open the bank at `location`; see the stores' own `open_store` for what can go wrong.

    Of `options` each store takes what it knows: `key` encrypts a file (it may stand in `key_file`, or be printed by
    `key_command`); `pool`, `seconds` and `keyword` are a server's.
    """
    scheme, mark, _ = str(location).partition("://")
    if mark and scheme in _POSTGRES and (key, key_file, key_command) != (None, None, None):
        raise BankUnavailable(
            "a key encrypts a file; on a server, encrypt its disk, and leave key, key_file and key_command unset "
            "(GIEOK_KEY …), unless backup_folder is set: then backups are encrypted with it"
        )
    found = found_key(key=key, key_file=key_file, key_command=key_command)
    if found is not None:
        options["key"] = found
    if not mark:
        known = {name: value for name, value in options.items() if name not in _OF_A_SERVER}
        return sqlite.open_store(location, embedder=embedder, dimension=dimension, **known)
    if scheme in _POSTGRES:
        return _postgres(str(location), embedder=embedder, dimension=dimension, **options)
    plugged = next(iter(entry_points(group=GROUP, name=scheme)), None)
    if plugged is None:
        raise BankUnavailable(
            f"there is no store for {scheme}://; a bank is kept in a file (give its path) or at postgresql://…"
        )
    return cast(Store, plugged.load()(str(location), embedder=embedder, dimension=dimension, **options))


def _postgres(location: str, **options: Any) -> Store:
    try:
        from gieok.stores import postgres
    except ModuleNotFoundError as missing:
        raise BankUnavailable(
            f'{missing.name} is not installed; a bank on a server takes: pip install "gieok[postgres]"'
        ) from missing
    return postgres.open_store(location, **options)
