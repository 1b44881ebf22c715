"""What a model writes of a conversation: kept, looked up among the judgements, and counted."""

import json

import pytest
from typer.testing import CliRunner

from gieok.domain.answer import Message
from gieok_evals.commands import app
from gieok_evals.models import key_of

TURNS = [
    ("나 강릉에 살아", "바다가 가깝겠네"),
    ("언니가 간호사로 일해", "멋지다"),
    ("나 새우 알레르기 있어", "조심해야겠네"),
    ("내 취미는 도예야", "그릇도 만들어?"),
]
RECORD = {
    "id": "x/1",
    "turns": [
        {"at": f"2026-03-0{day}T12:00:00+09:00", "session": f"s{day}", "user": user, "reply": reply}
        for day, (user, reply) in enumerate(TURNS, 1)
    ],
    "facts": [],
    "not_facts": [],
    "probes": [],
}
NOTE = "도예 이야기를 이어 갈 것. 강릉을 떠났다는 점을 기억할 것."


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "talks.jsonl").write_text(json.dumps(RECORD, ensure_ascii=False), encoding="utf-8")
    (tmp_path / "recorded" / "writings").mkdir(parents=True)
    (tmp_path / "recorded" / "writings" / "answers.jsonl").touch()
    return tmp_path


def ran(folder):
    data, recorded = str(folder / "talks.jsonl"), str(folder / "recorded")
    options = ["--data", data, "--recorded", recorded, "--open", str(folder), "--embedder", "hashing", "--json"]
    done = CliRunner().invoke(app, ["writings", *options])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path, records):
    path.write_text("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records), encoding="utf-8")


def test_what_was_not_answered_and_not_judged_is_told_and_handed_out(folder):
    first = ran(folder)
    prompts = lines(folder / "prompts.jsonl")
    assert first["unanswered"] == len(prompts) > 0
    assert first["unread"] == 1
    assert first["written"] == {}
    directed = next(each for each in prompts if "연출가" in each["system"])
    messages = (Message(role="system", content=directed["system"]), Message(role="user", content=directed["prompt"]))
    assert directed["key"] == key_of(messages)

    answers = [{"key": directed["key"], "answer": {"note": NOTE, "deltas": []}}]
    write(folder / "recorded" / "writings" / "answers.jsonl", answers)
    second = ran(folder)
    assert second["written"] == {"note": 1}
    assert (second["unanswered"], second["unjudged"]) == (len(prompts) - 1, 2)

    judged = lines(folder / "sentences.jsonl")
    assert [each["kind"] for each in judged] == ["note", "note"]
    write(
        folder / "recorded" / "writings" / "judged.jsonl",
        ({**each, "why": "unsupported" if "떠났다" in each["sentence"] else ""} for each in judged),
    )
    third = ran(folder)
    assert third["unjudged"] == 0
    assert third["unsupported"] == {"note": {"hits": 1, "of": 2, "rate": 0.5}}
    assert third["stale"] == {"note": {"hits": 0, "of": 2, "rate": 0.0}}
    assert third["failures"] == ["x/1: unsupported (note): 강릉을 떠났다는 점을 기억할 것"]
