"""What is asked of one scope, or of a page of them, is looked up: no list of all is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gieok.domain.scope import Scope
from gieok.stores.sqlite import open_store
from gieok.stores.sqlite.connection import SQL, Connection
from gieok.testing import HashVectors, Scribe

VECTORS = HashVectors(32)
OF_ALL = ("find_chains", "find_unchained", "find_stray_deeds")
PAGE = {"user": "u3", "character": "", "world": "", "last": "u3", "within": "[]", "limit": 5}


def test_the_chain_of_one_scope_is_read_without_a_look_at_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    rows = Connection.rows
    store = open_store(tmp_path / "bank.db", embedder=VECTORS.name, dimension=VECTORS.dimension)
    scopes = [Scope(user=f"u{number}") for number in range(3)]
    for scope in scopes:
        Scribe(store, scope, vectors=VECTORS).observe("안녕")
    chains = store.audit.chains()
    monkeypatch.setattr(Connection, "rows", lambda *query, **values: asked.append(query[1]) or rows(*query, **values))
    for scope, chain in zip(scopes, chains, strict=True):
        assert store.audit.chains(scope) == [chain]
        assert [deed.act for deed, _ in store.audit.lines(chain)] == ["observe"]
        assert store.audit.verify(scope).sound
    assert not set(asked) & set(OF_ALL)
    store.close()


@pytest.mark.parametrize(
    ("query", "asked", "index"),
    [
        ("find_marked_chains", {"mark": "m"}, "chains_by_mark"),
        ("list_scopes", PAGE, "((user,character,world)>(?,?,?) AND user<?)"),
        ("list_scope_names", PAGE, "((user,character,world)>(?,?,?) AND user<?)"),
        ("list_characters", {}, "COVERING INDEX scopes_by_character"),
    ],
)
def test_an_index_finds_it(tmp_path: Path, query: str, asked: dict[str, Any], index: str) -> None:
    store = open_store(tmp_path / "bank.db", embedder=VECTORS.name, dimension=VECTORS.dimension)
    with store.snapshot() as connection:
        assert isinstance(connection, Connection)
        plan = "\n".join(row[3] for row in connection._execute(f"EXPLAIN QUERY PLAN {SQL[query]}", asked))
    store.close()
    assert index in plan, plan
    assert not [line for line in plan.splitlines() if line.startswith("SCAN ") and "VIRTUAL" not in line], plan
