"""What was erased is recognised when somebody brings it back, and stays away until a person lifts the erasure."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

import gieok
from gieok.domain.recognition import plain
from gieok.errors import UnknownCertificate
from gieok.interop.importers import Whose, import_file
from gieok.testing import FixedClock
from support.postgres import running

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
SECRET = "내 비밀은 보라색우산이야"
ALLERGY = "나 땅콩 알레르기 있어"


@pytest.fixture(scope="module")
def server():
    with running() as server:
        yield server


@pytest.fixture(params=["file", "server"])
def bank(request, tmp_path):
    if request.param == "file":
        place = str(tmp_path / "memories.db")
    else:
        server = request.getfixturevalue("server")
        name = server.database()
        place = server.address(name)
    with gieok.open(place, embedder="hashing") as opened:
        yield opened
    if request.param == "server":
        server.drop(name)


@pytest.fixture
def letia(bank):
    mind = bank.scope(user="minsu", character="letia")
    for number, text in enumerate(["나 고양이 좋아해", SECRET, ALLERGY, "나 부산에 살아"]):
        mind.observe(text, reply="그렇구나, 잘 기억해 둘게!", turn_id=f"t{number}", at=NOW + timedelta(days=number))
    return mind


def values(mind):
    return {memory.value for memory in mind.facts()}


def said(mind):
    return {line.text for turn in mind.turns() for line in turn.utterances}


def chat_file(tmp_path: Path, *lines: str) -> Path:
    """A chat that SillyTavern wrote."""
    file = tmp_path / "chat.jsonl"
    head = {"user_name": "minsu", "character_name": "letia", "create_date": "2026-03-01"}
    rows = [head]
    for line in lines:
        rows.append({"name": "minsu", "is_user": True, "mes": line, "send_date": "March 1, 2026 9:00am"})
        rows.append({"name": "letia", "is_user": False, "mes": "그래?", "send_date": "March 1, 2026 9:01am"})
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    return file


def mem0_file(tmp_path: Path, *memories: dict) -> Path:
    file = tmp_path / "mem0.json"
    rows = [{"id": str(n), "user_id": "minsu", "agent_id": "letia", **each} for n, each in enumerate(memories)]
    file.write_text(json.dumps({"results": rows}, ensure_ascii=False))
    return file


MINE = Whose(user="minsu", character="letia")


def test_a_chat_that_is_imported_does_not_teach_what_was_erased(bank, letia, tmp_path):
    letia.erase(turn="t1")
    file = chat_file(tmp_path, f"{SECRET}!!", "나 수영 배워")
    report = import_file(bank, "sillytavern", file, whose=MINE)

    assert len(report.skipped) == 1
    assert "gieok lift" in str(report.skipped[0].why)
    assert not any("보라색우산" in text for text in said(letia))
    assert any("수영" in text for text in said(letia))


def test_a_fact_that_another_system_kept_does_not_come_back(bank, letia, tmp_path):
    assert "땅콩" in values(letia)
    letia.erase(matching="땅콩")
    told = {"gieok": {"attribute": "allergy", "value": "땅콩", "about": "user"}}
    file = mem0_file(tmp_path, {"memory": "땅콩을 먹지 못함", "metadata": told}, {"memory": "수영을 배움"})
    report = import_file(bank, "mem0", file, whose=MINE)

    assert "땅콩" not in values(letia)
    assert len(report.skipped) == 1
    assert any("수영" in memory.content for memory in letia.facts())


def test_what_was_forgotten_and_scrubbed_is_recognised_as_well(bank, letia, tmp_path):
    [memory] = [each for each in letia.facts() if each.value == "땅콩"]
    letia.forget(memory.id)
    bank.scrub(prove=False)
    report = import_file(bank, "sillytavern", chat_file(tmp_path, ALLERGY), whose=MINE)
    assert len(report.skipped) == 1
    assert "땅콩" not in values(letia)


def test_a_whole_scope_that_was_erased_does_not_come_back_from_an_export_until_that_is_lifted(bank, letia, tmp_path):
    file = tmp_path / "minsu.zip"
    bank.export(user="minsu", to=file)
    [certificate] = bank.erase(user="minsu").certificates
    [taken] = bank.import_export(file)

    assert (taken.fate, taken.certificates) == ("erased", (certificate.id,))
    assert taken.held_back >= 4
    assert [each.fate for each in bank.import_export(file, dry_run=True)] == ["erased"]
    assert bank.scopes_of("minsu") == []

    with bank.acting_as("운영자 김"):
        assert bank.lift(certificate.id) >= taken.held_back
    assert bank.lift(certificate.id) == 0
    assert [each.fate for each in bank.import_export(file)] == ["new"]
    assert {"땅콩", "부산"} <= values(letia)
    assert bank.audit()[-1].act == "lift"
    assert bank.audit()[-1].actor.name == "운영자 김"
    assert bank.verify_audit().sound
    assert bank.certificates() == [certificate]


def test_nobody_lifts_what_was_never_erased(bank):
    with pytest.raises(UnknownCertificate, match="gieok erasures"):
        bank.lift("nothing")


def test_what_a_person_says_again_is_learned_again(bank, letia):
    letia.erase(matching="땅콩")
    letia.observe(ALLERGY, at=NOW + timedelta(days=9))
    assert "땅콩" in values(letia)


def test_other_scopes_and_other_words_are_not_held_back(bank, letia, tmp_path):
    letia.erase(turn="t1")
    sora = bank.scope(user="sora", character="letia")
    file = chat_file(tmp_path, SECRET)
    assert import_file(bank, "sillytavern", file, whose=Whose(user="sora", character="letia")).skipped == ()
    assert SECRET in said(sora)


def restored(bank, backup, target, **more):
    with gieok.open(target, embedder="hashing", **more) as again:
        mind = again.scope(user="minsu", character="letia")
        return values(mind), said(mind), again.verify_audit().sound, again.certificates()


def test_a_backup_does_not_bring_back_what_was_erased_since(bank, letia, tmp_path):
    made = bank.backup(tmp_path / "kept.db")
    letia.erase(turn="t2")
    letia.observe("나 수영 배워", at=NOW + timedelta(days=9))
    target = tmp_path / "again.db"
    settings = bank.settings
    done = gieok.restore(made.path, target, settings=settings)

    assert done.held_back == {letia.key: 2}
    facts, lines, sound, certificates = restored(bank, made.path, target)
    assert "땅콩" not in facts
    assert not any("땅콩" in line for line in lines)
    assert {"고양이", "부산"} <= facts
    assert sound
    assert all(each.intact for each in certificates)
    assert "땅콩".encode() not in target.read_bytes()


def test_a_scope_that_was_erased_since_is_not_in_the_restored_bank_at_all(bank, letia, tmp_path):
    made = bank.backup(tmp_path / "kept.db")
    [certificate] = bank.erase(user="minsu").certificates
    target = tmp_path / "again.db"
    gieok.restore(made.path, target, settings=bank.settings)
    with gieok.open(target, embedder="hashing") as again:
        assert again.scopes() == []
        assert certificate.id in {each.id for each in again.certificates()}
    assert "땅콩".encode() not in target.read_bytes()


def test_once_it_is_lifted_a_backup_brings_it_back(bank, letia, tmp_path):
    made = bank.backup(tmp_path / "kept.db")
    [certificate] = letia.erase(turn="t2").certificates
    bank.lift(certificate.id)
    done = gieok.restore(made.path, tmp_path / "again.db", settings=bank.settings)
    assert done.held_back == {}
    assert "땅콩" in restored(bank, made.path, tmp_path / "again.db")[0]


def test_what_was_said_again_before_the_backup_is_restored(bank, letia, tmp_path):
    letia.erase(matching="땅콩")
    letia.observe(ALLERGY, at=NOW + timedelta(days=9))
    made = bank.backup(tmp_path / "kept.db")
    assert gieok.restore(made.path, tmp_path / "again.db", settings=bank.settings).held_back == {}
    assert "땅콩" in restored(bank, made.path, tmp_path / "again.db")[0]


def test_where_the_bank_is_lost_the_last_backup_knows_what_was_erased(tmp_path):
    place, folder = tmp_path / "memories.db", tmp_path / "backups"
    with gieok.open(place, embedder="hashing") as bank:
        mind = bank.scope(user="minsu", character="letia")
        mind.observe(ALLERGY, turn_id="t1")
        mind.observe("나 부산에 살아", turn_id="t2")
        first = bank.backup(folder)
        mind.erase(turn="t1")
        second = bank.backup(folder)
        assert second.kind == "full"
    place.write_bytes(b"")
    done = gieok.restore(first.path, place, embedder="hashing", bank=str(place))
    assert done.held_back == {mind.key: 2}
    assert values_in(place) == {"부산"}


def values_in(place):
    with gieok.open(place, embedder="hashing") as bank:
        return values(bank.scope(user="minsu", character="letia"))


def test_a_backup_is_full_after_an_erasure_whatever_the_clock_says(tmp_path):
    clock = FixedClock(datetime.now(UTC))
    with gieok.open(tmp_path / "memories.db", embedder="hashing", clock=clock) as bank:
        for user in ("minsu", "sora", "jihun", "mina"):
            bank.scope(user=user, character="letia").observe(SECRET, turn_id="t1")
        bank.backup(tmp_path / "backups")
        clock.set(clock.now() - timedelta(days=400))
        bank.scope(user="minsu", character="letia").erase(turn="t1")
        assert bank.backup(tmp_path / "backups").kind == "full"


@pytest.mark.parametrize("days", [-400, 400])
def test_certificates_stand_in_the_order_of_the_erasures_whatever_the_clock_says(tmp_path, days):
    clock = FixedClock(NOW)
    with gieok.open(tmp_path / "memories.db", embedder="hashing", clock=clock) as bank:
        mind, ids = bank.scope(user="minsu", character="letia"), []
        for number in range(3):
            mind.observe(f"{SECRET} {number}", turn_id=f"t{number}")
            ids += [each.id for each in mind.erase(turn=f"t{number}").certificates]
            clock.set(clock.now() + timedelta(days=days * (number + 1)))
        assert [each.id for each in bank.certificates()] == ids[::-1]


def test_a_file_tells_no_words_of_what_was_erased_and_no_two_banks_have_the_same_digests(tmp_path):
    kept = []
    for name in ("one.db", "other.db"):
        with gieok.open(tmp_path / name, embedder="hashing") as bank:
            mind = bank.scope(user="minsu", character="letia")
            mind.observe(SECRET, turn_id="t1")
            mind.erase(turn="t1")
        content = (tmp_path / name).read_bytes()
        assert "보라색우산".encode() not in content
        assert plain(SECRET).encode() not in content
        with apsw.Connection(str(tmp_path / name)) as raw:
            kept.append({digest for (digest,) in raw.execute("SELECT digest FROM erased").fetchall()})
    assert all(kept)
    assert kept[0].isdisjoint(kept[1])
