"""The files that earlier versions wrote, unpacked for use."""

from __future__ import annotations

import io
import json
import lzma
import shutil
import sys
import tarfile
from collections.abc import Mapping
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any, ClassVar
from unittest import mock

import gieok
from compat.answers import clock, plain

DATA = Path(__file__).parent / "data"
KEY = "the key of a test, kept for nobody"


class Kept:
    """The files of one version."""

    #: by name: the settings that open the bank
    BANKS: ClassVar[Mapping[str, Mapping[str, str]]] = {
        "story": {"embedder": "hashing"},
        "encoder": {"embedder": "universal"},
        "secret": {"embedder": "hashing", "key": KEY},
    }
    #: by format: the name of the file that holds an export in it
    EXPORTS: ClassVar[Mapping[str, str]] = {
        "zip": "minsu.zip",
        "jsonl": "minsu.jsonl",
        "lorebook": "lorebook.json",
        "worldinfo": "worldinfo.json",
        "mem0": "mem0.json",
    }

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def bank(self, name: str, folder: Path) -> Path:
        """Put a copy of a bank into a new folder and return its path."""
        folder.mkdir(parents=True)
        path = folder / f"{name}.db"
        packed = self.folder / f"{name}.db.xz"
        if packed.exists():
            path.write_bytes(lzma.decompress(packed.read_bytes()))
        else:
            shutil.copy(self.folder / path.name, path)
        return path

    def opened(self, name: str, folder: Path, **settings: Any) -> gieok.MemoryBank:
        """Open a copy of a bank at the present of its story."""
        return gieok.open(self.bank(name, folder), clock=clock(), **{**self.BANKS[name], **settings})

    def unpacked(self, name: str, folder: Path) -> Path:
        """Unpack a folder of kept files into another and return its path."""
        with tarfile.open(self.folder / f"{name}.tar.xz") as archive:
            archive.extractall(folder, filter="data")
        return folder / name

    def recorded(self, name: str) -> Any:
        return json.loads(lzma.decompress((self.folder / f"{name}.json.xz").read_bytes()))


def command(*arguments: str) -> str:
    """Run a command of gieok in this process and return what it prints."""
    from gieok.cli import main

    said = io.StringIO()
    with mock.patch.object(sys, "argv", ["gieok", *arguments]), redirect_stdout(said):
        try:
            main()
        except SystemExit as ended:
            if ended.code:
                raise RuntimeError(f"gieok {' '.join(arguments)} ended with {ended.code}") from ended
    return said.getvalue()


def imported(kept: Kept, folder: Path) -> dict[str, Any]:
    """Import every kept export that can be imported into a bank of its own; return what is known there then."""
    exports = kept.unpacked("exports", folder)
    kinds = {"zip": "gieok", "lorebook": "worldinfo", "worldinfo": "worldinfo", "mem0": "mem0"}
    found = {}
    for format_, kind in kinds.items():
        bank_path = folder / f"{format_}.db"
        arguments = ("import", kind, str(exports / Kept.EXPORTS[format_]), "--user", "minsu", "--bank", str(bank_path))
        with mock.patch.dict("os.environ", {"GIEOK_EMBEDDER": "hashing"}):
            command(*arguments)
        with gieok.open(bank_path, embedder="hashing", clock=clock()) as bank:
            found[format_] = {str(each.scope): known(bank.mind(each.scope)) for each in bank.scopes()}
    return found


def known(mind: gieok.Mind) -> list[Any]:
    """Return what is true now, in an order of its own: ids are made anew by some imports."""
    names = ("content", "content_type", "attribute", "value", "subject_id", "speaker", "pinned", "tags")
    facts = [[plain(getattr(each, name)) for name in names] for each in mind.facts()]
    return sorted(facts, key=str)
