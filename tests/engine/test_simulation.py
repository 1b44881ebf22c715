"""The bank on a machine that a seed decides: it dies, loses power, fills up, and several people use it meanwhile.

What must hold whatever fails is told in `support.simulation`. One seed again:

    pytest tests/engine/test_simulation.py -k half_done --seed 1234
"""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import gieok
from gieok.errors import BankError
from gieok.stores.sqlite import writer
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.store import SqliteStore
from gieok.stores.tables import write
from gieok.stores.tables.cache import ScopeCache
from gieok.stores.tables.store import TableStore
from gieok.testing import HashVectors
from support.simulated import Fault, simulated
from support.simulation import Extractor, Violation, simulate

PARTS = 20


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "part" in metafunc.fixturenames:
        one = metafunc.config.getoption("--seed")
        metafunc.parametrize("part", range(PARTS) if one is None else [one], ids=None if one is None else ["seed"])


def lived_through(seed: int, folder: Path) -> str:
    """Live through a seed; whatever goes wrong tells how to have it go wrong again."""
    folder.mkdir()
    try:
        return simulate(seed, folder)
    except BaseException as error:
        error.add_note(f"again: pytest tests/engine/test_simulation.py -k half_done --seed {seed}")
        raise


def test_whatever_fails_nothing_is_lost_doubled_or_half_done(part, tmp_path, counts, pytestconfig):
    count = counts(10, 500)
    seeds = [part] if pytestconfig.getoption("--seed") is not None else range(part * count, (part + 1) * count)
    for seed in seeds:
        lived_through(seed, tmp_path / str(seed))


TWICE = """
import sys, tempfile
from pathlib import Path
from support.simulation import simulate
for seed in (3, 7):
    with tempfile.TemporaryDirectory() as folder:
        print(simulate(seed, Path(folder)))
"""


def test_a_seed_is_the_same_whenever_it_is_lived_through():
    def digests(hash_seed: str) -> str:
        place = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        environment = os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": place}
        done = subprocess.run(
            [sys.executable, "-c", TWICE], env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout

    assert digests("1") == digests("2")


def unsynced(patch: pytest.MonkeyPatch) -> None:
    """A turn is acknowledged before it is on the disk."""
    pragma = Connection.pragma
    patch.setattr(
        Connection,
        "pragma",
        lambda self, name, value=None: pragma(self, name, "OFF" if name == "synchronous" else value),
    )


def without_savepoints(patch: pytest.MonkeyPatch) -> None:
    """What fails in a group is committed with those that do not."""
    patch.setattr(writer, "in_savepoint", lambda connection, work: work(connection))


def one_after_the_other(patch: pytest.MonkeyPatch) -> None:
    """An edit takes a turn back in one transaction, and tells it again in the next."""
    together = TableStore.apply_together
    patch.setattr(
        TableStore, "apply_together", lambda self, plans: [each for plan in plans for each in together(self, [plan])]
    )


def without_vacuum(patch: pytest.MonkeyPatch) -> None:
    """What was erased stays in the pages of the file."""
    patch.setattr(SqliteStore, "_rid_of_remains", lambda self, seconds: "nothing was done")


def beside_the_journal(patch: pytest.MonkeyPatch) -> None:
    """Memories are stored otherwise than the journal tells."""
    kept = write.EntryWriter._write_memory

    def changed(self, change, *given):
        after = replace(change.after, importance=0.125) if change.after is not None else None
        return kept(self, replace(change, after=after), *given)

    patch.setattr(write.EntryWriter, "_write_memory", changed)


def of_anybody(patch: pytest.MonkeyPatch) -> None:
    """What was read of one scope is answered in every other."""
    answers = ScopeCache.answers
    patch.setattr(ScopeCache, "answers", lambda self, here: answers(self, replace(here, scope_id=1)))


BROKEN = [
    unsynced, without_savepoints, one_after_the_other, without_vacuum, beside_the_journal, of_anybody,
]  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN)
def test_a_bank_that_is_broken_is_caught(broken, tmp_path, monkeypatch):
    def some() -> None:
        for seed in range(60):
            lived_through(seed, tmp_path / str(seed))

    broken(monkeypatch)
    with pytest.raises(Violation):
        some()


def test_a_read_that_fails_while_words_are_indexed_leaves_the_index_whole(tmp_path):
    failed = 0
    for at in range(30, 60):
        with simulated(1) as (_, disk, clock, _):
            given = {"embedder": HashVectors(), "extractor": Extractor(), "clock": clock, "upkeep": "off"}
            with gieok.open(tmp_path / f"{at}.db", **given) as bank:
                bank.scope(user="ann", character="letia").observe("I like tea", reply="So do I")
            with gieok.open(tmp_path / f"{at}.db", **given) as bank:
                mind = bank.scope(user="ann", character="letia")
                disk.arm(Fault(kind="input/output", at=at, only="read"))
                try:
                    mind.observe("I like coffee", reply="So do I")
                except BankError:
                    failed += 1
                disk.arm(Fault())
                mind.observe("I like milk", reply="Tell me more")
                assert bank.store.problems() == []
    assert failed > 5
