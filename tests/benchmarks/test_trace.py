"""`benchmarks/trace.py` counts files, functions and SQL statements of the calls that matter."""

import json
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "trace.py"


def test_it_counts_files_functions_and_statements_of_every_call():
    command = [sys.executable, SCRIPT, "--embedder", "hashing", "--json", "-"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    assert list(found) == ["observe", "recall", "context"]
    for passed in found.values():
        assert 0 < passed["files"] < passed["functions"] < passed["calls"]
        assert 0 < passed["statements"] <= passed["executions"]
    assert any(statement.startswith("INSERT INTO turns") for statement in found["observe"]["sql"])
    assert not any(statement.startswith("INSERT") for statement in found["recall"]["sql"])
