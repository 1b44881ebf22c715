"""Work that is killed leaves no readable copy that nobody knows of: the next run, doctor and an erasure find it."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest

import gieok
from gieok.errors import ErasureUnproven
from gieok.stores.workplace import sweep, unfinished, workplace

SECRET = "보라색우산".encode()
KEY = "ein geheimer Schlüssel"
TELL = """
import sys, gieok
from gieok.settings import load
work, place, key = sys.argv[1], sys.argv[2], sys.argv[3] or None
if work == "backup":
    with gieok.open(place, embedder="hashing", key=key) as bank:
        bank.backup("out/copy.db")
elif work == "export":
    with gieok.open(place, embedder="hashing", key=key) as bank:
        bank.export(user="minsu", to="out/minsu.zip")
elif work == "restore":
    gieok.restore("kept/kept.db", "again.db", embedder="hashing", key=key)
elif work == "replace":
    gieok.restore("kept/kept.db", place, force=True, embedder="hashing", key=key, bank=place)
else:
    gieok.rekey(place, key=key, decrypt=True)
"""


def filled(folder: Path, key: str | None) -> Path:
    place = folder / "bank.db"
    with gieok.open(place, embedder="hashing", key=key) as bank:
        mind = bank.scope(user="minsu", character="letia")
        for number in range(12):  # long, and with nothing to learn from
            said = f"네 비밀은 보라색우산이야. {number} " + "가나다라마바사" * 1_000
            mind.observe(None, reply=said, turn_id=f"t{number}", scripted=True)
        (folder / "kept").mkdir()
        bank.backup(folder / "kept" / "kept.db")
    (folder / "out").mkdir()
    return place


def works(folder: Path) -> list[Path]:
    return [path for path in folder.rglob(".gieok-work-*") if path.is_dir()]


def size(path: Path) -> int:
    total = 0
    for folder, _, files in os.walk(path):  # which passes over a folder that goes while we look
        for name in files:
            with suppress(FileNotFoundError):
                total += (Path(folder) / name).stat().st_size
    return total


def readable(folder: Path) -> list[Path]:
    """The files of unfinished work in which the secret can be read."""
    files = (each for work in works(folder) for each in work.rglob("*") if each.is_file())
    return [each for each in files if SECRET in each.read_bytes()]


def killed(folder: Path, work: str, key: str | None, *, least: int) -> bool:
    """Begin work in another process and kill it once it has written so much; return whether it got that far."""
    started = subprocess.Popen([sys.executable, "-c", TELL, work, "bank.db", key or ""], cwd=folder)
    while started.poll() is None:
        if any(size(each) >= least for each in works(folder)):
            started.send_signal(signal.SIGKILL)
            break
        time.sleep(0.0005)
    return started.wait() == -signal.SIGKILL


def doctor(folder: Path) -> list[dict[str, str]]:
    environment = {**os.environ, "GIEOK_EMBEDDER": "hashing", "TMPDIR": str(folder / "kept")}
    command = [sys.executable, "-m", "gieok", "doctor", "--bank", "bank.db", "--json"]
    told = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
    return json.loads(told.stdout)["checks"]


WORKS = ["backup", "restore", "replace", "export"]


@pytest.mark.check
@pytest.mark.parametrize("key", [None, KEY], ids=["plain", "encrypted"])
@pytest.mark.parametrize("work", [*WORKS, "decrypt"])
def test_what_a_killed_process_left_goes_with_the_next_run_and_with_an_erasure(tmp_path, work, key):
    if work == "decrypt" and key is None:
        pytest.skip("it is not encrypted")
    place = filled(tmp_path, key)
    left = 0
    for least in (1, 60_000, 150_000):
        if not killed(tmp_path, work, key, least=least):
            break  # it was faster, and did it
        left += bool(works(tmp_path))
        if key is not None and work in ("backup", "restore", "replace"):
            assert readable(tmp_path) == []
        with gieok.open(place, embedder="hashing", key=key) as bank:
            if work not in ("backup", "export"):  # they were beside the bank: opening it was enough
                assert works(tmp_path) == []
            bank.scope(user="minsu", character="letia").observe("나 고양이 좋아해", turn_id=f"after-{least}")
            [certificate] = bank.erase(user="minsu", turn=f"after-{least}").certificates
            assert certificate.intact
        assert works(tmp_path) == []
        assert not list(tmp_path.rglob(".gieok-note-*"))
    assert left


@pytest.mark.parametrize("work", WORKS)
def test_doctor_names_what_was_left(tmp_path, work):
    filled(tmp_path, None)
    assert killed(tmp_path, work, None, least=1)
    [place] = works(tmp_path)
    found = [each for each in doctor(tmp_path) if each["name"] == "leftovers"]
    assert [each["state"] for each in found] == ["note"]
    assert place.name in found[0]["detail"]
    assert works(tmp_path) == []
    assert "leftovers" not in {each["name"] for each in doctor(tmp_path)}


def test_an_erasure_waits_for_whoever_makes_a_copy_and_says_so(tmp_path):
    place = filled(tmp_path, None)
    with gieok.open(place, embedder="hashing", erase_seconds=0.2) as bank:
        with workplace(tmp_path, "backup") as work:
            (work / "copy.db").write_bytes(SECRET)
            with pytest.raises(ErasureUnproven, match=work.name):
                bank.erase(user="minsu")
            assert [(each.path, each.busy) for each in unfinished([tmp_path])] == [(work, True)]
            assert (work / "copy.db").exists()
        [certificate] = bank.prove()
        assert certificate.intact
        assert certificate.left == ()


def test_a_certificate_names_the_copies_that_were_made_before(tmp_path):
    place, folder = tmp_path / "bank.db", tmp_path / "backups"
    with gieok.open(place, embedder="hashing", backup_folder=str(folder)) as bank:
        bank.scope(user="minsu", character="letia").observe("내 비밀은 보라색우산이야")
        made = bank.backup()
    done = gieok.restore(made.path, place, force=True, embedder="hashing")
    with gieok.open(place, embedder="hashing", backup_folder=str(folder)) as bank:
        [certificate] = bank.erase(user="minsu").certificates
    assert certificate.intact
    assert set(certificate.left) == {made.path.name, done.set_aside.name}


def test_what_an_earlier_gieok_left_is_found_as_well(tmp_path):
    place = filled(tmp_path, None)
    (tmp_path / ".gieok-restore-abc").mkdir()
    for name in (".gieok-restore-abc/bank.db", ".bank.db.rekeying", ".kept.db.making", ".kept.db.making-wal"):
        (tmp_path / name).write_bytes(SECRET)
    mine = tmp_path / ".notes.making"
    mine.write_bytes(SECRET)
    assert len(unfinished([tmp_path])) == 4
    gieok.open(place, embedder="hashing").close()
    assert unfinished([tmp_path]) == []
    assert mine.exists()


def test_what_is_removed_is_overwritten_and_nothing_behind_a_link_is_touched(tmp_path):
    kept = tmp_path / "kept.txt"
    kept.write_bytes(SECRET)
    place = tmp_path / ".gieok-work-backup-abc"
    place.mkdir()
    (place / "link").symlink_to(kept)
    os.link(kept, place / "same")
    (place / "copy.db").write_bytes(SECRET)
    with closing((place / "copy.db").open("rb")) as held:
        assert sweep([tmp_path]) == ([place], [])
        assert held.read() == bytes(len(SECRET))
    assert kept.read_bytes() == SECRET
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tmp_path / ".gieok-work-backup-def").symlink_to(elsewhere)
    assert sweep([tmp_path]) == ([], [])
    assert elsewhere.exists()
