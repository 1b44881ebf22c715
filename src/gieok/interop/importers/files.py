"""Size-limited readers of untrusted files: JSON, JSON lines, SQLite, zip and PNG."""

from __future__ import annotations

import base64
import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from gieok.domain.json_text import no_number
from gieok.errors import ErrorText, InvalidImport
from gieok.interop.importers.fields import Row, check_storable

if TYPE_CHECKING:
    import apsw

MIB: Final = 1024 * 1024
LARGEST_FILE: Final = 256 * MIB
LARGEST_JSON: Final = 64 * MIB
LARGEST_STORE: Final = 1024 * MIB  #: a JSON file with the whole store of a system
LARGEST_TABLES: Final = 64 * 1024 * MIB  #: a SQLite file, which is read row by row
LONGEST_LINE: Final = 16 * MIB
LARGEST_TEXT: Final = 64 * MIB  #: uncompressed texts of one PNG
_LONGEST_VALUE: Final = 64 * MIB  #: a value in SQLite
_MOST_FILES: Final = 10_000  #: per folder
_SQLITE: Final = b"SQLite format 3\0"


class TooLarge(InvalidImport):
    """A part of a file exceeds its size limit."""

    def __init__(self, most: int, where: str) -> None:
        super().__init__(f"it has more than {most:,} bytes", where=where)


def open_file(path: Path, *, most: int = LARGEST_FILE, within: Path | None = None) -> IO[bytes]:
    """Open a file of at most `most` bytes; with `within`, its resolved path must be in that folder."""
    if not path.is_file():
        raise InvalidImport(ErrorText("file.missing", path=str(path)))
    if within is not None and not path.resolve().is_relative_to(within.resolve()):
        raise InvalidImport(ErrorText("import.outside_folder", name=path.name, within=str(within)))
    try:
        size = path.stat().st_size
        if size > most:
            raise InvalidImport(ErrorText("import.large_file", name=path.name, size=size, most=most))
        return path.open("rb")
    except OSError as cause:
        raise InvalidImport(ErrorText("import.unreadable", name=path.name, strerror=cause.strerror)) from cause


def files_in(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files of a folder with these suffixes, sorted by name; links out of the folder are an error."""
    found = sorted(each for each in folder.iterdir() if each.name.endswith(suffixes) and not each.name.startswith("."))
    if len(found) > _MOST_FILES:
        raise InvalidImport(ErrorText("import.many_files", folder=str(folder), n=len(found), most_files=_MOST_FILES))
    files = [each for each in found if not each.is_dir()]
    for each in files:
        open_file(each, most=LARGEST_TABLES, within=folder).close()
    return files


def fingerprint(path: Path) -> str:
    """Return a digest of a file, or of all files of a folder."""
    digest = hashlib.sha256()
    for each in [path] if path.is_file() else files_in(path, ""):
        digest.update(f"{each.name if path.is_dir() else ''}\0{each.stat().st_size}\0".encode())
        with each.open("rb") as file:
            while piece := file.read(MIB):
                digest.update(piece)
    return digest.hexdigest()


def json_file(path: Path, *, most: int = LARGEST_JSON) -> Any:
    """Return the parsed content of a JSON file."""
    with open_file(path, most=most) as file:
        return parse_json(file.read(most + 1), path.name)


def json_lines(path: Path, *, most: int = LARGEST_FILE, prefix: str = "") -> Iterator[Row]:
    """Yield the objects of a JSON lines file; empty lines are skipped. `prefix` is prepended to their places."""
    with open_file(path, most=most) as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            if len(line) > LONGEST_LINE:
                flaw = ErrorText("import.long_line", longest_line=LONGEST_LINE)
                raise InvalidImport(flaw, where=ErrorText("import.line", file=path.name, line=number))
            if line.strip():
                yield Row(parse_json(line, path.name, number), f"{prefix}line {number}")


def parse_json(data: bytes, name: str, first_line: int = 1) -> Any:
    """Return the parsed value of `data`; `name` and `first_line` are used in errors."""
    line = first_line
    try:
        value = json.loads(data.decode("utf-8-sig"), parse_constant=no_number)
    except (ValueError, RecursionError) as cause:
        if isinstance(cause, UnicodeDecodeError):
            line += data.count(b"\n", 0, cause.start)
            flaw: str = ErrorText("import.utf8")
        elif isinstance(cause, json.JSONDecodeError):
            line += cause.lineno - 1
            flaw = f"it is not JSON ({cause.msg} at column {cause.colno})"
        else:
            flaw = ErrorText("import.json", cause=str(cause)[:120])
        raise InvalidImport(flaw, where=ErrorText("import.line", file=name, line=line)) from cause
    check_storable(value, f"{name}, line {line}")
    return value


@contextmanager
def open_sqlite(path: Path, *, within: Path | None = None) -> Iterator[apsw.Connection]:
    """Open a SQLite file for reading; raises `InvalidImport` if it is invalid or damaged."""
    import apsw

    with open_file(path, most=LARGEST_TABLES, within=within) as head:
        if head.read(len(_SQLITE)) != _SQLITE:
            raise InvalidImport(ErrorText("import.not_sqlite", name=path.name))
    logs = (path.with_name(path.name + ending) for ending in ("-wal", "-journal"))
    fresh = any(log.is_file() and log.stat().st_size for log in logs)  # part of the data is still in the log
    uri = path.resolve().as_uri() + ("?mode=ro" if fresh else "?mode=ro&immutable=1")
    connection = None
    try:
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, _LONGEST_VALUE)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        yield connection
    except (apsw.Error, UnicodeDecodeError) as cause:
        raise InvalidImport(ErrorText("import.sqlite", name=path.name, cause=cause)) from cause
    finally:
        if connection is not None:
            connection.close()


def table_names(connection: apsw.Connection) -> frozenset[str]:
    """Return the names of ordinary tables, without views and virtual tables."""
    found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    return frozenset(str(name) for (name,) in found)


def table_rows(connection: apsw.Connection, table: str) -> Iterator[Row]:
    """Yield the rows of a table by id. `table` must be a constant, never a name from the file."""
    import apsw

    columns = [str(column[1]) for column in connection.execute(f"PRAGMA table_info({table})")]
    order = " ORDER BY id" if "id" in columns else ""
    number = 0
    try:
        every = connection.execute(f"SELECT * FROM {table}{order}")  # noqa: S608  # the program's own names
        for number, values in enumerate(every, start=1):
            fields = dict(zip(columns, values, strict=True))
            row = Row(fields, ErrorText("import.row_of", row=fields.get("id", number), table=table))
            check_storable(fields, row.where)
            yield row
    except (apsw.Error, UnicodeDecodeError) as cause:
        undecoded = isinstance(cause, UnicodeDecodeError)
        flaw = ErrorText("import.row_utf8") if undecoded else ErrorText("import.row", cause=cause)
        raise InvalidImport(flaw, where=ErrorText("import.row_of", row=number + 1, table=table)) from cause


_MOST_PARTS: Final = 20_000
_COMPRESSIONS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED: Final = 0x1
_BROKEN_ZIP: Final = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError, ValueError)


class Zip:
    """An open zip. It is unpacked in memory, with size limits."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._parts = {part.filename: part for part in archive.infolist()}

    def part(self, name: str, most: int) -> bytes | None:
        """Return a part by its exact name; None: it does not exist. Raises `TooLarge` beyond `most` bytes."""
        part = self._parts.get(name)
        if part is None or part.is_dir():
            return None
        if part.compress_type not in _COMPRESSIONS or part.flag_bits & _ENCRYPTED:
            raise InvalidImport(ErrorText("import.zip_part"), where=name[:200])
        try:
            with self._archive.open(part) as file:
                data = file.read(most + 1)  # the size stated in the zip may be wrong
        except _BROKEN_ZIP as cause:
            raise InvalidImport(ErrorText("import.zip_damaged", cause=cause), where=name[:200]) from cause
        if len(data) > most:
            raise TooLarge(most, name[:200])
        return data


@contextmanager
def open_zip(file: IO[bytes]) -> Iterator[Zip]:
    try:
        archive = zipfile.ZipFile(file)
    except _BROKEN_ZIP as cause:
        raise InvalidImport(ErrorText("import.not_zip")) from cause
    with archive:
        names = archive.namelist()
        if len(names) > _MOST_PARTS or len(set(names)) != len(names):
            raise InvalidImport(ErrorText("import.zip_parts", n=len(names), most_parts=_MOST_PARTS))
        yield Zip(archive)


PNG: Final = b"\x89PNG\r\n\x1a\n"
_TEXT_CHUNKS: Final = (b"tEXt", b"zTXt", b"iTXt")
_LONGEST_KEYWORD: Final = 79 + 512  #: 79 by the standard; names of pictures in cards are longer


def png_texts(file: IO[bytes], size: int, wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    """Yield keyword and text of each `wanted` text in a PNG of `size` bytes; the whole file is checked."""
    room = LARGEST_TEXT
    at, number = len(file.read(len(PNG))), 0
    while True:
        number += 1
        head = file.read(8)
        if len(head) < 8:
            raise InvalidImport(ErrorText("import.png_cut"), where=f"chunk {number}")
        length, kind = int.from_bytes(head[:4], "big"), head[4:]
        where = f"chunk {number} ({kind.decode('ascii', 'replace')!r})"
        at += 12 + length
        if at > size:
            raise InvalidImport(ErrorText("import.png_length", length=length), where=where)
        data = file.read(length)
        if int.from_bytes(file.read(4), "big") != zlib.crc32(kind + data):
            raise InvalidImport(ErrorText("import.png_checksum"), where=where)
        if kind == b"IEND":
            return
        if kind in _TEXT_CHUNKS:
            keyword, found, rest = data.partition(b"\0")
            if not found or not keyword or len(keyword) > _LONGEST_KEYWORD:
                raise InvalidImport(ErrorText("import.png_keyword"), where=where)
            if wanted(name := keyword.decode("latin-1")):
                text = _chunk_text(kind, rest, room, where)
                room -= len(text) if len(text) > len(rest) else 0
                yield name, text


def _chunk_text(kind: bytes, rest: bytes, room: int, where: str) -> bytes:
    if kind == b"tEXt":
        return rest
    if kind == b"zTXt":
        return _inflated(rest[1:], rest[:1], room, where)
    packed, method, rest = rest[:1], rest[1:2], rest[2:]
    parts = rest.split(b"\0", 2)  # language, translated keyword, text
    if packed not in (b"\0", b"\1") or len(parts) != 3:
        raise InvalidImport(ErrorText("import.itxt"), where=where)
    return _inflated(parts[2], method, room, where) if packed == b"\1" else parts[2]


def _inflated(data: bytes, method: bytes, room: int, where: str) -> bytes:
    if method != b"\0":
        raise InvalidImport(ErrorText("import.compression"), where=where)
    inflating = zlib.decompressobj()
    try:
        text = inflating.decompress(data, room + 1)
    except zlib.error as cause:
        raise InvalidImport(ErrorText("import.unpack", cause=cause), where=where) from cause
    if len(text) > room:
        raise InvalidImport(ErrorText("import.bomb", largest_text=LARGEST_TEXT), where=where)
    if not inflating.eof:
        raise InvalidImport(ErrorText("import.unpack_cut"), where=where)
    return text


def decode_base64(text: str | bytes, most: int, where: str) -> bytes | None:
    """Return decoded base64; None: invalid. Raises `TooLarge` beyond `most` bytes."""
    if len(text) > most * 4 // 3 + 4:
        raise TooLarge(most, where)
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        return None
