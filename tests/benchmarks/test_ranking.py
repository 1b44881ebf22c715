"""The leaderboard: every board reads what its measurements tell, and says what was not measured."""

import json
import re
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from baselines import Letters
from holding.running import Result
from machine import Machine
from ranking.boards import BOARDS
from ranking.measurements import MEASUREMENTS, MEMORIES
from ranking.page import missing, page

ROOT = Path(__file__).parents[2]
HERE = replace(Machine.here(), commit="0123456789")
AT = datetime(2026, 3, 1, tzinfo=UTC)


def some(hits, of):
    return {"hits": hits, "of": of, "rate": hits / of if of else None}


TOLD = json.loads(Path(__file__).with_name("told.json").read_text(encoding="utf-8"))
SHARES = ("contains", "recall_at_5", "stale_given", "abstention", "false_memories", "leaks")
TOLD["planted-101"] = {"scores": {name: {"share": some(9, 10), "interval": None} for name in SHARES}}
TOLD |= {
    f"benchmark-{name}": {
        "scores": {
            key: {"share": some(number, 100), "interval": None}
            for key, number in {"found_at_1": 50, "found_at_5": 70, "found_at_10": 80, "fresh": 90, "leaks": 0}.items()
        },
        "by": {"direct": some(45, 50), "indirect": some(35, 50)},
        "observe_ms": 12.34,
        "ask_ms": 1.0,
    }
    for name in MEMORIES
}
TOLD["benchmark-peers"] = {"results": [{"name": "mem0", "report": TOLD["benchmark-gieok"]}]}
TOLD |= {name: {"cases": 10, "spans": {"precision": 0.99, "recall": 0.97, "f1": 0.98}} for name in ("pii", "pii-kr")}
RESULTS = {each.name: Result(name=each.name, commit="0123456789", told=TOLD[each.name]) for each in MEASUREMENTS}


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.title)
def test_a_board_reads_what_its_measurements_told(board):
    rows = board.rows(*(TOLD[name] for name in board.by))

    assert rows
    assert {len(row) for row in rows} == {len(board.headings)}
    assert any("gieok" in cell for row in rows for cell in row) or board.title in ("Retrieval", "Personal data")


def test_the_page_has_a_table_and_a_command_for_every_board():
    shown = page(BOARDS, MEASUREMENTS, RESULTS, HERE)

    assert re.findall(r"^## (.+)$", shown, re.MULTILINE) == [board.title for board in BOARDS]
    assert shown.count("```sh") == len(BOARDS)
    assert "NOT MEASURED" not in shown
    assert "| **gieok**, `recall` | 50.0% | 70.0% | 80.0% | 70.0% | 90.0% of 100 | 0 of 100 |" in shown
    assert "gieok eval run --adapter examples/adapter.py:Gieok --split test --scripts 20   # 0123456789" in shown


def test_the_page_in_the_docs_has_the_boards_that_there_are():
    kept = (ROOT / "docs" / "leaderboard.md").read_text(encoding="utf-8")

    assert re.findall(r"^## (.+)$", kept, re.MULTILINE) == [board.title for board in BOARDS]
    assert [each.shown for each in MEASUREMENTS if each.shown not in kept] == []


def test_what_was_not_measured_is_said_with_its_reason_and_the_rest_stands():
    results = {**RESULTS, "locomo": Result(name="locomo", commit="c", trouble="locomo_dev.json not in the data folder")}
    del results["pii"]
    shown = page(BOARDS, MEASUREMENTS, results, HERE)

    assert "**NOT MEASURED**: `locomo`: locomo_dev.json not in the data folder" in shown
    assert "**NOT MEASURED**: `pii`: it was not run" in shown
    assert "| **gieok**, lines of users |" in shown
    assert [name for board in BOARDS for name in missing(board, results)] == ["locomo", "pii"]


def test_the_command_writes_what_is_kept_and_ends_with_1_where_something_is_missing(tmp_path):
    for result in list(RESULTS.values())[:3]:
        result.keep(tmp_path)
    words = ["--as-it-is", "--quick", "--kept", str(tmp_path)]
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks/leaderboard.py"), *words], capture_output=True, text=True, check=False
    )

    assert done.returncode == 1
    assert "pii: NOT MEASURED: it was not run" in done.stderr
    assert (tmp_path / "leaderboard.md").read_text(encoding="utf-8").startswith("# Leaderboard")


def test_the_baseline_answers_each_user_with_the_lines_that_share_most_with_the_question():
    memory = Letters()
    for line in ("나 고양이 두 마리 키워", "어제 축구 봤어", "점심은 김밥 먹었어"):
        memory.observe("a", line, "네", AT)

    assert memory.ask("a", "고양이 몇 마리 키워?")[0] == "나 고양이 두 마리 키워"
    assert memory.ask("b", "고양이 몇 마리 키워?") == []
