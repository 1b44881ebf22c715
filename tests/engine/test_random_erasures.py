"""Random scripts of talk, rewinds, corrections, upkeep and erasures: what was erased stands nowhere in the files."""

import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import gieok
from gieok.testing import FixedClock, day
from support.erasures import CAST, erased_again_and_again, remains


def raw(folder: Path) -> bytes:
    """Return every file. Another process reads them: closing a file here would release this one's locks on it."""
    return subprocess.run(
        ["cat", *sorted(each for each in folder.rglob("*") if each.is_file())], stdout=subprocess.PIPE, check=True
    ).stdout


READ = """
import sys, apsw
for path in map(str.rstrip, sys.stdin):
    connection = apsw.Connection(path)
    connection.execute("BEGIN")
    print(connection.execute("SELECT count(*) FROM utterances").fetchall(), flush=True)
    sys.stdin.readline()
    connection.close()
    print("closed", flush=True)
"""


class OtherProcess:
    """A process that reads a bank and keeps its snapshot."""

    def __init__(self) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([sys.executable, "-c", READ], stdin=pipe, stdout=pipe, text=True)

    def _answer(self, line: object) -> str:
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return self._process.stdout.readline()

    @contextmanager
    def reading(self, path: Path) -> Iterator[None]:
        assert self._answer(path).startswith("[(")
        try:
            yield
        finally:
            assert self._answer("close") == "closed\n"

    def end(self) -> None:
        self._process.communicate()


@pytest.fixture
def other():
    process = OtherProcess()
    yield process
    process.end()


@pytest.mark.parametrize("part", range(10))
def test_what_is_erased_stands_nowhere_in_the_folder_and_nobody_else_loses_anything(part, tmp_path, counts, other):
    words = held_up = 0
    for seed in range(part * 100, part * 100 + counts(1, 100)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        clock, path = FixedClock(day(1)), folder / "memories.db"
        with gieok.open(path, embedder="hashing", clock=clock, erase_seconds=0.1) as bank:
            story = erased_again_and_again(
                bank,
                clock,
                seed,
                lambda gone, folder=folder: remains(raw(folder), gone),
                reader=lambda path=path: other.reading(path),
            )
            story.rewind(bank.mind(random.Random(seed).choice(CAST)))
            assert remains(raw(folder), story.gone) == [], f"seed {seed}, after a rewind"
            assert bank.store.problems() == [], f"seed {seed}, after a rewind"
            assert bank.verify_audit().findings == (), f"seed {seed}, after a rewind"
        assert remains(raw(folder), story.gone) == [], f"seed {seed}, once closed"
        words += len(story.gone)
        held_up += story.held_up
    assert words > 1
    assert held_up > counts(-1, 30)
