"""An error means unchanged: whichever statement of an operation fails, everything is as it was before."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from threading import current_thread

import pytest

from gieok import MemoryBank
from gieok.bank.mind import Mind
from gieok.domain.scope import Scope
from gieok.errors import BankUnavailable, DiskFull, ErasureUnproven
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.store import SqliteStore
from gieok.testing import day


@dataclass
class FullDisk:
    """Lets so many statements be written, and no more."""

    left: float = float("inf")
    written: list[str] = field(default_factory=list)

    def check(self, sql: str) -> None:
        if current_thread().name != "gieok-writer" or sql.split()[0] in ("BEGIN", "ROLLBACK", "SAVEPOINT", "RELEASE"):
            return
        if self.left <= 0:
            raise DiskFull("the disk is full")
        self.left -= 1
        self.written.append(sql)


@pytest.fixture
def disk(monkeypatch):
    disk = FullDisk()
    for name in ("_execute", "_execute_many"):
        execute = getattr(Connection, name)

        def checked(self, sql, values, execute=execute):
            disk.check(sql)
            return execute(self, sql, values)

        monkeypatch.setattr(Connection, name, checked)
    return disk


@pytest.fixture
def talk(bank):
    """Three turns of two characters, with facts that are corrected, doubted and forgotten."""
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("나 고양이 좋아해", reply="저도요!", turn_id="t1", at=day(1))
    letia.observe(
        "나는 서울에 살아. 내 이름은 민수야. 내 동생 지훈이는 의사야",
        reply="서울이군요",
        turn_id="t2",
        at=day(2),
        present=["kai"],
    )
    letia.observe("부산으로 이사했어", reply="축하해요", turn_id="t3", at=day(3), present=["kai"])
    letia.forget(letia.remember("땅콩 알레르기가 있음", at=day(3)).memory.id)
    return letia


def everything(bank: MemoryBank) -> object:
    store = bank.store
    scopes = store.scope_names(100)
    held = {str(scope): (store.fingerprint(scope), bank.provisions(scope)) for scope in scopes}
    return held, store.marks(), store.certificates(100)


def open_fact(letia: Mind) -> str:
    return letia.facts(attribute="likes")[0].id


WRITES: dict[str, Callable[[Mind], object]] = {
    "observe": lambda letia: letia.observe("나 커피 싫어해", reply="그래요?", at=day(4)),
    "observe with others": lambda letia: letia.observe("나 커피 싫어해", at=day(4), present=["kai", "sora"]),
    "edit": lambda letia: letia.edit("t2", text="나는 인천에 살아"),
    "edit what others heard": lambda letia: letia.edit("t3", text="대구로 이사했어"),
    "reroll": lambda letia: letia.reroll("t3", "정말요?"),
    "instead": lambda letia: letia.instead("t1", "나 강아지 좋아해", reply="저도요!"),
    "rewind": lambda letia: letia.rewind("t2", following=True),
    "remember": lambda letia: letia.remember("강아지를 키움", at=day(4)),
    "correct": lambda letia: letia.correct(open_fact(letia), "나 강아지 좋아해"),
    "pin": lambda letia: letia.pin(open_fact(letia)),
    "forget": lambda letia: letia.forget(open_fact(letia)),
    "scene": lambda letia: letia.start_scene(place="카페", at=day(4)),
    "same person": lambda letia: letia.same_person("지훈", "동생"),
    "maintain": lambda letia: letia.maintain(["summarise", "reflect", "promote"], at=day(4) + timedelta(days=4000)),
    "erase a turn": lambda letia: letia.erase(turn="t2", prove=False),
    "erase words everywhere": lambda letia: letia.bank.erase(user="minsu", matching="서울", prove=False),
    "erase a user": lambda letia: letia.bank.erase(user="minsu", prove=False),
    "scrub": lambda letia: letia.scrub(prove=False),
    "hold": lambda letia: letia.bank.hold(letia.key, why="소송"),
    "keep for": lambda letia: letia.bank.keep_for(letia.key, {"event": 30.0}),
}


@pytest.mark.parametrize("name", WRITES)
def test_whatever_fails_nothing_has_changed(name, talk, disk, counts):
    bank, write = talk.bank, WRITES[name]
    before = everything(bank)
    attempts, step = 0, counts(7, 1)
    for allowed in range(0, 1_000, step):
        disk.left, disk.written = allowed, []
        try:
            write(talk)
            break
        except DiskFull:
            attempts += 1
        disk.left = float("inf")
        assert everything(bank) == before, f"after {disk.written[-1:]}, number {allowed}"
        bank.store.write(lambda it: it.script("DELETE FROM leases"))  # upkeep that failed may be done again later
    assert attempts, "nothing was written"
    assert everything(bank) != before
    assert bank.store.problems() == []


def test_an_import_that_fails_takes_nothing_in(talk, disk, open_bank, tmp_path):
    talk.bank.export(user="minsu", to=tmp_path / "minsu.jsonl")
    other = open_bank("other.db")
    failed = 0
    for allowed in range(0, 1_000, 5):
        disk.left = allowed
        try:
            other.import_export(tmp_path / "minsu.jsonl")
            break
        except DiskFull:
            failed += 1
        disk.left = float("inf")
        assert other.store.scope_names(10) == []
    assert failed
    assert [str(scope) for scope in other.store.scope_names(10)] == [
        str(scope) for scope in talk.bank.store.scope_names(10)
    ]


def test_others_see_an_edit_whole_or_not_at_all(talk):
    seen: set[tuple[str, ...]] = set()
    entered = talk.bank.store.__class__.view

    def looked(store, scope):
        with entered(store, Scope(user="minsu", character="letia")) as view:
            seen.add(tuple(utterance.text for turn in view.turns(3) for utterance in turn.utterances[:1]))
        return entered(store, scope)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(talk.bank.store.__class__, "view", looked)
        talk.edit("t3", text="대구로 이사했어")
    assert all(len(each) == 3 for each in seen)
    assert talk.turns(1)[0].utterances[0].text == "대구로 이사했어"


def test_a_turn_that_is_stored_is_returned_whatever_fails_after_it(open_bank, disk):
    bank = open_bank(upkeep_reflect_at=1)
    letia = bank.scope(user="minsu", character="letia")
    letia.observe("나 고양이 좋아해", at=day(1))

    def break_off(_: object) -> None:
        disk.left = 0

    bank.follow(break_off)
    observed = letia.observe("나 강아지 좋아해", turn_id="t2", at=day(2), present=["kai"])
    assert observed.turn.id == letia.turns()[-1].id == "t2"
    assert disk.left == 0, "it was not full"


def test_a_turn_that_is_stored_is_returned_without_a_question_where_none_can_be_found(open_bank, monkeypatch):
    bank = open_bank(upkeep="off")
    letia = bank.scope(user="minsu", character="letia")
    execute, broken = Connection._execute, []

    def read(self, sql, values):
        if broken:
            raise BankUnavailable("the disk cannot be read")
        return execute(self, sql, values)

    monkeypatch.setattr(Connection, "_execute", read)
    bank.follow(lambda _: broken.append(True))
    assert letia.observe("나 강아지 좋아해", turn_id="t1", at=day(1)).questions == ()
    broken.clear()
    assert [turn.id for turn in letia.turns()] == ["t1"]


def test_what_is_erased_and_cannot_be_proven_is_told_as_such(talk, monkeypatch):
    def full(self, seconds):
        raise DiskFull("the disk is full")

    monkeypatch.setattr(SqliteStore, "_rid_of_remains", full)
    with pytest.raises(ErasureUnproven, match=r"the disk is full.*gieok scrub"):
        talk.erase(turn="t2")
    assert [turn.id for turn in talk.turns()] == ["t1", "t3"]
    assert [each.proven for each in talk.bank.certificates()] == [False]
    monkeypatch.undo()
    talk.bank.scrub()
    assert all(each.proven for each in talk.bank.certificates())
