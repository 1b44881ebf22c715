"""A bank spread over a cluster: every question about a mind is answered by one node.

Runs where GIEOK_TEST_CITUS_URL names the coordinator of a Citus cluster, in a database that may be written to.
"""

import os
import uuid

import psycopg
import pytest

import gieok
from gieok.stores.postgres import parts
from gieok.stores.postgres import schema as postgres_schema
from gieok.stores.postgres.connection import QUERIES, Connection, address_of, prepared, spelt
from support.postgres import connected

URL = os.environ.get("GIEOK_TEST_CITUS_URL")
needs_citus = pytest.mark.skipif(URL is None, reason="GIEOK_TEST_CITUS_URL names no cluster")


def test_every_owned_table_is_spread_by_its_owner_beside_the_scopes():
    told = [step.sql for step in postgres_schema.steps("gieok", {})]
    first = told.index("SELECT create_distributed_table('gieok.scopes', 'owner')")
    for table in postgres_schema.BESIDE:
        assert (
            told.index(f"SELECT create_distributed_table('gieok.{table}', 'owner', colocate_with => 'gieok.scopes')")
            > first
        )


def test_what_is_spread_already_is_not_spread_again():
    steps = postgres_schema.steps("team_a", {"bank": 0, "scopes": 8192, "turns": 0})
    assert [step.sql for step in steps if step.done] == [
        "SELECT create_reference_table('team_a.bank')",
        "SELECT create_distributed_table('team_a.scopes', 'owner')",
        "SELECT create_distributed_table('team_a.turns', 'owner', colocate_with => 'team_a.scopes')",
        "SELECT truncate_local_data_after_distributing_table('team_a.turns')",
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
        postgres_schema.plan(Connection(raw, "there"), "gieok")


STAND_IN = """
SET allow_system_table_mods = on;
INSERT INTO pg_extension (oid, extname, extowner, extnamespace, extrelocatable, extversion)
VALUES (999999, 'citus', 10, 2200, false, '14.0');
CREATE TABLE public.pg_dist_local_group (groupid int);
INSERT INTO public.pg_dist_local_group VALUES (0);
CREATE TABLE public.pg_dist_partition (logicalrelid regclass);
CREATE TABLE public.pg_dist_shard (logicalrelid regclass, shardid bigint);
CREATE TABLE public.emptied (relation text);
CREATE FUNCTION public.create_distributed_table(relation regclass, by_column text, colocate_with text = '') RETURNS void
LANGUAGE sql AS $$
    INSERT INTO public.pg_dist_partition VALUES (relation);
    INSERT INTO public.pg_dist_shard SELECT relation, n FROM generate_series(1, 32) AS n;
$$;
CREATE FUNCTION public.create_reference_table(relation regclass) RETURNS void LANGUAGE sql AS $$
    INSERT INTO public.pg_dist_partition VALUES (relation);
$$;
CREATE FUNCTION public.create_distributed_function(name regprocedure) RETURNS void LANGUAGE sql AS 'SELECT';
CREATE FUNCTION public.truncate_local_data_after_distributing_table(relation regclass) RETURNS void LANGUAGE sql AS $$
    INSERT INTO public.emptied VALUES (relation::text);
$$;
CREATE FUNCTION public.citus_total_relation_size(relation regclass) RETURNS bigint
LANGUAGE sql AS 'SELECT 1000::bigint';
CREATE SEQUENCE public.files;
CREATE TABLE public.asked (command text);
CREATE FUNCTION public.run_command_on_workers(command text)
RETURNS TABLE (nodename text, nodeport int, success boolean, result text) LANGUAGE sql AS $$
    INSERT INTO public.asked VALUES (command);
    VALUES
        ('worker-1', 5432, true, nextval('public.files')::text), ('worker-2', 5432, command LIKE 'SELECT%', 'kept'),
        ('worker-3', 5432, true, 'another role''s')
$$;
"""


@pytest.fixture
def cluster(database):
    """A database that answers to what we call of Citus as its documents say; nothing is spread."""
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION vector SCHEMA public")
        connection.execute(STAND_IN)
    return database


def test_a_cluster_is_planned_for_one_schema_whatever_the_others_have(cluster):
    other = f"{cluster}&schema=team_a"
    with gieok.open(cluster, embedder="hashing") as bank, gieok.open(other, embedder="hashing") as team:
        team.store.on_its_own(lambda connection: postgres_schema.apply(connection, "team_a"))
        with psycopg.connect(cluster) as connection:
            emptied = {name for (name,) in connection.execute("SELECT relation FROM emptied")}
        assert emptied == {f"team_a.{name}" for name in (postgres_schema.FIRST, *postgres_schema.BESIDE)}
        assert not [
            step
            for step in bank.store.on_its_own(lambda connection: postgres_schema.plan(connection, "gieok"))
            if step.done
        ]
        assert "32 shards" not in bank.info().engine
        shards = 32 * (1 + len(postgres_schema.BESIDE))
        assert team.info().engine.endswith(f"with Citus, {shards} shards")
        assert team.info().size_bytes > 1000 * len(postgres_schema.BESIDE)


def test_a_worker_is_refused_before_anything_is_made_there(cluster):
    with psycopg.connect(cluster) as connection:
        connection.execute("UPDATE pg_dist_local_group SET groupid = 2")
    with pytest.raises(gieok.errors.BankUnavailable, match="coordinator"):
        gieok.open(cluster, embedder="hashing")
    with psycopg.connect(cluster) as connection:
        assert connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = 'gieok'").fetchall() == []


@pytest.mark.parametrize("canon", [True, False])
def test_one_recall_asks_for_the_rows_of_one_owner_where_canon_is_left_out(cluster, monkeypatch, canon):
    with gieok.open(cluster, embedder="hashing", canon=canon) as bank:
        bank.scope(character="레티아").remember("레티아는 별의 학원에 다닌다")
        mind = bank.scope(user="민수", character="레티아", world="학원")
        mind.observe("나 라면 좋아해", turn_id="t1")
        asked = []
        fetched = Connection._fetched

        def heard(self, sql, values=None, **options):
            if isinstance(values, dict):
                asked.append({values[name] for name in ("owner", "user") if f"%({name})s" in sql.decode()})
            return fetched(self, sql, *([] if values is None else [values]), **options)

        monkeypatch.setattr(Connection, "_fetched", heard)
        hits = mind.recall("레티아는 어디 다녀?")
        mind.context("라면 먹을까?")
        mind.facts()
    assert any("학원" in hit.text for hit in hits) == canon
    assert all(asked)  # every statement says whose rows it means
    assert set().union(*asked) == ({"민수", ""} if canon else {"민수"})


def test_a_bank_is_cut_into_parts_or_spread_and_never_both(database):
    with gieok.open(database, embedder="hashing") as bank:
        bank.store.on_its_own(lambda connection: parts.cut(connection, "gieok", 2))
        with psycopg.connect(database) as connection:
            connection.execute(STAND_IN)
        with pytest.raises(gieok.errors.BankUnavailable, match="gieok copy"):
            bank.store.on_its_own(lambda connection: postgres_schema.plan(connection, "gieok"))
        with pytest.raises(gieok.errors.BankUnavailable, match="shards already divide"):
            bank.store.on_its_own(lambda connection: parts.cut(connection, "gieok", 2))


def test_what_stays_on_the_coordinator_is_told_at_opening_and_by_doctor(cluster, caplog):
    gieok.open(cluster, embedder="hashing").close()
    assert "does not distribute bank, scopes, turns" in caplog.text
    with gieok.open(cluster, embedder="hashing") as bank:
        bank.store.on_its_own(lambda connection: postgres_schema.apply(connection, "gieok"))
    with psycopg.connect(cluster) as connection:  # as if an upgrade had made it
        connection.execute("DELETE FROM pg_dist_partition WHERE logicalrelid = 'gieok.traces'::regclass")
    caplog.clear()
    with gieok.open(cluster, embedder="hashing") as bank:
        assert "does not distribute traces:" in caplog.text
        [problem] = bank.store.problems()
        assert "gieok cluster apply" in problem


def test_nothing_is_certified_while_the_coordinator_has_hidden_copies(cluster):
    with gieok.open(cluster, embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("내 비밀은 보라색우산이야", turn_id="t1")
        bank.store.on_its_own(lambda connection: postgres_schema.apply(connection, "gieok"))
        with pytest.raises(gieok.errors.ErasureUnproven, match=r"copies of .*utterances.* cluster apply"):
            letia.erase(turn="t1")


def test_a_certificate_names_the_workers_that_were_not_rid_of_their_samples(cluster):
    with gieok.open(cluster, embedder="hashing") as bank:
        letia = bank.scope(user="minsu", character="letia")
        letia.observe("내 비밀은 보라색우산이야", turn_id="t1")
        letia.erase(turn="t1")
        [certificate] = bank.certificates()
    assert "pg_statistic of worker-2:5432, pg_statistic of worker-3:5432" in certificate.means
    assert "worker-1" not in certificate.means
    with psycopg.connect(cluster) as connection:
        asked = [" ".join(command.split()) for (command,) in connection.execute("SELECT command FROM asked").fetchall()]
    assert asked == [
        "SELECT pg_relation_filenode('pg_catalog.pg_statistic')",
        "DELETE FROM pg_catalog.pg_statistic WHERE starelid >= 16384 AND pg_relation_size(starelid) = 0",
        "VACUUM FULL pg_catalog.pg_statistic",
        "SELECT pg_relation_filenode('pg_catalog.pg_statistic')",
    ]


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
        assert postgres_schema.apply(connection, schema)
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
            "high": (1 << 24) + 9, "ids": "[]", "public_ids": "[]", "keys": "[]", "limit": 5, "most": 5,
            "words": '["1x가"]',
        }  # fmt: skip
        for name in (
            "find_scope",
            "find_begun",
            "load_index",
            "word_postings",
            "load_memories",
            "load_utterances",
            "find_items",
        ):
            told = "\n".join(line for (line,) in raw.execute(b"EXPLAIN " + spelt(QUERIES[name]), values).fetchall())
            assert "Task Count: 1" in told, name
    finally:
        raw.execute(f'DROP SCHEMA "{schema}" CASCADE')
        raw.close()
