"""What is done to a bank as a whole: copy, migrate, cluster, backup, restore, rekey, reindex."""

import json
import os
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from gieok.bank import open_bank
from gieok.embedders import HashingEmbedder
from gieok.observe.index import reindex
from gieok.stores import open_store

LETIA = ("-u", "민수", "-c", "레티아")


@pytest.fixture
def told(run):
    for number, text in enumerate(("나 부산에 살아", "나 고양이 좋아해", "나 서울로 이사했어")):
        assert run("observe", text, "--turn-id", f"t{number}", *LETIA).code == 0
    return run


def known(run, *bank):
    return run("facts", "--json", *LETIA, *bank).record


def test_a_bank_is_copied_and_the_copy_is_the_same(told):
    copied = told("copy", "gieok.db", "other.db", "--json").record
    assert (copied["scopes"], copied["fresh"], copied["moving"], copied["different"]) == (1, 1, [], [])
    assert known(told, "--bank", "other.db") == known(told)


def test_copying_again_passes_over_what_is_there_and_leaves_what_went_on_in_the_target(told):
    told("copy", "gieok.db", "other.db")
    again = told("copy", "gieok.db", "other.db")
    assert (again.code, "그중 0개를 방금 복사했어요" in again.out) == (0, True)
    told("observe", "나 부산으로 이사했어", *LETIA, "--bank", "other.db")
    ahead = told("copy", "gieok.db", "other.db")
    assert (ahead.code, "[user=민수 character=레티아] 복사본에서" in ahead.out) == (1, True)
    assert json.loads(told("copy", "gieok.db", "other.db", "--json").out)["ahead"] == ["user=민수 character=레티아"]


def test_a_bank_is_not_copied_onto_itself_and_a_file_is_no_cluster(told):
    assert "같은 저장소" in told("copy", "gieok.db", "gieok.db").refused
    assert "postgresql://" in told("cluster", "plan", "gieok.db").refused
    assert "PostgreSQL" in told("migrate", "--parts", "4").refused


def test_migrating_tells_where_a_bank_stands(told):
    stands = told("migrate", "--json").record
    assert stands["engine"].startswith("SQLite")
    assert stands["schema"] >= 6
    assert f"스키마 {stands['schema']}" in told("migrate").out


def test_a_bank_is_backed_up_checked_and_restored(told, tmp_path):
    assert "프로필 1개 중 전부, 대화 3번" in told("backup", "backups").out
    assert "온전해요 (프로필 1개, 대화 3번" in told("restore", "backups", "--verify").out
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backups", "gieok.db"]
    assert "again.db에 복원했어요" in told("restore", "backups", "again.db").out
    assert known(told, "--bank", "again.db") == known(told)


def test_backups_can_be_read_by_programs(told):
    made = told("backup", "backups", "--json", "--keep", "5").record
    assert set(made) == {
        "path", "kind", "made_at", "bytes", "sha256", "encrypted", "scopes", "fresh", "rows", "removed",
    }  # fmt: skip
    assert (made["kind"], made["scopes"], made["fresh"], made["encrypted"]) == ("full", 1, 1, False)
    done = told("restore", made["path"], "--verify", "--json").record
    assert set(done) == {
        "location", "backup", "made_at", "files", "scopes", "rows", "taken_back", "held_back", "unasked", "set_aside",
    }  # fmt: skip
    assert (done["location"], done["backup"], done["rows"]) == (None, made["path"], made["rows"])


def test_what_was_erased_since_is_not_restored_and_the_command_says_so(told):
    made = told("backup", "kept.db", "--json").record
    [certificate] = told("erase", *LETIA, "--everything", "--yes", "--json").record["certificates"]
    done = told("restore", made["path"], "two.db", "--json").record
    assert done["held_back"]["user=민수 character=레티아"] > 0
    told("lift", certificate["id"])
    assert told("restore", made["path"], "three.db", "--json").record["held_back"] == {}


def test_a_scope_goes_back_to_a_turn_or_a_moment(told):
    told("backup", "backups")
    assert "대화 1번을 되돌렸어요" in told("restore", "backups", "one.db", "--at-turn", "t1", *LETIA).out
    assert [fact["value"] for fact in known(told, "--bank", "one.db") if fact["attribute"] == "residence"] == ["부산"]
    moment = datetime.now(UTC) + timedelta(milliseconds=1)
    while datetime.now(UTC) <= moment:
        pass
    told("observe", "이제 대전에 살아", *LETIA)
    told("backup", "backups")
    done = told("restore", "backups", "two.db", "--until", moment.isoformat(), "--json").record
    assert done["taken_back"] == {"user=민수 character=레티아": 1}


def test_what_is_there_is_not_overwritten_and_what_is_damaged_not_restored(told, tmp_path):
    made = told("backup", "backups", "--json").record
    assert "--force" in told("restore", "backups", "gieok.db").refused
    with open(made["path"], "r+b") as file:
        file.seek(5000)
        byte = file.read(1)
        file.seek(5000)
        file.write(bytes([byte[0] ^ 1]))
    for arguments in (("--verify",), ("again.db",)):
        damaged = told("restore", "backups", *arguments).refused
        assert "sha256" in damaged
        assert "복원하지 않았어요" in damaged
    assert not (tmp_path / "again.db").exists()


def test_where_to_must_be_said_or_set(told, monkeypatch, tmp_path):
    assert "gieok backup" in told("backup").refused
    assert "저장소가 없어요" in told("backup", "backups", "--bank", "none.db").refused
    monkeypatch.setenv("GIEOK_BACKUP_FOLDER", str(tmp_path / "여벌"))
    assert told("backup").code == 0
    assert list((tmp_path / "여벌").glob("*-full.db"))
    assert "--verify" in told("restore", "여벌").refused


@pytest.fixture
def key_file(tmp_path):
    path = tmp_path / "new.key"
    path.write_text("새 열쇠\n", encoding="utf-8")
    path.chmod(0o600)
    return str(path)


def test_a_bank_is_encrypted_given_another_key_and_opened_up_again(told, key_file, monkeypatch):
    before = known(told)
    done = told("rekey", "--new-key-file", key_file)
    assert "새 키로 암호화했어요" in done.out
    assert "새 열쇠" not in done.out + done.err
    assert "암호화되어 있어요. 키로 열어 주세요" in told("facts", *LETIA).refused

    monkeypatch.setenv("GIEOK_KEY_FILE", key_file)
    assert known(told) == before
    monkeypatch.setenv("GIEOK_NEW_KEY", "다음 열쇠")
    assert told("rekey").code == 0
    monkeypatch.delenv("GIEOK_NEW_KEY")
    assert "열 수 없어요" in told("facts", *LETIA).refused

    monkeypatch.delenv("GIEOK_KEY_FILE")
    monkeypatch.setenv("GIEOK_KEY_COMMAND", "echo '다음 열쇠'")
    assert told("rekey", "--decrypt", "--json").record == {"location": "gieok.db", "encrypted": False}
    monkeypatch.delenv("GIEOK_KEY_COMMAND")
    assert known(told) == before


def test_a_new_key_is_needed_and_only_its_owner_may_read_it(told, key_file):
    assert "새 키를 주거나" in told("rekey").refused
    os.chmod(key_file, 0o644)
    refused = told("rekey", "--new-key-file", key_file).refused
    assert "new_key_file" in refused
    assert "chmod 600" in refused
    assert told("facts", *LETIA).code == 0


def test_an_encrypted_bank_has_encrypted_backups(told, key_file, monkeypatch):
    told("rekey", "--new-key-file", key_file)
    monkeypatch.setenv("GIEOK_KEY_FILE", key_file)
    made = told("backup", "backups", "--json").record
    assert made["encrypted"]
    with open(made["path"], "rb") as file:
        assert "부산".encode() not in file.read()
    assert told("restore", "backups", "--verify").code == 0
    monkeypatch.delenv("GIEOK_KEY_FILE")
    assert "암호화되어 있어요" in told("restore", "backups", "--verify").refused


def test_a_bank_of_another_embedder_asks_for_a_reindex_and_gets_it(told, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing:64")
    assert "gieok reindex" in told("recall", "고양이").refused
    done = told("reindex", "--json").record
    assert (done["from"], done["to"], done["dimension"]) == ("hashing-256", "hashing-64", 64)
    assert done["embedded"] >= 6
    assert told("recall", "고양이").code == 0
    assert told("doctor").code == 0
    assert told("reindex").out.startswith("0개를")


def test_reindexing_makes_no_bank(run, tmp_path):
    assert run("reindex").code == 1
    assert list(tmp_path.iterdir()) == []


class Failing(HashingEmbedder):
    """Gives up after some batches."""

    def __init__(self, batches):
        super().__init__(64)
        self.batches = batches

    def embed(self, texts, *, purpose):
        if not self.batches:
            raise KeyboardInterrupt
        self.batches -= 1
        return super().embed(texts, purpose=purpose)


def test_an_interrupted_reindex_goes_on_where_it_stopped(run, tmp_path):
    path = tmp_path / "gieok.db"
    with open_bank(path) as bank:
        mind = bank.scope(user="minsu", character="letia")
        for number in range(100):
            mind.remember(f"기억 {number}", attribute="note", value=str(number))

    def anew(embedder):
        store = open_store(path, embedder="hashing-64", dimension=64, create=False, for_reindex=True)
        heard = []
        try:
            return reindex(store, embedder, progress=lambda *counts: heard.append(counts)), heard
        finally:
            store.close()

    with pytest.raises(KeyboardInterrupt):
        anew(Failing(batches=1))
    with open_bank(path) as bank:  # the old vectors still answer
        assert bank.info().embedder == "hashing-256"

    done, heard = anew(HashingEmbedder(64))
    assert done == 36
    assert heard == [(0, 36), (36, 36)]
    with open_bank(path, embedder="hashing:64") as bank:
        (hit, *_) = bank.scope(user="minsu", character="letia").recall("기억 42")
        assert hit.text == "기억 42"
        assert np.isclose(hit.parts.relevance, 1.0, atol=1e-3)
