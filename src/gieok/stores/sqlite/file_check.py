"""Whether a file is a bank of ours, found out without touching it.

SQLite leaves files beside a database it merely looks at, so a plain file is told by its header, and an encrypted one
by a connection that may neither lock nor write. The header is read through SQLite's file system, too: by POSIX rules,
closing a descriptor of our own would undo the locks of every connection that this process has to the file.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import apsw

from gieok.errors import BankUnavailable, NewerSchema, NotABank, WrongKey

APPLICATION_ID: Final = 0x6769656F  #: "gieo", in the header of every bank
_HEADER_BYTES: Final = 100
_MAGIC: Final = b"SQLite format 3\x00"
#: Bytes 16 to 23 of a page that begins a database stay readable under the cipher: page size, versions, fractions.
_FRACTIONS: Final = bytes((64, 32, 32))
_VERSIONS: Final = (1, 2)
_NO_BANK: Final = "it is not a gieok bank, nor encrypted as one is; choose another file"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Marks:
    """What a database file says of itself."""

    application: int
    schema: int


def there_is_a_bank(path: Path, key: str | None, *, known_schema: int) -> bool:
    """Return whether `path` holds a bank that this gieok can open; False: nothing is there yet.

    Raises `NotABank`, `NewerSchema` or `BankUnavailable`; the file is then as it was.
    """
    if not _size(path):
        return False
    header = _header(path)
    plain = header.startswith(_MAGIC)
    if not plain and not _looks_encrypted(header):
        raise NotABank(f"{path} cannot be opened: {_NO_BANK}")
    if key is None and not plain:
        raise WrongKey(f"{path} is encrypted; open it with its key (GIEOK_KEY, key_file or key_command)")
    if key is not None and plain:
        raise NotABank(f"{path} is not encrypted; open it without a key, or encrypt it: gieok rekey")
    marks = _plain_marks(header) if key is None else _encrypted_marks(path, key)
    if marks.application != APPLICATION_ID:
        raise NotABank(f"{path} is a database, but not a gieok bank; choose another file")
    if marks.schema > known_schema:
        raise NewerSchema(marks.schema, known_schema)
    return True


def _size(path: Path) -> int:
    """Return the bytes of the file, 0 if nothing is there; only a regular file can be a bank."""
    try:
        found = path.stat()
    except FileNotFoundError:
        _check_folder(path.parent)
        return 0
    except NotADirectoryError as error:
        raise BankUnavailable(f"{path.parent} is not a folder; choose another path") from error
    except PermissionError as error:
        raise BankUnavailable(f"the folder {_barred_folder(path)} may not be entered; check its permissions") from error
    except OSError as error:
        raise BankUnavailable(f"{path} cannot be looked at ({error.strerror}); check the path") from error
    if stat.S_ISDIR(found.st_mode):
        raise NotABank(f"{path} is a folder; name a file in it")
    if not stat.S_ISREG(found.st_mode):
        raise NotABank(f"{path} is not a regular file; choose another path")
    return found.st_size


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise BankUnavailable(f"the folder {folder} does not exist; create it first")


def _barred_folder(path: Path) -> Path:
    """Return the first folder on the way to `path` that we may not go through."""
    return next((folder for folder in reversed(path.parents) if not os.access(folder, os.X_OK)), path.parent)


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
        raise BankUnavailable(f"{path} cannot be read ({error}); check its permissions") from error


def _looks_encrypted(header: bytes) -> bool:
    """Whether these are the first bytes of an encrypted database: random, but for what its cipher leaves readable."""
    shape = header[16:24]
    size = int.from_bytes(shape[:2])
    whole = len(shape) == 8 and (size == 1 or (size >= 512 and size & (size - 1) == 0))
    return whole and shape[2] in _VERSIONS and shape[3] in _VERSIONS and shape[5:] == _FRACTIONS


def _plain_marks(header: bytes) -> _Marks:
    return _Marks(application=int.from_bytes(header[68:72]), schema=int.from_bytes(header[60:64]))


def _encrypted_marks(path: Path, key: str) -> _Marks:
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        looking = apsw.Connection(f"{path.absolute().as_uri()}?immutable=1", flags=flags)
        try:
            looking.pragma("key", key)
            return _Marks(application=looking.pragma("application_id"), schema=looking.pragma("user_version"))
        finally:
            looking.close()
    except apsw.NotADBError as error:
        raise WrongKey(
            f"the key does not open {path}: it is another file's key, or the file's first page is damaged; "
            "nothing was changed"
        ) from error
    except apsw.Error as error:
        raise BankUnavailable(f"{path} cannot be read ({error}); check the file and the disk") from error
