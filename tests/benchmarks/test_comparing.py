import json
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

import comparing
from comparing.contenders import CONTENDERS
from comparing.findings import stage_from
from comparing.locomo import conversations
from comparing.running import WorkerFailed
from comparing.tables import remark
from comparing.talking import Talker
from comparing.worker import K, Peer, _finding, _growing, talking
from comparing.workload import Vectors, Workload, texts_of
from gieok.embedders import HashingEmbedder

SAMPLE = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ann",
        "session_2_date_time": "10:00 am on 9 May, 2023",
        "session_2": [{"speaker": "Bob", "dia_id": "D2:1", "text": "Got a dog.", "blip_caption": "a dog"}],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [{"speaker": "Ann", "dia_id": "D1:1", "text": " Hi! "}],
    },
    "qa": [
        {"question": "What did Bob get? ", "answer": "a dog", "evidence": ["D2:01"], "category": 1},
        {"question": "Never said", "adversarial_answer": "", "evidence": ["D1:1"], "category": 5},
        {"question": "Nowhere", "answer": "", "evidence": ["D9:9"], "category": 2},
        {"question": "Nothing", "answer": "", "evidence": [], "category": 3},
    ],
}


@pytest.fixture
def work(tmp_path):
    data = tmp_path / "data.json"
    data.write_text(json.dumps([SAMPLE]), encoding="utf-8")
    talk = conversations(data)
    rows = np.eye(len(texts_of(talk)), 8, dtype=np.float32)
    return Workload(conversations=tuple(talk), vectors=rows)


class ByHeart(Peer):
    """Finds what it was told last."""

    def __init__(self) -> None:
        self.keys: list[str] = []

    def add(self, user, note):
        self.keys.append(note.key)

    def search(self, user, query, k):
        return [[key] for key in self.keys[::-1][:k]]

    def close(self):
        pass


def test_turns_are_read_in_order_with_date_and_speaker(work):
    first, second = work.conversations[0].notes

    assert first.text == "[1:56 pm on 8 May, 2023] Ann: Hi!"
    assert second.text == "[10:00 am on 9 May, 2023] Bob: Got a dog. [photo: a dog]"
    assert second.at == "2023-05-09T10:00:00+00:00"


def test_only_questions_that_a_turn_answers_are_asked(work):
    [asked] = work.conversations[0].questions

    assert (asked.text, asked.evidence) == ("What did Bob get?", ("D2:1",))


def test_finding_is_scored_by_the_turns_that_answer(work):
    found = _finding(ByHeart(), work, lambda record: None)

    assert (found["questions"], found["recall_at_10"], found["mrr"]) == (1, 1.0, 1.0)
    assert found["recall_by_category"] == {"1": 1.0}


def test_a_peer_grows_through_the_sizes(work, tmp_path):
    peer = ByHeart()
    stages = [stage_from(told) for told in _growing(peer, work, tmp_path, [5, 20], 60, lambda record: None)]

    assert [(stage.size, stage.added, stage.cut) for stage in stages] == [(5, 5, False), (20, 20, False)]
    assert len(set(peer.keys)) == 20
    assert stages[1].add_wall.count == 15
    assert remark(stages[1], 60) == ""


def test_a_peer_that_is_talked_to_remembers_and_answers_as_it_comes(work):
    said = []
    vectors = Vectors(work)
    lines = [
        {"user": "a", "key": "0", "text": "나 고양이 키워", "at": "2026-03-01", "vector": [1.0] * 8},
        {"user": "a", "text": "뭐 키워?", "vector": [0.5] * 8},
    ]

    talking(ByHeart(), vectors, map(json.dumps, lines), said.append)

    assert said == [{"keys": []}, {"keys": ["0"]}]
    assert vectors("뭐 키워?")[0] == 0.5


ECHO = """
import json, sys
keys = []
for line in sys.stdin:
    told = json.loads(line)
    if told["text"] == "끝":
        sys.exit("ValueError: enough")
    print(json.dumps({"keys": [] if "key" in told else keys[::-1]}), flush=True)
    keys += [told["key"]] if "key" in told else []
"""


def test_whoever_talks_to_a_peer_gets_the_lines_back_and_hears_of_its_end(tmp_path):
    errors = tmp_path / "stderr.txt"
    command = [sys.executable, "-c", ECHO]
    with errors.open("wb") as heard:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=heard, text=True)
    with process:
        talker = Talker(process, errors, HashingEmbedder())
        for text in ("나 고양이 키워 ", "어제 축구 봤어"):
            talker.observe("a", text, "네", datetime(2026, 3, 1, tzinfo=UTC))

        assert talker.ask("a", "뭐 했지?") == ["어제 축구 봤어", "나 고양이 키워 "]
        assert talker.ask("b", "뭐 했지?") == []
        with pytest.raises(WorkerFailed, match="enough"):
            talker.ask("a", "끝")


def test_a_peer_that_is_too_slow_is_cut_and_its_row_says_so(work, tmp_path):
    [stage] = map(stage_from, _growing(ByHeart(), work, tmp_path, [10**9, 10**10], 0.05, lambda record: None))

    assert stage.cut
    assert 0 < stage.added < 10**9
    assert remark(stage, 240) == f"> 240 s; measured at {stage.added:,} adds"


def test_every_peer_has_its_worker_and_exact_versions():
    place = Path(comparing.__file__).parent
    for each in CONTENDERS:
        assert (place / f"{each.worker}.py").exists()
        assert all("==" in pin for pin in (*each.environment.install, *each.environment.without_dependencies))
    assert K == 10
