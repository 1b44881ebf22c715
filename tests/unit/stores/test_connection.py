"""One connection: named queries, gieok's errors, and savepoints that leave nothing behind."""

import apsw
import pytest

from gieok.errors import BankError, BankUnavailable, DiskFull, InvalidText, NotABank
from gieok.stores.sqlite.connection import BUSY_SECONDS, Connection, give_up, in_savepoint, translated
from gieok.stores.tables.connection import queries_in


@pytest.fixture
def connection():
    connection = Connection(apsw.Connection(":memory:"), "기억.db")
    connection.script("CREATE TABLE notes (id INTEGER PRIMARY KEY, text, size)")
    yield connection
    connection.close()


def notes(connection):
    return connection.script("SELECT id, text, size FROM notes ORDER BY id")


@pytest.mark.parametrize(
    ("error", "ours", "words"),
    [
        (apsw.FullError("x"), DiskFull, "full"),
        (apsw.NotADBError("x"), NotABank, "not a gieok bank"),
        (apsw.BusyError("x"), BankUnavailable, "for 60 seconds"),
        (apsw.ReadOnlyError("x"), BankUnavailable, "read-only"),
        (apsw.PermissionsError("x"), BankUnavailable, "may not be used"),
        (apsw.CantOpenError("x"), BankUnavailable, "cannot be opened"),
        (apsw.CorruptError("쪽 7"), BankUnavailable, "쪽 7"),
        (apsw.IOError("쪽 7"), BankUnavailable, "쪽 7"),
        (apsw.SQLError("쪽 7"), BankError, "기억.db: 쪽 7"),
    ],
)
def test_an_error_of_the_driver_becomes_one_of_ours_that_names_the_file(error, ours, words):
    told = translated(error, "기억.db")
    assert type(told) is ours
    assert words in str(told)
    assert "기억.db" in str(told)


@pytest.mark.parametrize("result", [apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMOPEN])
def test_a_file_beside_the_bank_that_cannot_grow_means_a_full_disk(result):
    error = apsw.IOError("x")
    error.extendedresult = result
    assert type(translated(error, "기억.db")) is DiskFull
    error.extendedresult = apsw.SQLITE_IOERR_READ
    assert type(translated(error, "기억.db")) is BankUnavailable


def test_a_minute_is_waited_for_another_process(opened, letia):
    assert BUSY_SECONDS == 60
    with opened()._readers.snapshot() as connection:
        assert connection.pragma("busy_timeout") == 60_000


def test_a_lone_surrogate_is_refused(connection):
    with pytest.raises(InvalidText, match="surrogate"):
        connection.script("SELECT '\ud800'")


def test_some_columns_of_one_row_are_set_and_the_others_left_alone(connection):
    connection.script("INSERT INTO notes VALUES (1, '하나', 5), (2, '둘', 6)")
    connection.update("notes", 2, {"text": "셋", "size": 7})
    connection.update("notes", 1, {"size": 8})
    assert notes(connection) == [(1, "하나", 8), (2, "셋", 7)]


def test_queries_are_known_by_name_without_the_line_on_their_intent():
    text = "-- name: one\n-- What it is for.\nSELECT 1;\n\n-- name: two\n-- Other.\nSELECT\n  2;\n"
    assert queries_in(text) == {"one": "SELECT 1;", "two": "SELECT\n  2;"}


def test_work_that_fails_leaves_nothing_and_the_transaction_goes_on(connection):
    def write(text, trouble=None):
        def work(inner):
            inner.script(f"INSERT INTO notes (text) VALUES ('{text}')")
            if trouble:
                raise trouble
            return text

        return work

    connection.script("BEGIN")
    assert in_savepoint(connection, write("하나")) == "하나"
    with pytest.raises(KeyboardInterrupt):
        in_savepoint(connection, write("둘", KeyboardInterrupt()))
    assert connection.in_transaction
    assert in_savepoint(connection, write("셋")) == "셋"
    connection.script("COMMIT")
    assert [text for _, text, _ in notes(connection)] == ["하나", "셋"]


def test_giving_up_rolls_back_what_is_open_and_does_nothing_else(connection):
    give_up(connection)
    connection.script("BEGIN; INSERT INTO notes (text) VALUES ('하나')")
    give_up(connection)
    assert not connection.in_transaction
    assert notes(connection) == []


def test_a_term_is_spelt_as_the_index_does_or_not_at_all(connection):
    assert connection.folded("1xRAMEN") == "1xramen"
    assert connection.folded("1x라면") == "1x라면"
    assert connection.folded("두 낱말") is None
    assert connection.folded("") is None


def test_a_value_is_that_of_the_first_row_or_none(store, letia):
    with store._readers.snapshot() as connection:
        assert connection.row("find_access_keys") is None
        assert connection.value("find_access_keys") is None
        assert connection.row("read_bank")[0] == connection.value("read_bank") == "hash-32"
        assert connection.read_only
