import json
import os
import time
from pathlib import Path

import numpy as np
import pytest

LETIA = ("-u", "minsu", "-c", "letia")


def checks(ran):
    return {check["name"]: check for check in json.loads(ran.out)["checks"]}


def test_all_is_well_before_there_is_a_bank(run, tmp_path):
    ran = run("doctor", "--json")
    assert ran.code == 0
    found = checks(ran)
    assert {
        "python",
        "driver",
        "settings",
        "encryption",
        "morphology",
        "embedder",
        "vector path",
        "keyword path",
    } <= set(found)
    assert found["bank"]["state"] == "note"
    assert {check["state"] for check in found.values()} == {"ok", "note"}
    assert list(tmp_path.iterdir()) == []


def test_the_bank_in_use_is_counted_and_checked(run):
    run("observe", "나 고양이 좋아해", *LETIA)
    ran = run("doctor", "--json")
    assert ran.code == 0
    assert "scopes 1, turns 1, memories 1" in checks(ran)["bank"]["detail"]
    assert checks(ran)["integrity"]["detail"] == "the file is in order"
    assert "✓ integrity     the file is in order" in run("doctor").out


def test_another_embedder_is_a_trouble_with_a_remedy(run, monkeypatch):
    run("observe", "나 고양이 좋아해", *LETIA)
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing:64")
    ran = run("doctor", "--json")
    assert ran.code == 1
    assert checks(ran)["vectors"] == {
        "name": "vectors",
        "state": "bad",
        "detail": "made by hashing-256, but hashing-64 is configured",
        "remedy": "run: gieok reindex",
    }


def test_settings_that_cannot_be_read_are_found(run, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDER", "hashing")
    ran = run("doctor")
    assert ran.code == 1
    assert "did you mean" in ran.out


def test_a_file_that_is_not_a_bank_is_found_and_the_rest_is_checked(run, tmp_path):
    (tmp_path / "gieok.db").write_text("장보기 목록", encoding="utf-8")
    ran = run("doctor", "--json")
    assert ran.code == 1
    assert checks(ran)["bank"]["state"] == "bad"
    assert checks(ran)["keyword path"]["state"] == "ok"


@pytest.mark.parametrize("name", ["gieok.toml", "other.toml"])
def test_the_settings_file_in_use_is_named(run, tmp_path, monkeypatch, name):
    (tmp_path / name).write_text('language = "en"\n', encoding="utf-8")
    if name != "gieok.toml":
        monkeypatch.setenv("GIEOK_CONFIG", name)
    assert name in checks(run("doctor", "--json"))["settings"]["detail"]


def test_a_folder_that_does_not_exist_is_a_trouble_with_a_remedy(run, tmp_path):
    ran = run("doctor", "--bank", "a/b/gieok.db", "--json")
    assert ran.code == 1
    bank = checks(ran)["bank"]
    assert bank["state"] == "bad"
    assert f"{tmp_path}/a/b does not exist" in bank["detail"]
    assert bank["remedy"] == f"make the folder: mkdir -p {tmp_path}/a/b"
    assert "✗ bank" in run("doctor", "--bank", "a/b/gieok.db").out
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_becomes_a_bank(run, tmp_path):
    (tmp_path / "gieok.db").touch()
    assert checks(run("doctor", "--json"))["bank"]["state"] == "note"
    assert run("observe", "나 고양이 좋아해", *LETIA).code == 0


def remedy(run, *arguments):
    ran = run("doctor", "--json", *arguments)
    assert ran.code == 1
    bank = checks(ran)["bank"]
    assert bank["state"] == "bad"
    return bank["remedy"]


def test_for_a_missing_wrong_or_needless_key_the_remedy_is_the_key(run, monkeypatch):
    monkeypatch.setenv("GIEOK_KEY", "열쇠")
    run("observe", "나 고양이 좋아해", *LETIA)
    monkeypatch.setenv("GIEOK_KEY", "다른 열쇠")
    assert remedy(run).startswith("set GIEOK_KEY to the key that it was made with")
    monkeypatch.delenv("GIEOK_KEY")
    assert "set GIEOK_KEY to its key" in remedy(run)
    run("observe", "나 고양이 좋아해", *LETIA, "--bank", "open.db")
    monkeypatch.setenv("GIEOK_KEY", "열쇠")
    assert remedy(run, "--bank", "open.db").startswith("leave GIEOK_KEY out")


def test_a_damaged_bank_is_restored_from_a_backup(run, tmp_path):
    run("observe", "나 고양이 좋아해", *LETIA)
    path = tmp_path / "gieok.db"
    damaged = bytearray(path.read_bytes())
    damaged[100:] = b"\xa5" * (len(damaged) - 100)
    path.write_bytes(damaged)
    assert remedy(run) == "restore the file from a backup"


def test_a_file_of_another_program_means_another_file(run, tmp_path):
    import apsw

    (tmp_path / "notes.txt").write_text("장보기 목록", encoding="utf-8")
    apsw.Connection(str(tmp_path / "other.db")).execute("CREATE TABLE shopping (what)")
    for name in ("notes.txt", "other.db", ".", "notes.txt/gieok.db"):
        assert remedy(run, "--bank", name) == "name another file by --bank or GIEOK_BANK"


def test_a_bank_that_may_only_be_read_is_a_matter_of_permissions(run, monkeypatch):
    from gieok.errors import BankUnavailable

    def refuse(*_: object, **__: object) -> None:
        raise BankUnavailable("gieok.db is read-only; make the file and its folder writable")

    run("observe", "나 고양이 좋아해", *LETIA)
    monkeypatch.setattr("gieok.stores.open_store", refuse)
    assert "permissions" in remedy(run)


def test_a_folder_that_may_not_be_written_to_is_a_matter_of_permissions(run, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    assert "permissions" in remedy(run)


@pytest.mark.parametrize("look", ["exists", "is_file"])
def test_a_path_that_may_not_be_looked_at_is_a_finding(run, monkeypatch, look):
    really = getattr(Path, look)

    def refuse(path: Path) -> bool:
        if path.name == "secret.db":
            raise PermissionError(13, "Permission denied", str(path))
        return really(path)

    Path("secret.db").touch()
    monkeypatch.setattr(Path, look, refuse)
    assert "permissions" in remedy(run, "--bank", "secret.db")
    assert checks(run("doctor", "--bank", "secret.db", "--json"))["keyword path"]["state"] == "ok"


def test_a_name_that_no_file_system_takes_is_one_line(run):
    assert "permissions" in remedy(run, "--bank", "가" * 300)
    ran = run("observe", "안녕", "--bank", "가" * 300)
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)


def test_a_source_that_is_left_out_is_named(run, monkeypatch):
    run("observe", "나 고양이 좋아해", *LETIA)
    assert checks(run("doctor", "--json"))["sources"]["detail"] == "all of them answer within 2 s"
    monkeypatch.setattr("gieok.embedders.hashing.HashingEmbedder.embed", hanging)
    monkeypatch.setenv("GIEOK_RECALL_PATIENCE", "0.3")
    ran = run("doctor", "--json")

    assert ran.code == 1
    for name in ("sources", "trial sources"):
        assert "dense search is off: embedder 'hashing-256' did not answer within 0.3 s" in checks(ran)[name]["detail"]


def hanging(self, texts, *, purpose):
    if purpose == "query":
        time.sleep(3)
    return np.ones((len(texts), self.dimension), dtype=np.float32)
