"""Running the command in this process, and comparing what it prints with what is on file."""

import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import gieok

SNAPSHOTS = Path(__file__).parent / "snapshots"


@dataclass(frozen=True)
class Ran:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    err: str

    @property
    def record(self) -> Any:
        """What it printed as JSON."""
        assert self.code == 0, self.err
        return json.loads(self.out)

    @property
    def refused(self) -> str:
        """The one line on stderr with which it ended; nothing was printed."""
        assert (self.code, self.out, self.err.count("\n")) == (1, "", 1), self
        assert self.err.startswith("gieok: ")
        return self.err


Run = Callable[..., Ran]


@pytest.fixture(autouse=True)
def korean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the terminal be Korean; a test that wants English sets GIEOK_LANGUAGE."""
    monkeypatch.delenv("GIEOK_LANGUAGE", raising=False)
    monkeypatch.setenv("LC_ALL", "ko_KR.UTF-8")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `gieok` with these arguments in an empty folder, with the embedder that needs no loading."""
    from gieok.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments: str, stdin: str = "", terminal: bool = False) -> Ran:
        """`terminal`: a person types what is in `stdin`."""
        typed = io.StringIO(stdin)
        monkeypatch.setattr(typed, "isatty", lambda: terminal)
        monkeypatch.setattr(sys, "argv", ["gieok", *arguments])
        monkeypatch.setattr(sys, "stdin", typed)
        capsys.readouterr()
        code: Any = 0
        try:
            main()
        except SystemExit as left:
            code = left.code or 0
        said = capsys.readouterr()
        return Ran(code, said.out, said.err)

    return run


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have a package be missing, as after an install without its extra."""

    def remove(package: str) -> None:
        for room in ("serve", "http", "proxy"):  # loaded anew; what is there now is put back afterwards
            monkeypatch.setattr(gieok, room, getattr(gieok, room, None), raising=False)
        for name in list(sys.modules):
            if name.startswith(("gieok.serve", "gieok.http", "gieok.proxy", f"{package}.")):
                monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, package, None)

    return remove


@pytest.fixture
def on_file() -> Callable[[str, str], None]:
    """Compare `text` with snapshots/<name>.txt; UPDATE_SNAPSHOTS=1 writes the file instead."""

    def compare(name: str, text: str) -> None:
        path = SNAPSHOTS / f"{name}.txt"
        trimmed = "\n".join(line.rstrip() for line in text.splitlines()) + "\n"
        if os.environ.get("UPDATE_SNAPSHOTS"):
            path.write_text(trimmed, encoding="utf-8")
        assert trimmed == path.read_text(encoding="utf-8"), f"if this is better, run with UPDATE_SNAPSHOTS=1: {path}"

    return compare
