"""How a server goes about the queries that every recall asks, on a bank with many users."""

import re
from collections.abc import Iterator

import psycopg
import pytest

from gieok.stores.postgres import open_store
from gieok.stores.postgres.connection import QUERIES, Connection, address_of, prepared, spelt
from gieok_contract import VECTORS
from support.postgres import connected

_CROWD = """
INSERT INTO scopes (owner, character, world, version)
SELECT 'user-' || number, 'character-' || number % 500, '', 1 FROM generate_series(1, 3000) AS number
UNION ALL
SELECT '', 'character-' || number, '', 1 FROM generate_series(1, 3000) AS number
"""  # users with their characters, and what all know of each character
_ASKED = {"user": "user-7", "character": "character-7", "world": ""}


@pytest.fixture
def raw(database: str) -> Iterator[psycopg.Connection]:
    open_store(database, embedder=VECTORS.name, dimension=VECTORS.dimension).close()
    address = address_of(database)
    with connected(address) as raw:
        prepared(raw)
        raw.execute(_CROWD)
        raw.execute("ANALYZE scopes")
        yield raw


@pytest.mark.parametrize(
    ("query", "values"),
    [
        ("find_scope", _ASKED),
        ("find_begun", {"user": "", "keys": '[["", "character-7", ""], ["", "character-9", "별"]]'}),
    ],
)
def test_where_a_scope_stands_is_looked_up_however_many_there_are(raw: psycopg.Connection, query, values):
    plan = "\n".join(line for (line,) in raw.execute(b"EXPLAIN ANALYZE " + spelt(QUERIES[query]), values))
    assert "on scopes_owner_character_world_key" in plan.replace("using", "on"), plan
    assert "Seq Scan on scopes" not in plan


@pytest.mark.parametrize("query", ["list_scopes", "list_scope_names"])
@pytest.mark.parametrize(
    ("first", "last", "within"),
    [("", "\U0010ffff", "[]"), ("user-7", "user-7", '[{"user": "user-7", "character": null, "world": null}]')],
)
def test_a_page_of_scopes_is_found_by_their_names_however_many_there_are(
    raw: psycopg.Connection, query, first, last, within
):
    asked = {"user": first, "character": "", "world": "", "last": last, "within": within, "limit": 20}
    plan = "\n".join(line for (line,) in raw.execute(b"EXPLAIN ANALYZE " + spelt(QUERIES[query]), asked))
    assert re.search(r"Index Scan using scopes_(pkey|owner_character_world_key)", plan), plan
    assert "Seq Scan on scopes" not in plan


def test_a_chain_is_found_by_its_mark_however_many_there_are(raw: psycopg.Connection):
    raw.execute("INSERT INTO chains SELECT owner, id, 'mark-' || id, 0, 0, '' FROM scopes")
    raw.execute("ANALYZE chains")
    plan = "\n".join(
        line for (line,) in raw.execute(b"EXPLAIN " + spelt(QUERIES["find_marked_chains"]), {"mark": "mark-7"})
    )
    assert "chains_by_mark" in plan, plan
    assert "Seq Scan" not in plan


def test_what_every_recall_asks_is_planned_once_and_the_words_of_a_scope_each_time(raw: psycopg.Connection):
    connection = Connection(raw, "here").bound(owner="user-7", scope_id=7)
    for _ in range(20):
        connection.rows("find_scope", **_ASKED)
        connection.rows("word_postings", low=0, high=1, words='["라면"]', most=10)
        connection.rows("find_read_from", utterance_ids='["u1"]')
    kept = raw.execute("SELECT statement, generic_plans FROM pg_prepared_statements").fetchall()
    assert [generic > 0 for statement, generic in kept if "FROM bank" in statement] == [True]
    assert [statement for statement, _ in kept if "keywords" in statement] == []
    assert [statement for statement, _ in kept if "public_id > (said" in statement] == []
