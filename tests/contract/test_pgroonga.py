"""Words ranked by PGroonga itself.

Runs where GIEOK_TEST_PGROONGA_URL names a database of a server that has PGroonga and pgvector, whose user may make both
extensions and schemas: postgresql://postgres@localhost/postgres. Each test has a schema of its own there.
`test_ranked_words.py` has what can be tried without it.
"""

import os
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from math import log

import psycopg
import pytest

import gieok
from gieok.ports import IndexEntry
from gieok.stores.postgres import open_store, pgroonga
from gieok.stores.postgres.connection import Connection, address_of
from gieok.testing.builders import entry_for, turn
from gieok.testing.scribe import Scribe
from gieok_contract import VECTORS, StoreContract
from gieok_contract.search import Rankings, weighed
from support.plans import filled, plan_of_the_weights
from support.postgres import connected
from support.ranked_stories import Stories
from support.store_handles import Handles, Opener

URL = os.environ.get("GIEOK_TEST_PGROONGA_URL", "")
if not URL:
    pytest.skip("GIEOK_TEST_PGROONGA_URL names no server that has PGroonga", allow_module_level=True)
MINSU = gieok.Scope(user="민수", character="레티아")


@pytest.fixture
def location() -> Iterator[str]:
    """The address of a schema that is not there yet."""
    schema = f"gieok_{uuid.uuid4().hex[:12]}"
    yield f"{URL}{'&' if '?' in URL else '?'}schema={schema}"
    with psycopg.connect(URL, autocommit=True) as connection:
        connection.execute(f'DROP SCHEMA IF EXISTS "{schema}" CASCADE')


def opened(location: str, keyword: str = "pgroonga"):
    return open_store(location, embedder=VECTORS.name, dimension=VECTORS.dimension, keyword=keyword)


def indexes(location: str) -> set[str]:
    address = address_of(location)
    with psycopg.connect(address.conninfo) as connection:
        rows = connection.execute(
            "SELECT indexdef FROM pg_indexes WHERE schemaname = %s AND indexname = 'keywords_ranked'", [address.schema]
        )
        return {definition for (definition,) in rows.fetchall()}


class PgroongaFixtures(Handles):
    """A schema for each test."""

    @pytest.fixture
    def opener(self, location: str) -> Opener:
        return lambda vectors: open_store(
            location, embedder=vectors.name, dimension=vectors.dimension, keyword="pgroonga"
        )


class TestPgroonga(PgroongaFixtures, StoreContract, Rankings):
    def test_it_ranks(self, store):
        assert store.info().engine.endswith("with PGroonga")
        with store.view(MINSU) as view:
            assert view.word_weights(["라면"]) is not None


class TestStories(Stories):
    @pytest.fixture
    def bank(self, location):
        with gieok.open(location, embedder="hashing", keyword="pgroonga", recall_patience=60) as bank:
            yield bank


def test_its_index_is_made_once_and_stays(location):
    with ThreadPoolExecutor(4) as pool:
        for store in pool.map(lambda _: opened(location), range(4)):
            store.close()
    (made,) = indexes(location)
    assert "USING pgroonga" in made
    assert "TokenDelimit" in made
    opened(location, "tsvector").close()
    assert indexes(location) == {made}


def test_auto_takes_it_where_it_is_installed_and_tsvector_leaves_it_alone(location):
    with psycopg.connect(URL, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pgroonga")
    for keyword, ranks in (("tsvector", False), ("auto", True), ("tsvector", False), ("pgroonga", True)):
        store = opened(location, keyword)
        with store.view(MINSU) as view:
            assert (view.word_weights(["라면"]) is not None) is ranks
        store.close()


def test_a_bank_that_was_filled_without_it_is_indexed_as_it_stands(location):
    store = opened(location, "tsvector")
    Scribe(store, MINSU, vectors=VECTORS).observe("비밀 하나", id="t1")
    store.close()
    store = opened(location)
    with store.view(MINSU) as view:
        assert set(weighed(view, ["비밀"])[0]) == {0}
    store.close()


@pytest.mark.parametrize("rows", [3, 20_000])
def test_its_index_is_used_in_small_and_large_banks_and_every_score_is_told(location, rows):
    opened(location).close()
    filled(location, rows)
    told = plan_of_the_weights(location)
    assert "Index Scan using keywords_ranked on keywords" in told
    assert "Bitmap" not in told
    assert "Seq Scan on keywords" not in told

    address = address_of(location)
    with connected(address) as raw:
        connection = Connection(raw, address.shown, ranks=True).bound(owner="민수")
        connection.script("BEGIN READ ONLY")
        ((ids, scores), nothing) = connection.weights(["1x라면", "2x라면"], 1 << 24, (2 << 24) - 1, 100_000)
    assert len(ids.split(",")) == len(scores.split(",")) == max(rows // 50, 1)
    assert all(float(score) > 0 for score in scores.split(","))
    assert nothing == (None, None), "another scope's word finds nothing here, though it stands in the index"


def test_the_score_is_how_often_a_word_stands_there_by_its_rarity(location):
    store = opened(location)
    words = [("눈", "눈"), ("눈",), *[("비",)] * 14]
    index = {f"t/{number}": IndexEntry(terms=terms, vectors=None) for number, terms in enumerate(words)}
    with store.locked(MINSU) as room:
        room.apply(entry_for(turn(*("말" for _ in words), id="t"), index=index))
    with store.view(MINSU) as view:
        (snow,) = weighed(view, ["눈"])
    store.close()
    assert snow[0] == pytest.approx(2 * snow[1])
    assert 1 <= snow[1] <= log(16), "Groonga estimates how many texts hold a word: at least one of the 16"


def test_what_is_named_here_is_what_the_extension_has():
    with psycopg.connect(URL) as connection:
        assert connection.execute(pgroonga.QUERIES["find_pgroonga"].encode()).fetchall()[0][2]
        for name in ("pgroonga_score(oid,tid)", "pgroonga_condition"):
            kind = "to_regprocedure" if "(" in name else "to_regtype"
            assert connection.execute(f"SELECT {kind}('{name}')").fetchone() != (None,)
