"""`gieok reader`: taught, used by the bank beside it, forgotten."""

import json

from gieok.extract.learned import taught

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
