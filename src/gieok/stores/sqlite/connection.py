"""One connection to the file, which speaks in named queries and in gieok's errors."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import apsw
import numpy as np

from gieok.errors import (
    BankDamaged,
    BankError,
    BankUnavailable,
    DiskFull,
    ErrorText,
    GieokError,
    InvalidQuery,
    InvalidSetting,
    InvalidText,
    NewerSchema,
    NotABank,
    WrongKey,
)
from gieok.stores.tables import connection as tables
from gieok.stores.tables.columns import Row
from gieok.stores.tables.search_index import Packing, unit

if TYPE_CHECKING:
    from gieok.ports import Matrix


def checked_key(key: str | None) -> str | None:
    """Return `key` if a file can be encrypted with it, else raise `InvalidSetting`."""
    if key is None:
        return None
    if not key:
        raise InvalidSetting(ErrorText("key.empty"))
    if "\x00" in key:
        raise InvalidSetting(ErrorText("key.nul"))
    if any("\ud800" <= letter <= "\udfff" for letter in key):
        raise InvalidSetting(ErrorText("key.surrogate"))
    return key


def sync_file(path: Path, flags: int = os.O_RDWR) -> None:
    """Wait until all of a file that nobody has open is on the disk."""
    file = os.open(path, flags)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def settle_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk; some systems cannot, or need not."""
    if os.name == "posix":
        sync_file(folder, os.O_RDONLY)


APPLICATION_ID: Final = 0x6769656F  #: "gieo", in the header of every bank
_HEADER_BYTES: Final = 100
_MAGIC: Final = b"SQLite format 3\x00"
_JOURNAL: Final = bytes.fromhex("d9d505f920a163d7")
#: Bytes 16 to 23 of a page that begins a database stay readable under the cipher: page size, versions, fractions.
_FRACTIONS: Final = bytes((64, 32, 32))
_VERSIONS: Final = (1, 2)


def there_is_a_bank(path: Path, key: str | None, *, known_schema: int) -> bool:
    """Return whether `path` holds a bank that this gieok can open; False: nothing is there yet.

    Raises `NotABank`, `NewerSchema` or `BankUnavailable`; the file is then as it was.
    """
    if not _size(path):
        return False
    header = _header(path)
    if not header.strip(b"\0") and _was_being_made(path):
        return False  # SQLite takes back what there is of it
    plain = header.startswith(_MAGIC)
    if not plain and not _looks_encrypted(header):
        raise NotABank(ErrorText("bank.no_bank", path=path))
    if key is None and not plain:
        raise WrongKey(ErrorText("bank.encrypted", path=path))
    if key is not None and plain:
        raise NotABank(ErrorText("bank.not_encrypted", path=path))
    application, schema = int.from_bytes(header[68:72]), int.from_bytes(header[60:64])
    if key is not None:
        application, schema = _encrypted_marks(path, key)
    if application != APPLICATION_ID:
        raise NotABank(ErrorText("bank.not_a_bank", path=path))
    if schema > known_schema:
        raise NewerSchema(schema, known_schema)
    return True


def _size(path: Path) -> int:
    """Return the bytes of the file, 0 if nothing is there; only a regular file can be a bank."""
    try:
        found = path.stat()
    except FileNotFoundError as error:
        if not path.parent.is_dir():
            raise BankUnavailable(ErrorText("backup.no_folder", folder=path.parent)) from error
        return 0
    except NotADirectoryError as error:
        raise BankUnavailable(ErrorText("bank.parent_not_a_folder", parent=path.parent)) from error
    except PermissionError as error:
        barred = next((each for each in reversed(path.parents) if not os.access(each, os.X_OK)), path.parent)
        raise BankUnavailable(ErrorText("bank.barred", folder=barred)) from error
    except OSError as error:
        raise BankUnavailable(ErrorText("bank.stat", path=path, strerror=error.strerror)) from error
    if stat.S_ISDIR(found.st_mode):
        raise NotABank(ErrorText("bank.folder", path=path))
    if not stat.S_ISREG(found.st_mode):
        raise NotABank(ErrorText("bank.not_a_file", path=path))
    return found.st_size


def _header(path: Path) -> bytes:
    """Return the first bytes of the file, without zeros at the end of a shorter one."""
    try:
        # SQLite follows links only where it looks a name up itself.
        file = apsw.VFSFile("", str(path.resolve()), [apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_MAIN_DB, 0])
        try:
            return file.xRead(_HEADER_BYTES, 0)
        finally:
            file.xClose()
    except apsw.Error as error:
        raise BankUnavailable(ErrorText("bank.unreadable", path=path, error=error)) from error


def _was_being_made(path: Path) -> bool:
    """Whether the power failed in the transaction that made a database: a journal tells that it was empty before."""
    journal = path.with_name(f"{path.name}-journal")
    header = _header(journal) if _size(journal) else b""
    return header.startswith(_JOURNAL) and header[16:20] == bytes(4)


def _looks_encrypted(header: bytes) -> bool:
    """Whether these are the first bytes of an encrypted database: random, but for what its cipher leaves readable."""
    shape = header[16:24]
    size = int.from_bytes(shape[:2])
    whole = len(shape) == 8 and (size == 1 or (size >= 512 and size & (size - 1) == 0))
    return whole and shape[2] in _VERSIONS and shape[3] in _VERSIONS and shape[5:] == _FRACTIONS


def _encrypted_marks(path: Path, key: str) -> tuple[int, int]:
    """Return the application id and the schema number of an encrypted database."""
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        with closing(apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags)) as looking:
            looking.pragma("key", key)
            return looking.pragma("application_id"), looking.pragma("user_version")
    except apsw.NotADBError as error:
        raise WrongKey(ErrorText("bank.wrong_key", path=path)) from error
    except apsw.Error as error:
        raise BankUnavailable(ErrorText("bank.disk", path=path, error=error)) from error


_LARGEST: Final = 32_767


class Int16(Packing):
    """Vectors as whole numbers of two bytes, each row by a scale of its own."""

    number = np.dtype("<i2")

    def packed(self, vectors: Matrix, dimension: int) -> bytes:
        rows = [unit(vector, dimension) for vector in vectors]
        scales = [_LARGEST / (float(np.abs(row).max(initial=0.0)) or 1.0) for row in rows]
        return b"".join(
            np.rint(row * scale).astype(self.number).tobytes() for row, scale in zip(rows, scales, strict=True)
        )


INT16: Final = Int16()


BUSY_SECONDS: Final = 60  #: how long to wait for another process before giving up
#: A full disk may first be noticed when the file beside the bank, in which its users meet, cannot grow.
_NO_ROOM: Final = (apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMOPEN)
_SENTENCES: Final[list[tuple[type[apsw.Error], Callable[[str], GieokError], str]]] = [
    (apsw.FullError, DiskFull, "the disk of {} is full; nothing was written, free some space and try again"),
    (apsw.NotADBError, NotABank, "{} is not a gieok bank, or is encrypted with another key; nothing was changed"),
    (
        apsw.BusyError,
        BankUnavailable,
        f"another process kept {{}} locked for {BUSY_SECONDS} seconds; nothing was written, try again",
    ),
    (apsw.ReadOnlyError, BankUnavailable, "{} is read-only; make the file and its folder writable"),
    (apsw.PermissionsError, BankUnavailable, "{} may not be used; make the file and its folder writable"),
    (apsw.CantOpenError, BankUnavailable, "{} cannot be opened; check that its folder exists and is writable"),
    (apsw.CorruptError, BankDamaged, "{} is damaged ({error}); restore it from a backup"),
    (apsw.IOError, BankUnavailable, "{} cannot be read or written ({error}); check the disk"),
]
Result = TypeVar("Result")
_STEPS: Final = 50_000  #: of the virtual machine, between two questions whether to go on
_TOKENIZER: Final = ["remove_diacritics", "0", "categories", "L* M* N* P* S* C*"]  # as in schema.sql


SQL: Final = tables.queries_in(Path(__file__).with_name("queries.sql"))


def translated(error: apsw.Error | UnicodeError | OverflowError, location: str) -> GieokError:
    """Return the error to raise `from` the driver's."""
    if isinstance(error, UnicodeDecodeError):
        return BankDamaged(ErrorText("bank.damaged_text", location=location, cause=error))
    if isinstance(error, UnicodeEncodeError):
        return InvalidText(ErrorText("text.unstorable"))
    if isinstance(error, OverflowError):
        return InvalidQuery("a number has more than 18 digits, which no limit, place or turn has; give a smaller one")
    if isinstance(error, apsw.IOError) and getattr(error, "extendedresult", None) in _NO_ROOM:
        return translated(apsw.FullError(str(error)), location)
    for kind, ours, sentence in _SENTENCES:
        if isinstance(error, kind):
            return ours(sentence.format(location, error=error))
    return BankError(f"{location}: {error}")


@contextmanager
def in_our_words(location: str) -> Iterator[None]:
    """Raise what the driver has to say as an error of gieok's."""
    try:
        yield
    except (apsw.Error, UnicodeError, OverflowError) as error:
        raise translated(error, location) from error


class Connection(tables.Connection):
    """A connection to the file."""

    packing = INT16

    def __init__(self, raw: apsw.Connection, location: str) -> None:
        super().__init__(location)
        self._raw = raw
        self._failed = False  #: the last write transaction failed
        self._fts5: list[apsw.FTS5Tokenizer] = []  #: made when it is first needed; shared with copies of this object
        self._pins: list[apsw.Cursor] = []  #: statements that keep a snapshot; shared likewise

    def rows(self, query: str, /, **values: Any) -> list[Row]:
        return self._execute(SQL[query], self._bound | values)

    def pinned(self, query: str, /, **values: Any) -> Row | None:
        if self._raw.in_transaction:
            return self.row(query, **values)
        # SQLite ends a transaction that nobody began when its last statement finishes: this one stays at its row.
        cursor = self._raw.cursor()
        with in_our_words(self.location):
            row: Row | None = cursor.execute(SQL[query], self._bound | values).fetchone()
        self._pins.append(cursor)
        return row

    def run_many(self, query: str, /, values: Iterable[Mapping[str, Any]]) -> None:
        self._execute_many(SQL[query], values)

    def script(self, sql: str) -> list[Row]:
        return self._execute(sql, None)

    def insert_items(self, rows: Sequence[Mapping[str, Any]], vectors: Mapping[int, Matrix], dimension: int) -> None:
        packed = {id: self.packing.packed(rows, dimension) for id, rows in vectors.items()}
        self.insert("items", ({**row, "vector": packed.get(row["id"])} for row in rows))

    def insert_keywords(self, rows: Iterable[tuple[int, Sequence[str]]]) -> None:
        self.insert("keywords", ({"rowid": id, "terms": " ".join(terms)} for id, terms in rows))

    def pragma(self, name: str, value: str | int | None = None) -> Any:
        with in_our_words(self.location):
            return self._raw.pragma(name, value) if value is not None else self._raw.pragma(name)

    def vacuum_into(self, name: str, *, shown: str, stopped: Callable[[], bool] | None = None) -> None:
        """Write all that this connection sees to a file that is empty or not there; errors call it `shown`.

        Others may go on writing. `stopped` is asked now and then, and ends it. A name may be a URI with a key: no error
        has it.
        """
        self._raw.set_progress_handler(stopped, _STEPS)
        failed: apsw.Error | None = None
        try:
            self._raw.execute("VACUUM INTO ?", (name,)).fetchall()
        except apsw.Error as error:
            failed = type(error)(f"while {shown} was written")  # what the driver says may hold the name
        finally:
            self._raw.set_progress_handler(None)
        if failed is not None:
            raise translated(failed, shown) from failed

    @property
    def in_transaction(self) -> bool:
        return self._raw.in_transaction

    @property
    def read_only(self) -> bool:
        return self._raw.readonly("main")

    def folded(self, term: str) -> str | None:
        if not self._fts5:
            self._fts5.append(self._raw.fts5_tokenizer("unicode61", _TOKENIZER))
        reason = apsw.FTS5_TOKENIZE_QUERY
        words = list(self._fts5[0](term.encode(), reason, None, include_offsets=False, include_colocated=False))
        return str(words[0]) if len(words) == 1 else None

    def weights(self, terms: Sequence[str], low: int, high: int, most: int) -> list[Row] | None:
        raise NotImplementedError("words are counted here, and recall weighs them")

    def hold(self, name: str, *, shared: bool = False) -> None:
        """Do nothing: whoever writes to a file holds all of it."""

    def end(self) -> None:
        while self._pins:
            self._pins.pop().close(True)
        if self._raw.in_transaction:
            with suppress(GieokError):  # SQLite may be rolling back by itself
                self.script("ROLLBACK")

    def begin_to_write(self) -> None:
        """Begin a write transaction. If the last one failed, reload the schema first.

        After an I/O error FTS5 keeps wrong counts in memory, even after a rollback, and would write them to the index.
        """
        if self._failed:
            self.script("PRAGMA writable_schema = RESET")  # also reloads all virtual tables
            self._failed = False
        self.script("BEGIN IMMEDIATE")

    def give_up(self) -> None:
        """Roll back a transaction after an error of the disk or of SQLite."""
        self._failed = True
        self.end()

    def close(self) -> None:
        with in_our_words(self.location):
            self._raw.close()

    def _execute(self, sql: str, values: Mapping[str, Any] | None) -> list[Row]:
        try:
            return self._raw.execute(sql, values).fetchall()  # the driver stops at a row: all are drained
        except (apsw.Error, UnicodeError, OverflowError) as error:
            raise translated(error, self.location) from error

    def _execute_many(self, sql: str, rows: Iterable[Mapping[str, Any]]) -> None:
        with in_our_words(self.location):
            self._raw.executemany(sql, rows).fetchall()


def in_savepoint(connection: Connection, work: Callable[[Connection], Result]) -> Result:
    """Return what `work` returns; if it fails, what it wrote is gone and the transaction goes on.

    Where SQLite could not keep the rest, the whole transaction is gone: see `in_transaction` after a failure.
    """
    try:
        connection.script("SAVEPOINT job")
        result = work(connection)
        connection.script("RELEASE job")
    except BaseException:  # whatever ends the work, also Ctrl-C: nothing of it stays; it is raised again
        if connection.in_transaction:
            try:
                connection.script("ROLLBACK TO job; RELEASE job")
            except GieokError:
                connection.end()
        raise
    return result
