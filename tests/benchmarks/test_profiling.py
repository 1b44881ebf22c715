import json
import sys

import pytest

from machine import Machine
from profiling.beside import Limits, findings_from, picture
from profiling.findings import Profiled
from profiling.page import page, pictures, reasons
from profiling.phases import EVENT_LOOP, NAMES, PHASES, REST, Profile, found, profiled
from rule_path import RULE_PATH

HERE = Machine(
    at="2026-01-01 09:00 UTC",
    commit="0123456789",
    python="3.11.7",
    system="Linux x86_64",
    processor="a processor",
    cores=2,
    memory_gb=24.0,
    load=0.25,
    packages={"gieok": "0.1.0"},
)


def profile(act="recall", memories=100, **phases):
    phases = phases or {"encoding": 3.0, "ranking": 1.0, REST: 0.5}
    return Profiled(act=act, memories=memories, count=50, cpu_ms=sum(phases.values()), phases=phases)


def test_every_function_of_a_phase_is_there():
    for dotted in (dotted for phase in (*PHASES, RULE_PATH) for dotted in phase.of):
        holder, name = found(dotted)
        assert callable(getattr(holder, name)), dotted


@pytest.mark.parametrize(
    "dotted", ["gieok.recall.nowhere:asked", "gieok.recall.question:no_such", "gieok.recall.rank:Ranker.gone"]
)
def test_a_function_that_was_renamed_is_named(dotted):
    with pytest.raises(LookupError, match=f"there is no {dotted} any more"):
        found(dotted)


class Clock:
    """A processor that works when it is told to."""

    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now

    def work(self, seconds):
        self.now += seconds


def test_a_phase_is_charged_with_its_own_time_and_not_with_that_of_another_it_calls():
    clock = Clock()
    counted = Profile(clock)
    inner = counted.wrapped("inner", lambda: clock.work(3))

    def outside():
        clock.work(1)
        inner()
        clock.work(1)

    counted.wrapped("outer", outside)()
    clock.work(5)

    assert counted.spent() == {"outer": 2, "inner": 3}
    counted.reset()
    assert counted.spent() == {}


def test_a_bank_that_is_profiled_answers_as_ever_and_its_phases_are_seen(tmp_path):
    import gieok

    with profiled() as counted, gieok.open(tmp_path / "bank.db", embedder="hashing") as bank:
        mind = bank.scope(user="민수", character="레티아")
        mind.observe("나는 고양이를 좋아해", reply="그렇군요.")
        assert "고양이" in mind.recall("뭘 좋아해?")[0].text
        assert "고양이" in mind.context("뭘 좋아해?").text
        seen = counted.spent()

    assert {name for name in NAMES if name not in seen} <= {"encoding", EVENT_LOOP, REST, "fetching"}


def test_every_phase_is_explained_and_no_explanation_is_left_over():
    assert set(reasons()) == set(NAMES)


def test_the_page_has_a_table_a_picture_and_the_reasons():
    profiles = [profile(memories=1_000, encoding=3.0, SQL=1.0), profile(encoding=3.0, **{"vector scan": 0.01})]
    why = dict.fromkeys(NAMES, "because.")
    told = page([*profiles, profile("serve", None, **{"event loop": 2.0})], HERE, why)

    assert "| Phase | 100 memories | 1,000 memories |" in told
    assert "| encoding | 3.00 (100%) | 3.00 (75%) |" in told
    assert "vector scan |" not in told, "less than a hundredth"
    assert "![Recalling](performance-recall.svg)" in told
    assert "- **encoding** (100% at 100, 75% at 1,000): because." in told
    assert "- **event loop** (100%): because." in told
    assert "2 cores (a processor), 24 GB, Linux x86_64, Python 3.11.7" in told
    assert "- load before it began: 0.2; gieok 0.1.0" in told
    assert told.index("## Recalling") < told.index("## Serving under load")


def test_every_picture_that_the_page_names_is_drawn():
    profiles = [profile(), profile("serve", None)]
    told = page(profiles, HERE, dict.fromkeys(NAMES, "because."))

    assert set(pictures(profiles)) == {"performance-recall.svg", "performance-serve.svg"}
    assert all(f"({name})" in told for name in pictures(profiles))


def test_others_are_part_of_the_page_where_they_were_measured(tmp_path):
    spread = {"p50": 2.0, "p95": 3.0, "count": 9}
    times = dict.fromkeys(("add_wall", "add_cpu", "search_wall", "search_cpu"), spread)
    stage = {"size": 1_000, "added": 1_000, "cut": False, "peak_mb": 90.0, "disk_mb": 4.0, **times}
    slow = {**stage, "search_wall": {**spread, "p50": 60.0}}
    finding = {"questions": 5, "recall_at_10": 0.7, "mrr": 0.5, "recall_by_category": {}}
    results = [
        {"name": "gieok", "how": "", "finding": finding, "stages": [stage], "trouble": None},
        {"name": "mem0", "how": "", "finding": None, "stages": [slow], "trouble": "not done"},
    ]
    told = {"embedder": "use", "conversations": 1, "turns": 9, "sizes": [1_000, 9_000], "limit_seconds": 60}
    (tmp_path / "peers.json").write_text(json.dumps({**told, "results": results}), encoding="utf-8")
    found = findings_from(tmp_path / "peers.json")

    limits = Limits.here(tmp_path)
    written = page([profile()], HERE, dict.fromkeys(NAMES, "because."), limits=limits, beside=found)

    assert "| gieok | 0.700 | 0.500 |" in written
    assert "| mem0 | 2.00 | 1.00 | 60.00 | 30 | 90 | 4.0 |  |" in written
    assert "| mem0 | – | | – | | – | – | failed |" in written
    assert f"one core reads {limits.read_gb:.1f} GB a second" in written
    assert limits.syncs > 1
    drawn = picture(found)
    assert "<svg" in drawn
    assert ">1,000<" in drawn, "the axes have plain numbers"


def test_the_machine_is_told_without_its_name_or_anybodys_folder():
    import platform

    told = "\n".join(Machine.here().lines())

    assert platform.node() not in told or not platform.node()
    assert sys.prefix not in told
    assert f"Python {platform.python_version()}" in told
