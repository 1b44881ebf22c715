import json
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import get_args

import pytest
from rich.console import Console

from gieok.cli.doctor import model_remedy, of_task
from gieok.cli.look.admin import check_line
from gieok.domain.answer import CallSum, Failure, ModelCall
from support.misbehaving import Misbehaving, answer, limited, status

LETIA = ("-u", "minsu", "-c", "letia")
KEY = "sk-very-secret"


def checks(ran):
    return {check["name"]: check for check in json.loads(ran.out)["checks"]}


@pytest.fixture
def server():
    with Misbehaving() as server:
        yield server


@pytest.fixture
def note(run, tmp_path):
    """Count calls in the bank, as a conversation does."""
    from gieok.stores import open_store

    run("observe", "나 고양이 좋아해", *LETIA)

    def note(*failures, task="extract", days_ago=0, count=1):
        at = datetime.now(UTC) - timedelta(days=days_ago)
        with closing(open_store(str(tmp_path / "gieok.db"), embedder="hashing-256", dimension=256)) as store:
            for failure in failures * count:
                store.note_call(
                    ModelCall(
                        task=task, model="small", at=at, seconds=0.5, prompt_tokens=900, answer_tokens=100,
                        cost=0.002, failure=failure,
                    )
                )  # fmt: skip

    return note


def test_without_a_model_it_is_said_that_none_is_needed(run):
    ran = run("doctor", "--json")
    assert ran.code == 0
    assert checks(ran)["model"]["detail"] == "none is configured, and none is needed: rules do the work"


def test_the_configured_models_are_named_but_neither_asked_nor_their_key_shown(run, server, monkeypatch):
    monkeypatch.setenv("GIEOK_LLM", "openai:small")
    monkeypatch.setenv("GIEOK_LLM_DEEP", "openai:large")
    monkeypatch.setenv("GIEOK_LLM_URL", server.url.replace("http://", "http://minsu:pass@"))
    monkeypatch.setenv("GIEOK_LLM_KEY", KEY)
    for ran in (run("doctor", "--json"), run("doctor")):
        assert ran.code == 0
        assert f"openai:small at 127.0.0.1:{server.port}" in ran.out
        assert f"openai:large at 127.0.0.1:{server.port}" in ran.out
        assert KEY not in ran.out + ran.err
        assert "pass@" not in ran.out + ran.err
    assert server.asked == []


def test_a_model_that_means_nothing_is_a_trouble_with_a_remedy(run, monkeypatch):
    monkeypatch.setenv("GIEOK_LLM", "olama:small")
    ran = run("doctor", "--json")
    assert ran.code == 1
    assert "did you mean ollama" in checks(ran)["model"]["detail"]
    assert checks(ran)["model"]["remedy"]


def test_it_asks_where_it_is_told_to(run, server, monkeypatch):
    monkeypatch.setenv("GIEOK_LLM", "small")
    monkeypatch.setenv("GIEOK_LLM_URL", server.url)
    server.will(answer("안녕!"))
    ran = run("doctor", "--ask", "--json")
    assert ran.code == 0
    assert checks(ran)["model asked"]["detail"].startswith("“안녕!” in ")
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


def test_calls_are_summed_up_by_task(run, note):
    note(None, count=9)
    note("timeout", "broken", "timeout")
    note(None, "cancelled", task="reply")
    note(None, task="reflect", days_ago=8)
    ran = run("doctor", "--json")
    assert ran.code == 0
    found = checks(ran)
    assert found["extract"]["state"] == "note"
    assert found["extract"]["detail"] == (
        "12 calls in 7 days, 0.5 s each, 12,000 tokens, 0.0240 in all, timeout 2, broken 1"
    )
    assert "llm_seconds" in found["extract"]["remedy"]
    assert found["reply"]["state"] == "ok"
    assert "1 cancelled" in found["reply"]["detail"]
    assert "reflect" not in found


def test_a_task_of_which_most_calls_fail_is_a_trouble(run, note, monkeypatch):
    note("rate_limited", "rate_limited", None)
    assert checks(run("doctor", "--json"))["extract"]["remedy"].startswith("요청 한도 초과(429)가 이어져요: ")
    monkeypatch.setenv("GIEOK_LANGUAGE", "en")
    ran = run("doctor", "--json")
    assert ran.code == 1
    assert checks(ran)["extract"]["remedy"].startswith("it goes on saying 429: ")


@pytest.mark.parametrize("language", ["ko", "en"])
def test_every_failure_has_a_remedy(on_file, language):
    console = Console(width=100, force_terminal=False)
    with console.capture() as captured:
        for failure in get_args(Failure):
            call = CallSum(
                day="2026-11-15", task="extract", model="small", failure=failure, calls=1_200, seconds=600.0,
                prompt_tokens=9_000, answer_tokens=500, cost=0.0,
            )  # fmt: skip
            console.print(check_line(of_task(call.task, [call], language)))
            assert bool(model_remedy(failure, language)) == (failure != "cancelled")
    on_file(f"doctor-models-{language}", captured.get())
