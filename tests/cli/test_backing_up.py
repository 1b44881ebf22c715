import json
import os
from datetime import UTC, datetime, timedelta

import pytest

LETIA = ("-u", "민수", "-c", "레티아")


@pytest.fixture
def told(run):
    for number, text in enumerate(("나 부산에 살아", "나 고양이 좋아해", "나 서울로 이사했어")):
        assert run("observe", text, "--turn-id", f"t{number}", *LETIA).code == 0
    return run


def known(run, *bank):
    return json.loads(run("facts", "--json", *LETIA, *bank).out)


def test_a_bank_is_backed_up_checked_and_restored(told, tmp_path):
    made = told("backup", "backups")
    assert made.code == 0, made.err
    assert "all of 1 scopes, 3 turns" in made.out
    assert "not encrypted" in made.out

    checked = told("restore", "backups", "--verify")
    assert checked.code == 0, checked.err
    assert "whole (1 scopes, 3 turns" in checked.out
    assert sorted(each.name for each in tmp_path.iterdir()) == ["backups", "gieok.db"]

    done = told("restore", "backups", "again.db")
    assert done.code == 0, done.err
    assert "restored to again.db" in done.out
    assert known(told, "--bank", "again.db") == known(told)


def test_what_was_made_can_be_read_by_programs(told):
    made = json.loads(told("backup", "backups", "--json", "--keep", "5").out)
    assert (made["kind"], made["scopes"], made["fresh"], made["encrypted"], made["removed"]) == (
        "full", 1, 1, False, [],
    )  # fmt: skip
    done = json.loads(told("restore", made["path"], "--verify", "--json").out)
    assert (done["location"], done["backup"], done["rows"]) == (None, made["path"], made["rows"])


def test_a_scope_goes_back_to_a_turn(told):
    told("backup", "backups")
    done = told("restore", "backups", "again.db", "--at-turn", "t1", *LETIA)
    assert done.code == 0, done.err
    assert "1 later turns taken back" in done.out
    assert [fact["value"] for fact in known(told, "--bank", "again.db") if fact["attribute"] == "residence"] == ["부산"]


def test_a_moment_is_gone_back_to(told):
    moment = datetime.now(UTC) + timedelta(milliseconds=1)
    while datetime.now(UTC) <= moment:
        pass
    told("observe", "이제 대전에 살아", *LETIA)
    told("backup", "backups")
    done = told("restore", "backups", "again.db", "--until", moment.isoformat(), "--json")
    assert done.code == 0, done.err
    assert sum(json.loads(done.out)["taken_back"].values()) == 1


def test_what_is_there_is_not_overwritten_and_what_is_damaged_not_restored(told, tmp_path):
    made = json.loads(told("backup", "backups", "--json").out)
    refused = told("restore", "backups", "gieok.db")
    assert refused.code == 1
    assert "--force" in refused.err

    with open(made["path"], "r+b") as file:
        file.seek(5000)
        byte = file.read(1)
        file.seek(5000)
        file.write(bytes([byte[0] ^ 1]))
    for arguments in (("--verify",), ("again.db",)):
        damaged = told("restore", "backups", *arguments)
        assert damaged.code == 1
        assert "sha256" in damaged.err
        assert "nothing was restored" in damaged.err
    assert not (tmp_path / "again.db").exists()


def test_where_to_must_be_said(told):
    assert "gieok backup FOLDER" in told("backup").err
    told("backup", "backups")
    assert "--verify" in told("restore", "backups").err
    assert "no bank" in told("backup", "backups", "--bank", "none.db").err


def test_the_folder_of_the_settings_is_taken(told, monkeypatch, tmp_path):
    monkeypatch.setenv("GIEOK_BACKUP_FOLDER", str(tmp_path / "여벌"))
    assert told("backup").code == 0
    assert list((tmp_path / "여벌").glob("*-full.db"))


class TestRekey:
    """Another key, the first one, or none."""

    @pytest.fixture
    def key_file(self, tmp_path):
        path = tmp_path / "new.key"
        path.write_text("새 열쇠\n", encoding="utf-8")
        path.chmod(0o600)
        return str(path)

    def test_a_bank_is_encrypted_given_another_key_and_opened_up_again(self, told, key_file, monkeypatch, tmp_path):
        before = known(told)
        done = told("rekey", "--new-key-file", key_file)
        assert done.code == 0, done.err
        assert "encrypted with the new key" in done.out
        assert "새 열쇠" not in done.out + done.err
        assert "is encrypted; open it with its key" in told("facts", *LETIA).err

        monkeypatch.setenv("GIEOK_KEY_FILE", key_file)
        assert known(told) == before
        monkeypatch.setenv("GIEOK_NEW_KEY", "다음 열쇠")
        assert told("rekey").code == 0
        monkeypatch.delenv("GIEOK_NEW_KEY")
        assert "does not open" in told("facts", *LETIA).err

        monkeypatch.delenv("GIEOK_KEY_FILE")
        monkeypatch.setenv("GIEOK_KEY_COMMAND", "echo '다음 열쇠'")
        assert json.loads(told("rekey", "--decrypt", "--json").out) == {"location": "gieok.db", "encrypted": False}
        monkeypatch.delenv("GIEOK_KEY_COMMAND")
        assert known(told) == before

    def test_what_it_needs_is_told(self, told, key_file, tmp_path):
        assert "a new key" in told("rekey").err
        os.chmod(key_file, 0o644)
        refused = told("rekey", "--new-key-file", key_file).err
        assert "new_key_file" in refused
        assert "chmod 600" in refused
        assert told("facts", *LETIA).code == 0

    def test_an_encrypted_bank_has_encrypted_backups(self, told, key_file, monkeypatch):
        told("rekey", "--new-key-file", key_file)
        monkeypatch.setenv("GIEOK_KEY_FILE", key_file)
        made = json.loads(told("backup", "backups", "--json").out)
        assert made["encrypted"]
        with open(made["path"], "rb") as file:
            assert "부산".encode() not in file.read()
        assert told("restore", "backups", "--verify").code == 0
        monkeypatch.delenv("GIEOK_KEY_FILE")
        assert "is encrypted" in told("restore", "backups", "--verify").err


class TestDoctor:
    """It tells whether backups are made."""

    def looked(self, run):
        checks = json.loads(run("doctor", "--json").out)["checks"]
        (found,) = [check for check in checks if check["name"] == "backups"]
        return found

    def test_what_is_set_made_late_or_failed_is_told(self, told, monkeypatch, tmp_path):
        from gieok.stores.backups import Failure, Shelf

        assert self.looked(told)["state"] == "note"
        folder = tmp_path / "여벌"
        monkeypatch.setenv("GIEOK_BACKUP_FOLDER", str(folder))
        assert "none in" in self.looked(told)["detail"]
        told("backup")
        found = self.looked(told)
        assert (found["state"], "1 in" in found["detail"]) == ("ok", True)
        monkeypatch.setenv("GIEOK_BACKUP_HOURS", "0.000001")
        assert self.looked(told)["state"] == "bad"
        Shelf(folder).note_failure(Failure(datetime.now(UTC), "the disk is full"))
        found = self.looked(told)
        assert found["state"] == "bad"
        assert "the disk is full" in found["detail"]
