import json

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
    assert "✓ integrity    the file is in order" in run("doctor").out


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
