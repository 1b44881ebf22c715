"""A program that ends in the middle of a turn: it does end, and what was said is kept."""

import subprocess
import sys
import threading

import gieok
from gieok.conversation.replies import uninterrupted

LEAVES = """
import sys
import gieok
from gieok.conversation import Conversation
from gieok.testing import ScriptedModel

bank = gieok.open(sys.argv[1], embedder="hashing")
mind = bank.scope(user="minsu", character="letia")
events = Conversation(mind, ScriptedModel({"reply": "So do I"})).say("I like cats")  # in English: nothing to load
never_begun = Conversation(mind, ScriptedModel()).say("I like dogs")
next(events), next(events)
"""


def test_a_program_that_ends_in_the_middle_of_a_reply_keeps_what_was_said(tmp_path):
    path = tmp_path / "memories.db"
    subprocess.run([sys.executable, "-c", LEAVES, str(path)], check=True, timeout=120)
    with gieok.open(path, embedder="hashing") as bank:
        [turn] = bank.scope(user="minsu", character="letia").turns()
    assert [said.text for said in turn.utterances] == ["I like cats", "S"]
    assert turn.cut_off


def test_a_bank_that_was_closed_before_does_not_keep_the_program_from_ending(tmp_path):
    program = f"{LEAVES}bank.close()\n"
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "memories.db")],
        check=True,
        timeout=120,
        capture_output=True,
        text=True,
    )
    assert "could not be kept" in done.stderr


def test_where_no_thread_is_to_be_had_it_is_done_in_this_one(monkeypatch):
    def none_left(_: threading.Thread) -> None:
        raise RuntimeError("can't create new thread at interpreter shutdown")

    monkeypatch.setattr(threading.Thread, "start", none_left)
    assert uninterrupted(threading.get_ident) == threading.get_ident()
