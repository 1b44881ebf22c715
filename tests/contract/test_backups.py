"""A bank is backed up while it is written to, and put back: whole, the same, and at the turn that is asked for."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from threading import Event, Thread

import pytest

import gieok
from gieok.bank import MemoryBank
from gieok.domain.server_state import Document
from gieok.errors import BackupDamaged, BankUnavailable, InvalidQuery, UnderHold, UnknownTurn, WrongKey
from gieok.stores.backups import found
from gieok.stores.sqlite.file import open_at_rest
from support.postgres import Server

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
KEY = "우리의 열쇠"
Open = Callable[..., MemoryBank]


@pytest.fixture
def closing() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture(params=["file", "server"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a bank is kept."""
    return str(tmp_path / "bank.db") if request.param == "file" else request.getfixturevalue("database")


@pytest.fixture
def bank(place: str, closing: ExitStack) -> MemoryBank:
    return closing.enter_context(gieok.open(place, embedder="hashing"))


@pytest.fixture
def sealed(place: str, closing: ExitStack) -> MemoryBank:
    """A bank whose backups are encrypted; a file is, too."""
    return closing.enter_context(gieok.open(place, embedder="hashing", key=KEY, backup_folder="here", backup_hours=0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "backups"


@pytest.fixture
def put_back(tmp_path: Path, closing: ExitStack) -> Open:
    """Restore a backup to a new file, and open that."""
    count = iter(range(100))

    def restore(backup: Path, key: str | None = None, **how: object) -> MemoryBank:
        target = tmp_path / f"restored-{next(count)}.db"
        gieok.restore(backup, target, key=key, embedder="hashing", **how)
        return closing.enter_context(gieok.open(target, key=key, embedder="hashing"))

    return restore


def told(bank: MemoryBank, users: int = 4) -> None:
    for number in range(users):
        mind = bank.scope(user=f"u{number}", character="레티아")
        for turn, text in enumerate(("나 부산에 살아", "나 고양이 좋아해", "나 서울로 이사했어")):
            mind.observe(text, reply="그렇구나", turn_id=f"t{turn}")
    bank.scope(character="레티아").remember("레티아는 별의 학원에 다닌다")


def known(bank: MemoryBank) -> dict[str, object]:
    """All that can be told of a bank."""
    minds = {str(each.scope): bank.mind(each.scope) for each in bank.scopes()}
    return {
        name: (mind.turns(10_000), mind.facts(history=True), mind.journal(), mind.relationship())
        for name, mind in minds.items()
    }


def fingerprints(bank: MemoryBank) -> dict[str, object]:
    return {str(each.scope): bank.store.fingerprint(each.scope) for each in bank.scopes()}


def test_what_is_put_back_is_what_was_there(bank, folder, put_back):
    told(bank)
    scope = bank.scope(user="u0", character="레티아").key
    kept = Document(namespace=("a",), key="b", value="{}", scope=scope, created_at=NOW, updated_at=NOW)
    bank.store.server.put_document(kept)

    made = bank.backup(folder)
    again = put_back(folder)

    assert (made.kind, made.scopes, made.fresh, made.encrypted) == ("full", 5, 5, False)
    assert known(again) == known(bank)
    assert fingerprints(again) == fingerprints(bank)
    assert again.store.server.documents() == [kept]
    assert again.store.problems() == []
    again.scope(user="u0", character="레티아").observe("이제 대전에 살아")
    assert again.store.problems() == []


def test_the_next_backup_holds_what_changed_and_all_of_them_together_hold_everything(bank, folder, put_back):
    told(bank)
    first = bank.backup(folder)
    before = known(bank)
    bank.scope(user="u1", character="레티아").observe("나 커피 끊었어", turn_id="t9")
    second = bank.backup(folder)
    bank.scope(user="새로 온 사람", character="레티아").observe("안녕", turn_id="t0")
    mind = bank.scope(user="u2", character="레티아")
    mind.forget(mind.facts()[0].id)
    third = bank.backup(folder)

    assert [(each.kind, each.fresh) for each in (first, second, third)] == [("full", 5), ("part", 1), ("part", 2)]
    assert known(put_back(folder)) == known(bank)
    assert known(put_back(first.path)) == before
    assert "t9" in [turn.id for turn in put_back(second.path).scope(user="u1", character="레티아").turns()]


def test_what_is_under_hold_comes_back_with_all_that_was_done_under_it(bank, folder, put_back):
    told(bank)
    held = bank.scope(user="u1", character="레티아")
    bank.hold(held.key, why="소송")
    bank.backup(folder)
    held.observe("나 커피 끊었어", turn_id="t9")
    assert bank.backup(folder).kind == "part"

    again = put_back(folder)

    assert known(again) == known(bank)
    with pytest.raises(UnderHold):
        again.erase(held.key)


def test_what_was_erased_is_in_no_backup_that_is_made_later_nor_in_what_it_goes_on_from(bank, folder, put_back):
    told(bank)
    bank.backup(folder)
    gone = bank.scope(user="u3", character="레티아").key
    bank.erase(gone)

    made = bank.backup(folder)

    assert made.kind == "full"
    again = put_back(folder)
    assert gone not in [each.scope for each in again.scopes()]
    assert known(again) == known(bank)


def test_after_a_part_of_a_scope_was_erased_the_next_backup_is_a_full_one(bank, folder, put_back):
    told(bank)
    bank.backup(folder)
    bank.scope(user="u1", character="레티아").observe("보라색우산 얘기는 비밀이야", turn_id="secret")
    bank.backup(folder)
    bank.scope(user="u1", character="레티아").erase(turn="secret")

    made = bank.backup(folder)

    assert made.kind == "full"
    assert "보라색우산".encode() not in made.path.read_bytes()
    assert known(put_back(folder)) == known(bank)


def test_a_scope_that_went_between_two_parts_does_not_come_back(bank, folder, put_back):
    """Somebody erases while a part is being made: the part says who is there, and who is not."""
    told(bank)
    bank.backup(folder)
    gone = bank.scope(user="u3", character="레티아").key
    decided = bank.store.marks()
    bank.scope(user="u0", character="레티아").observe("나 커피 끊었어")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bank.store, "marks", lambda: decided, raising=False)
        patch.setattr(type(bank.store), "erasures", bank.store.erasures)
        bank.erase(gone)
        made = bank.backup(folder)
    assert made.kind == "part"
    assert known(put_back(folder)) == known(bank)


def test_a_backup_under_load_holds_every_turn_that_was_there_before_and_each_scope_whole(bank, folder, put_back):
    told(bank)
    stop, seen = Event(), {f"u{number}": 0 for number in range(4)}

    def write(user: str) -> None:
        mind = bank.scope(user=user, character="레티아")
        while not stop.is_set():
            mind.observe("나 고양이 좋아해", reply="그래?", turn_id=f"load-{seen[user]}")
            seen[user] += 1

    writers = [Thread(target=write, args=(user,)) for user in seen]
    for each in writers:
        each.start()
    promised = []
    try:
        while min(seen.values()) < 3:
            stop.wait(0.01)
        promised += [(dict(seen), bank.backup(folder, full=full)) for full in (True, False, False)]
    finally:
        stop.set()
        for each in writers:
            each.join()

    for acknowledged, made in promised:
        again = put_back(made.path)
        assert again.store.problems() == []
        with open_at_rest(made.path, None)._raw as raw:
            assert raw.execute("SELECT count(*) FROM backup").fetchall() == [(made.scopes + 1,)]
        for user, count in acknowledged.items():
            mind = again.scope(user=user, character="레티아")
            turns = [turn.id for turn in mind.turns(10_000)]
            assert len(turns) >= count + 3
            assert turns[3:] == [f"load-{number}" for number in range(len(turns) - 3)]
            assert [each.turn_id for each in mind.journal() if each.kind == "observe"] == turns
            [liked] = [fact for fact in mind.facts(attribute="likes") if fact.value == "고양이"]
            assert liked.mentions == len(turns) - 3


def test_a_server_lets_a_copy_take_as_long_as_it_takes(database):
    with gieok.open(database, embedder="hashing", postgres_seconds=5) as bank:
        with bank.store.snapshot() as connection:
            for limit in ("idle_in_transaction_session_timeout", "statement_timeout"):
                assert connection.script(f"SHOW {limit}") == [("0",)]
        with bank.store._pool.snapshot() as connection:
            assert connection.script("SHOW statement_timeout") == [("5s",)], "for others all is as ever"


def test_a_bank_goes_to_an_empty_server_and_to_no_other(bank, folder, server: Server, closing):
    told(bank)
    bank.backup(folder)
    name = server.database()
    closing.callback(server.drop, name)
    address = server.address(name)

    gieok.restore(folder, address, embedder="hashing")
    with gieok.open(address, embedder="hashing") as again:
        assert known(again) == known(bank)
        assert again.store.problems() == []
    with pytest.raises(BankUnavailable, match="not empty"):
        gieok.restore(folder, address, embedder="hashing")


class TestEarlier:
    """Back to a turn, or to a moment."""

    def test_a_scope_ends_with_the_turn_that_is_named_and_the_others_stay(self, bank, folder, put_back):
        told(bank)
        bank.backup(folder)
        scope = bank.scope(user="u1", character="레티아").key

        again = put_back(folder, at_turn="t1", scope=scope)

        mind = again.mind(scope)
        assert [turn.id for turn in mind.turns()] == ["t0", "t1"]
        assert [fact.value for fact in mind.facts(attribute="residence")] == ["부산"]
        assert len(again.scope(user="u2", character="레티아").turns()) == 3
        assert again.store.problems() == []

    def test_the_last_turn_leaves_all_as_it_is(self, bank, folder, put_back):
        told(bank, users=1)
        bank.backup(folder)
        assert known(put_back(folder, at_turn="t2")) == known(bank)

    def test_a_turn_that_several_have_or_none_has_is_asked_about(self, bank, folder, tmp_path):
        told(bank, users=2)
        bank.backup(folder)
        with pytest.raises(InvalidQuery, match=r"several scopes.*u0.*u1"):
            gieok.restore(folder, tmp_path / "x.db", at_turn="t1", embedder="hashing")
        with pytest.raises(UnknownTurn):
            gieok.restore(folder, tmp_path / "x.db", at_turn="없는 턴", embedder="hashing")
        assert not (tmp_path / "x.db").exists()

    def test_everything_that_was_recorded_after_a_moment_is_taken_back(self, bank, folder, put_back):
        told(bank, users=2)
        moment = datetime.now(UTC)
        before = bank.scope(user="u0", character="레티아").facts()
        for user in ("u0", "u1"):
            bank.scope(user=user, character="레티아").observe("이제 대전에 살아", turn_id="later")
        bank.backup(folder)

        again = put_back(folder, until=moment)

        for user in ("u0", "u1"):
            assert [turn.id for turn in again.scope(user=user, character="레티아").turns()] == ["t0", "t1", "t2"]
        assert again.scope(user="u0", character="레티아").facts() == before

    def test_of_a_folder_the_first_backup_after_the_moment_is_taken(self, bank, folder):
        told(bank, users=2)
        first = bank.backup(folder)
        moment = datetime.now(UTC)
        second, third = bank.backup(folder), bank.backup(folder)
        assert found(folder, moment)[1].name == second.path.name
        assert found(folder, first.made_at)[1].name == first.path.name
        assert found(folder, datetime.now(UTC))[1].name == third.path.name
        assert found(folder)[1].name == third.path.name


def test_what_is_put_back_from_an_encrypted_backup_is_what_was_there_and_is_encrypted(sealed, folder, put_back):
    told(sealed)
    assert sealed.backup(folder).encrypted
    sealed.scope(user="u1", character="레티아").observe("나 커피 끊었어")
    assert sealed.backup(folder).kind == "part"

    again = put_back(folder, key=KEY)

    assert again.info().encrypted
    assert known(again) == known(sealed)


def test_a_backup_of_an_encrypted_bank_holds_no_word_that_was_said_and_no_name(sealed, folder, tmp_path):
    mind = sealed.scope(user="planted-minsu", character="planted-letia")
    mind.observe("나 쀼쀼땅콩 좋아해 planted-word", turn_id="planted-turn")
    sealed.backup(folder)
    sealed.backup(folder)
    sealed.backup(tmp_path / "one.db")

    files = [each for each in (*folder.iterdir(), tmp_path / "one.db", tmp_path / "one.db.json") if each.is_file()]
    assert len([each for each in files if each.suffix == ".db"]) == 3
    for each in files:
        for words in ("planted", "쀼쀼", "땅콩", KEY):
            assert words.encode() not in each.read_bytes(), each


def test_another_key_is_told_and_no_file_is_left(sealed, folder, tmp_path):
    told(sealed, users=1)
    sealed.backup(folder)
    with pytest.raises(WrongKey):
        gieok.restore(folder, tmp_path / "x.db", key="다른 열쇠", embedder="hashing")
    with pytest.raises(WrongKey):
        gieok.restore(folder, tmp_path / "x.db", embedder="hashing")
    assert not (tmp_path / "x.db").exists()


def with_another_byte(path: Path, place: int) -> None:
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)


@pytest.mark.parametrize(
    ("damage", "of_part", "why"),
    [
        (lambda full, part: with_another_byte(full, 9_000), False, "sha256"),
        (lambda full, part: with_another_byte(part, -1), False, "sha256"),
        (lambda full, part: full.write_bytes(full.read_bytes()[:-4096]), False, "bytes instead of"),
        (lambda full, part: full.unlink(), False, "no longer in"),
        (lambda full, part: part.with_name(f"{part.name}.json").unlink(), True, "cannot be checked"),
        (lambda full, part: part.with_name(f"{part.name}.json").write_text("{"), True, "cannot be read"),
        (lambda full, part: shutil.copy(f"{full}.json", f"{part}.json"), True, "is the label of"),
    ],
)
def test_a_backup_that_is_not_what_it_was_is_refused_with_what_is_wrong(bank, folder, tmp_path, damage, of_part, why):
    told(bank)
    bank.backup(folder)
    bank.scope(user="u1", character="레티아").observe("나 커피 끊었어")
    assert bank.backup(folder).kind == "part"
    wrong = tmp_path / "damaged"
    shutil.copytree(folder, wrong)
    full, part = sorted(wrong.glob("*.db"))
    damage(full, part)
    wrong = part if of_part else wrong
    with pytest.raises(BackupDamaged, match=why) as refused:
        gieok.restore(wrong, tmp_path / "x.db", embedder="hashing")
    assert "nothing was restored" in str(refused.value)
    with pytest.raises(BackupDamaged, match=why):
        gieok.restore(wrong, embedder="hashing")
    assert not (tmp_path / "x.db").exists()
    assert not list(tmp_path.glob(".gieok-restore-*"))
    gieok.restore(folder, tmp_path / "x.db", embedder="hashing")
