"""Words ranked by PGroonga: all but its own index, on a server that has a stand-in for it.

`test_pgroonga.py` asks the real one.
"""

from collections.abc import Iterator

import psycopg
import pytest

import gieok
from gieok.errors import BankUnavailable
from gieok.stores.postgres import open_store, pgroonga
from gieok.stores.postgres.connection import Connection, address_of
from gieok.testing.scribe import Scribe
from gieok_contract import VECTORS
from gieok_contract.base import LETIA
from gieok_contract.search import HOSTILE, Rankings
from support.pgroonga_stand_in import stand_in
from support.plans import filled, plan_of_the_weights
from support.postgres import Server, connected
from support.ranked_stories import Stories
from support.store_handles import Handles, Opener


@pytest.fixture(scope="module")
def template(server: Server) -> str:
    """A database with an empty bank and a stand-in for PGroonga, to be copied."""
    name = server.database()
    open_store(server.address(name), embedder=VECTORS.name, dimension=VECTORS.dimension).close()
    stand_in(server.address(name))
    return name


@pytest.fixture
def address(server: Server, template: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setattr(pgroonga, "ready", lambda *_: True)
    name = server.database(template)
    yield server.address(name)
    server.drop(name)


class StandInFixtures(Handles):
    """A database for each test."""

    @pytest.fixture
    def opener(self, address: str) -> Opener:
        return lambda vectors: open_store(address, embedder=vectors.name, dimension=vectors.dimension)


class TestRankedWords(StandInFixtures, Rankings):
    pass


class TestRankedStories(Stories):
    @pytest.fixture
    def location(self, server: Server, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
        name = server.database()
        gieok.open(server.address(name), embedder="hashing").close()
        stand_in(server.address(name))
        monkeypatch.setattr(pgroonga, "ready", lambda *_: True)
        yield server.address(name)
        server.drop(name)


@pytest.mark.parametrize("rows", [3, 20_000])
def test_no_other_index_can_answer_for_pgroonga(address, rows):
    filled(address, rows)
    told = plan_of_the_weights(address)
    assert "Seq Scan on keywords" in told, "though it is turned off: without PGroonga's index there is no other way"
    assert "keywords_pkey" not in told
    assert "keywords_by_term" not in told


def test_the_next_query_of_a_transaction_is_planned_as_ever(address):
    place = address_of(address)
    with connected(place) as raw:
        connection = Connection(raw, place.shown, ranks=True).bound(owner="민수")
        connection.script("BEGIN READ ONLY")
        assert connection.weights(["1x라면"], 1 << 24, 2 << 24, 10) == [(None, None)]
        assert connection.script("SHOW enable_seqscan") == connection.script("SHOW enable_bitmapscan") == [("on",)]


def test_a_text_holds_every_word_as_often_as_it_stands_there(address):
    with psycopg.connect(address) as connection:
        connection.execute("SET search_path = gieok, public")
        for words in (
            [],
            ["5x라면"],
            ["5x라면", "5x먹다", "5x라면"],
            [f"5x{word}" for word in ('"', "\\", "'", "c++", "🍜")],
        ):
            ((text,),) = connection.execute("SELECT keyword_text(lexemes(%s))", [words]).fetchall()
            assert sorted(text.split(" ")) == (sorted(words) or [""])
        ((text,),) = connection.execute("SELECT keyword_text(lexemes(%s))", [["5x가\ufffe7x나"]]).fetchall()
        assert text == "5x가\ufffd7x나", "Groonga would part a text at U+FFFE, and put a word under another scope"


def test_a_query_finds_the_word_and_nothing_in_it_is_an_operator():
    for word in HOSTILE:
        asked = pgroonga.quoted(word)
        inner = asked[1:-1].replace("\\\\", "").replace('\\"', "")
        assert asked[0] == asked[-1] == '"'
        assert '"' not in inner
        assert "\\" not in inner
    assert pgroonga.quoted('라면" OR \\') == '"라면\\" OR \\\\"'


def test_without_the_extension_words_are_counted(database):
    with gieok.open(database, embedder="hashing", recall_patience=60) as bank:
        assert bank.settings.keyword == "auto"
        assert "PGroonga" not in bank.store.info().engine
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("라면을 좋아해")
        with bank.store.view(gieok.Scope(user="민수", character="레티아")) as view:
            assert view.word_weights(["라면"]) is None
        assert mind.recall("라면")[0].parts.keyword > 0


def test_wanted_and_not_there_it_says_what_to_do(database):
    with pytest.raises(BankUnavailable, match=r'lacks PGroonga.*CREATE EXTENSION pgroonga.*keyword = "auto"'):
        gieok.open(database, embedder="hashing", keyword="pgroonga")
    gieok.open(database, embedder="hashing", keyword="tsvector").close()


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (("3.2.1", "public", True, False, False), "PGroonga 3.2.1 is too old; install 3.2.2 or later"),
        (("4.0.5", "extensions", False, False, False), "in the schema extensions"),
        (("4.0.5", "public", True, False, True), "on a Citus cluster words are counted"),
    ],
)
def test_one_that_cannot_be_used_is_passed_over_unless_it_is_wanted(database, monkeypatch, found, said):
    monkeypatch.setattr(pgroonga, "_found", lambda _: pgroonga._Found(*found))
    gieok.open(database, embedder="hashing").close()
    with pytest.raises(BankUnavailable, match=said):
        gieok.open(database, embedder="hashing", keyword="pgroonga")


def test_an_index_that_cannot_be_made_hinders_nobody_who_did_not_ask_for_it(database, monkeypatch, caplog):
    monkeypatch.setattr(pgroonga, "_found", lambda _: pgroonga._Found("4.0.5", "public", True, False, False))
    with gieok.open(database, embedder="hashing") as bank:
        assert "PGroonga" not in bank.store.info().engine
    assert "words are counted" in caplog.text
    with pytest.raises(gieok.errors.GieokError, match="pgroonga"):
        gieok.open(database, embedder="hashing", keyword="pgroonga")
    with psycopg.connect(database) as connection:
        assert connection.execute("SELECT to_regproc('gieok.keyword_text')").fetchall() == [(None,)]


def scored_by(address: str, body: str) -> None:
    """Let the stand-in's score be something else."""
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(
            "CREATE OR REPLACE FUNCTION public.pgroonga_score(tableoid oid, ctid tid) RETURNS float8 "
            f"LANGUAGE plpgsql VOLATILE STRICT AS $$ BEGIN {body}; END $$"
        )


@pytest.mark.parametrize("body", ["RETURN 0", "RAISE EXCEPTION 'pgroonga: the index is broken'"])
def test_where_the_index_is_gone_or_broken_words_are_counted(address, body, caplog):
    scored_by(address, body)
    store = open_store(address, embedder=VECTORS.name, dimension=VECTORS.dimension)
    Scribe(store, LETIA, vectors=VECTORS).observe("비밀 하나", id="t1")
    with store.view(LETIA) as view:
        assert view.word_weights(["비밀"]) is None
        assert [each.places.tolist() for each in view.occurrences(["비밀"])] == [[0]], "the transaction goes on"
        assert view.turn("t1") is not None
    assert ("REINDEX INDEX keywords_ranked" in caplog.text) is ("RAISE" in body)
    store.close()


def test_a_server_that_takes_too_long_says_so_and_nothing_is_counted_instead(address):
    scored_by(address, "PERFORM pg_sleep(9); RETURN 1")
    store = open_store(address, embedder=VECTORS.name, dimension=VECTORS.dimension, seconds=1.0)
    Scribe(store, LETIA, vectors=VECTORS).observe("비밀 하나")
    with store.view(LETIA) as view, pytest.raises(BankUnavailable, match="took too long"):
        view.word_weights(["비밀"])
    store.close()
