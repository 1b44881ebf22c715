"""Whole conversations: what is held at the end, of whom, and which questions it answers."""

import json

import pytest
from typer.testing import CliRunner

from gieok.errors import InvalidQuery
from gieok_evals.banks import temporary_bank
from gieok_evals.commands import app
from gieok_evals.dialogues import dialogue, evaluate, load

TURNS = [
    ("내 이름은 다온이야", "반가워"),
    ("나는 제주도에 살아", "좋겠다"),
    ("나 새우 알레르기 있어", "조심해야겠네"),
    ("우리 엄마는 간호사야", "그렇구나"),
    ("나 이제 서울에 살아", "이사했구나"),
]
RECORD = {
    "id": "x/1",
    "turns": [
        {"at": f"2026-03-0{day}T12:00:00+09:00", "session": f"s{day}", "user": user, "reply": reply}
        for day, (user, reply) in enumerate(TURNS, 1)
    ],
    "facts": [
        {"about": "user", "attribute": "name", "value": "다온", "alts": [], "told": [0], "until": [None]},
        {"about": "user", "attribute": "residence", "value": "제주도", "alts": ["제주"], "told": [1], "until": [4]},
        {"about": "user", "attribute": "residence", "value": "서울", "alts": [], "told": [4], "until": [None]},
        {"about": "엄마/mom", "attribute": "job", "value": "간호사", "alts": [], "told": [3], "until": [None]},
        {"about": "user", "attribute": "hobby", "value": "낚시", "alts": [], "told": [1], "until": [None]},
    ],
    "not_facts": [{"value": "새우", "why": "joke", "told": [2]}],
    "probes": [
        {"q": "나 어디 살지?", "gold": ["서울"], "stale": ["제주"], "kind": "update"},
        {"q": "내 차 뭐였지?", "gold": ["모닝"], "stale": [], "kind": "direct"},
        {"q": "내 혈액형은?", "gold": [], "stale": [], "kind": "abstain"},
    ],
}


@pytest.fixture(scope="module")
def report():
    with temporary_bank(embedder="hashing") as bank:
        return evaluate(bank, [dialogue(RECORD)], data="made up")


def test_facts_memories_and_questions_are_counted_against_the_labels(report):
    counts = {name: (each.share.hits, each.share.of) for name, each in report.scores.items()}

    assert counts["found_user"] == (2, 3)
    assert counts["found_others"] == (1, 1)
    assert counts["stale"] == (0, 1)
    assert counts["not_facts_kept"] == (1, 1)
    assert counts["unsupported"][0] == 1
    assert counts["unsupported_pinned"][0] == 1
    assert counts["probes_context"] == (1, 2)
    assert counts["wrongly_ended"] == (0, 4)


def test_every_failure_is_named_with_its_cause(report):
    assert report.by_cause == {"missing: not read": 1, "unsupported: joke": 1}
    assert any("missing (not read): user hobby=낚시" in failure for failure in report.failures)
    assert any("kept (joke): 새우" in failure for failure in report.failures)


def test_the_command_prints_the_rates_as_json_and_draws_a_chart(tmp_path):
    data, chart = tmp_path / "talks.jsonl", tmp_path / "chart.svg"
    data.write_text(json.dumps(RECORD, ensure_ascii=False), encoding="utf-8")
    arguments = ["dialogues", "--data", str(data), "--embedder", "hashing", "--chart", str(chart)]
    ran = CliRunner().invoke(app, [*arguments, "--json"])
    printed = json.loads(ran.stdout)

    assert printed["found_others"] == 1
    assert printed["found_user"] == pytest.approx(0.6667)
    assert {"unsupported", "not_facts_kept", "wrongly_ended", "stale", "probes_five"} <= printed.keys()
    assert "what is held" in chart.read_text(encoding="utf-8")
    assert "failures" not in printed


def test_another_memory_system_is_asked_through_its_adapter(tmp_path):
    data, adapter = tmp_path / "talks.jsonl", tmp_path / "notebook.py"
    data.write_text(json.dumps(RECORD, ensure_ascii=False), encoding="utf-8")
    adapter.write_text(
        "class Notebook:\n    def __init__(self):\n        self.lines = []\n"
        "    def observe(self, user, text, reply, at):\n        self.lines.append(text)\n"
        "    def ask(self, user, question):\n        return self.lines[::-1]\n",
        encoding="utf-8",
    )
    ran = CliRunner().invoke(app, ["dialogues", "--data", str(data), "--adapter", f"{adapter}:Notebook", "--json"])

    assert json.loads(ran.stdout)["probes_five"] == 0.5
    assert json.loads(ran.stdout)["found_user"] is None


def test_a_bad_line_is_named(tmp_path):
    data = tmp_path / "talks.jsonl"
    data.write_text('{"id": "x"}\n', encoding="utf-8")

    with pytest.raises(InvalidQuery, match="line 1 is not a conversation"):
        load([data])
