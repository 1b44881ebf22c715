"""What is not a bank of ours stays as it is, and the error says what to do."""

import os
import shutil
from pathlib import Path

import apsw
import pytest

from gieok.errors import BankUnavailable, DiskFull, EmbedderMismatch, InvalidSetting, NewerSchema, NotABank
from gieok.stores.sqlite import open_store
from gieok.stores.sqlite.connection import translated
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


def text_file(path):
    path.write_text("기억나지 않는 밤\n" * 100, encoding="utf-8")


def one_byte(path):
    path.write_bytes(b"\x00")


def zeros(path):
    path.write_bytes(bytes(8192))


def half_a_header(path):
    path.write_bytes(b"SQLite format 3\x00" + bytes(10))


def another_database(path):
    a_database(path, "CREATE TABLE notes (text)", "INSERT INTO notes VALUES ('남의 것')")


def another_database_with_a_log(path):
    a_database(path, "PRAGMA journal_mode = wal", "CREATE TABLE notes (text)")


@pytest.mark.parametrize("key", [None, "열쇠"])
@pytest.mark.parametrize(
    "make", [text_file, one_byte, zeros, half_a_header, another_database, another_database_with_a_log]
)
def test_a_file_that_is_not_ours_is_refused_and_untouched(path, opened, make, key):
    make(path)
    before = snapshot(path.parent)
    with pytest.raises(NotABank, match=str(path)):
        opened(key=key)
    assert snapshot(path.parent) == before


def test_a_folder_is_no_bank(path, opened):
    path.mkdir()
    with pytest.raises(NotABank, match="folder"):
        opened()
    assert list(path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("key", [None, "열쇠"])
@pytest.mark.timeout(10)
def test_a_pipe_is_no_bank_and_is_not_waited_for(path, opened, key):
    os.mkfifo(path)
    with pytest.raises(NotABank, match="not a regular file"):
        opened(key=key)


@pytest.mark.skipif(not Path("/dev/null").is_char_device(), reason="needs /dev/null")
def test_a_device_is_no_bank(opened):
    with pytest.raises(NotABank, match="not a regular file"):
        opened(Path("/dev/null"))


def test_an_empty_file_becomes_a_bank(path, opened):
    path.touch()
    assert opened().problems() == []


def test_a_bank_of_a_later_gieok_is_refused_and_untouched(path, opened):
    opened().close()
    a_database(path, f"PRAGMA user_version = {SCHEMA + 1}")
    before = snapshot(path.parent)
    with pytest.raises(NewerSchema) as trouble:
        opened()
    assert (trouble.value.found, trouble.value.known) == (SCHEMA + 1, SCHEMA)
    assert snapshot(path.parent) == before


def test_a_bank_that_is_made_later_while_open_elsewhere_is_noticed_too(path, opened):
    """The newer number may still stand in the log beside the file."""
    other = opened()
    other._writer.write(lambda connection: connection.pragma("user_version", SCHEMA + 1))
    with pytest.raises(NewerSchema):
        opened()


def test_a_missing_folder_is_named(tmp_path, opened):
    with pytest.raises(BankUnavailable, match=r"없는 폴더.*create"):
        opened(tmp_path / "없는 폴더" / "기억.db")


def test_a_file_in_place_of_the_folder_is_named(tmp_path, opened):
    (tmp_path / "메모").write_text("폴더가 아님", encoding="utf-8")
    with pytest.raises(BankUnavailable, match="메모 is not a folder"):
        opened(tmp_path / "메모" / "기억.db")


@pytest.mark.parametrize("inside", ["기억.db", "안/기억.db"])
def test_a_folder_that_may_not_be_entered_is_named(tmp_path, opened, inside):
    barred = tmp_path / "잠긴 폴더"
    (barred / "안").mkdir(parents=True)
    barred.chmod(0o000)
    try:
        with pytest.raises(BankUnavailable, match=r"folder .*/잠긴 폴더 may not be entered"):
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


def test_a_missing_bank_is_not_made_when_it_should_be_there(path, opened):
    with pytest.raises(BankUnavailable, match="no bank"):
        opened(create=False)
    assert not path.exists()


@pytest.mark.parametrize("name", [":memory:", ""])
def test_a_bank_needs_a_file(name):
    with pytest.raises(BankUnavailable, match="file"):
        open_store(name, embedder="hash-32", dimension=32)


@pytest.mark.skipif(not Path("/sys/kernel").is_dir(), reason="needs a folder in which not even root can write")
def test_a_folder_where_nothing_can_be_made_is_named(opened):
    with pytest.raises(BankUnavailable, match=r"/sys/kernel/기억.db.*writable"):
        opened(Path("/sys/kernel/기억.db"))


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


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX modes")
class TestModes:
    """Memories are private: a new bank is its owner's alone."""

    @pytest.fixture(autouse=True)
    def usual_umask(self):
        usual = os.umask(0o022)
        yield
        os.umask(usual)

    @pytest.mark.parametrize("key", [None, "열쇠"])
    def test_a_new_bank_and_the_files_beside_it_are_for_their_owner_only(self, path, opened, letia, key):
        Scribe(opened(key=key), letia).observe("안녕")
        names = [path.name, f"{path.name}-shm", f"{path.name}-wal"]
        assert modes(path.parent) == dict.fromkeys(names, 0o600)

    def test_a_bank_behind_a_link_is_private_too(self, path, opened, tmp_path):
        (tmp_path / "저기").mkdir()
        path.symlink_to(tmp_path / "저기" / "진짜.db")
        opened()
        assert set(modes(tmp_path / "저기").values()) == {0o600}

    @pytest.mark.parametrize("key", [None, "열쇠"])
    def test_a_bank_behind_a_link_is_found_again(self, path, opened, tmp_path, key):
        link = tmp_path / "링크.db"
        opened(key=key).close()
        link.symlink_to(path)
        assert opened(link, key=key).problems() == []

    @pytest.mark.parametrize("mode", [0o644, 0o660])
    def test_a_bank_that_is_there_keeps_its_mode(self, path, opened, letia, mode):
        opened().close()
        path.chmod(mode)
        Scribe(opened(), letia).observe("안녕")
        assert set(modes(path.parent).values()) == {mode}

    def test_an_empty_file_keeps_its_mode(self, path, opened):
        path.touch(0o640)
        opened()
        assert set(modes(path.parent).values()) == {0o640}


def everything_in(thing, seen=None):
    """`thing` and all that hangs on it."""
    seen = {} if seen is None else seen
    if id(thing) not in seen:
        seen[id(thing)] = thing
        inside = list(thing) if isinstance(thing, list | tuple) else list(getattr(thing, "__dict__", {}).values())
        for each in inside:
            everything_in(each, seen)
    return seen.values()


class TestKeys:
    """With a key the file is encrypted as a whole."""

    def test_what_is_written_with_a_key_is_read_with_it(self, path, opened, letia):
        store = opened(key="우리의 '열쇠'")
        Scribe(store, letia).observe("비밀 이야기", id="t1")
        assert store.info().encrypted
        store.close()
        assert "비밀".encode() not in path.read_bytes()
        with opened(key="우리의 '열쇠'").view(letia) as view:
            assert view.turn("t1").utterances[0].text == "비밀 이야기"

    @pytest.mark.parametrize("key", ["다른 열쇠", None])
    def test_another_key_is_refused_and_changes_nothing(self, path, opened, key):
        opened(key="열쇠").close()
        before = snapshot(path.parent)
        with pytest.raises(NotABank, match="key"):
            opened(key=key)
        assert snapshot(path.parent) == before

    def test_an_empty_key_is_a_mistake(self, path, opened):
        with pytest.raises(InvalidSetting, match="empty"):
            opened(key="")
        assert not path.exists()

    @pytest.mark.parametrize(("letter", "named"), [("\x00", "NUL"), ("\ud800", "surrogate")])
    def test_a_key_that_cannot_be_used_is_refused_without_being_told(self, path, opened, letter, named):
        with pytest.raises(InvalidSetting, match=named) as trouble:
            opened(key=f"비밀{letter}열쇠")
        assert "비밀" not in repr(trouble.value)
        assert not path.exists()

    def test_no_part_of_an_open_bank_shows_its_key(self, opened, letia):
        store = opened(key="우리만의-열쇠")
        Scribe(store, letia).observe("안녕")
        parts = list(everything_in(store))
        assert store._readers._connect in parts
        assert [part for part in parts if "우리만의-열쇠" in repr(part)] == []

    def test_a_key_for_a_bank_without_one_is_refused(self, path, opened):
        opened().close()
        before = snapshot(path.parent)
        with pytest.raises(NotABank, match="without a key"):
            opened(key="열쇠")
        assert snapshot(path.parent) == before

    def test_an_encrypted_bank_of_a_later_gieok_is_untouched(self, path, opened):
        opened(key="열쇠").close()
        a_database(path, "PRAGMA key = '열쇠'", f"PRAGMA user_version = {SCHEMA + 1}")
        before = snapshot(path.parent)
        with pytest.raises(NewerSchema):
            opened(key="열쇠")
        assert snapshot(path.parent) == before


def test_a_disk_without_room_for_the_file_beside_the_bank_is_full():
    assert isinstance(translated(apsw.exception_for(apsw.SQLITE_IOERR_SHMSIZE), "a.db"), DiskFull)
    assert not isinstance(translated(apsw.exception_for(apsw.SQLITE_IOERR_READ), "a.db"), DiskFull)
