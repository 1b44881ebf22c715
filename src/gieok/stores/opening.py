"""Opening a bank wherever its location says: a file, a PostgreSQL server, or a store that somebody plugged in."""

from __future__ import annotations

import os
from importlib.metadata import entry_points
from typing import Any, Final, cast

from gieok.errors import BankUnavailable
from gieok.ports import Store
from gieok.stores import sqlite

GROUP: Final = "gieok.stores"  #: entry points: a scheme, and a function that opens what stands there
_POSTGRES: Final = ("postgresql", "postgres")
_OF_A_SERVER: Final = ("pool", "seconds", "keyword")


def open_store(location: str | os.PathLike[str], *, embedder: str, dimension: int, **options: Any) -> Store:
    """Open the bank at `location`; see the stores' own `open_store` for what can go wrong.

    Of `options` each store takes what it knows: `key` encrypts a file; `pool`, `seconds` and `keyword` are a server's.
    """
    scheme, mark, _ = str(location).partition("://")
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


def _postgres(location: str, *, key: str | None = None, **options: Any) -> Store:
    if key is not None:
        raise BankUnavailable("a key encrypts a file; on a server, encrypt its disk, and leave GIEOK_KEY unset")
    try:
        from gieok.stores import postgres
    except ModuleNotFoundError as missing:
        raise BankUnavailable(
            f'{missing.name} is not installed; a bank on a server takes: pip install "gieok[postgres]"'
        ) from missing
    return postgres.open_store(location, **options)
