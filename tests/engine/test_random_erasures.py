"""Random scripts of talk, rewinds, corrections, upkeep and erasures: what was erased stands nowhere in the files."""

import random
from pathlib import Path

import pytest

import gieok
from gieok.testing import FixedClock, day
from support.erasures import CAST, erased_again_and_again, remains


def raw(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


@pytest.mark.parametrize("part", range(10))
def test_what_is_erased_stands_nowhere_in_the_folder_and_nobody_else_loses_anything(part, tmp_path, counts):
    words = 0
    for seed in range(part * 100, part * 100 + counts(1, 100)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        clock = FixedClock(day(1))
        with gieok.open(folder / "memories.db", embedder="hashing", clock=clock) as bank:
            story = erased_again_and_again(bank, clock, seed, lambda folder=folder: raw(folder))
            story.rewind(bank.mind(random.Random(seed).choice(CAST)))
            assert remains(raw(folder), story.gone) == [], f"seed {seed}, after a rewind"
            assert bank.store.problems() == [], f"seed {seed}, after a rewind"
            assert bank.verify_audit().findings == (), f"seed {seed}, after a rewind"
        assert remains(raw(folder), story.gone) == [], f"seed {seed}, once closed"
        words += len(story.gone)
    assert words > 3
