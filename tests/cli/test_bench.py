import json
from itertools import islice

import pytest

from gieok.cli import bench


def test_a_small_bench_reports_every_measure(run):
    report = json.loads(run("bench", "--memories", "20,30", "--turns", "2", "--json").out)
    assert set(report) == {"embedder", "asking", "writing", "reading", "peak_memory_mb", "bank_mb"}
    assert [(each["threads"], each["turns"]) for each in report["writing"]] == [(1, 2), (8, 16)]
    assert [each["memories"] for each in report["reading"]] == [20, 10, 30, 10]
    for each in report["reading"]:
        assert 0 < each["p50_ms"] <= each["p95_ms"]


def test_the_bench_leaves_no_bank_behind(run, tmp_path):
    assert "떠올리기" in run("bench", "--memories", "5", "--turns", "1").out
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("sizes", ["", "many", "0", "-1", "10,,20"])
def test_sizes_are_whole_numbers(run, sizes):
    assert run("bench", f"--memories={sizes}").code == 2


def test_made_up_sentences_never_repeat_and_are_the_same_every_time():
    some = list(islice(bench.memories(), 3_000))
    assert len({text for _, text in some}) == 3_000
    assert some == list(islice(bench.memories(), 3_000))
    assert not set(islice(bench.made_turns(1), 200)) & set(islice(bench.made_turns(8), 1_600))
