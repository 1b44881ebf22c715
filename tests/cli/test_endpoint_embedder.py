"""The command with an embedder behind an endpoint."""

import json

import pytest

from support.misbehaving import Misbehaving, embedding, status

LETIA = ("-u", "minsu", "-c", "letia")


@pytest.fixture
def server(monkeypatch):
    with Misbehaving() as server:
        monkeypatch.setenv("GIEOK_EMBEDDER_URL", server.url)
        monkeypatch.setenv("GIEOK_EMBEDDER_KEY", "sk-very-secret")
        yield server


def checks(ran):
    return {check["name"]: check for check in json.loads(ran.out)["checks"]}


def test_the_doctor_tells_of_an_endpoint_that_answers(run, server, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "ollama:in-order@8")
    run("observe", "나 고양이 좋아해", *LETIA)
    ran = run("doctor", "--json")
    assert checks(ran)["embedder"]["detail"].startswith("in-order-8, 8 dimensions, answers after")
    assert checks(ran)["vectors"]["detail"] == "all by in-order-8"
    assert "secret" not in ran.out + ran.err


def test_the_doctor_tells_what_waits_for_its_vectors_and_never_the_key(run, server, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "ollama:locked@8")
    server.always(status(401, "what is sk-very-secret?"), when=embedding)
    assert run("observe", "나 고양이 좋아해", *LETIA).code == 0
    ran = run("doctor", "--json")
    assert ran.code == 1
    assert checks(ran)["vectors"]["detail"] == "2 items wait for their vectors"
    assert "gieok reindex" in checks(ran)["vectors"]["remedy"]
    assert checks(ran)["embedder"]["state"] == "bad"
    assert "OLLAMA_API_KEY or embedder_key" in checks(ran)["embedder"]["detail"]
    assert checks(ran)["keyword path"]["state"] == "ok"
    assert "secret" not in ran.out + ran.err


def test_reindexing_fills_in_what_waits(run, server, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "ollama:away@8")
    server.will(*[status(400, "not now")] * 9, when=embedding)
    run("observe", "나 고양이 좋아해", *LETIA)
    server.forget()
    assert run("reindex").out.startswith("2 items embedded")
    assert checks(run("doctor", "--json"))["vectors"]["detail"] == "all by away-8"


def test_a_bank_opens_to_be_read_while_its_endpoint_is_away(run, server, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "ollama:elsewhere@8")
    run("observe", "나 고양이 좋아해", *LETIA)
    monkeypatch.setenv("GIEOK_EMBEDDER_URL", "http://127.0.0.1:9/v1")
    assert "고양이" in run("facts", *LETIA).out
    ran = run("recall", "고양이", *LETIA)
    assert (ran.code, "고양이" in ran.out) == (0, True)


def test_a_model_of_unknown_dimension_that_is_away_is_a_trouble_with_a_way_out(run, server, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "lmstudio:nowhere")
    server.always(status(404, "no such model"), when=embedding)
    ran = run("facts", *LETIA)
    assert ran.code != 0
    assert "lmstudio:nowhere@<dimension>" in " ".join(ran.err.split())
    assert "secret" not in ran.out + ran.err
