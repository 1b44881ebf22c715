"""A bank on a PostgreSQL server, with pgvector; many processes may share it."""

from gieok.stores.postgres.store import PostgresStore, open_store

__all__ = ["PostgresStore", "open_store"]
