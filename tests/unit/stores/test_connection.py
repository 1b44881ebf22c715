"""One connection: named queries, gieok's errors, and savepoints that leave nothing behind."""

import apsw
import pytest

from gieok.errors import BankDamaged, BankError, BankUnavailable, DiskFull, InvalidText, NotABank
from gieok.stores.sqlite.connection import Connection, in_savepoint, translated


@pytest.fixture
def connection():
    connection = Connection(apsw.Connection(":memory:"), "기억.db")
    connection.script("CREATE TABLE notes (id INTEGER PRIMARY KEY, text, size)")
    yield connection
    connection.close()


@pytest.mark.parametrize(
    ("error", "ours", "words"),
    [
        (apsw.FullError("x"), DiskFull, "full"),
        (apsw.NotADBError("x"), NotABank, "not a gieok bank"),
        (apsw.BusyError("x"), BankUnavailable, "for 60 seconds"),
        (apsw.ReadOnlyError("x"), BankUnavailable, "read-only"),
        (apsw.PermissionsError("x"), BankUnavailable, "may not be used"),
        (apsw.CantOpenError("x"), BankUnavailable, "cannot be opened"),
        (apsw.CorruptError("쪽 7"), BankDamaged, "쪽 7"),
        (apsw.IOError("쪽 7"), BankUnavailable, "쪽 7"),
        (apsw.SQLError("쪽 7"), BankError, "기억.db: 쪽 7"),
        (apsw.exception_for(apsw.SQLITE_IOERR_SHMSIZE), DiskFull, "full"),
        (apsw.exception_for(apsw.SQLITE_IOERR_SHMOPEN), DiskFull, "full"),
        (apsw.exception_for(apsw.SQLITE_IOERR_READ), BankUnavailable, "check the disk"),
    ],
)
def test_an_error_of_the_driver_becomes_one_of_ours_that_names_the_file(error, ours, words):
    told = translated(error, "기억.db")
    assert type(told) is ours
    assert words in str(told)
    assert "기억.db" in str(told)


def test_a_minute_is_waited_for_another_process(store):
    with store._readers.snapshot() as connection:
        assert connection.pragma("busy_timeout") == 60_000
        assert connection.read_only


def test_a_lone_surrogate_is_refused(connection):
    with pytest.raises(InvalidText, match="surrogate"):
        connection.script("SELECT '\ud800'")


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
    assert connection.script("SELECT text FROM notes ORDER BY id") == [("하나",), ("셋",)]


def test_a_term_is_spelt_as_the_index_does_or_not_at_all(connection):
    assert connection.folded("1xRAMEN") == "1xramen"
    assert connection.folded("두 낱말") is connection.folded("") is None
