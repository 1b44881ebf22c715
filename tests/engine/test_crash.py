"""kill -9 in the middle of writing: every turn that returned is there whole, and no half turn."""

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import gieok

WRITER = """
import sys
import gieok

mind = gieok.open(sys.argv[1], embedder="hashing").scope(user="minsu", character="letia")
for number in range(1_000):
    mind.observe(f"I like cats ({number})", reply="So do I", turn_id=str(number))  # in English: nothing to load
    print(number, flush=True)
"""


def killed_while_observing(path: Path, after: float) -> list[str]:
    """Observe in another process, kill it `after` seconds into its work, and return the turns it saw return."""
    child = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    first = child.stdout.readline().strip()
    time.sleep(after)
    child.send_signal(signal.SIGKILL)
    rest = child.stdout.read().splitlines()
    child.wait()
    child.stdout.close()
    return [line for line in (first, *rest) if line.isdigit()]


def test_every_turn_that_returned_survives_a_kill(tmp_path, counts):
    dice = random.Random(11)
    for attempt in range(counts(2, 20)):
        path = tmp_path / f"{attempt}.db"
        returned = killed_while_observing(path, after=dice.uniform(0.0, 3.0))

        bank = gieok.open(path, embedder="hashing")
        mind = bank.scope(user="minsu", character="letia")
        turns = mind.turns(2_000)
        kept = [turn.id for turn in turns]
        assert kept[: len(returned)] == returned
        assert len(kept) <= len(returned) + 1, "at most the turn in flight may have made it without returning"
        assert all(len(turn.utterances) == 2 for turn in turns)
        assert [each.turn_id for each in mind.journal() if each.kind == "observe"] == kept
        [memory] = mind.facts(about="user", attribute="likes")
        assert memory.mentions == len(kept) - 1
        assert bank.store.problems() == []
        assert [deed.touched[0] for deed in bank.audit(mind) if deed.act == "observe"] == kept
        assert bank.verify_audit().findings == ()
        bank.close()
