"""Part 1: the foundation."""

from __future__ import annotations

from typing import Any, Final

from holding.condition import Part, Reading, by_tests, holds


def _observing(told: Any) -> Reading:
    alone = next(each for each in told["writing"] if each["threads"] == 1)
    return Reading(f"{alone['cpu_ms']:.1f} ms; {alone['per_second']:.0f} a second", alone["cpu_ms"] <= 10)


def _recalling(told: Any) -> Reading:
    full = {each["memories"]: each for each in told["reading"] if each["scope"].startswith("full-")}
    at = full[1_000]
    words = "; ".join(
        f"{size:,}: {each['cpu_ms']:.1f} ms CPU, p50 {each['p50_ms']:.1f}, p95 {each['p95_ms']:.1f}"
        for size, each in full.items()
    )
    beside = told["asking"]
    before = f"before it encoding {beside['encode_ms']:.1f} and morphology {beside['morphology_ms']:.1f} ms"
    return Reading(f"{words}; {before}", at["cpu_ms"] <= 3)


def _memory(told: Any) -> Reading:
    most = told["peak_memory_mb"]
    return Reading(f"{most:,.0f} MB", most <= 900)


def _starting(told: Any) -> Reading:
    seconds = {name: value for name, value in told["seconds"].items() if name != "demo"}
    words = ", ".join(f"`gieok {name}` {value:.2f} s" for name, value in seconds.items())
    return Reading(words, max(seconds.values()) < 0.5)


def _demo(told: Any) -> Reading:
    return Reading(f"{told['seconds']['demo']:.1f} s, not on a terminal", told["seconds"]["demo"] < 60)


FOUNDATION: Final = Part(
    title="Part 1: the foundation",
    conditions=(
        by_tests(
            "the four example rows and their three queries; 고양이 then 강아지, as of then and in history; liking and "
            "hating are never the same",
            "tests-remembering",
        ),
        by_tests(
            "nothing crosses scopes, however they interleave and whatever the texts (3,000 rounds)", "tests-isolation"
        ),
        by_tests("bad input gets a clear error and changes nothing", "tests-bad-input"),
        by_tests(
            "`kill -9` in the middle of 1,000 observes, 20 times: every turn that returned is there", "tests-kill"
        ),
        by_tests("16 threads: no turn is lost; 320 changes of one value leave one current", "tests-threads"),
        holds("observe, CPU of a turn of two sentences", "≤ 10 ms (a guide)", "bench", _observing),
        holds("recall at 1,000 memories, vector given, CPU", "≤ 3 ms (a guide)", "bench", _recalling),
        holds("peak memory", "≤ 900 MB (a guide)", "bench", _memory),
        holds("commands that read no Korean start at once", "< 0.5 s", "starting", _starting),
        holds("the demo", "< 60 s", "starting", _demo),
    ),
)
