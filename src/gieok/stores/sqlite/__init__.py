"""A bank in one SQLite file, encrypted as a whole when a key is set."""

from gieok.stores.sqlite.store import SqliteStore, open_store

__all__ = ["SqliteStore", "open_store"]
