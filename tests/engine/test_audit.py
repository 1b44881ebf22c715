"""Who did what, from the library: names, versions, chains that hold through everything that a mind lives through."""

import json
import subprocess
import sys

import pytest

import gieok
from gieok.domain.actor import LIBRARY, Actor
from gieok.domain.audit import Content, canonical, first_link
from gieok.errors import InvalidQuery
from gieok.stores.copy import copy_bank
from gieok.testing import day

WRITER = """
import sys
import gieok

with gieok.open(sys.argv[1], embedder="hashing") as bank, bank.acting_as(sys.argv[2]):
    for number in range(8):
        bank.scope(user="minsu", character="letia").observe("I like cats", turn_id=f"{sys.argv[2]}-{number}")
"""


def test_what_is_done_is_done_by_whoever_is_named(bank, letia):
    letia.observe("나 고양이 좋아해", at=day(1))
    [memory] = letia.facts()
    with bank.acting_as("운영자 김"):
        letia.correct(memory.id, "고양이를 아주 좋아함", at=day(2))
    letia.pin(memory.id, at=day(3))

    assert [(deed.act, deed.actor) for deed in bank.audit(letia)] == [
        ("observe", LIBRARY),
        ("correct", Actor(kind="person", name="운영자 김")),
        ("pin", LIBRARY),
    ]
    assert bank.audit(letia.key)[0].who == "reader/2"
    with pytest.raises(InvalidQuery, match="1 to 200 printable characters"):
        bank.acting_as(" ")


def test_every_version_tells_who_made_it_and_any_of_them_comes_back(bank, letia):
    letia.observe("나 서울에 살아", at=day(1))
    [memory] = letia.facts()
    with bank.acting_as("운영자 김"):
        letia.correct(memory.id, "부산에 삶", value="부산", at=day(2))
    letia.forget(memory.id, at=day(3))

    versions = letia.versions(memory.id)
    assert [(each.number, each.act, each.actor and each.actor.name) for each in versions] == [
        (1, "observe", ""), (2, "correct", "운영자 김"), (3, "forget", ""),
    ]  # fmt: skip
    assert versions[1].before is not None
    assert versions[1].after is not None
    assert (versions[1].before.value, versions[1].after.value) == ("서울", "부산")
    assert letia.restore(memory.id, version=2, at=day(4)).value == "부산"
    assert letia.restore(memory.id, version=1, at=day(5)).value == "서울"
    assert letia.versions(memory.id)[-1].act == "restore"
    for wrong in ({}, {"version": 1, "operation_id": "x"}, {"version": 99}):
        with pytest.raises(InvalidQuery):
            letia.restore(memory.id, **wrong)
    assert bank.verify_audit().sound


@pytest.mark.check
def test_the_chain_goes_on_through_restarts_and_several_processes(tmp_path):
    path = tmp_path / "memories.db"
    for _ in range(2):
        with gieok.open(path, embedder="hashing") as bank:
            bank.scope(user="minsu", character="letia").observe("안녕")
    writers = [subprocess.Popen([sys.executable, "-c", WRITER, str(path), name]) for name in ("하나", "둘")]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    with gieok.open(path, embedder="hashing") as bank:
        deeds = bank.audit(gieok.Scope(user="minsu", character="letia"))
        assert [deed.number for deed in deeds] == list(range(1, len(deeds) + 1))
        names = [deed.actor.name for deed in deeds if deed.actor and deed.act == "observe"]
        assert (names.count("하나"), names.count("둘"), names.count("")) == (8, 8, 2)
        assert bank.verify_audit().sound


def test_a_copy_takes_the_chains_along_and_they_go_on_there(open_bank):
    source, target = open_bank("one.db"), open_bank("other.db")
    mind, gone = (source.scope(user=name, character="letia") for name in ("minsu", "jisu"))
    for each in (mind, gone):
        each.observe("나 서울에 살아", at=day(1), turn_id="t1")
        each.observe("나 고양이 좋아해", at=day(2), turn_id="t2")
        each.rewind("t1")
    source.erase(gone.key)

    def bring() -> None:
        assert copy_bank(source.store, target.store, now=day(9), progress=lambda *_: None).is_whole

    bring()
    assert target.audit(mind.key) == source.audit(mind.key)
    chains = [sorted(each.store.audit.chains(), key=lambda chain: chain.mark) for each in (source, target)]
    of_scopes = [[chain for chain in each if not chain.of_bank] for each in chains]
    assert of_scopes[0] == of_scopes[1]
    assert [chain.scope for chain in of_scopes[0]].count(None) == 1
    own = [next(chain.mark for chain in each if chain.of_bank) for each in chains]
    assert own[0] == own[1], "it goes on with the certificates that came"
    assert target.verify_audit().findings == ()

    mind.observe("나 스물다섯 살이야", at=day(4))
    source.store.audit.note_read(mind.key, Actor(kind="key", name="k"), "GET /v1/facts", day(5))
    bring()
    assert target.audit(mind.key) == source.audit(mind.key)
    assert len(target.store.audit.chains()) == 3, "it is the same chain, not one more"
    target.mind(mind.key).observe("나 간호사야", at=day(6))
    assert target.verify_audit().findings == ()


def test_a_chain_of_the_same_names_that_is_not_the_sources_stays(open_bank):
    source, target = open_bank("one.db"), open_bank("other.db")
    for each in (source, target):
        each.scope(user="minsu", character="letia").observe("안녕", at=day(1))
    before = target.store.audit.chains()
    found = copy_bank(source.store, target.store, now=day(9), progress=lambda *_: None)
    assert len(found.ahead) == 1
    assert target.store.audit.chains() == before
    assert target.verify_audit().findings == ()


def test_an_export_can_be_checked_by_anybody(bank, letia):
    """As docs/privacy-and-erasure.md#audit-log tells how it is done."""
    import hashlib

    letia.observe("나 서울에 살아", reply="그렇구나", at=day(1), turn_id="t1")
    letia.observe("나 부산으로 이사했어", at=day(2), turn_id="t2")
    letia.rewind("t1")
    chain, *deeds = [json.loads(json.dumps(each, ensure_ascii=False)) for each in bank.audit_records(letia)]
    before = first_link(chain["chain"], chain["since"])
    for deed in reversed(deeds):
        lines = [canonical(line) for line in deed["told"]]
        targets = canonical(deed["targets"])
        told = canonical([targets, deed["why"], deed["record"]])
        text = "\n".join([deed["salt"], *lines, told])
        assert hashlib.sha256(text.encode()).hexdigest() == deed["digest"]
        assert (
            Content(deed["salt"]).passing(lines).digest(targets=targets, why=deed["why"], record=deed["record"])
            == deed["digest"]
        )
        whose = [chain[part] for part in ("user", "character", "world")]
        names = canonical([deed["actor"]["kind"], deed["actor"]["name"], deed["who"], *whose])
        assert hashlib.sha256(f"{deed['name_salt']}\n{names}".encode()).hexdigest() == deed["names"]
        covers = canonical(deed["covers"]) if deed["covers"] else None
        row = [
            chain["chain"], deed["number"], deed["recorded_at"], deed["act"], deed["operation"], deed["turn"], covers,
            deed["names"], deed["digest"],
        ]  # fmt: skip
        assert hashlib.sha256(f"{before}\n{canonical(row)}".encode()).hexdigest() == deed["link"]
        before = deed["link"]
    assert before == chain["head"]


def test_what_is_done_behind_the_scenes_is_done_by_the_program(letia, bank):
    with bank.acting_as("민수"):
        for number in range(12):
            letia.observe(f"나 {number}번 버스 타고 다녀", at=day(number + 1))
    passes = [deed for deed in bank.audit(letia) if deed.act == "pass"]
    assert passes, "upkeep ran"
    assert all(deed.who not in (None, "", "person") for deed in passes)


def test_a_backup_holds_the_chains_and_who_has_only_read_since(open_bank, tmp_path):
    bank = open_bank("one.db")
    minds = [bank.scope(user=name, character="letia") for name in ("minsu", "jisu", "yuna", "sora")]
    for mind in minds:
        mind.observe("나 서울에 살아", at=day(1), turn_id="t1")
    bank.erase(minds.pop().key)
    assert bank.backup(tmp_path / "backups").kind == "full"
    bank.store.audit.note_read(minds[0].key, Actor(kind="key", name="k"), "GET /v1/facts", day(5))
    part = bank.backup(tmp_path / "backups")
    assert (part.kind, part.fresh) == ("part", 1)

    gieok.restore(tmp_path / "backups", tmp_path / "again.db")
    with gieok.open(tmp_path / "again.db", embedder="hashing") as again:
        assert [again.audit(mind.key) for mind in minds] == [bank.audit(mind.key) for mind in minds]
        assert again.audit(minds[0].key)[-1].act == "read"
        assert {chain.mark for chain in again.store.audit.chains()} == {c.mark for c in bank.store.audit.chains()}
        assert again.verify_audit().findings == ()
