"""A folder of backups: who makes one, what is left of one that fails, which go, and what stands in the way."""

import json
import os
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta

import apsw
import pytest

from gieok.errors import BackupDamaged, BankInUse, BankUnavailable
from gieok.stores import backups
from gieok.stores.backups import Failure, Shelf, Stopped, back_up, found, put_back
from gieok.stores.sqlite.schema import SCHEMA
from gieok.stores.tables import copy_scope
from gieok.testing import Scribe

resource = pytest.importorskip("resource", reason="needs limits on the size of files")
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "여벌"


@pytest.fixture
def backed_up(scribe, store, folder):
    """Make a backup so many hours after the first."""
    scribe.observe("안녕", id="t0")

    def make(hours=0, target=folder, **how):
        return back_up(store, target, key=None, now=NOW + hours * HOUR, **how)

    return make


def names(folder):
    return sorted(each.name for each in folder.iterdir())


def test_a_backup_has_its_label_beside_it_and_nothing_else_is_left(backed_up, folder):
    made = backed_up()
    assert names(folder) == [".lock", made.path.name, f"{made.path.name}.json"]
    label = json.loads(made.path.with_name(f"{made.path.name}.json").read_text(encoding="utf-8"))
    assert (label["sha256"], label["size"], label["schema"]) == (made.sha256, made.path.stat().st_size, SCHEMA)


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX modes")
def test_a_backup_is_for_its_owner_alone(backed_up, folder):
    made = backed_up()
    assert folder.stat().st_mode & 0o777 == 0o700
    assert made.path.stat().st_mode & 0o777 == 0o600


def test_one_file_can_be_named_and_is_never_overwritten(backed_up, tmp_path):
    made = backed_up(target=tmp_path / "하나.db")
    assert (made.kind, made.path) == ("full", tmp_path / "하나.db")
    with pytest.raises(BankUnavailable, match="exists already"):
        backed_up(target=tmp_path / "하나.db")
    with pytest.raises(BankUnavailable, match="does not exist"):
        backed_up(target=tmp_path / "없는 폴더" / "하나.db")
    shelf, label = found(tmp_path / "하나.db")
    assert put_back(shelf, label, tmp_path / "다시.db", key=None, now=NOW).counts["turns"] == 1


def test_whole_chains_go_so_that_at_least_as_many_are_kept_as_asked_for(backed_up, folder, scribe):
    kinds = []
    for hour in range(7):
        made = backed_up(hour, keep=3)
        kinds.append(made.kind)
        assert len(Shelf(folder).labels()) >= min(3, hour + 1)
        shelf, label = found(folder)
        assert shelf.chain(label)[0].kind == "full"
    assert kinds == ["full", "part", "part", "full", "part", "part", "full"]
    assert [each.kind for each in Shelf(folder).labels()] == ["full", "part", "part", "full"]


def test_a_bank_that_changed_throughout_is_copied_whole(backed_up, scribe, folder, store, letia):
    backed_up()
    scribe.observe("또 만났네", id="t1")
    for number in range(3):
        Scribe(store, type(letia)(user=f"u{number}", character="레티아")).observe("안녕", id="t0")
    assert backed_up(1).kind == "full"


def test_where_the_last_backup_is_no_longer_whole_or_has_another_key_all_is_copied(backed_up, folder, store):
    first = backed_up()
    first.path.write_bytes(b"x" * first.size)
    assert backed_up(1).kind == "full"
    assert backed_up(2).kind == "part"
    for label in folder.glob("*.json"):
        label.write_text(label.read_text(encoding="utf-8").replace("false", "true"), encoding="utf-8")
    assert backed_up(3).kind == "full"


def test_several_banks_may_share_a_folder(backed_up, opened, letia, folder, tmp_path):
    first = backed_up()
    other = opened(tmp_path / "다른 기억.db")
    Scribe(other, letia).observe("안녕", id="x0")
    made = back_up(other, folder, key=None, now=NOW + HOUR, if_due_after=6)
    assert made is not None
    assert made.kind == "full"
    assert backed_up(2, keep=1).kind == "full"
    assert not first.path.exists()
    assert made.path.exists(), "whose backups go is a matter of each bank"
    with pytest.raises(BackupDamaged, match="several banks"):
        found(folder)
    shelf, label = found(made.path)
    assert put_back(shelf, label, tmp_path / "다시.db", key=None, now=NOW).location.endswith("다른 기억.db")


def test_only_one_makes_a_backup_at_a_time(backed_up, folder):
    backed_up()
    with Shelf(folder).held(), pytest.raises(BankInUse, match="another backup"):
        backed_up(1)
    with pytest.raises(apsw.BusyError), Shelf(folder).held():
        raise apsw.BusyError("of somebody else")
    assert backed_up(1).kind == "part"


def test_none_is_made_before_it_is_due(backed_up, folder):
    assert backed_up(0, if_due_after=6) is not None
    assert backed_up(5, if_due_after=6) is None
    assert backed_up(6, if_due_after=6) is not None
    assert Shelf(folder).due_in(6, NOW + 8 * HOUR) == 4 * HOUR
    assert Shelf(folder).due_in(6, NOW - HOUR) <= timedelta(0), "by a clock that was set back, one is due"


class Limited:
    """Lets no file of this process grow beyond some bytes."""

    def __init__(self, most):
        self.most = most

    def __enter__(self):
        self.usual = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.most, self.usual[1]))

    def __exit__(self, *_):
        resource.setrlimit(resource.RLIMIT_FSIZE, self.usual)


@pytest.mark.parametrize("pages", [2, 20, 40, 60])
@pytest.mark.parametrize("kind", ["full", "part"])
def test_where_there_is_no_room_no_half_backup_is_left(backed_up, folder, scribe, pages, kind):
    for number in range(1, 40):
        scribe.observe(f"이야기 {number} " + "가나다라 " * 100, id=f"t{number}")
    if kind == "part":
        backed_up()
        scribe.observe("또", id="t99")
    before = names(folder) if folder.exists() else [".lock"]
    with Limited(4096 * pages), pytest.raises(BankUnavailable):
        backed_up(1)
    assert names(folder) == before
    assert backed_up(2).kind == kind


@pytest.mark.parametrize("after", [1, 2])
def test_one_that_is_stopped_leaves_nothing(backed_up, folder, after):
    asked = 0

    def stopped():
        nonlocal asked
        asked += 1
        return asked >= after

    with pytest.raises(Stopped):
        backed_up(stopped=stopped)
    assert names(folder) == [".lock"]


MAKING = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from gieok.stores.backups import back_up
from gieok.stores.sqlite import open_store
store = open_store(sys.argv[1], embedder="hash-32", dimension=32)
print("open", flush=True)
while True:
    back_up(store, Path(sys.argv[2]), key=None, now=datetime.now(UTC), full=True)
"""


@pytest.mark.check
def test_whoever_is_killed_in_the_middle_leaves_no_half_backup_and_is_not_waited_for(
    backed_up, store, path, folder, counts
):
    for attempt in range(counts(3, 30)):
        child = subprocess.Popen([sys.executable, "-c", MAKING, str(path), str(folder)], stdout=-1)
        with child:
            child.stdout.readline()
            time.sleep(0.05 + 0.11 * attempt)
            child.send_signal(signal.SIGKILL)
        shelf = Shelf(folder)
        for label in shelf.labels():
            shelf.check(label)
    assert back_up(store, folder, key=None, now=datetime.now(UTC)) is not None
    assert not [name for name in names(folder) if "making" in name]


def test_a_bank_that_is_not_in_order_gives_no_backup(backed_up, store, folder, scribe):
    store.write(lambda connection: connection.script("DELETE FROM utterances"))
    with pytest.raises(BackupDamaged, match="gieok doctor"):
        backed_up()
    assert names(folder) == [".lock"]


def test_a_copy_that_is_not_the_same_is_no_backup(backed_up, folder, scribe, monkeypatch):
    backed_up()
    scribe.observe("또", id="t1")
    honest = copy_scope.fingerprint
    seen = []

    def altered(connection, scope):
        seen.append(scope)
        right = honest(connection, scope)
        return right if len(seen) % 2 else type(right)(version=right.version, rows=right.rows, digest="other")

    monkeypatch.setattr(copy_scope, "fingerprint", altered)
    with pytest.raises(Exception, match="differs from the original"):
        backed_up(1)
    assert len(Shelf(folder).labels()) == 1


def test_a_backup_of_an_older_gieok_is_compared_by_what_both_know(backed_up, tmp_path, monkeypatch):
    made = backed_up()
    monkeypatch.setattr(backups, "SCHEMA", SCHEMA + 1)  # as if a later gieok compared it
    monkeypatch.setattr(copy_scope, "TABLES", copy_scope.TABLES[:-1])  # … which keeps its rows in other tables
    shelf, label = found(made.path)
    assert put_back(shelf, label, tmp_path / "다시.db", key=None, now=NOW).schema == SCHEMA


def test_a_folder_that_is_none_or_is_empty_is_told(tmp_path, backed_up):
    (tmp_path / "파일").write_text("x", encoding="utf-8")
    with pytest.raises(BankUnavailable, match="cannot hold backups"):
        backed_up(target=tmp_path / "파일")
    (tmp_path / "빈 폴더").mkdir()
    with pytest.raises(BackupDamaged, match="no backup in"):
        found(tmp_path / "빈 폴더")
    with pytest.raises(BackupDamaged, match="no backup"):
        found(tmp_path / "없음")


def test_why_there_is_no_new_backup_is_kept_until_there_is_one(backed_up, folder):
    backed_up()
    shelf = Shelf(folder)
    assert shelf.failure() is None
    shelf.note_failure(Failure(NOW, "the disk is full"))
    assert shelf.failure() == Failure(NOW, "the disk is full")
    backed_up(1)
    assert shelf.failure() is None


def test_what_a_server_was_about_to_send_or_repeat_is_not_put_back(backed_up, store, opened, tmp_path):
    store.write(
        lambda connection: connection.script(
            "INSERT INTO letters (webhook_id, due_at, record) VALUES ('w', 1, '{}');"
            "INSERT INTO kept_answers (name, until, record) VALUES ('a', 1, '{}')"
        )
    )
    shelf, label = found(backed_up().path)
    put_back(shelf, label, tmp_path / "다시.db", key=None, now=NOW)
    with opened(tmp_path / "다시.db").snapshot() as connection:
        for table in ("letters", "kept_answers", "leases"):
            assert connection.script(f"SELECT count(*) FROM {table}") == [(0,)]
        assert not connection.script("SELECT 1 FROM sqlite_schema WHERE name = 'backup'")
