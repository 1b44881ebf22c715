"""LangGraph's SqliteStore with its vector index (sqlite-vec), as it is opened by `from_conn_string`."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Collection
from typing import Any

if not hasattr(sqlite3.Connection, "enable_load_extension"):  # a Python built without it cannot load sqlite-vec
    import pysqlite3

    sys.modules["sqlite3"] = pysqlite3

from langgraph.store.sqlite import SqliteStore

from comparing.locomo import Note
from comparing.worker import Peer, Setup, main


class LangGraph(Peer):
    """A user is a namespace."""

    def __init__(self, setup: Setup) -> None:
        def embed(texts: list[str]) -> list[list[float]]:
            return [setup.vectors(text).tolist() for text in texts]

        index = {"dims": setup.vectors.dimension, "embed": embed}
        self._opened: Any = SqliteStore.from_conn_string(str(setup.folder / "store.db"), index=index)
        self._store: Any = self._opened.__enter__()
        self._store.setup()

    def add(self, user: str, note: Note) -> None:
        # Said at each put: this version passes over the "fields" of its index, and would embed the value as JSON.
        self._store.put(("memories", user), note.key, {"text": note.text}, index=["text"])

    def search(self, user: str, query: str, k: int) -> list[Collection[str]]:
        return [[item.key] for item in self._store.search(("memories", user), query=query, limit=k)]

    def close(self) -> None:
        self._opened.__exit__(None, None, None)


if __name__ == "__main__":
    main(LangGraph)
