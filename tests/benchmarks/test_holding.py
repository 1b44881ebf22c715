import json
from dataclasses import replace
from pathlib import Path

import pytest

from holding.condition import Part, Reading, holds
from holding.measurement import Measurement, Places
from holding.measurements import MEASUREMENTS
from holding.page import page, rows
from holding.parts import PARTS
from holding.running import Result, measured
from machine import Machine

ROOT = Path(__file__).parents[2]
TOLD = json.loads(Path(__file__).with_name("told.json").read_text(encoding="utf-8"))  # a small answer of each
CONDITIONS = [condition for part in PARTS for condition in part.conditions]
POOR = {"f1": 0.5, "precision": 1.0, "recall": 0.33}
HERE = replace(Machine.here(), commit="0123456789")


@pytest.fixture
def places(tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    return Places(data=data, model=None, envs=tmp_path / "envs")


def told(*names):
    return {name: Result(name=name, commit="0123456789", seconds=60.0, load=0.2, told=TOLD[name]) for name in names}


def script(tmp_path, text, **fields):
    """A measurement that runs `text`; its last argument is the file to write to."""
    program = tmp_path / "program.py"
    program.write_text(f"import sys, json, time\nfile = sys.argv[-1]\n{text}\n", encoding="utf-8")
    return Measurement(name="some", words=(str(program),), **fields)


def test_every_condition_is_told_by_measurements_that_there_are():
    known = {each.name for each in MEASUREMENTS}

    assert {name for condition in CONDITIONS for name in condition.by} == known
    assert len(known) == len(MEASUREMENTS)


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda condition: condition.what)
def test_every_condition_reads_what_its_measurements_told(condition):
    part = Part(title="some", conditions=(condition,))

    (row,) = rows(part, told(*condition.by))

    assert row.verdict in ("yes", "no"), row.measured
    assert any(letter.isdigit() for letter in row.measured) or "none" in row.measured


@pytest.mark.parametrize(
    ("what", "name", "change", "measured"),
    [
        ("hand-written utterances: facts", "facts", {"extraction": POOR}, "F1 0.500"),
        ("the event loop under that load", "serve", {"blocked_ms": 51.0}, "51 ms"),
        ("a kill during load, and a restart", "serve-kill", {"missing": 1}, "not answered for"),
        ("a year of ten characters, one command", "year", {"seconds": 181.0}, "181 s"),
        ("peak memory", "bench", {"peak_memory_mb": 901.0}, "901 MB"),
        ("SmileStyle, the formal sentence by any other register", "smilestyle", {"recall@10": 0.969}, "0.969"),
    ],
)
def test_a_figure_below_its_goal_is_a_plain_no(what, name, change, measured):
    condition = next(each for each in CONDITIONS if each.what == what)
    result = Result(name=name, commit="0123456789", told=TOLD[name] | change)

    (row,) = rows(Part(title="some", conditions=(condition,)), {name: result})

    assert row.verdict == "no"
    assert measured in row.measured


def test_a_leak_among_thousands_is_a_plain_no():
    condition = next(each for each in CONDITIONS if each.what == "planted facts, test split, 101 turns: leaks")
    scores = TOLD["planted-101"]["scores"]
    leaky = {"share": {"hits": 1, "of": 5_000, "rate": 0.0002}, "interval": None}
    result = Result(name="planted-101", commit="c", told=TOLD["planted-101"] | {"scores": {**scores, "leaks": leaky}})

    (row,) = rows(Part(title="some", conditions=(condition,)), {"planted-101": result})

    assert (row.verdict, row.measured) == ("no", "0.0% (1 of 5,000)")


def test_a_part_that_is_surely_better_left_out_is_found_by_its_interval():
    condition = next(each for each in CONDITIONS if each.what.startswith("no default part"))

    def verdict(low):
        off = {"off": "recency = 0", "recall@10": 0.007, "mrr": 0.0, "intervals": {"recall@10": [low, 0.02]}}
        result = Result(name="locomo", commit="c", told=TOLD["locomo"] | {"ablation": [off]})
        return rows(Part(title="some", conditions=(condition,)), {"locomo": result})[0].verdict

    assert (verdict(0.001), verdict(-0.001)) == ("no", "yes")


def test_the_page_says_what_holds_what_does_not_and_what_was_not_measured():
    parts = [
        Part(
            title="Part 9: all kinds",
            conditions=(
                holds("this", "≤ 1", "good", lambda told: Reading(f"{told['figure']} | so", True)),
                holds("that", "≥ 2", "good", lambda told: Reading("1", False)),
                holds("a third", "0", "broken", lambda told: Reading("", True)),
                holds("a fourth", "0", "never", lambda told: Reading("", True)),
                holds("a fifth", "0", "good", lambda told: Reading(told["no such"], True)),
            ),
        )
    ]
    results = {
        "good": Result(name="good", commit="0123456789", seconds=90, told={"figure": 0.5}),
        "broken": Result(name="broken", commit="another", trouble="it ended with 2: no such file"),
    }
    good = Measurement(
        name="good", words=("gieok", "eval", "facts", "--data", "{data}/f.jsonl", "--json"), told="stdout"
    )

    written = page(parts, [good], results, HERE)

    assert "**1 of 5 hold; 1 do not; 3 were not measured.**" in written
    assert "these are not the figures" not in written
    assert "these are not the figures" in page(parts, [good], results, HERE, quick=True)
    assert "| this | ≤ 1 | 0.5 \\| so | yes | `good` |" in written
    assert "| that | ≥ 2 | 1 | **no** | `good` |" in written
    assert "| a third | 0 | it ended with 2: no such file | **NOT MEASURED** | `broken` |" in written
    assert "| a fourth | 0 | never was not run | **NOT MEASURED** | `never` |" in written
    assert "the figures cannot be read: KeyError 'no such'" in written
    assert "**Measured at another commit than the page's:** broken (another)." in written
    assert "| `good` | `gieok eval facts --data DATA/f.jsonl` | 90 s | 0.0 |" in written


def test_every_file_that_a_measurement_runs_is_there():
    words = {word for each in MEASUREMENTS for word in each.words}
    files = sorted(word for word in words if word.startswith(("benchmarks/", "tests/", "tools/")))

    assert files
    assert [file for file in files if not (ROOT / file).exists()] == []


def test_missing_data_and_a_missing_model_are_said_with_the_way_out(places, tmp_path):
    needing = Measurement(name="some", words=("x",), needs=("a.tsv", "b.tsv"), needs_model=True)

    assert "a.tsv, b.tsv not in the data folder; name it: make figures DATA=" in needing.lacking(places)
    (places.data / "a.tsv").touch()
    (places.data / "b.tsv").touch()
    assert "MODEL=" in needing.lacking(places)
    assert needing.lacking(replace(places, model=tmp_path / "gone.gguf")) == "there is no such model file"
    (tmp_path / "there.gguf").touch()
    assert needing.lacking(replace(places, model=tmp_path / "there.gguf")) is None
    result = measured(needing, places, tmp_path / "kept", quick=False)
    assert result.told is None
    assert "MODEL=" in result.trouble


def test_what_a_command_writes_or_prints_is_kept_and_read_again(places, tmp_path):
    writing = script(tmp_path, "open(file, 'w').write(json.dumps({'figure': 1}))")
    result = measured(writing, places, tmp_path / "kept", quick=False)
    result.keep(tmp_path / "kept")

    assert (result.told, result.trouble) == ({"figure": 1}, None)
    assert Result.kept(tmp_path / "kept", "some") == result
    assert Result.kept(tmp_path / "kept", "other") is None
    printing = script(tmp_path, "print(json.dumps([2])); sys.exit(1)", told="stdout")
    assert measured(printing, places, tmp_path / "kept", quick=False).told == [2], "1: something does not hold"


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("sys.exit('no such model')", "it ended with 1 and gave no figures: no such model"),
        ("print('so it is', file=sys.stderr); sys.exit(2)", "it ended with 2: so it is"),
        ("open(file, 'w').write('{')", "it ended with 0 and gave no figures: it gave no reason"),
    ],
)
def test_a_command_that_fails_is_told_with_its_last_words(places, tmp_path, text, trouble):
    result = measured(script(tmp_path, text), places, tmp_path / "kept", quick=False)

    assert (result.told, result.trouble) == (None, trouble)


def test_a_command_that_does_not_end_is_ended_with_all_that_it_started(places, tmp_path):
    hanging = script(tmp_path, "time.sleep(600)", limit_minutes=0.01)

    assert measured(hanging, places, tmp_path / "kept", quick=False).trouble == "it was not done after 0.01 minutes"
