"""A bank spread over a cluster: every question about a mind is answered by one node.

Runs where GIEOK_TEST_CITUS_URL names the coordinator of a Citus cluster, in a database that may be written to.
"""

import os
import uuid

import psycopg
import pytest

import gieok
from gieok.stores.postgres import schema as postgres_schema
from gieok.stores.postgres.connection import QUERIES, Connection, address_of, prepared, spelt
from support.postgres import connected

URL = os.environ.get("GIEOK_TEST_CITUS_URL")
needs_citus = pytest.mark.skipif(URL is None, reason="GIEOK_TEST_CITUS_URL names no cluster")


def test_every_owned_table_is_spread_by_its_owner_beside_the_scopes():
    told = [step.sql for step in postgres_schema.steps(set())]
    first = told.index("SELECT create_distributed_table('scopes', 'owner')")
    for table in postgres_schema.BESIDE:
        assert told.index(f"SELECT create_distributed_table('{table}', 'owner', colocate_with => 'scopes')") > first


def test_what_is_spread_already_is_not_spread_again():
    steps = postgres_schema.steps({"bank", "scopes", "turns"})
    assert [step.sql for step in steps if step.done] == [
        "SELECT create_reference_table('bank')",
        "SELECT create_distributed_table('scopes', 'owner')",
        "SELECT create_distributed_table('turns', 'owner', colocate_with => 'scopes')",
    ]


def test_the_tables_of_the_plan_are_those_with_an_owner(database):
    with gieok.open(database, embedder="hashing"), psycopg.connect(database) as connection:
        owned = connection.execute(
            "SELECT table_name FROM information_schema.columns "
            "JOIN information_schema.tables USING (table_schema, table_name) "
            "WHERE table_schema = 'gieok' AND column_name = 'owner' AND table_type = 'BASE TABLE'"
        ).fetchall()
    assert {table for (table,) in owned} == {postgres_schema.FIRST, *postgres_schema.BESIDE}


def test_without_citus_it_says_how_to_get_it(database):
    gieok.open(database, embedder="hashing").close()
    with (
        psycopg.connect(database, autocommit=True) as raw,
        pytest.raises(gieok.errors.BankUnavailable, match="CREATE EXTENSION citus"),
    ):
        postgres_schema.plan(Connection(raw, "there"))


@needs_citus
def test_a_bank_on_a_cluster_remembers_and_every_question_goes_to_one_node():
    assert URL is not None
    schema = f"gieok_{uuid.uuid4().hex[:8]}"
    location = f"{URL}{'&' if '?' in URL else '?'}schema={schema}"
    address = address_of(location)
    gieok.open(location, embedder="hashing").close()
    raw = connected(address)
    prepared(raw)
    connection = Connection(raw, address.shown)
    try:
        assert postgres_schema.apply(connection)
        with gieok.open(location, embedder="hashing") as bank:
            mind = bank.scope(user="민수", character="레티아")
            mind.observe("나 부산에 살아", turn_id="t1")
            mind.observe("나 서울로 이사했어")
            assert [fact.value for fact in mind.facts(attribute="residence")] == ["서울"]
            assert mind.recall("어디 살아?")
            mind.rewind("t1")
            assert bank.store.problems() == []
        values = {
            "owner": "민수", "user": "민수", "character": "레티아", "world": "", "scope_id": 1, "low": 1 << 24,
            "high": (1 << 24) + 9, "ids": "[]", "public_ids": "[]", "limit": 5, "most": 5, "words": '["1x가"]',
        }  # fmt: skip
        for name in ("find_scope", "load_index", "word_postings", "load_memories", "load_utterances", "find_items"):
            told = "\n".join(line for (line,) in raw.execute(b"EXPLAIN " + spelt(QUERIES[name]), values).fetchall())
            assert "Task Count: 1" in told, name
    finally:
        raw.execute(f'DROP SCHEMA "{schema}" CASCADE')
        raw.close()
