"""A bank's file gets another key, its first, or none; whatever happens, one of the two opens it."""

import os
import random
import signal
import subprocess
import sys
import time

import pytest

from gieok.errors import BankInUse, BankUnavailable, DiskFull, GieokError, InvalidSetting, WrongKey
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.rekey import rekey
from gieok.testing import Scribe

OLD, NEW = "옛 '열쇠'", '새 열쇠 &=?#%+ "x"'


def snapshot(folder):
    """Everything in a folder, to the byte."""
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def planted(opened, letia, key, turns=1):
    store = opened(key=key)
    for number in range(turns):
        Scribe(store, letia).observe(f"비밀의 정원 {number}", id=f"t{number}")
    store.close()


@pytest.mark.parametrize(("old", "new"), [(None, NEW), (OLD, NEW), (OLD, None)])
def test_what_was_kept_is_read_with_the_new_key_and_no_more_with_the_old(path, opened, letia, old, new):
    planted(opened, letia, old)

    rekey(path, old, new)

    assert [each.name for each in path.parent.iterdir()] == [path.name]
    assert ("비밀의".encode() in path.read_bytes()) == (new is None)
    with pytest.raises(GieokError):
        opened(key=old)
    store = opened(key=new)
    assert store.problems() == []
    with store.view(letia) as view:
        assert view.turn("t0").utterances[0].text == "비밀의 정원 0"
    Scribe(store, letia).observe("그 뒤", id="t9")
    assert store.problems() == []


def test_the_old_file_is_overwritten_before_it_goes(path, opened, letia):
    planted(opened, letia, None)
    with path.open("rb") as old:
        rekey(path, None, NEW)
        left = old.read()
    assert left
    assert set(left) == {0}


@pytest.mark.parametrize("key", ["틀린 열쇠", None])
def test_a_wrong_key_says_so_and_touches_nothing(path, opened, letia, key):
    planted(opened, letia, OLD)
    before = snapshot(path.parent)
    with pytest.raises(WrongKey, match="key"):
        rekey(path, key, NEW)
    assert snapshot(path.parent) == before


def test_a_bank_that_is_open_is_left_alone(path, opened, letia):
    store = opened(key=OLD)
    Scribe(store, letia).observe("아직 열려 있다", id="t0")
    with pytest.raises(BankInUse, match="nothing was changed"):
        rekey(path, OLD, NEW)
    Scribe(store, letia).observe("그래도 쓴다", id="t1")
    store.close()
    assert opened(key=OLD).info().counts["turns"] == 2


def test_a_bank_that_another_process_has_open_is_left_alone(path, opened, letia):
    planted(opened, letia, OLD)
    program = (
        "import sys; from gieok.stores.sqlite import open_store\n"
        f"store = open_store(sys.argv[1], embedder='hash-32', dimension=32, key={OLD!r})\n"
        "print('open', flush=True); sys.stdin.read()"
    )
    child = subprocess.Popen([sys.executable, "-c", program, str(path)], stdin=-1, stdout=-1)
    with child:
        assert child.stdout.readline() == b"open\n"
        with pytest.raises(BankInUse):
            rekey(path, OLD, NEW)
        child.stdin.close()
    opened(key=OLD)


def test_the_same_key_no_bank_and_a_second_name_are_refused(path, opened, letia, tmp_path):
    with pytest.raises(BankUnavailable, match="no bank"):
        rekey(path, None, NEW)
    planted(opened, letia, OLD)
    with pytest.raises(InvalidSetting, match="the same as the old one"):
        rekey(path, OLD, OLD)
    os.link(path, tmp_path / "다른 이름.db")
    with pytest.raises(BankUnavailable, match="hard links"):
        rekey(path, OLD, NEW)
    opened(key=OLD)


def test_a_link_to_a_bank_stays_a_link(path, opened, letia, tmp_path):
    planted(opened, letia, OLD)
    link = tmp_path / "링크.db"
    link.symlink_to(path)
    rekey(link, OLD, NEW)
    assert link.is_symlink()
    opened(link, key=NEW)


def test_a_full_disk_leaves_the_bank_as_it_was_and_no_error_has_the_key(path, opened, letia, monkeypatch):
    planted(opened, letia, OLD)
    honest = Connection.vacuum_into

    def no_room(self, name, *, shown, stopped=None):
        honest(self, name.replace(path.parent.name, "없는 폴더"), shown=shown, stopped=stopped)

    monkeypatch.setattr(Connection, "vacuum_into", no_room)
    with pytest.raises(BankUnavailable) as refused:
        rekey(path, OLD, NEW)
    assert not isinstance(refused.value, DiskFull)
    trouble = refused.value
    while trouble is not None:
        assert "key=" not in f"{trouble!r}"
        trouble = trouble.__cause__ or trouble.__context__
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    opened(key=OLD)


REKEYING = """
import sys
from gieok.stores.sqlite.rekey import rekey
print("begun", flush=True)
rekey(sys.argv[1], sys.argv[2], sys.argv[3])
print("done", flush=True)
"""


def test_whoever_is_killed_in_the_middle_has_left_the_old_key_or_the_new(path, opened, letia, counts):
    planted(opened, letia, OLD, turns=30)
    dice, keys = random.Random(7), (OLD, NEW)
    for _ in range(counts(6, 100)):
        old, new = keys
        child = subprocess.Popen([sys.executable, "-c", REKEYING, str(path), old, new], stdout=-1)
        with child:
            assert child.stdout.readline() == b"begun\n"
            time.sleep(dice.uniform(0.0, 0.5))
            child.send_signal(signal.SIGKILL)
            child.stdout.read()
        try:
            store = opened(key=old)
        except WrongKey:
            store = opened(key=new)
            keys = new, old
        assert store.problems() == []
        assert store.info().counts["turns"] == 30
        store.close()
    rekey(path, *keys)
    assert [each.name for each in path.parent.iterdir()] == [path.name], "what a kill left behind is gone"
