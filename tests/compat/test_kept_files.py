"""Banks, backups and exports that earlier versions wrote are opened, answered from, changed and restored.

`write_fixtures.py` wrote the files and recorded what they answered then.
"""

import json
from pathlib import Path

import pytest

import gieok
from compat.answers import bank_answers, clock, differences, mind_answers
from compat.kept import DATA, KEY, Kept, command, imported
from compat.server import running
from gieok.interop.langgraph import GieokStore

VERSIONS = sorted(path.parent.name for path in DATA.glob("*/story.db.xz"))
LETIA = {"user": "minsu", "character": "레티아", "world": "academy"}
SERA = {"user": "minsu", "character": "세라", "world": "academy"}


@pytest.fixture(params=VERSIONS)
def kept(request: pytest.FixtureRequest) -> Kept:
    return Kept(DATA / request.param)


def values(mind: gieok.Mind, attribute: str) -> list[str | None]:
    return [each.value for each in mind.facts(about="user", attribute=attribute)]


@pytest.mark.parametrize("name", Kept.BANKS)
def test_a_kept_bank_answers_as_it_did_when_it_was_written(kept, name, tmp_path):
    with kept.opened(name, tmp_path / "bank") as bank:
        assert differences(kept.recorded(name), bank_answers(bank)) == []


def test_opening_and_asking_leaves_a_kept_bank_sound(kept, tmp_path):
    path = kept.bank("story", tmp_path / "bank")
    with gieok.open(path, embedder="hashing", clock=clock()) as bank:
        bank_answers(bank)
    with gieok.open(path, embedder="hashing", clock=clock()) as bank:
        assert bank.verify_audit().findings == ()
        assert all(each.intact for each in bank.certificates())


def test_a_kept_story_goes_on(kept, tmp_path):
    with kept.opened("story", tmp_path / "bank") as bank:
        letia = bank.scope(**LETIA)
        assert values(letia, "residence") == ["부산"]
        letia.observe("나 대구로 이사했어", reply="또 이사했구나.", turn_id="new")
        assert values(letia, "residence") == ["대구"]
        assert any("대구" in hit.text for hit in letia.recall("대구로 이사"))
        assert letia.turns()[-1].number == letia.turns()[-2].number + 1
        letia.maintain()
        assert bank.verify_audit().findings == ()


def test_a_kept_turn_is_rewound_with_what_it_caused(kept, tmp_path):
    with kept.opened("story", tmp_path / "bank") as bank:
        letia = bank.scope(**LETIA)
        moved = next(turn for turn in letia.turns(100) if "부산으로 이사" in turn.utterances[0].text)
        assert letia.rewind(moved.id) == (moved.id,)
        assert values(letia, "residence") == ["서울"]
        assert bank.verify_audit(letia).findings == ()


def test_kept_memories_are_corrected_pinned_forgotten_and_restored(kept, tmp_path):
    with kept.opened("story", tmp_path / "bank") as bank:
        letia = bank.scope(**LETIA)
        [job] = letia.facts(about="user", attribute="job")
        assert letia.correct(job.id, "직업은 교사임", value="교사").version == job.version + 1
        assert values(letia, "job") == ["교사"]
        assert letia.restore(job.id, version=job.version).value == job.value
        assert not letia.pin(job.id, pinned=False).pinned

        gone = next(leaf.memory for leaf in letia.memories(1_000, state="forgotten"))
        assert gone.id not in [each.id for each in letia.facts()]
        assert letia.restore(gone.id, version=1).forgotten_at is None
        assert gone.id in [each.id for each in letia.facts()]
        assert bank.verify_audit(letia).findings == ()


def test_a_user_of_a_kept_bank_is_erased_with_a_certificate(kept, tmp_path):
    with kept.opened("story", tmp_path / "bank") as bank:
        before = {each.id for each in bank.certificates()}
        with pytest.raises(gieok.errors.UnderHold):
            bank.erase(user="jiwoo")
        erased = bank.erase(user="minsu")
        assert {each.scope.user for each in bank.scopes()}.isdisjoint({"minsu"})
        assert all(each.proven and each.intact for each in erased.certificates)
        assert before < {each.id for each in bank.certificates()}
        assert bank.verify_audit().findings == ()
    assert "부산".encode() not in (tmp_path / "bank" / "story.db").read_bytes()


def test_kept_records_of_a_langgraph_store_are_found(kept, tmp_path):
    with kept.opened("story", tmp_path / "bank") as bank:
        [found] = GieokStore(bank).search(("users", "민수"), query="고양이")
        assert (found.key, found.value) == ("pet", {"text": "고양이 코코를 키운다", "kind": "pet"})


def test_a_kept_encrypted_bank_opens_by_its_key_alone(kept, tmp_path):
    path = kept.bank("secret", tmp_path / "bank")
    for wrong in ({"key": "another"}, {}):
        with pytest.raises(gieok.errors.GieokError):
            gieok.open(path, embedder="hashing", **wrong)
    gieok.rekey(path, key=KEY, new_key="a new one")
    with gieok.open(path, embedder="hashing", key="a new one", clock=clock()) as bank:
        assert differences(kept.recorded("secret"), bank_answers(bank)) == []


def test_a_kept_backup_is_restored_as_it_was(kept, tmp_path):
    folder = kept.unpacked("backups", tmp_path)
    gieok.restore(folder, tmp_path / "again.db", embedder="hashing")
    with gieok.open(tmp_path / "again.db", embedder="hashing", clock=clock()) as bank:
        assert bank.scope(**SERA).turns()[-1].id == "after"
        for scope, recorded in kept.recorded("story")["scopes"].items():
            mind = bank.mind(gieok.Scope(**recorded["key"]))
            assert bank.verify_audit(mind).sound
            if scope != str(bank.scope(**SERA).key):  # its story went on
                assert differences(recorded, recorded | mind_answers(bank, mind), scope) == []
        assert bank.verify_audit().findings == ()


def test_a_kept_full_backup_is_restored_to_an_earlier_turn(kept, tmp_path):
    folder = kept.unpacked("backups", tmp_path)
    first = min(folder.glob("*.db"), key=lambda path: path.name)
    gieok.restore(first, tmp_path / "earlier.db", embedder="hashing", at_turn="t10", scope=gieok.Scope(**LETIA))
    with gieok.open(tmp_path / "earlier.db", embedder="hashing", clock=clock()) as bank:
        letia = bank.scope(**LETIA)
        assert letia.turns()[-1].id == "t10"
        assert values(letia, "residence") == ["서울"]
        assert bank.scope(**SERA).turns()[-1].id != "after"


def test_a_damaged_backup_is_refused(kept, tmp_path):
    folder = kept.unpacked("backups", tmp_path)
    for path in folder.glob("*.db"):
        path.write_bytes(path.read_bytes()[:-4_096])
    with pytest.raises(gieok.errors.BackupDamaged):
        gieok.restore(folder, tmp_path / "again.db", embedder="hashing")
    assert not (tmp_path / "again.db").exists()


def test_a_bank_with_kept_backups_gets_its_next_one(kept, tmp_path):
    folder = kept.unpacked("backups", tmp_path)
    gieok.restore(folder, tmp_path / "again.db", embedder="hashing")
    with gieok.open(tmp_path / "again.db", embedder="hashing", clock=clock()) as bank:
        bank.scope(**SERA).observe("나 인천으로 이사했어", turn_id="later")
        made = bank.backup(folder)
    gieok.restore(made.path, tmp_path / "later.db", embedder="hashing")
    with gieok.open(tmp_path / "later.db", embedder="hashing", clock=clock()) as bank:
        assert bank.scope(**SERA).turns()[-1].id == "later"


def test_every_kept_export_is_imported(kept, tmp_path):
    assert imported(kept, tmp_path / "imports") == kept.recorded("imports")


def test_a_kept_export_brings_ids_and_history_along(kept, tmp_path):
    exports = kept.unpacked("exports", tmp_path)
    with gieok.open(tmp_path / "there.db", embedder="hashing", clock=clock()) as bank:
        assert {each.fate for each in bank.import_export(exports / Kept.EXPORTS["zip"])} == {"new"}
        assert {each.fate for each in bank.import_export(exports / Kept.EXPORTS["zip"])} == {"there"}
        letia = bank.scope(**LETIA)
        recorded = kept.recorded("story")["scopes"][str(letia.key)]
        now = mind_answers(bank, letia)
        for part in ("memories", "facts", "history", "timeline", "turns", "journal", "relationship", "entities"):
            assert differences(recorded[part], now[part], part) == []


def test_exports_are_written_as_they_were(kept, tmp_path, monkeypatch):
    """The lines and entries of today's exports of a kept bank hold all that the kept ones do."""
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    exports = kept.unpacked("exports", tmp_path)
    bank = kept.bank("story", tmp_path / "bank")
    for format_ in ("jsonl", "lorebook", "worldinfo", "mem0"):
        again = tmp_path / f"again.{format_}"
        command("export", "--user", "minsu", "--format", format_, "--bank", str(bank), str(again))
        assert differences(_read(exports / Kept.EXPORTS[format_]), _read(again), format_) == []


def _read(path: Path) -> object:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()] if "jsonl" in path.name else json.loads(text)


@pytest.mark.check
def test_keys_webhooks_and_stories_of_a_kept_bank_are_served(kept, tmp_path):
    keys = json.loads((kept.folder / "keys.json").read_text(encoding="utf-8"))
    admin, reader = ({"Authorization": f"Bearer {keys[name]}"} for name in ("게임 서버", "민수"))
    bank = kept.bank("story", tmp_path / "bank")
    with running(bank, serve_keys="always") as client:
        assert client.get("/v1/facts", params=LETIA).status_code == 401
        facts = client.get("/v1/facts", params=LETIA, headers=reader)
        recorded = kept.recorded("story")["scopes"]["user=minsu character=레티아 world=academy"]
        assert {each["id"] for each in facts.json()["items"]} <= {each["id"] for each in recorded["memories"]}
        assert client.get("/v1/facts", params={"user": "jiwoo"}, headers=reader).status_code == 403
        [hook] = client.get("/v1/webhooks", headers=admin).json()["webhooks"]
        assert (hook["url"], hook["events"]) == ("http://127.0.0.1:9/gieok", ["memory.remembered"])
        assert client.get("/v1/audit/verify", params=LETIA, headers=admin).json()["sound"]
