"""What strangers wrote is read as it stands, and a hint counts as answered only when its answer is there."""

import json

import typer
from typer.testing import CliRunner

import strangers


def written(path, *records):
    path.write_text("\n".join(json.dumps(each, ensure_ascii=False) for each in records), encoding="utf-8")


def test_a_folder_of_strangers_is_scored(tmp_path, monkeypatch):
    monkeypatch.setenv("GIEOK_EMBEDDER", "hashing")
    allergy = {"subject": "user", "attribute": "allergy", "value": "복숭아"}
    written(
        tmp_path / "utterances.jsonl",
        {"id": "1", "utterance": "나 복숭아 알레르기 있어", "expected": [allergy]},
        {"id": "2", "utterance": "너 혹시 INFJ야?", "expected": [{**allergy, "attribute": "mbti", "value": "INFJ"}]},
    )
    told = ["우리 집 강아지 이름은 수요일이야", "나 다음 주에 이사해"]
    written(tmp_path / "personas.jsonl", {"persona": "p", "told": told, "noise": ["배고프다"]})
    written(
        tmp_path / "probes.jsonl",
        {"persona": "p", "probe": "산책 몇 시에 갈까", "told": 0, "gold": "수요일"},
        {"persona": "p", "probe": "짐 싸는 거 도와줄래?", "told": 1, "gold": "이사"},
    )
    app = typer.Typer()
    app.command()(strangers.main)
    ran = CliRunner().invoke(app, [str(tmp_path), "--json", str(tmp_path / "read.json")])
    assert ran.exit_code == 0, ran.output
    read = json.loads((tmp_path / "read.json").read_text(encoding="utf-8"))
    assert (read["utterances"], read["precision"], read["recall"]) == (2, 1.0, 0.5)
    assert (read["probes"], read["in_context"]) == (2, 2)


def test_a_hint_is_not_answered_by_something_else():
    answer = strangers.Answer(items=frozenset({"u1"}), text="배고프다", memory_text="")
    assert not strangers._holds(answer, {"u2"}, ["수요일"])
    assert strangers._holds(answer, {"u1"}, [])
