"""What readers of chats and cards share: files of a bounded size, fields of the right kind, names that can be kept."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import zip_longest
from math import isfinite
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

from gieok.domain.attributes import attribute
from gieok.domain.json_text import kept, no_number, value_of
from gieok.domain.record import shown
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, LONGEST_UTTERANCE, checked_moment, checked_speaker
from gieok.errors import InvalidImport, InvalidInput, InvalidQuery, InvalidScope, InvalidText
from gieok.interop.importers.records import Exchange, Known, Whose
from gieok.interop.messages import flaw_in_mark, without_name

if TYPE_CHECKING:
    import apsw


MIB: Final = 1024 * 1024
LARGEST_FILE: Final = 256 * MIB
LARGEST_JSON: Final = 64 * MIB
LONGEST_LINE: Final = 16 * MIB
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"
_LARGEST: Final = 2**53  #: a number that any reader of JSON can hold
_NUMBER: Final = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,15})?")
_PARAGRAPHS: Final = re.compile(r"\n[ \t]*\n")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?。…])\s+|\n")

Record = Mapping[str, Any]


def opened(path: Path, most: int = LARGEST_FILE) -> IO[bytes]:
    """Open a file of at most `most` bytes."""
    if not path.is_file():
        raise InvalidImport(f"there is no file {str(path)!r}")
    try:
        size = path.stat().st_size
        if size > most:
            raise InvalidImport(f"{path.name!r} has {size:,} bytes; at most {most:,} are read")
        return path.open("rb")
    except OSError as cause:
        raise InvalidImport(f"{path.name!r} cannot be read ({cause.strerror})") from cause


def json_file(path: Path) -> Any:
    """Return the JSON that a file is."""
    with opened(path, LARGEST_JSON) as file:
        return json_of(file.read(LARGEST_JSON + 1))


def json_lines_foreign(path: Path, place: str = "") -> Iterator[tuple[str, Record]]:
    """Yield where it stands and what it says for each line of a file; blank lines are passed over."""
    with opened(path) as file:
        number = 0
        while line := file.readline(LONGEST_LINE + 1):
            number += 1
            where = f"{place}line {number}"
            if len(line) > LONGEST_LINE:
                raise InvalidImport(f"is longer than {LONGEST_LINE:,} bytes", where=where)
            if line.strip():
                yield where, record_of(json_of(line, where), where)


def json_of(text: bytes, where: str | None = None) -> Any:
    """Return the value that `text` is, if all of it can be kept."""
    try:
        return kept(value_of(text.removeprefix(_BYTE_ORDER_MARK)))
    except ValueError as cause:
        raise InvalidImport(f"is no JSON that can be kept ({_brief(cause)})", where=where) from cause


def record_of(value: Any, where: str | None = None) -> Record:
    if not isinstance(value, dict):
        raise InvalidImport("is no JSON object", where=where)
    return value


def records_at(record: Record, name: str, where: str | None = None) -> Iterator[tuple[int, Record]]:
    """Yield the objects of a list with their numbers, from 1; none where there is no such list."""
    parts = record.get(name)
    if parts is None:
        return
    if not isinstance(parts, list):
        raise InvalidImport(f"{name} is no list", where=where)
    for number, part in enumerate(parts, start=1):
        yield number, record_of(part, within(where, f"{name} {number}"))


def text_at(record: Record, name: str, where: str | None = None) -> str:
    """Return a text without the white space around it; empty where there is none."""
    text = record.get(name)
    if text is None:
        return ""
    if not isinstance(text, str):
        raise InvalidImport(f"{name} is no text", where=where)
    return text.strip()


def texts_at(record: Record, name: str, where: str | None = None) -> tuple[str, ...]:
    """Return the texts of a list; one text with commas is such a list, too."""
    texts = record.get(name)
    if isinstance(texts, str):
        texts = texts.split(",")
    if texts is None:
        return ()
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise InvalidImport(f"{name} is no list of texts", where=where)
    return tuple(text.strip() for text in texts if text.strip())


def number_at(record: Record, name: str) -> float | None:
    """Return a number, also one that is written as a text; None: there is none."""
    number = record.get(name)
    if isinstance(number, str) and _NUMBER.fullmatch(number.strip()):
        number = float(number)
    if isinstance(number, bool) or not isinstance(number, int | float) or abs(number) > _LARGEST:
        return None
    return float(number)


def scope_of(
    where: str | None = None, *, user: str | None = None, character: str | None = None, world: str | None = None
) -> Scope:
    try:
        return Scope(user=user or None, character=character or None, world=world or None)
    except InvalidScope as cause:
        raise InvalidImport(str(cause), where=where) from cause


def speaker_of(name: str, where: str | None = None) -> str:
    try:
        return checked_speaker(name)
    except InvalidText as cause:
        raise InvalidImport(str(cause), where=where) from cause


def named(what: str, name: str | None, option: str) -> str:
    """Return a name that a file may not have; without it nobody knows whose memories these are."""
    if not name:
        raise InvalidImport(f"it does not say who the {what} is; name them: {option} NAME")
    return name


def within(where: str | None, place: str) -> str:
    return f"{where}, {place}" if where else place


def digest(*parts: str | None) -> str:
    """Return a short name for what texts say, the same at every reading."""
    joined = "\x00".join(part or "" for part in parts)
    return hashlib.sha256(joined.encode()).hexdigest()[:12]


def pieces(text: str, most: int = LONGEST_UTTERANCE) -> list[str]:
    """Return a text in pieces of at most `most` characters, cut between paragraphs or sentences where it has them."""
    if len(text) <= most:
        return [text]
    found: list[str] = []
    held = ""
    for part in _parts(text, most):
        if held and len(held) + len(part) + 2 > most:
            found.append(held)
            held = part
        else:
            held = f"{held}\n\n{part}" if held else part
    return [*found, held] if held else found


def _parts(text: str, most: int) -> Iterator[str]:
    for paragraph in _PARAGRAPHS.split(text):
        if len(paragraph) <= most:
            yield from filter(None, [paragraph.strip()])
            continue
        for sentence in _SENTENCE_END.split(paragraph):
            for start in range(0, len(sentence), most):
                yield from filter(None, [sentence[start : start + most].strip()])


def _brief(cause: ValueError) -> str:
    said = str(cause)
    return said if len(said) <= 120 else f"{said[:119]}…"


_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_UNITS: Final = ((1e17, 1_000_000_000), (1e14, 1_000_000), (1e11, 1_000), (0.0, 1))  #: from which on, parts of a second
_NUMBER_VALUES: Final = re.compile(r"-?\d+(?:\.\d+)?")
_SHOWN: Final = 40


def shown_values(value: Any) -> str:
    """Return a value as a complaint quotes it: its beginning."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def sound(value: Any, where: str) -> None:
    """Raise `InvalidImport` where a value holds what no store can keep."""
    try:
        kept(value)
    except ValueError as cause:
        raise InvalidImport(str(cause), where=where) from cause


def moment_of(value: Any, where: str) -> datetime | None:
    """Return a moment written as ISO 8601 or as seconds, milli-, micro- or nanoseconds since 1970; None: there is none.

    One without a time zone is UTC, as SQLite, Prisma and most servers write it.
    """
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str) and not _NUMBER_VALUES.fullmatch(value.strip()):
            moment = datetime.fromisoformat(value.strip())
        else:
            moment = _since_1970(value)
    except (ValueError, TypeError, OverflowError) as cause:
        raise InvalidImport(f"{shown_values(value)} is no moment", where=where) from cause
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _since_1970(value: Any) -> datetime:
    if isinstance(value, bool):
        raise TypeError
    number = float(value)
    parts = next(parts for least, parts in _UNITS if abs(number) >= least)
    return _EPOCH + timedelta(seconds=number / parts)


def number_of(value: Any, name: str, where: str, *, default: float = 0.0) -> float:
    """Return a number; `default` where there is none."""
    if value is None or value == "":
        return default
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as cause:
        raise InvalidImport(f"{name} is {shown_values(value)}, no number", where=where) from cause
    if not isfinite(number):
        raise InvalidImport(f"{name} is {shown_values(value)}, no number", where=where)
    return number


def count_of(value: Any, name: str, where: str) -> int:
    """Return how often something was, 0 or more."""
    return max(int(number_of(value, name, where)), 0)


def share_of(value: Any, name: str, where: str, *, default: float = 0.0) -> float:
    """Return a number between 0 and 1."""
    number = number_of(value, name, where, default=default)
    if not 0 <= number <= 1:
        raise InvalidImport(f"{name} is {shown_values(value)}, not between 0 and 1", where=where)
    return number


def scale_of(values: Iterable[Any]) -> int:
    """Return the top of the scale that importances are on: 1, or 10 where one of them is above 1."""
    return 10 if any(isinstance(each, int | float) and each > 1 for each in values) else 1


def importance_of(value: Any, top: int, where: str) -> float | None:
    """Return an importance on a scale up to `top` as 0–1; None: there is none."""
    if value is None or value == "":
        return None
    number = number_of(value, "importance", where) / top
    if not 0 <= number <= 1:
        raise InvalidImport(f"importance is {shown_values(value)}, not between 0 and {top}", where=where)
    return number


def text_of(value: Any, name: str, where: str) -> str:
    """Return a text, without space around it; "" where there is none."""
    if value is None:
        return ""
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        raise InvalidImport(f"{name} is {shown_values(value)}, no text", where=where)
    return str(value).strip()


def named_values(value: Any, name: str, where: str) -> str | None:
    """Return what somebody or something is called; None: nothing."""
    return text_of(value, name, where) or None


def list_of(value: Any, name: str, where: str) -> list[Any]:
    """Return a list, also one that is written as JSON in a string; a string of words with commas is one, too."""
    if value is None or value == "":
        return []
    if isinstance(value, str) and value.lstrip().startswith(("[", "{")):
        value = parsed(value, name, where)
    if isinstance(value, Mapping):
        return [value]
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if not isinstance(value, list):
        raise InvalidImport(f"{name} is {shown_values(value)}, no list", where=where)
    return value


def words_of(value: Any, name: str, where: str) -> tuple[str, ...]:
    """Return a list of words, each once."""
    found = (text_of(part, name, where) for part in list_of(value, name, where))
    return tuple(dict.fromkeys(word for word in found if word))


def parsed(text: str, name: str, where: str) -> Any:
    """Return what JSON in a string says."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise InvalidImport(f"{name} is {shown_values(text)}, no JSON", where=where) from cause
    sound(value, where)
    return value


def vector_of(value: Any, where: str) -> tuple[float, ...] | None:
    """Return a vector written as numbers, as JSON, or as 32-bit floats; None: there is none."""
    if not value:
        return None
    if isinstance(value, bytes):
        from array import array

        if len(value) % 4:
            return None
        return _finite(array("f", value))
    return _finite(number_of(part, "a vector", where) for part in list_of(value, "a vector", where))


def _finite(numbers: Iterable[float]) -> tuple[float, ...] | None:
    vector = tuple(numbers)
    return vector if vector and all(map(isfinite, vector)) else None


def scope_for(
    whose: Whose, where: str, *, user: str | None = None, character: str | None = None, world: str | None = None
) -> Scope:
    """Return whose something is: as the file says, else as the caller does."""
    names = {"user": user or whose.user, "character": character or whose.character, "world": world or whose.world}
    if not any(names.values()):
        raise InvalidImport("nothing says whose it is; name it with --user, --character or --world", where=where)
    try:
        return Scope(**names)
    except InvalidScope as cause:
        raise InvalidImport(f"it cannot be kept under these names ({cause})", where=where) from cause


LARGEST: Final = 1024**3  #: bytes of a file that is read at once
LARGEST_TABLES: Final = 64 * 1024**3  #: … and of one that is read row by row
_LONGEST_LINE: Final = 16 * 1024**2
_MOST_FILES: Final = 10_000
_PIECE: Final = 1024**2


def checked_file(path: Path, *, within: Path | None = None, most: int = LARGEST) -> Path:
    """Return `path` if it is a file that can be read, and lies `within` a folder, links followed."""
    if not path.is_file():
        raise InvalidImport(f"there is no file {str(path)!r}")
    if within is not None and not path.resolve().is_relative_to(within.resolve()):
        raise InvalidImport(f"{path.name!r} leads out of the folder {str(within)!r}")
    if path.stat().st_size > most:
        raise InvalidImport(f"{path.name!r} has {path.stat().st_size:,} bytes; at most {most:,} are read")
    return path


def files_in(folder: Path, *suffixes: str) -> list[Path]:
    """Return the files right in a folder whose names end so, by name; links that lead out of it are refused."""
    found = sorted(each for each in folder.iterdir() if each.name.endswith(suffixes) and not each.name.startswith("."))
    if len(found) > _MOST_FILES:
        raise InvalidImport(f"{str(folder)!r} holds {len(found):,} files; at most {_MOST_FILES:,} are read")
    return [checked_file(each, within=folder, most=LARGEST_TABLES) for each in found if not each.is_dir()]


def fingerprint(path: Path) -> str:
    """Return a digest of a file, or of all that stands right in a folder."""
    digest = hashlib.sha256()
    files = [path] if path.is_file() else files_in(path, "")
    for each in files:
        digest.update(f"{each.name if path.is_dir() else ''}\0{each.stat().st_size}\0".encode())
        with each.open("rb") as file:
            while piece := file.read(_PIECE):
                digest.update(piece)
    return digest.hexdigest()


def text_in(path: Path, *, within: Path | None = None) -> str:
    """Return all of a file as text."""
    data = checked_file(path, within=within).read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        line = data.count(b"\n", 0, cause.start) + 1
        raise InvalidImport("it is no UTF-8; save it as UTF-8", where=_at(path, line)) from cause


def json_in(path: Path, *, within: Path | None = None) -> Any:
    """Return what a file of JSON says; whatever holds other lines names the first that is wrong."""
    return _value(text_in(path, within=within), path, 1)


def json_lines(path: Path) -> Iterator[tuple[int, Any]]:
    """Yield the values of a file with one on each line, with the line's number; empty lines are passed over."""
    with checked_file(path).open("rb") as file:
        number = 0
        while line := file.readline(_LONGEST_LINE + 1):
            number += 1
            if len(line) > _LONGEST_LINE:
                raise InvalidImport(f"it is longer than {_LONGEST_LINE:,} bytes", where=_at(path, number))
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            except UnicodeDecodeError as cause:
                raise InvalidImport("it is no UTF-8; save it as UTF-8", where=_at(path, number)) from cause
            if text:
                yield number, _value(text, path, number)


def _value(text: str, path: Path, first_line: int) -> Any:
    try:
        value = json.loads(text, parse_constant=no_number)
    except json.JSONDecodeError as cause:
        where = _at(path, first_line + cause.lineno - 1)
        raise InvalidImport(f"it is no JSON ({cause.msg} at column {cause.colno})", where=where) from cause
    except (ValueError, RecursionError) as cause:
        raise InvalidImport(f"it is no JSON ({cause})", where=_at(path, first_line)) from cause
    sound(value, _at(path, first_line))
    return value


def _at(path: Path, line: int) -> str:
    return f"{path.name}, line {line}"


_MAGIC: Final = b"SQLite format 3\0"
_LONGEST: Final = 64 * 1024**2  #: bytes of one value
Row = dict[str, Any]


@contextmanager
def opened_tables(path: Path, *, within: Path | None = None) -> Iterator[apsw.Connection]:
    """Open a file to read its tables; raises `InvalidImport` if it is none of SQLite's, or is damaged."""
    import apsw

    file = checked_file(path, within=within, most=LARGEST_TABLES)
    with file.open("rb") as head:
        if head.read(len(_MAGIC)) != _MAGIC:
            raise InvalidImport(f"{path.name!r} is no SQLite file, or is encrypted")
    logs = (file.with_name(file.name + ending) for ending in ("-wal", "-journal"))
    fresh = any(log.is_file() and log.stat().st_size for log in logs)  # not all of it stands in the file yet
    uri = file.resolve().as_uri() + ("?mode=ro" if fresh else "?mode=ro&immutable=1")
    connection = None
    try:
        connection = apsw.Connection(uri, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        connection.limit(apsw.SQLITE_LIMIT_LENGTH, _LONGEST)
        connection.config(apsw.SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
        connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
        yield connection
    except (apsw.Error, UnicodeDecodeError) as cause:
        raise InvalidImport(f"{path.name!r} cannot be read as SQLite ({cause})") from cause
    finally:
        if connection is not None:
            connection.close()


def tables_of(connection: apsw.Connection) -> frozenset[str]:
    """Return the names of the tables that hold rows of their own: no views, nothing virtual."""
    found = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
    return frozenset(str(name) for (name,) in found)


def rows(connection: apsw.Connection, table: str, *, by: str = "id") -> Iterator[tuple[str, Row]]:
    """Yield the rows of a table in order, each as it is called and by the names of its columns.

    `table` and `by` are names that the program knows, never the file's.
    """
    import apsw

    columns = [str(column[1]) for column in connection.execute(f"PRAGMA table_info({table})")]
    order = f" ORDER BY {by}" if by in columns else ""
    number = 0
    try:
        every = connection.execute(f"SELECT * FROM {table}{order}")  # noqa: S608  # the program's own names
        for number, values in enumerate(every, start=1):
            row = dict(zip(columns, values, strict=True))
            where = f"row {row.get('id', number)} of {table}"
            sound(row, where)
            yield where, row
    except apsw.Error as cause:
        raise InvalidImport(f"it cannot be read ({cause})", where=f"row {number + 1} of {table}") from cause
    except UnicodeDecodeError as cause:
        raise InvalidImport("it holds text that is no UTF-8", where=f"row {number + 1} of {table}") from cause


_MONTHS: Final = "january february march april may june july august september october november december".split()
_MERIDIEM: Final = re.compile(
    r"(?P<month>[a-z]{3,9})\.? (?P<day>\d{1,2}), (?P<year>\d{4}),? "
    r"(?P<hour>\d{1,2}):(?P<minute>\d{2}) ?(?P<half>am|pm)",
    re.IGNORECASE,
)  #: June 19, 2023 2:20pm
_KOREAN: Final = re.compile(
    r"(?P<year>\d{4})년 (?P<month>\d{1,2})월 (?P<day>\d{1,2})일 (?P<half>오전|오후) (?P<hour>\d{1,2}):(?P<minute>\d{2})"
)
_HUMANIZED: Final = re.compile(
    r"(?P<year>\d{4})-(?P<month>\d{1,2})-(?P<day>\d{1,2}) ?@ ?"
    r"(?P<hour>\d{1,2})h ?(?P<minute>\d{1,2})m ?(?P<second>\d{1,2})s(?: ?(?P<millisecond>\d{1,3})ms)?"
)  #: 2023-6-19 @14h 20m 30s 123ms
_AFTERNOON: Final = ("pm", "오후")
_MILLISECONDS: Final = 100_000_000_000  #: a count of seconds would be past the year 5000


def moment_of_moments(said: Any, zone: tzinfo) -> datetime | None:
    """Return the moment that a file names; None: it names none. Raises ValueError for what is no moment.

    Where it has no time zone it is read in `zone`.
    """
    if said is None or said == "" or (said == 0 and not isinstance(said, bool)):
        return None
    if isinstance(said, bool) or not isinstance(said, int | float | str):
        raise ValueError(f"{str(said)[:40]!r} is no moment")
    try:
        return checked_moment(_counted(float(said)) if _is_count(said) else _written(str(said).strip(), zone))
    except (ValueError, OverflowError, OSError, InvalidInput) as cause:
        raise ValueError(f"{str(said)[:40]!r} is no moment") from cause


def _is_count(said: Any) -> bool:
    return not isinstance(said, str) or (said.isascii() and said.isdigit() and len(said) > 8)


def _counted(count: float) -> datetime:
    return datetime.fromtimestamp(count / 1000 if abs(count) >= _MILLISECONDS else count, UTC)


def _written(said: str, zone: tzinfo) -> datetime:
    for pattern in (_HUMANIZED, _MERIDIEM, _KOREAN):
        if match := pattern.fullmatch(said):
            return _matched(match.groupdict(), zone)
    found = datetime.fromisoformat(said)
    return found if found.tzinfo is not None else found.replace(tzinfo=zone)


def _matched(parts: dict[str, str | None], zone: tzinfo) -> datetime:
    def number(name: str) -> int:
        return int(parts.get(name) or 0)

    hour, half = number("hour"), parts.get("half")
    if half:
        hour = hour % 12 + (12 if half.lower() in _AFTERNOON else 0)
    month = parts["month"] or ""
    return datetime(
        number("year"),
        int(month) if month.isdigit() else _month(month),
        number("day"),
        hour,
        number("minute"),
        number("second"),
        number("millisecond") * 1000,
        tzinfo=zone,
    )


def _month(name: str) -> int:
    for number, month in enumerate(_MONTHS, start=1):
        if month.startswith(name.lower()):
            return number
    raise ValueError(f"{name!r} is no month")


_STEP: Final = timedelta(seconds=1)


class Timing:
    """Learned from a first walk over a source (`survey`), used in a second one (`moment`), in the same order."""

    def __init__(self, written_at: datetime) -> None:
        """`written_at` is when the source itself was written: where nothing has a time, all was before that."""
        self._written_at = written_at
        self._undated: dict[Scope, int] = {}  #: exchanges before the first that has a time
        self._first: dict[Scope, datetime] = {}
        self._last: dict[Scope, datetime] = {}

    def survey(self, item: Exchange) -> None:
        if item.scope in self._first:
            return
        if item.at is None:
            self._undated[item.scope] = self._undated.get(item.scope, 0) + 1
        else:
            self._first[item.scope] = item.at

    def moment(self, item: Exchange) -> datetime:
        if item.at is not None:
            moment = item.at
        elif item.scope in self._last:
            moment = self._last[item.scope] + _STEP
        else:
            until = self._first.get(item.scope, self._written_at)
            moment = until - _STEP * self._undated.get(item.scope, 1)
        self._last[item.scope] = moment
        return moment


_NAMES: Final = re.compile(r"\{\{\s*(user|char|bot)\s*\}\}|<(user|char|bot)>", re.IGNORECASE)
_UNSAID: Final = re.compile(r"\{\{\s*(?://|comment:|hidden_key:)[^{}]{0,2000}\}\}", re.IGNORECASE)
_HANGUL: Final = re.compile(r"[가-힣]")


def filled_in(text: str, *, user: str | None, character: str) -> str:
    """Return `text` with the names of those who talk; without a `user` it speaks of anybody who plays.

    What is written for nobody to see ({{// …}}) is left out.
    """
    anybody = user or ("사용자" if _HANGUL.search(text) else "the user")

    def name(match: re.Match[str]) -> str:
        return anybody if (match[1] or match[2]).lower() == "user" else character

    return _NAMES.sub(name, _UNSAID.sub("", text)).strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One thing that one of them said."""

    where: str
    number: int  #: its place in the chat
    text: str
    at: datetime | None
    by_user: bool
    name: str | None = None  #: who said it, if it was not the user; None: the character


def exchanges(
    messages: Iterable[Message], *, scope: Scope, chat: str, session: str, channel: str
) -> Iterator[Exchange]:
    """Yield a chat as the character of `scope` lived it: their messages are replies, others' are heard as theirs."""
    pending: Message | None = None

    def exchange(said: Message | None, reply: Message | None) -> Iterator[Exchange]:
        first = said or reply
        assert first is not None, "an exchange has something that was said"
        speaker = said.name if said is not None and not said.by_user else None
        answered = reply.at if reply is not None else None
        began = first.at or answered
        texts = pieces(said.text) if said is not None else []
        replies = pieces(reply.text) if reply is not None else []
        ahead: list[str | None] = [None] * (len(texts) - 1 if texts and replies else 0)
        parts = zip_longest(texts, [*ahead, *replies])
        for part, (text, answer) in enumerate(parts, start=1):
            yield Exchange(
                scope=scope,
                origin=f"{chat}/{first.number}.{part}/{digest(text, answer)}",
                where=first.where,
                text=text,
                reply=answer,
                at=began if text is not None else answered,
                speaker=speaker if text is not None else None,
                session=session,
                channel=channel,
            )

    for message in messages:
        if not message.by_user and message.name in (None, scope.character):
            yield from exchange(pending, message)
            pending = None
            continue
        if pending is not None:
            yield from exchange(pending, None)
        pending = message
    if pending is not None:
        yield from exchange(pending, None)


MOST_TAGS: Final = 32
LONGEST_TAG: Final = 100
_NAMES_HOMECOMING: Final = ("user", "character", "world")


def coming_home(mark: Record, content: str, where: str, *, user: str | None, otherwise: Scope, pinned: bool) -> Known:
    """Return the memory that `mark` tells of, with its text as it stands there now.

    It goes where it was, or `otherwise`, if it does not say so; into the memories of a user only if they are named as
    `user`, since anybody can write a mark. Raises `InvalidImport` for others, and for a mark that cannot be read.
    """
    mark = {name: value for name, value in mark.items() if value is not None}
    flaw = flaw_in_mark(mark) or _trespass(mark.get("user"), user)
    if flaw is not None:
        raise InvalidImport(flaw, where=where)
    names = {name: mark.get(name) for name in _NAMES_HOMECOMING}
    key = _attribute(mark.get("attribute"), where)
    text = filled_in(without_name(mark, content), user=names["user"], character=names["character"] or CHARACTER)
    return Known(
        scope=scope_of(where, **names) if any(names.values()) else otherwise,
        origin=f"{mark.get('id', '')}/{digest(text)}",
        where=where,
        content=pieces(text or content)[0],
        about=speaker_of(mark.get("about", "world"), where),
        attribute=key,
        value=mark.get("value") if key is not None else None,
        type=mark.get("type"),
        said_by=speaker_of(mark["said_by"], where) if "said_by" in mark else None,
        polarity=mark.get("polarity", "+"),
        importance=mark.get("importance"),
        at=_moment(mark, "at"),
        valid_at=_moment(mark, "valid_at"),
        tags=tuple(tag[:LONGEST_TAG] for tag in mark.get("tags", ())[:MOST_TAGS]),
        pinned=pinned and mark.get("pinned") is not False,
    )


def _trespass(owner: str | None, user: str | None) -> str | None:
    if owner in (None, user):
        return None
    return "it is another user's" if user else f"it is of the user {shown(owner)}; say that it is theirs: --user NAME"


def _attribute(key: str | None, where: str) -> str | None:
    try:
        return None if key is None else attribute(key).key
    except InvalidQuery as cause:
        raise InvalidImport(f"{str(key)[:40]!r} is no attribute", where=where) from cause


def _moment(mark: Record, name: str) -> datetime | None:
    return datetime.fromisoformat(mark[name]) if name in mark else None
