"""Part 5: with a model."""

from __future__ import annotations

from typing import Any, Final

from holding.condition import Part, Reading, by_tests, holds, share


def _both(told: Any) -> Reading:
    rows = {row["who"]: row for row in told["rows"]}
    rules, both = rows["rules"], rows["both"]
    words = "; ".join(
        f"{who} F1 {row['extraction']['f1'] or 0:.3f}, false {share(row['false_memories'])}"
        for who, row in rows.items()
    )
    better = (both["extraction"]["f1"] or 0) >= (rules["extraction"]["f1"] or 0)
    no_falser = (both["false_memories"]["rate"] or 0) <= (rules["false_memories"]["rate"] or 0)
    return Reading(f"{words}; {told['cases']} utterances", better and no_falser)


def _first_token(told: Any) -> Reading:
    added, context = told["added"], told["wall"]["  mind.context"]
    words = f"{added['p50']:.1f} ms at the median (p95 {added['p95']:.1f}), of which the context {context['p50']:.1f}"
    return Reading(f"{words}; {told['memories']:,} memories", added["p50"] <= 50)


WITH_A_MODEL: Final = Part(
    title="Part 5: with a model",
    conditions=(
        by_tests("an endpoint that misbehaves costs no turn and no memory, and leaks nothing", "tests-misbehaviour"),
        by_tests("a real model: answers by a schema, a stream, a summary", "tests-real-model"),
        holds("rules and a model together", "no worse than rules alone", "facts-with-model", _both),
        holds("what gieok adds before the first token", "≤ 50 ms", "first-token", _first_token),
    ),
)
