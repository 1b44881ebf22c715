"""`gieok doctor`: what it finds, and what it advises."""

import json
import os
import socket
import time
import tomllib
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import apsw
import numpy as np
import pytest

from gieok.cli.doctor import EXTRAS, Check, calls_of_task, check_line, say
from gieok.domain.answer import CallSum, Failure, ModelCall
from gieok.stores.backups import Failure as BackupFailure
from gieok.stores.backups import Shelf
from support.misbehaving import Misbehaving, answer, embedding, limited, status
from support.screen import drawn

LETIA = ("-u", "minsu", "-c", "letia")
KEY = "sk-very-secret"


def checks(ran):
    return {check["name"]: check for check in json.loads(ran.out)["checks"]}


@pytest.fixture
def found(run):
    """Return the check of a name."""
    return lambda name, *arguments: checks(run("doctor", "--json", *arguments))[name]


@pytest.fixture
def remedy(run):
    """Return what is advised for the bank, with which something is wrong."""

    def remedy(*arguments):
        ran = run("doctor", "--json", *arguments)
        assert ran.code == 1
        assert checks(ran)["bank"]["state"] == "bad"
        return checks(ran)["bank"]["remedy"]

    return remedy


@pytest.fixture
def told(run):
    run("observe", "나 고양이 좋아해", *LETIA)
    return run


@pytest.mark.parametrize("language", ["ko", "en"])
def test_all_is_well_before_there_is_a_bank(run, tmp_path, monkeypatch, language):
    monkeypatch.setenv("GIEOK_LANGUAGE", language)
    ran = run("doctor", "--json")
    assert ran.code == 0
    names = {"python", "driver", "settings", "encryption", "morphology", "embedder", "vector path", "keyword path"}
    assert names <= set(checks(ran))
    assert checks(ran)["bank"]["state"] == "note"
    assert {check["state"] for check in checks(ran).values()} == {"ok", "note"}
    assert list(tmp_path.iterdir()) == []


def test_the_bank_in_use_is_counted_and_checked(told, found):
    assert told("doctor").code == 0
    assert "프로필 1개, 대화 1번, 기억 1개" in found("bank")["detail"]
    assert found("integrity")["detail"] == say("integrity.sound")
    assert "✓ 무결성" in told("doctor").out


def test_another_embedder_is_a_trouble_with_a_remedy(told, found, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing:64")
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    assert found("vectors") == {
        "name": "vectors",
        "state": "bad",
        "detail": "made by hashing-256, but hashing-64 is configured",
        "remedy": "run: gieok reindex",
    }


def test_settings_that_cannot_be_read_or_used_are_found(run, found, monkeypatch):
    monkeypatch.setenv("GIEOK_RELATIONSHIP_RULES", "nowhere.toml")
    assert "nowhere.toml" in found("trial bank")["detail"]
    assert found("trial bank")["remedy"] == say("remedies.setting")
    monkeypatch.setenv("GIEOK_EMBEDER", "hashing")
    ran = run("doctor")
    assert (ran.code, "혹시" in ran.out) == (1, True)


@pytest.mark.parametrize("name", ["gieok.toml", "other.toml"])
def test_the_settings_file_in_use_is_named(found, tmp_path, monkeypatch, name):
    (tmp_path / name).write_text('language = "en"\n', encoding="utf-8")
    if name != "gieok.toml":
        monkeypatch.setenv("GIEOK_CONFIG", name)
    assert name in found("settings")["detail"]


def test_a_folder_that_does_not_exist_is_a_trouble_with_a_remedy(run, remedy, tmp_path):
    assert f"mkdir -p {tmp_path}/a/b" in remedy("--bank", "a/b/gieok.db")
    assert "✗ 저장소" in run("doctor", "--bank", "a/b/gieok.db").out
    assert list(tmp_path.iterdir()) == []


def test_an_empty_file_becomes_a_bank(run, found, tmp_path):
    (tmp_path / "gieok.db").touch()
    assert found("bank")["state"] == "note"
    assert run("observe", "나 고양이 좋아해", *LETIA).code == 0


def test_for_a_missing_wrong_or_needless_key_the_remedy_is_the_key(run, remedy, monkeypatch):
    monkeypatch.setenv("GIEOK_KEY", "열쇠")
    run("observe", "나 고양이 좋아해", *LETIA)
    monkeypatch.setenv("GIEOK_KEY", "다른 열쇠")
    assert remedy() == say("remedies.key_wrong", name="GIEOK_KEY")
    monkeypatch.delenv("GIEOK_KEY")
    assert remedy() == say("remedies.key_missing", name="GIEOK_KEY")
    run("observe", "나 고양이 좋아해", *LETIA, "--bank", "open.db")
    monkeypatch.setenv("GIEOK_KEY", "열쇠")
    assert remedy("--bank", "open.db") == say("remedies.key_needless", name="GIEOK_KEY")


def test_a_damaged_bank_is_restored_from_a_backup(told, remedy, tmp_path):
    path = tmp_path / "gieok.db"
    damaged = bytearray(path.read_bytes())
    damaged[100:] = b"\xa5" * (len(damaged) - 100)
    path.write_bytes(damaged)
    assert remedy() == say("remedies.restore")


def test_a_file_of_another_program_means_another_file_and_the_rest_is_checked(remedy, found, tmp_path):
    (tmp_path / "notes.txt").write_text("장보기 목록", encoding="utf-8")
    apsw.Connection(str(tmp_path / "other.db")).execute("CREATE TABLE shopping (what)")
    for name in ("notes.txt", "other.db", ".", "notes.txt/gieok.db"):
        assert remedy("--bank", name) == say("remedies.another_file")
    assert found("keyword path", "--bank", "notes.txt")["state"] == "ok"


def test_what_may_not_be_read_or_written_is_a_matter_of_permissions(told, remedy, found, monkeypatch):
    from gieok.errors import BankUnavailable

    permissions = say("remedies.permissions")
    assert remedy("--bank", "가" * 300) == permissions
    assert told("observe", "안녕", "--bank", "가" * 300).refused
    with monkeypatch.context() as here:

        def refuse(*_: object, **__: object) -> None:
            raise BankUnavailable("gieok.db is read-only; make the file and its folder writable")

        here.setattr("gieok.stores.open_store", refuse)
        assert remedy() == permissions
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write anywhere
    assert remedy("--bank", "new.db") == permissions


@pytest.mark.parametrize("look", ["exists", "is_file"])
def test_a_path_that_may_not_be_looked_at_is_a_finding(run, remedy, found, monkeypatch, look):
    really = getattr(Path, look)

    def refuse(path: Path) -> bool:
        if path.name == "secret.db":
            raise PermissionError(13, "Permission denied", str(path))
        return really(path)

    Path("secret.db").touch()
    monkeypatch.setattr(Path, look, refuse)
    assert remedy("--bank", "secret.db") == say("remedies.permissions")
    assert found("keyword path", "--bank", "secret.db")["state"] == "ok"


def hanging(self, texts, *, purpose):
    if purpose == "query":
        time.sleep(3)
    return np.ones((len(texts), self.dimension), dtype=np.float32)


def test_a_source_that_is_left_out_is_named(told, found, monkeypatch):
    assert found("sources")["detail"] == say("sources.answer", seconds=2.0)
    monkeypatch.setattr("gieok.embedders.hashing.HashingEmbedder.embed", hanging)
    monkeypatch.setenv("GIEOK_RECALL_PATIENCE", "0.3")
    for name in ("sources", "trial sources"):
        assert "dense search is off: embedder 'hashing-256' did not answer within 0.3 s" in found(name)["detail"]


def test_backups_that_are_not_set_made_late_or_failed_are_told(told, found, monkeypatch, tmp_path):
    assert found("backups")["state"] == "note"
    folder = tmp_path / "여벌"
    monkeypatch.setenv("GIEOK_BACKUP_FOLDER", str(folder))
    assert found("backups")["detail"] == say("backups.none", folder=folder)
    told("backup")
    assert (found("backups")["state"], "에 1개" in found("backups")["detail"]) == ("ok", True)
    monkeypatch.setenv("GIEOK_BACKUP_HOURS", "0.000001")
    assert found("backups")["state"] == "bad"
    Shelf(folder).note_failure(BackupFailure(datetime.now(UTC), "the disk is full"))
    assert (found("backups")["state"], "the disk is full" in found("backups")["detail"]) == ("bad", True)


@pytest.fixture
def server():
    with Misbehaving() as server:
        yield server


@pytest.fixture
def embedder(server, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER_URL", server.url)
    monkeypatch.setenv("GIEOK_EMBEDDER_KEY", KEY)
    return lambda name: monkeypatch.setenv("GIEOK_EMBEDDER", name)


def test_an_endpoint_that_embeds_is_named(run, embedder, found):
    embedder("ollama:in-order@8")
    run("observe", "나 고양이 좋아해", *LETIA)
    assert found("embedder")["detail"].startswith("in-order-8, 8차원")
    assert found("vectors")["detail"] == say("vectors.all", embedder="in-order-8")


def test_what_waits_for_its_vectors_is_counted_and_the_key_never_shown(run, server, embedder):
    embedder("ollama:locked@8")
    server.always(status(401, f"what is {KEY}?"), when=embedding)
    assert run("observe", "나 고양이 좋아해", *LETIA).code == 0
    ran = run("doctor", "--json")
    assert ran.code == 1
    assert checks(ran)["vectors"]["detail"] == say("vectors.missing", n=2)
    assert "gieok reindex" in checks(ran)["vectors"]["remedy"]
    assert checks(ran)["embedder"]["state"] == "bad"
    assert "OLLAMA_API_KEY or embedder_key" in checks(ran)["embedder"]["detail"]
    assert checks(ran)["keyword path"]["state"] == "ok"
    assert KEY not in ran.out + ran.err


def test_reindexing_fills_in_what_waits_for_its_vectors(run, server, embedder, found):
    embedder("ollama:away@8")
    server.will(*[status(400, "not now")] * 9, when=embedding)
    run("observe", "나 고양이 좋아해", *LETIA)
    server.forget()
    assert run("reindex").out.startswith("2개를")
    assert found("vectors")["state"] == "ok"


def test_a_bank_opens_to_be_read_while_its_endpoint_is_away(run, embedder, monkeypatch):
    embedder("ollama:elsewhere@8")
    run("observe", "나 고양이 좋아해", *LETIA)
    monkeypatch.setenv("GIEOK_EMBEDDER_URL", "http://127.0.0.1:9/v1")
    assert "고양이" in run("facts", *LETIA).out
    assert "고양이" in run("recall", "고양이", *LETIA).out


def test_a_model_of_unknown_dimension_that_is_away_is_a_trouble_with_a_way_out(run, server, embedder):
    embedder("lmstudio:nowhere")
    server.always(status(404, "no such model"), when=embedding)
    refused = run("facts", *LETIA).refused
    assert "lmstudio:nowhere@<차원>" in refused
    assert KEY not in refused


def test_without_a_model_it_is_said_that_none_is_needed(found):
    assert found("model")["detail"] == say("model.none")


def test_the_configured_models_are_named_but_neither_asked_nor_their_key_shown(run, server, monkeypatch):
    monkeypatch.setenv("GIEOK_LLM", "openai:small")
    monkeypatch.setenv("GIEOK_LLM_DEEP", "openai:large")
    monkeypatch.setenv("GIEOK_LLM_URL", server.url.replace("http://", "http://minsu:pass@"))
    monkeypatch.setenv("GIEOK_LLM_KEY", KEY)
    for ran in (run("doctor", "--json"), run("doctor")):
        assert ran.code == 0
        for model in ("openai:small", "openai:large"):
            assert say("model.at", model=model, place=f"127.0.0.1:{server.port}") in ran.out
        assert KEY not in ran.out + ran.err
        assert "pass@" not in ran.out + ran.err
    assert server.asked == []


def test_a_model_that_means_nothing_is_a_trouble_with_a_remedy(found, monkeypatch):
    monkeypatch.setenv("GIEOK_LLM", "olama:small")
    assert "혹시 ollama" in found("model")["detail"]
    assert (found("model")["state"], found("model")["remedy"]) == ("bad", say("model.setting"))


def test_a_model_is_asked_where_it_is_wanted(run, server, monkeypatch):
    monkeypatch.setenv("GIEOK_LLM", "small")
    monkeypatch.setenv("GIEOK_LLM_URL", server.url)
    server.will(answer("안녕!"))
    ran = run("doctor", "--ask", "--json")
    assert ran.code == 0
    assert "“안녕!”" in checks(ran)["model asked"]["detail"]
    assert len(server.asked) == 1
    assert server.quiet()


@pytest.mark.parametrize(("act", "word"), [(status(401, "wrong key"), "키와 모델 이름"), (limited(), "(429)")])
def test_a_model_that_does_not_answer_comes_with_a_remedy(run, server, monkeypatch, act, word):
    monkeypatch.setenv("GIEOK_LLM", "small")
    monkeypatch.setenv("GIEOK_LLM_URL", server.url)
    monkeypatch.setenv("GIEOK_LLM_KEY", KEY)
    server.always(act)
    ran = run("doctor", "--ask", "--json")
    assert ran.code == 1
    assert word in checks(ran)["model asked"]["remedy"]
    assert KEY not in ran.out


@pytest.fixture
def note(told, tmp_path):
    """Count calls in the bank, as a conversation does."""
    from gieok.stores import open_store

    def note(*failures, task="extract", days_ago=0, count=1):
        at = datetime.now(UTC) - timedelta(days=days_ago)
        figures = {"seconds": 0.5, "prompt_tokens": 900, "answer_tokens": 100, "cost": 0.002}
        with closing(open_store(str(tmp_path / "gieok.db"), embedder="hashing-256", dimension=256)) as store:
            for failure in failures * count:
                store.note_call(ModelCall(task=task, model="small", at=at, failure=failure, **figures))

    return note


def test_calls_are_summed_up_by_task(run, note, monkeypatch):
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    note(None, count=9)
    note("timeout", "broken", "timeout")
    note(None, "cancelled", task="reply")
    note(None, task="reflect", days_ago=8)
    ran = run("doctor", "--json")
    assert ran.code == 0
    extract, reply = checks(ran)["extract"], checks(ran)["reply"]
    assert extract["state"] == "note"
    assert extract["detail"] == "12 calls in 7 days, 0.5 s each, 12,000 tokens, cost 0.0240, timeout 2, broken 1"
    assert "llm_seconds" in extract["remedy"]
    assert (reply["state"], "1 cancelled" in reply["detail"]) == ("ok", True)
    assert "reflect" not in checks(ran)


def test_a_task_of_which_most_calls_fail_is_a_trouble(found, note):
    note("rate_limited", "rate_limited", None)
    assert (found("extract")["state"], "(429)" in found("extract")["remedy"]) == ("bad", True)


@pytest.mark.parametrize("language", ["ko", "en"])
def test_checks_of_every_state_and_every_failure_of_a_model_on_the_screen(on_file, monkeypatch, language):
    monkeypatch.setenv("GIEOK_LANGUAGE", language)
    shown = [
        Check("python", "3.11.7"),
        Check("bank", "gieok.db", "note"),
        Check("vectors", "…", "bad", "gieok reindex"),
    ]
    figures = {"calls": 1_200, "seconds": 600.0, "prompt_tokens": 9_000, "answer_tokens": 500, "cost": 0.0}
    for failure in get_args(Failure):
        call = CallSum(day="2026-11-15", task="extract", model="small", failure=failure, **figures)
        shown.append(calls_of_task(call.task, [call]))
    on_file(f"doctor-{language}", "".join(drawn(check_line(check)) for check in shown))


def test_where_a_server_would_be_and_who_would_be_let_in(found, monkeypatch):
    assert f"127.0.0.1:8420, {say('server.this_machine')}" in found("server")["detail"]
    assert found("keys")["detail"] == say("keys.none_needed")
    monkeypatch.setenv("GIEOK_SERVE_HOST", "0.0.0.0")
    monkeypatch.setenv("GIEOK_BANK", "my bank.db")
    assert f"0.0.0.0:8420, {say('server.with_keys')}" in found("server")["detail"]
    assert found("keys")["remedy"] == "gieok keys create me --role admin --bank 'my bank.db'"


def test_keys_are_counted_as_long_as_they_are_valid(run, found):
    made = run("keys", "create", "봇", "--role", "reader", "--json").record
    run("keys", "create", "앱", "--role", "writer")
    assert found("keys")["detail"] == say("keys.valid", n=2)
    run("keys", "revoke", made["id"])
    assert found("keys")["detail"] == say("keys.valid", n=1)


def test_a_server_that_runs_is_noticed_and_a_setting_that_none_takes(found, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as server:
        monkeypatch.setenv("GIEOK_SERVE_PORT", str(server.getsockname()[1]))
        assert say("server.in_use") in found("server")["detail"]
    monkeypatch.setenv("GIEOK_SERVE_ORIGINS", "*")
    assert (found("server")["state"], "serve_origins" in found("server")["detail"]) == ("bad", True)


@pytest.mark.parametrize(("package", "extra"), [("fastapi", "serve"), ("mcp", "mcp"), ("langgraph", "langgraph")])
def test_an_extra_that_is_not_installed_is_named_with_the_way_to_it(found, without, package, extra):
    without(package)
    check = found("extras")
    assert check["state"] == "note"
    assert f'pip install "gieok[{extra}]"' in check["remedy"]


def test_the_doctor_knows_every_extra_of_the_package():
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) == set(project["optional-dependencies"]) - {"all", "dev"}
