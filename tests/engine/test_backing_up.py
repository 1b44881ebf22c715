"""Backups that a bank makes by itself, and a restore in the place of a bank that is there."""

import logging
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

import gieok
from gieok.bank import backups as bank_backups
from gieok.errors import BankInUse, BankUnavailable, InvalidQuery
from gieok.settings import Settings
from gieok.stores import backups
from gieok.stores.backups import Contents, Shelf, Stopped, write_contents
from gieok.stores.tables.connection import Connection


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "backups"


@pytest.fixture
def at_once(monkeypatch):
    """Look for backups that are due as soon as a bank is open, and again and again."""
    monkeypatch.setattr(bank_backups, "_FIRST_LOOK", 0.01)
    monkeypatch.setattr(bank_backups, "_LONGEST_NAP", 0.01)
    monkeypatch.setattr(bank_backups, "_RETRY", 0.01)


def waited_for(what: Callable[[], object], seconds: float = 30.0) -> bool:
    until = time.monotonic() + seconds
    while not what() and time.monotonic() < until:
        time.sleep(0.01)
    return bool(what())


def said(bank: gieok.MemoryBank, text: str = "나 고양이 좋아해", turn: str = "t0") -> None:
    bank.scope(user="minsu", character="letia").observe(text, turn_id=turn)


@pytest.mark.usefixtures("at_once")
class TestSchedule:
    """While a bank is open."""

    def test_a_bank_that_is_open_makes_one_when_it_is_due_and_the_next_when_that_is(self, tmp_path, folder):
        hours = 1.5 / 3600
        with gieok.open(
            tmp_path / "a.db", embedder="hashing", backup_folder=str(folder), backup_hours=hours, backup_keep=2
        ) as bank:
            said(bank)
            after = datetime.now(UTC)
            assert waited_for(lambda: sum(each.made_at > after for each in Shelf(folder).labels()) >= 2)
        *_, first, second = Shelf(folder).labels()
        assert second.made_at - first.made_at >= timedelta(hours=hours)
        assert gieok.restore(folder, embedder="hashing").scopes == 1

    def test_of_several_banks_one_makes_it(self, tmp_path, folder):
        opened = [
            gieok.open(tmp_path / "a.db", embedder="hashing", backup_folder=str(folder), backup_hours=24)
            for _ in range(3)
        ]
        assert waited_for(lambda: Shelf(folder).labels())
        time.sleep(0.3)
        for bank in opened:
            bank.close()
        assert len(Shelf(folder).labels()) == 1

    def test_what_goes_wrong_is_logged_and_kept_and_stops_no_turn_and_passes(self, tmp_path, caplog):
        blocked = tmp_path / "backups"
        blocked.mkdir()
        (blocked / ".lock").mkdir()  # nobody can hold it
        with (
            caplog.at_level(logging.ERROR),
            gieok.open(tmp_path / "a.db", embedder="hashing", backup_folder=str(blocked)) as bank,
        ):
            assert waited_for(lambda: Shelf(blocked).failure())
            said(bank)
            assert len(bank.scope(user="minsu", character="letia").turns()) == 1
            (blocked / ".lock").rmdir()
            assert waited_for(lambda: Shelf(blocked).labels())
            assert waited_for(lambda: Shelf(blocked).failure() is None)
        assert "no backup was made" in caplog.text

    def test_closing_does_not_wait_for_a_backup(self, tmp_path, folder, monkeypatch):
        begun = []

        def endless(*_: object, stopped: Callable[[], bool], **__: object) -> None:
            begun.append(True)
            while not stopped():
                time.sleep(0.01)
            raise Stopped

        monkeypatch.setattr(bank_backups, "back_up", endless)
        bank = gieok.open(tmp_path / "a.db", embedder="hashing", backup_folder=str(folder))
        assert waited_for(lambda: begun)
        start = time.monotonic()
        bank.close()
        assert time.monotonic() - start < 4

    @pytest.mark.parametrize("settings", [{}, {"backup_hours": 0}])
    def test_nothing_is_made_where_nothing_is_asked_for(self, tmp_path, folder, settings):
        how = {"backup_folder": str(folder), **settings} if settings else {}
        with gieok.open(tmp_path / "a.db", embedder="hashing", **how):
            time.sleep(0.2)
        assert not folder.exists()


class TestInTheWay:
    """A restore where a bank stands already."""

    @pytest.fixture
    def backup(self, tmp_path, folder):
        with gieok.open(tmp_path / "a.db", embedder="hashing") as bank:
            said(bank)
            yield bank.backup(folder).path

    def test_nothing_is_overwritten_unless_it_is_set_aside(self, tmp_path, backup):
        other = tmp_path / "b.db"
        with gieok.open(other, embedder="hashing") as bank:
            said(bank, "다른 이야기", "x")
        before = other.read_bytes()
        with pytest.raises(BankUnavailable, match="is not overwritten"):
            gieok.restore(backup, other, embedder="hashing")
        assert other.read_bytes() == before

        done = gieok.restore(backup, other, embedder="hashing", force=True)

        def turns(path: Path) -> list[str]:
            with gieok.open(path, embedder="hashing") as bank:
                return [turn.id for turn in bank.scope(user="minsu", character="letia").turns()]

        assert turns(other) == ["t0"]
        assert turns(done.set_aside) == ["x"]

    def test_the_backup_after_a_restore_holds_what_was_said_since_and_not_what_the_restore_took_back(
        self, tmp_path, folder
    ):
        """Both courses of events come to the same number of changes; only one of them is the bank's."""
        place = tmp_path / "a.db"
        with gieok.open(place, embedder="hashing") as bank:
            said(bank)
            full = bank.backup(folder)
            said(bank, "나 고양이 키워", "taken back")
            bank.backup(folder)
        gieok.restore(full.path, place, embedder="hashing", force=True)
        with gieok.open(place, embedder="hashing") as bank:
            said(bank, "나 땅콩 알레르기 있어", "said since")
            made = bank.backup(folder)

        assert made.fresh == 1
        gieok.restore(folder, tmp_path / "b.db", embedder="hashing")
        with gieok.open(tmp_path / "b.db", embedder="hashing") as again:
            assert [turn.id for turn in again.scope(user="minsu", character="letia").turns()] == ["t0", "said since"]

    def test_a_backup_that_does_not_tell_the_heads_is_restored_and_gone_on_from_as_if_all_had_changed(
        self, tmp_path, folder, monkeypatch
    ):
        """One that an older gieok made."""

        def without_heads(connection: Connection, contents: Contents) -> None:
            write_contents(connection, replace(contents, scopes=tuple(replace(e, head=None) for e in contents.scopes)))

        with gieok.open(tmp_path / "a.db", embedder="hashing") as bank:
            said(bank)
            with monkeypatch.context() as patch:
                patch.setattr(backups, "write_contents", without_heads)
                older = bank.backup(folder)
            assert gieok.restore(older.path, embedder="hashing").scopes == 1
            assert [bank.backup(folder).fresh for _ in range(2)] == [1, 0]
        assert gieok.restore(folder, embedder="hashing").scopes == 1

    def test_a_bank_that_is_open_is_not_set_aside(self, tmp_path, backup):
        with gieok.open(tmp_path / "b.db", embedder="hashing") as bank:
            said(bank, "다른 이야기", "x")
            with pytest.raises(BankInUse):
                gieok.restore(backup, tmp_path / "b.db", embedder="hashing", force=True)
            said(bank, "그래도", "y")
        assert not list(tmp_path.glob("b.db.before*"))

    def test_a_file_that_is_damaged_is_set_aside_too(self, tmp_path, backup):
        (tmp_path / "b.db").write_bytes(b"broken" * 1000)
        done = gieok.restore(backup, tmp_path / "b.db", embedder="hashing", force=True)
        assert done.set_aside.read_bytes() == b"broken" * 1000
        gieok.open(tmp_path / "b.db", embedder="hashing").close()

    def test_a_folder_and_a_place_that_is_not_there_are_told(self, tmp_path, backup, folder):
        with pytest.raises(BankUnavailable, match="is a folder"):
            gieok.restore(backup, folder, embedder="hashing")
        with pytest.raises(BankUnavailable, match="does not exist"):
            gieok.restore(backup, tmp_path / "없는" / "b.db", embedder="hashing")

    def test_what_does_not_go_together_is_told(self, tmp_path, backup):
        with pytest.raises(InvalidQuery, match="not both"):
            gieok.restore(backup, tmp_path / "b.db", at_turn="t0", until=datetime.now(UTC))
        with pytest.raises(InvalidQuery, match="not both"):
            gieok.restore(backup, tmp_path / "b.db", settings=Settings(), key="x")


def test_where_to_is_said_or_set(tmp_path, folder):
    with gieok.open(tmp_path / "a.db", embedder="hashing") as bank, pytest.raises(InvalidQuery, match="backup_folder"):
        bank.backup()
    with gieok.open(tmp_path / "a.db", embedder="hashing", backup_folder=str(folder), backup_keep=1) as bank:
        said(bank)
        kinds = [bank.backup().kind for _ in range(3)]
    assert kinds == ["full"] * 3
    assert len(Shelf(folder).labels()) == 1


def test_a_database_on_a_server_has_no_key_of_its_own():
    with pytest.raises(InvalidQuery, match="encrypt its disk"):
        gieok.rekey("postgresql://localhost/games", new_key="열쇠")


def test_a_store_of_another_kind_says_that_it_has_its_own_means(tmp_path):
    class Other:
        """A store that somebody plugged in."""

    from gieok.bank.backups import back_up

    with pytest.raises(BankUnavailable, match="tools of that store"):
        back_up(Other(), Settings(), tmp_path)
