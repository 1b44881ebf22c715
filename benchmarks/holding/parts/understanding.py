"""Part 2: understanding what was said."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from holding.condition import Condition, Part, Reading, by_tests, holds, share


def _f1(told: Any) -> Reading:
    read = told["extraction"]
    words = f"F1 {read['f1']:.3f} (P {read['precision']:.3f}, R {read['recall']:.3f})"
    return Reading(f"{words}; {told['stored_per_utterance']:.2f} facts an utterance", read["f1"] >= 0.92)


def _false(told: Any) -> Reading:
    return Reading(share(told["false_memories"]), told["false_memories"]["rate"] <= 0.02)


def _score(name: str, meets: Callable[[float], bool]) -> Callable[[Any], Reading]:
    def read(told: Any) -> Reading:
        score = told["scores"][name]
        ends = score["interval"]
        words = share(score["share"]) + (f"; 95 %: {ends[0]:.1%} to {ends[1]:.1%}" if ends else "")
        return Reading(words, score["share"]["rate"] is not None and meets(score["share"]["rate"]))

    return read


def _planted(by: str, turns: str, contains: int) -> tuple[Condition, ...]:
    def held(what: str, goal: str, name: str, meets: Callable[[float], bool]) -> Condition:
        return holds(f"planted facts, test split, {turns}: {what}", goal, by, _score(name, meets))

    return (
        held("the context holds the current value", f"≥ {contains} %", "contains", lambda rate: rate >= contains / 100),
        held("a stale value given as current", "≤ 1 %", "stale_given", lambda rate: rate <= 0.01),
        held("others' facts given to the user", "≤ 0.5 %", "others_given", lambda rate: rate <= 0.005),
        held("leaks", "0", "leaks", lambda rate: rate == 0),
        held("abstention", "≥ 95 %", "abstention", lambda rate: rate >= 0.95),
    )


def _questions(told: Any) -> Reading:
    whole, half = told["questions"], told["every_second"]
    words = f"F1 {whole['f1']:.3f} (P {whole['precision']:.3f}, R {whole['recall']:.3f}) on {whole['lines']:,} lines"
    return Reading(f"{words}; every second line {half['f1']:.3f}", whole["f1"] >= 0.85)


def _rule_path(told: Any) -> Reading:
    everyday, full = told["everyday"], told["full_of_facts"]
    words = (
        f"everyday talk {everyday['p50']:.2f} ms (p95 {everyday['p95']:.2f}), "
        f"full of facts {full['p50']:.2f} ms (p95 {full['p95']:.2f})"
    )
    return Reading(words, max(everyday["p50"], full["p50"]) <= 3)


UNDERSTANDING: Final = Part(
    title="Part 2: understanding what was said",
    conditions=(
        holds("hand-written utterances: facts", "F1 ≥ 0.92", "facts", _f1),
        holds("hand-written utterances: false memories", "≤ 2 %", "facts", _false),
        *_planted("planted-101", "101 turns", 98),
        *_planted("planted-1000", "1,000 turns", 97),
        by_tests('the 25 items as "주제: 내용"', "tests-forms", "25 of 25"),
        by_tests("… each in five natural wordings", "tests-wordings", "all", expected_failures=False),
        holds("questions told from all else", "F1 ≥ 0.85", "rules", _questions),
        holds("the rule path, median CPU of a turn", "≤ 3 ms", "rules", _rule_path),
        by_tests(
            "no string of 100,000 makes extraction raise, no line of 8,000 characters takes it over 1 s",
            "tests-any-text",
        ),
    ),
)
