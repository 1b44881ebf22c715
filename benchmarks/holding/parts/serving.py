"""Part 6: serve."""

from __future__ import annotations

from typing import Any, Final

from holding.condition import Part, Reading, by_tests, holds


def _load(told: Any) -> Reading:
    times = ", ".join(
        f"{path} p50 {each['p50']:.0f} / p95 {each['p95']:.0f} ms" for path, each in told["times"].items()
    )
    words = (
        f"{told['requests']:,} requests, {told['requests'] / told['seconds']:.0f} a second, {told['errors']} failed; "
        f"{told['acknowledged']:,} turns acknowledged, {told['missing']} missing; {times}"
    )
    return Reading(words, not told["errors"] and not told["missing"] and not told["exit_code"])


def _blocked(told: Any) -> Reading:
    return Reading(f"{told['blocked_ms']:.0f} ms at the longest", told["blocked_ms"] <= 50)


def _killed(told: Any) -> Reading:
    there = told["acknowledged"] - told["missing"]
    return Reading(
        f"{there:,} of {told['acknowledged']:,}; {told['unsure']} were not answered for", not told["missing"]
    )


def _proxy(told: Any) -> Reading:
    added, parts = told["added"], told["parts"]
    words = f"{added['p50']:.1f} ms (p95 {added['p95']:.1f})"
    split = f"the context {parts['  mind.context']['p50']:.1f}, all the rest {parts['  all the rest']['p50']:.1f}"
    return Reading(f"{words}: {split}; {told['memories']:,} memories", added["p50"] <= 10 and not told["forgetful"])


SERVING: Final = Part(
    title="Part 6: serve",
    conditions=(
        by_tests("schemathesis over the whole document", "tests-schemathesis", "no 500, no schema violation"),
        by_tests("every route × role × own or foreign scope", "tests-authorization"),
        holds("200 scopes, 50 clients, 60 s", "no error, no lost turn", "serve", _load),
        holds("the event loop under that load", "never held up > 50 ms", "serve", _blocked),
        holds("a kill during load, and a restart", "every acknowledged turn", "serve-kill", _killed),
        by_tests("… as a test, at random moments", "tests-serve-kill"),
        holds("what the proxy adds to the first token, at the median", "≤ 10 ms", "proxy", _proxy),
        by_tests(
            "40 messages with edits, re-rolls and a cut history: the branch is the conversation", "tests-transcript"
        ),
    ),
)
