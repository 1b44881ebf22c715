"""Random scripts of talk, rewinds, corrections, upkeep and erasures: what was erased stands nowhere in the files."""

import random
from pathlib import Path

import pytest

import gieok
from gieok.domain.scope import Scope
from gieok.testing import FixedClock, day
from support.erasures import Story, remains

SCOPES = [Scope(user="minsu", character="letia"), Scope(user="minsu", character="sera"), Scope(user="지영")]
BYSTANDER = Scope(user="minsu2", character="letia")
ROUNDS = 4  #: erasures of a script
STEPS = 8  #: before each


def raw(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def misnumbered(bank: gieok.MemoryBank) -> list[str]:
    """Return the turns whose operation tells another number than they have."""
    found = []
    for scope in SCOPES:
        with bank.store.view(scope) as view:
            numbers = {turn.id: turn.number for turn in view.turns(view.turn_number)}
            told = {each.turn_id: each.moment.turn_number for each in view.operations() if each.kind == "observe"}
        found += [f"{scope} {turn_id}" for turn_id, number in numbers.items() if told.get(turn_id) != number]
    return found


def one(folder: Path, seed: int) -> int:
    """Play a script; return how many words were erased and looked for."""
    clock = FixedClock(day(1))
    with gieok.open(folder / "memories.db", embedder="hashing", clock=clock) as bank:
        story = Story(bank=bank, clock=clock, chance=random.Random(seed), scopes=SCOPES)
        bank.mind(BYSTANDER).observe("나 라면 좋아해", reply="나도!", at=day(1))
        for _ in range(ROUNDS):
            story.play(STEPS)
            before = {scope: bank.store.fingerprint(scope) for scope in (*SCOPES, BYSTANDER)}
            story.erase()
            changed = {scope for scope, held in before.items() if bank.store.fingerprint(scope) != held}
            assert changed <= {*story.touched}, f"seed {seed}: {changed} changed"
            assert remains(raw(folder), story.gone) == [], f"seed {seed}"
            assert misnumbered(bank) == [], f"seed {seed}"
            assert bank.verify_audit().findings == (), f"seed {seed}"
        assert bank.store.problems() == [], f"seed {seed}"
        assert all(certificate.intact for certificate in bank.certificates())
        story.rewind(bank.mind(random.Random(seed).choice(SCOPES)))
        assert remains(raw(folder), story.gone) == [], f"seed {seed}, after a rewind"
        assert bank.store.problems() == [], f"seed {seed}, after a rewind"
        assert bank.verify_audit().findings == (), f"seed {seed}, after a rewind"
    assert remains(raw(folder), story.gone) == [], f"seed {seed}, once closed"
    return len(story.gone)


@pytest.mark.parametrize("part", range(10))
def test_what_is_erased_stands_nowhere_in_the_folder_and_nobody_else_loses_anything(part, tmp_path, counts):
    words = 0
    for seed in range(part * 100, part * 100 + counts(1, 100)):
        folder = tmp_path / str(seed)
        folder.mkdir()
        words += one(folder, seed)
    assert words > 3
