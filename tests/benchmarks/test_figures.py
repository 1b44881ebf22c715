import subprocess
import sys
from pathlib import Path

import pytest

import figures
from figures import peak_memory_mb, recall_at, reciprocal_rank, spread


def test_a_spread_lies_between_the_values_it_is_of():
    found = spread([4.0, 1.0, 3.0, 2.0, 5.0])

    assert (found.p50, found.count) == (3.0, 5)
    assert found.p95 == pytest.approx(4.8)
    assert spread([7.0]).p95 == 7.0


def test_nothing_has_no_spread():
    with pytest.raises(ValueError, match="nothing to spread"):
        spread([])


def test_recall_counts_each_wanted_turn_once_and_only_among_the_first():
    found = [["a"], ["a", "b"], [], ["c"]]

    assert recall_at(10, found, ["a", "b", "c", "d"]) == 0.75
    assert recall_at(2, found, ["a", "b", "c", "d"]) == 0.5
    assert recall_at(10, [], ["a"]) == 0.0


def test_the_reciprocal_rank_is_that_of_the_first_answer_that_is_wanted():
    assert reciprocal_rank([["x"], ["b", "a"], ["a"]], ["a"]) == 0.5
    assert reciprocal_rank([["x"]], ["a"]) == 0.0


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells")
def test_the_peak_memory_of_a_small_process_is_not_that_of_the_large_one_that_made_it():
    held = bytearray(200 * 1024 * 1024)
    program = "from figures import peak_memory_mb; print(peak_memory_mb())"
    place = Path(figures.__file__).parent

    done = subprocess.run([sys.executable, "-c", program], cwd=place, capture_output=True, text=True, check=True)

    assert peak_memory_mb() > len(held) / 1024 / 1024 > 2 * float(done.stdout)
