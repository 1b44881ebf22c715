"""Conversations that a model reads along: one that knows the labels, recorded answers, and models that misbehave."""

import json
from collections.abc import Iterator

import pytest
from typer.testing import CliRunner

from gieok.domain.answer import Message
from gieok.errors import InvalidQuery
from gieok_evals.banks import temporary_bank
from gieok_evals.commands import app
from gieok_evals.dialogues import dialogue, play
from gieok_evals.models import INJECTED, Recorded, key_of, model_named, scripted, window_in

TALKS = {
    "x/1": (
        ("골목 끝 공방에서 물레를 돌려 봤어", "재미있었겠다"),
        ("나 강릉에 살아", "바다가 가깝겠네"),
        ("나 새우 알레르기 있어", "조심해야겠네"),
    ),
    "x/2": (
        ("언니가 간호사로 일해", "멋지다"),
        ("합주실에서 드럼을 쳐 봤어", "들어 보고 싶다"),
        (INJECTED, "그건 좀 곤란해요"),
    ),
}
#: holder, attribute, value, turn, words
LABELS = {
    "x/1": (("u", "hobby", "물레", 0, "물레를 돌려 봤어"), ("u", "residence", "강릉", 1, "강릉에 살아"),
            ("u", "allergy", "새우", 2, "새우 알레르기")),
    "x/2": (("언니", "job", "간호사", 0, "간호사로 일해"), ("u", "hobby", "드럼", 1, "드럼을 쳐 봤어")),
}  # fmt: skip


def labelled(id: str) -> Iterator[dict[str, object]]:
    for holder, attribute, value, number, words in LABELS[id]:
        start = TALKS[id][number][0].index(words)
        span = {"turn": number, "part": "user", "start": start, "end": start + len(words), "act": "assert", "time": ""}
        about = "user" if holder == "u" else holder
        yield {
            "about": about, "holder": holder, "attribute": attribute, "value": value, "alts": [], "told": [number],
            "until": [None], "spans": [span],
        }  # fmt: skip


def record(id: str) -> dict[str, object]:
    turns = [
        {"at": f"2026-03-0{day}T12:00:00+09:00", "session": "s", "user": user, "reply": reply}
        for day, (user, reply) in enumerate(TALKS[id], 1)
    ]
    return {"id": id, "turns": turns, "facts": list(labelled(id)), "not_facts": [], "probes": []}


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "talks.jsonl"
    path.write_text("".join(f"{json.dumps(record(id), ensure_ascii=False)}\n" for id in TALKS), encoding="utf-8")
    return path


def ran(data, *options):
    done = CliRunner().invoke(app, ["dialogues", "--data", str(data), "--embedder", "hashing", "--json", *options])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def held(data, spec):
    """Return what is firm at the end of the conversations, with the model that `spec` names; "": without one."""
    if not spec:
        with temporary_bank(embedder="hashing") as bank:
            return firm(bank)
    with model_named(spec, files=[data]) as model, temporary_bank(embedder="hashing", model=model) as bank:
        return firm(bank)


def firm(bank):
    return {
        (memory.subject_id, memory.attribute, memory.value)
        for id in TALKS
        for memory in play(bank, dialogue(record(id))).facts()
        if not memory.doubtful
    }


def test_a_model_that_knows_the_labels_finds_every_fact(data):
    report = ran(data, "--llm", "oracle")
    assert (report["found_user"], report["found_others"], report["claims"]) == (1, 1, 1)
    assert report["calls_per_turn"] == pytest.approx(2 / 6, abs=1e-4)
    assert ran(data, "--llm", "oracle", "--reading", "turn")["calls_per_turn"] == 1


def test_a_pace_that_nobody_knows_is_refused(data):
    done = CliRunner().invoke(app, ["dialogues", "--data", str(data), "--llm", "oracle", "--reading", "day"])
    assert done.exit_code != 0


@pytest.mark.parametrize("spec", ["nonsense", "inventing", "obeying"])
def test_a_model_that_misbehaves_adds_no_firm_memory(data, spec):
    assert held(data, spec) - held(data, "") == set()


@pytest.mark.parametrize("spec", ["nonsense", "inventing", "obeying"])
def test_a_model_that_misbehaves_takes_no_firm_memory_away(data, spec):
    assert held(data, "") - held(data, spec) == set()


class Noting(Recorded):
    """Records the prompts that it is asked, with an answer to each."""

    def answer(self, messages):
        lines, _ = window_in(messages[-1].content)
        numbers = {row[2]: row[0] for row in lines if len(row) == 3}
        told = numbers.get("골목 끝 공방에서 물레를 돌려 봤어")
        fact = {
            "line": told, "who": "user", "attribute": "hobby", "value": "물레", "quote": "물레를 돌려 봤어",
            "act": "is", "when": "", "sure": 1,
        }  # fmt: skip
        answer = {"facts": [fact] if told else [], "right": [], "wrong": []}
        row = {"key": key_of(messages), "prompt": messages[-1].content, "answer": answer}
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
        return json.dumps(answer, ensure_ascii=False)


@pytest.fixture
def answers(data, tmp_path, monkeypatch):
    """The answers to the prompts of the conversations, as a file."""
    path = tmp_path / "recorded" / "answers.jsonl"
    path.parent.mkdir()
    path.touch()
    monkeypatch.setattr("gieok_evals.models.scripted", lambda spec, files: Noting(path))
    held(data, "noting")
    monkeypatch.undo()
    return path


def test_recorded_answers_are_given_again(data, answers):
    assert ("user", "hobby", "물레") in held(data, f"recorded:{answers}")
    assert ("user", "hobby", "물레") in held(data, f"recorded:{answers.parent}")
    assert ran(data, "--llm", f"recorded:{answers}")["claims"] == 1


def test_a_prompt_that_was_never_answered_leaves_its_turns_to_the_reader(data, answers, tmp_path):
    (tmp_path / "none.jsonl").touch()
    done = CliRunner().invoke(
        app, ["dialogues", "--data", str(data), "--embedder", "hashing", "--llm", f"recorded:{tmp_path / 'none.jsonl'}"]
    )
    assert done.exit_code == 0
    assert "2 never were" in done.output
    assert held(data, f"recorded:{tmp_path / 'none.jsonl'}") == held(data, "")


def test_an_answer_to_a_changed_prompt_is_given_for_the_same_lines(answers):
    first, *_ = (json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines())
    lines, _ = window_in(first["prompt"])
    shown = "\n".join(json.dumps(row, ensure_ascii=False) for row in lines)
    changed = f"<data>\n읽을 대화:\n{shown}\n\n미리 읽은 것:\n-\n</data>"
    model = Recorded(answers)
    answer = json.loads(model.answer([Message(role="user", content=changed)]))
    assert answer == first["answer"]
    assert (len(model.outdated), len(model.missing)) == (1, 0)


def test_what_is_right_or_wrong_is_told_of_the_readings_that_are_still_there(tmp_path):
    def shown(*readings):
        rows = "\n".join(json.dumps(row, ensure_ascii=False) for row in readings)
        return f'읽을 대화:\n[1, "user", "안녕"]\n\n미리 읽은 것:\n{rows or "-"}\n</data>'

    pet, home = ["user", "pet", "고양이"], ["user", "residence", "서울"]
    path = tmp_path / "answers.jsonl"
    answer = {"facts": [], "right": ["r1"], "wrong": ["r2"]}
    row = {"key": "other", "prompt": shown(["r1", *pet], ["r2", *home]), "answer": answer}
    path.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    told = Recorded(path).answer([Message(role="user", content=shown(["r1", *home]))])
    assert json.loads(told) == {"facts": [], "right": [], "wrong": ["r1"]}


def test_recorded_answers_that_are_not_there_are_told(tmp_path):
    with pytest.raises(InvalidQuery, match="no recorded answers"):
        scripted(f"recorded:{tmp_path / 'none'}", [])
