"""Several gieok processes on one server: no lost update, no doubled pass of upkeep, no turn that waits for ever."""

import json
import subprocess
import sys
from collections import Counter

import pytest

import gieok
from support.postgres import running

WORKER = """
import json, random, sys
from datetime import UTC, datetime, timedelta
import gieok

address, name, rounds, scopes = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
dice = random.Random(name)
kept = []
with gieok.open(address, embedder="hashing", upkeep="off") as bank:
    for number in range(rounds):
        scope = f"u{dice.randrange(scopes)}"
        mind = bank.scope(user=scope, character="레티아")
        act = dice.random()
        if act < 0.6:
            turn = f"{name}-{number}"
            mind.observe(f"I take bus {number} these days", reply="I see", turn_id=turn)  # in English: nothing to load
            kept.append((scope, turn))
        elif act < 0.9:
            mind.recall("the bus")
        else:
            mind.maintain(["merge", "prune"])
print(json.dumps(kept))
"""


@pytest.fixture
def address():
    with running() as server:
        name = server.database()
        yield server.address(name)


def test_four_processes_lose_nothing_and_double_nothing(address, tmp_path, counts):
    gieok.open(address, embedder="hashing").close()
    script = tmp_path / "worker.py"
    script.write_text(WORKER, encoding="utf-8")
    rounds, scopes = counts(40, 400), counts(8, 64)
    workers = [
        subprocess.Popen(
            [sys.executable, str(script), address, f"p{number}", str(rounds), str(scopes)], stdout=subprocess.PIPE
        )
        for number in range(4)
    ]
    kept = []
    for worker in workers:
        told, _ = worker.communicate(timeout=600)
        assert worker.returncode == 0
        kept += [tuple(each) for each in json.loads(told)]

    with gieok.open(address, embedder="hashing") as bank:
        for scope in {scope for scope, _ in kept}:
            mind = bank.scope(user=scope, character="레티아")
            turns = mind.turns(100_000)
            assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))
            assert sorted(turn.id for turn in turns) == sorted(turn for user, turn in kept if user == scope)
            operations = mind.journal()
            assert [operation.number for operation in operations] == list(range(1, len(operations) + 1))
            passes = Counter((operation.kind, operation.moment.turn_number) for operation in operations)
            assert all(count == 1 for (kind, _), count in passes.items() if kind == "upkeep"), passes
        assert bank.store.problems() == []
        assert bank.verify_audit().findings == ()


def test_what_another_handle_wrote_is_seen_at_the_next_question(server_bank):
    here, there = server_bank
    mind, same = (bank.scope(user="민수", character="레티아") for bank in (here, there))
    mind.observe("나 부산에 살아")
    assert [fact.value for fact in same.facts(attribute="residence")] == ["부산"]
    assert same.recall("어디 살아?")

    mind.observe("나 서울로 이사했어")

    assert [fact.value for fact in same.facts(attribute="residence")] == ["서울"]
    assert any("서울" in str(hit.item) for hit in same.recall("어디 살아?"))


@pytest.fixture
def server_bank():
    with running() as server:
        address = server.address(server.database())
        with gieok.open(address, embedder="hashing") as one, gieok.open(address, embedder="hashing") as other:
            yield one, other


def test_two_servers_that_start_at_once_make_the_tables_once(tmp_path):
    with running() as server:
        address = server.address(server.database())
        script = tmp_path / "open.py"
        script.write_text(f"import gieok\ngieok.open({address!r}, embedder='hashing').close()\n", encoding="utf-8")
        openers = [subprocess.Popen([sys.executable, str(script)]) for _ in range(4)]
        assert [each.wait(120) for each in openers] == [0, 0, 0, 0]
        with gieok.open(address, embedder="hashing") as bank:
            assert bank.info().counts["scopes"] == 0
