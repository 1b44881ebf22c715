"""What is not a bank of ours stays as it is, and the error says what to do."""

import os
import shutil
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from gieok.errors import BankUnavailable, EmbedderMismatch, InvalidSetting, NewerSchema, NotABank
from gieok.stores.sqlite import open_store
from gieok.stores.sqlite.schema import SCHEMA
from gieok.testing import Scribe
from support.powerless import without_privileges


def snapshot(folder):
    """Everything in a folder, to the byte."""
    return {each.name: each.read_bytes() for each in folder.iterdir() if each.is_file()}


def a_database(path, *statements):
    other = apsw.Connection(str(path))
    for statement in statements:
        other.execute(statement).fetchall()
    other.close()


def another_database(path):
    a_database(path, "CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('남의 것')")


@pytest.mark.parametrize("key", [None, "열쇠"])
@pytest.mark.parametrize(
    ("make", "why"),
    [
        pytest.param(lambda path: path.write_text("기억나지 않는 밤\n" * 100), "", id="text"),
        pytest.param(lambda path: path.write_bytes(b"\x00"), "", id="one byte"),
        pytest.param(lambda path: path.write_bytes(bytes(8192)), "", id="zeros"),
        pytest.param(lambda path: path.write_bytes(b"SQLite format 3\x00" + bytes(10)), "", id="half a header"),
        pytest.param(another_database, "", id="database"),
        pytest.param(lambda path: a_database(path, "PRAGMA journal_mode = wal", "CREATE TABLE x (y)"), "", id="log"),
        pytest.param(Path.mkdir, "folder", id="folder"),
        pytest.param(os.mkfifo, "not a regular file", id="pipe"),
        pytest.param(lambda path: path.symlink_to("/dev/null"), "not a regular file", id="device"),
    ],
)
@pytest.mark.timeout(10)
def test_what_is_no_bank_is_refused_and_untouched(path, opened, make, why, key):
    make(path)
    before = snapshot(path.parent)
    with pytest.raises(NotABank, match=f"{path}.*{why}"):
        opened(key=key)
    assert snapshot(path.parent) == before


def test_a_bank_that_was_being_made_when_the_power_failed_is_made_again(path, opened):
    path.write_bytes(bytes(8192))  # its first page never reached the disk
    journal = path.with_name(path.name + "-journal")
    magic, records, nonce, pages, sector, page = "d9d505f920a163d7", 0, 7, 0, 512, 4096
    numbers = b"".join(each.to_bytes(4, "big") for each in (records, nonce, pages, sector, page))
    journal.write_bytes((bytes.fromhex(magic) + numbers).ljust(512, b"\0"))
    with closing(opened()) as store:
        assert store.problems() == []
    assert not journal.exists()


@pytest.mark.parametrize(
    ("written_with", "opened_with", "why"),
    [
        ("열쇠", "다른 열쇠", "key"),
        ("열쇠", None, "key"),
        (None, "열쇠", "without a key"),
    ],
)
def test_another_key_is_refused_and_changes_nothing(path, opened, written_with, opened_with, why):
    opened(key=written_with).close()
    before = snapshot(path.parent)
    with pytest.raises(NotABank, match=why):
        opened(key=opened_with)
    assert snapshot(path.parent) == before


@pytest.mark.parametrize("key", [None, "열쇠"])
def test_a_bank_of_a_later_gieok_is_refused_and_untouched(path, opened, key):
    opened(key=key).close()
    a_database(path, *([f"PRAGMA key = '{key}'"] if key else []), f"PRAGMA user_version = {SCHEMA + 1}")
    before = snapshot(path.parent)
    with pytest.raises(NewerSchema) as trouble:
        opened(key=key)
    assert (trouble.value.found, trouble.value.known) == (SCHEMA + 1, SCHEMA)
    assert snapshot(path.parent) == before


@pytest.mark.parametrize(("key", "named"), [("", "empty"), ("비밀\x00열쇠", "NUL"), ("비밀\ud800열쇠", "surrogate")])
def test_a_key_that_cannot_be_used_is_refused_without_being_told(path, opened, key, named):
    with pytest.raises(InvalidSetting, match=named) as trouble:
        opened(key=key)
    assert "비밀" not in repr(trouble.value)
    assert not path.exists()


@pytest.mark.parametrize(
    ("place", "how", "why"),
    [
        ("없는 폴더/기억.db", {}, "없는 폴더.*create"),
        ("메모/기억.db", {}, "메모 is not a folder"),
        ("없음.db", {"create": False}, "no bank"),
        (":memory:", {}, "file"),
        ("", {}, "file"),
        pytest.param(
            "/sys/kernel/기억.db",
            {},
            "/sys/kernel/기억.db.*writable",
            marks=pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="a folder where not even root may write"),
        ),
    ],
)
def test_where_no_bank_can_be_is_named(tmp_path, place, how, why):
    (tmp_path / "메모").write_text("폴더가 아님", encoding="utf-8")
    before = snapshot(tmp_path)
    with pytest.raises(BankUnavailable, match=why):
        open_store(tmp_path / place if ".db" in place else place, embedder="hash-32", dimension=32, **how)
    assert snapshot(tmp_path) == before


def test_a_bank_that_is_made_later_while_open_elsewhere_is_noticed_too(path, opened):
    """The newer number may still stand in the log beside the file."""
    other = opened()
    other._writer.write(lambda connection: connection.pragma("user_version", SCHEMA + 1))
    with pytest.raises(NewerSchema):
        opened()


@pytest.mark.parametrize("inside", ["기억.db", "안/기억.db"])
def test_a_folder_that_may_not_be_entered_is_named(tmp_path, opened, inside):
    barred = tmp_path / "잠긴 폴더"
    (barred / "안").mkdir(parents=True)
    barred.chmod(0o000)
    try:
        with pytest.raises(BankUnavailable, match=r"folder .*/잠긴 폴더 cannot be entered"):
            without_privileges(lambda: opened(barred / inside))
    finally:
        barred.chmod(0o700)


def test_a_file_that_may_not_be_read_is_named(path, opened):
    opened().close()
    path.chmod(0o000)
    try:
        with pytest.raises(BankUnavailable, match=rf"{path} cannot be read"):
            without_privileges(opened)
    finally:
        path.chmod(0o600)


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_read_only_bank_is_named(path, opened, what):
    opened().close()
    target = path if what == "file" else path.parent
    target.chmod(0o500)
    try:
        with pytest.raises(BankUnavailable, match="writable"):
            without_privileges(opened)
    finally:
        target.chmod(0o700)


def test_a_file_that_sqlite_may_only_read_is_named(path, opened, monkeypatch):
    opened().close()
    connect = apsw.Connection
    monkeypatch.setattr(apsw, "Connection", lambda name, *, flags: connect(name, flags=apsw.SQLITE_OPEN_READONLY))
    with pytest.raises(BankUnavailable, match="read-only"):
        opened()


def test_another_embedder_or_dimension_is_noticed(opened):
    opened().close()
    with pytest.raises(EmbedderMismatch) as trouble:
        opened(embedder="bge-m3")
    assert (trouble.value.built_with, trouble.value.configured) == ("hash-32", "bge-m3")
    with pytest.raises(EmbedderMismatch, match=r"hash-32 \(32 d\)"):
        opened(dimension=64)
    assert opened(embedder="bge-m3", dimension=64, for_reindex=True).info().embedder == "hash-32"


def test_a_bank_is_found_again_when_the_program_changes_its_folder(path, opened, scribe, monkeypatch, tmp_path):
    monkeypatch.chdir(path.parent)
    store = opened(Path(path.name))
    (tmp_path / "다른 곳").mkdir()
    monkeypatch.chdir(tmp_path / "다른 곳")
    scribe.observe("안녕")
    assert store.info().counts["turns"] == 1


def test_a_closed_bank_is_one_file(path, scribe):
    scribe.observe("안녕")
    scribe.store.close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]
    shutil.copy(path, path.with_name("옮긴 기억.db"))


def modes(folder):
    return {each.name: each.stat().st_mode & 0o777 for each in folder.iterdir()}


@pytest.fixture
def usual_umask():
    usual = os.umask(0o022)
    yield
    os.umask(usual)


@pytest.mark.usefixtures("usual_umask")
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX modes")
@pytest.mark.parametrize("key", [None, "열쇠"])
def test_a_new_bank_and_the_files_beside_it_are_for_their_owner_only_also_behind_a_link(path, opened, letia, key):
    real = path.parent / "저기" / "진짜.db"
    real.parent.mkdir()
    path.symlink_to(real)
    Scribe(opened(key=key), letia).observe("안녕")
    assert modes(real.parent) == dict.fromkeys([real.name, f"{real.name}-shm", f"{real.name}-wal"], 0o600)
    assert opened(key=key).problems() == []


@pytest.mark.usefixtures("usual_umask")
@pytest.mark.skipif(os.name != "posix", reason="needs POSIX modes")
@pytest.mark.parametrize("mode", [0o644, 0o660])
def test_a_file_that_is_there_keeps_its_mode_and_an_empty_one_becomes_a_bank(path, opened, letia, mode):
    path.touch()
    path.chmod(mode)
    Scribe(opened(), letia).observe("안녕")
    assert set(modes(path.parent).values()) == {mode}


def everything_in(thing, seen=None):
    """`thing` and all that hangs on it."""
    seen = {} if seen is None else seen
    if id(thing) not in seen:
        seen[id(thing)] = thing
        inside = list(thing) if isinstance(thing, list | tuple) else list(getattr(thing, "__dict__", {}).values())
        for each in inside:
            everything_in(each, seen)
    return seen.values()


def test_no_part_of_an_open_bank_shows_its_key(opened, letia):
    store = opened(key="우리만의-열쇠")
    Scribe(store, letia).observe("안녕")
    parts = list(everything_in(store))
    assert store._readers._connect in parts
    assert [part for part in parts if "우리만의-열쇠" in repr(part)] == []
