"""Where a bank on a server is, and what of it may be shown."""

import socket
from threading import Thread
from urllib.parse import unquote

import pytest
from psycopg.conninfo import conninfo_to_dict

from gieok.errors import BankUnavailable
from gieok.stores.location import open_store
from gieok.stores.postgres.connection import address_of, spelt


def test_a_password_is_never_shown():
    address = address_of("postgresql://minsu:geheim@db.example:5432/games?sslmode=require")

    assert address.shown == "postgresql://minsu@db.example:5432/games"
    assert "geheim" not in repr(address)
    assert "geheim" in address.conninfo
    assert "sslmode=require" in address.conninfo


@pytest.mark.parametrize("password", ["se#cret", "se?cret", "se[cret", "se]cr#et?", "se:cret", "se%2Fcret", "비밀cret"])
def test_a_password_is_read_as_libpq_reads_it(password):
    address = address_of(f"postgresql://minsu:{password}@127.0.0.1:5432/games?schema=team_a")

    parts = conninfo_to_dict(address.conninfo)
    assert (parts["password"], parts["host"], parts["dbname"]) == (unquote(password), "127.0.0.1", "games")
    assert address.shown == "postgresql://minsu@127.0.0.1:5432/games?schema=team_a"


@pytest.mark.parametrize("password", ["se/cret", "12/cret", "se/cr?et", "se/cr?e=t", "se@cret", "se%cret", "se%00cret"])
def test_a_password_that_cannot_be_told_apart_is_refused_unseen(password):
    with pytest.raises(BankUnavailable, match="percent-encode the password") as refused:
        open_store(f"postgresql://minsu:{password}@127.0.0.1:1/games", embedder="hashing", dimension=8)
    told = str(refused.value)
    assert not [part for part in (password, "cret", "minsu", "127.0.0.1") if part in told]
    assert refused.value.__cause__ is None


def test_a_schema_in_the_address_is_ours_and_not_the_servers():
    address = address_of("postgresql://db.example/games?schema=team_a&sslmode=require")

    assert address.schema == "team_a"
    assert address.conninfo == "postgresql://db.example/games?sslmode=require"
    assert address.shown.endswith("?schema=team_a")
    assert address.settings(5).startswith(
        'SET LOCAL search_path = "team_a", public; SET LOCAL statement_timeout = 5000;'
    )


@pytest.mark.parametrize("name", ["Team", "a-b", "a;DROP TABLE x", "", "1a", "a" * 64])
def test_a_schema_is_a_plain_name(name):
    with pytest.raises(BankUnavailable, match="lower-case letters"):
        address_of(f"postgresql://db.example/games?schema={name}")


def test_places_in_a_query_are_told_from_types_and_signs():
    assert spelt("SELECT :a::text, b::bigint WHERE c LIKE '%.' AND :b") == (
        b"SELECT %(a)s::text, b::bigint WHERE c LIKE '%%.' AND %(b)s"
    )


@pytest.mark.parametrize(
    ("address", "mode"),
    [
        ("postgresql://db.example/games", "require"),
        ("postgres://minsu:geheim@10.0.0.7:5432/games", "require"),
        ("postgresql://[2001:db8::7]:5432/games", "require"),
        ("postgresql://localhost.example/games", "require"),
        ("postgresql://localhost,db.example/games", "require"),
        ("postgresql://localhost:5432,10.0.0.7:5432/games", "require"),
        ("postgresql:///games?host=db.example", "require"),
        ("postgresql://localhost/games?hostaddr=10.0.0.7", "require"),
        ("postgresql://db.example/games?sslrootcert=/etc/ssl/ours.pem", "verify-full"),
        ("postgresql://db.example/games?sslmode=disable", "disable"),
        ("postgresql://db.example/games?sslmode=verify-ca&sslrootcert=x.pem", "verify-ca"),
        ("postgresql://localhost/games", None),
        ("postgresql://LOCALHOST:5433/games", None),
        ("postgresql://127.0.0.1:5432/games", None),
        ("postgresql://127.8.9.1/games", None),
        ("postgresql://minsu@[::1]:5432/games", None),
        ("postgresql:///games", None),
        ("postgresql:///games?host=/var/run/postgresql", None),
        ("postgresql://%2Fvar%2Frun%2Fpostgresql/games", None),
        ("postgresql:///games?service=ours", None),
    ],
)
def test_a_server_on_another_machine_is_spoken_to_under_tls_unless_the_address_says_otherwise(address, mode):
    assert conninfo_to_dict(address_of(address, environment={}).conninfo).get("sslmode") == mode


@pytest.mark.parametrize(
    ("environment", "mode"),
    [
        ({"PGSSLMODE": "disable"}, None),
        ({"PGHOST": "db.example"}, "require"),
        ({"PGHOST": "/tmp"}, None),
        ({"PGHOST": "db.example", "PGSSLROOTCERT": "/etc/ssl/ours.pem"}, "verify-full"),
        ({"PGSERVICE": "ours"}, None),
    ],
)
def test_what_libpq_s_own_variables_say_counts(environment, mode):
    address = address_of("postgresql:///games", environment=environment)
    assert conninfo_to_dict(address.conninfo).get("sslmode") == mode


def test_a_server_without_tls_is_told_with_the_way_out():
    with socket.create_server(("127.0.0.1", 0)) as door:

        def refuse():
            caller, _ = door.accept()
            with caller:
                caller.recv(8)
                caller.sendall(b"N")

        Thread(target=refuse, daemon=True).start()
        port = door.getsockname()[1]
        with pytest.raises(BankUnavailable, match="sslmode=disable"):
            open_store(f"postgresql://m:geheim@127.0.0.1:{port}/x?sslmode=require", embedder="hashing", dimension=8)


def test_an_address_that_no_store_answers_says_what_there_is():
    with pytest.raises(BankUnavailable, match="no store for redis://"):
        open_store("redis://localhost/0", embedder="hashing", dimension=8)


def test_a_key_is_for_files():
    with pytest.raises(BankUnavailable, match="encrypts a file"):
        open_store("postgresql://localhost/x", embedder="hashing", dimension=8, key="secret")


def test_a_server_that_is_not_there_is_named_without_its_password():
    with pytest.raises(BankUnavailable) as refused:
        open_store("postgresql://minsu:geheim@127.0.0.1:9/games?connect_timeout=2", embedder="hashing", dimension=8)
    assert "127.0.0.1:9" in str(refused.value)
    assert "geheim" not in str(refused.value)
