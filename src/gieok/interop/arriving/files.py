"""Files that may come from anybody: read with bounds, never written to, and nothing outside what was named."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from gieok.domain.foreign_json import no_number
from gieok.errors import InvalidImport
from gieok.interop.arriving.values import sound

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
