"""A source that somebody has had their hands on is refused with its place, or else all of it can be kept."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from gieok.errors import InvalidImport
from gieok.interop.importers.importer import checked, reader_of
from gieok.interop.importers.records import Whose
from support import sources

WHOSE = Whose(user="minsu", character="letia", world="academy")
HOSTILE: tuple[Any, ...] = (
    None, True, "", "  ", -1, 10**400, 1e308, [], {}, [[]], {"a": {"b": []}}, "\0", "\ud800", "가" * 9_000, "[", "{}",
    "NaN", "2025-99-99", ["가", 1, None], "user", -(10**18),
)  # fmt: skip
MADE: dict[str, Callable[[Path], Path]] = {"mem0": sources.mem0, "synk": sources.synk, "meowchat": sources.meowchat}


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Return every place in a document of JSON: the object or list, and the name or number in it."""
    if isinstance(value, dict | list):
        pairs = list(value.items() if isinstance(value, dict) else enumerate(value))
        return [place for name, part in pairs for place in ((value, name), *places_in(part))]
    return []


def read_through(kind: str, path: Path) -> None:
    try:
        for item in reader_of(kind)(path, WHOSE):
            checked(item)
    except InvalidImport:
        return


@pytest.mark.parametrize("kind", MADE)
def test_whatever_stands_in_a_document_is_read_or_refused(kind, tmp_path, counts):
    chance = random.Random(kind)
    text = MADE[kind](tmp_path / "source.json").read_text(encoding="utf-8")
    for _ in range(counts(300, 5_000)):
        document = json.loads(text)
        for _ in range(chance.randint(1, 3)):
            holder, name = chance.choice(places_in(document))
            holder[name] = deepcopy(chance.choice(HOSTILE))
        path = tmp_path / "tampered.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        read_through(kind, path)


@pytest.mark.parametrize("kind", ["social", "vtuber", "meowchat"])
def test_a_file_of_sqlite_with_broken_bytes_is_read_or_refused(kind, tmp_path, counts):
    chance = random.Random(kind)
    if kind == "meowchat":
        path = sources.chroma(tmp_path / "store") / "chroma.sqlite3"
    else:
        path = {"social": sources.social, "vtuber": sources.vtuber}[kind](tmp_path / "source.db")
    whole = path.read_bytes()
    for _ in range(counts(60, 2_000)):
        torn = bytearray(whole)
        for _ in range(chance.randint(1, 40)):
            torn[chance.randrange(100, len(torn))] = chance.randrange(256)
        path.write_bytes(bytes(torn[: chance.choice((len(torn), chance.randrange(len(torn))))]))
        read_through(kind, path.parent if kind == "meowchat" else path)
