"""What readers of chats and cards share: files of a bounded size, fields of the right kind, names that can be kept."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

from gieok.domain.foreign_json import kept, value_of
from gieok.domain.scope import Scope
from gieok.domain.turn import LONGEST_UTTERANCE, checked_speaker
from gieok.errors import InvalidImport, InvalidScope, InvalidText

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


def json_lines(path: Path, place: str = "") -> Iterator[tuple[str, Record]]:
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
