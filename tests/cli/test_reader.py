"""`gieok reader`: taught, used by the bank beside it, forgotten."""

import json

import gieok
from gieok.extract.learned import taught
from gieok.testing import ScriptedModel

LINES = "무기는 {태도|free.weapon}만 씀\n{대검|free.weapon} 들고 다님\n나 {조충곤|free.weapon} 잡은 지 3년\n밥 먹자\n"


def test_a_reader_is_taught_beside_its_bank_and_forgotten(run, tmp_path, monkeypatch):
    monkeypatch.setattr(taught, "_OLD", 1)
    (tmp_path / "lines.txt").write_text(LINES, encoding="utf-8")

    tried = json.loads(run("reader", "teach", "lines.txt", "--dry-run", "--json").out)
    assert (tried["lines"], tried["written"]) == (4, None)
    assert not (tmp_path / "gieok.db.reader.npz").exists()

    shown = run("reader", "teach", "lines.txt").out
    assert "gieok.db.reader.npz" in shown
    assert json.loads(run("explain", "나 슬래시액스 써", "--json").out)["reader"] == "reader/2 taught"

    assert "gieok.db.reader.npz" in run("reader", "forget").out
    assert json.loads(run("reader", "forget", "--json").out) == {"removed": None}
    assert json.loads(run("explain", "나 슬래시액스 써", "--json").out)["reader"] == "reader/2"


def test_what_cannot_be_learned_is_said(run, tmp_path):
    (tmp_path / "lines.txt").write_bytes("나 {부산|town} 살아".encode())
    (tmp_path / "old.txt").write_bytes("부산".encode("cp949"))

    assert "town" in run("reader", "teach", "lines.txt").refused
    assert "UTF-8" in run("reader", "teach", "old.txt").refused
    assert "reader_file" in run("reader", "forget", "--bank", "postgresql://localhost/memories").refused


def test_what_a_model_read_teaches_the_reader(run, tmp_path):
    fact = {
        "line": 1,
        "who": "user",
        "attribute": "hobby",
        "value": "물레",
        "quote": "물레를 돌려",
        "act": "is",
        "when": "",
        "sure": 1.0,
    }
    model = ScriptedModel({"extract": json.dumps({"facts": [fact], "right": [], "wrong": []})})
    with gieok.open(tmp_path / "gieok.db", model=model, behind_the_scenes="off") as bank:
        mind = bank.scope(user="minsu", character="letia")
        mind.observe("공방에서 물레를 돌려. 010-1234-5678로 전화 줘")
        mind.deepen()

    assert "lines.txt" in run("reader", "distil", "lines.txt").out
    [line] = (tmp_path / "lines.txt").read_text(encoding="utf-8").splitlines()
    assert "{물레|hobby}" in line
    assert "1234" not in line
    assert "--force" in run("reader", "distil", "lines.txt").refused
    assert json.loads(run("reader", "distil", "lines.txt", "--force", "--all", "--json").out)["marked"] == 1
