"""Part 4: a memory that lives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from holding.condition import Part, Reading, all_of, by_tests, holds


def _condition(name: str) -> Callable[[Any], Reading]:
    def read(told: Any) -> Reading:
        found = next(each for each in told["conditions"] if each["name"] == name)
        held = all_of(found["share"])
        return Reading(f"{held.measured}; {found['note']}" if found["note"] else held.measured, held.met)

    return read


def _year_taken(told: Any) -> Reading:
    size = f"{told['characters']} × {told['turns']:,} turns"
    return Reading(f"{told['seconds']:.0f} s for {size}", told["seconds"] < 180)


def _emotion(told: Any) -> Reading:
    users, characters = (told["speakers"][who]["macro_f1"] for who in ("user", "character"))
    return Reading(f"{users:.3f} and {characters:.3f}, {told['cases']:,} texts", min(users, characters) >= 0.60)


def _upkeep(told: Any) -> Reading:
    last = told[-1]
    words = f"{last['seconds']:.1f} s ({last['cpu_seconds']:.1f} of CPU), {last['peak_mb']:,.0f} MB"
    size = f"{last['memories']:,} memories, {last['done']:,} done"
    return Reading(f"{words}; {size}", last["seconds"] < 60 and last["peak_mb"] < 1024)


_YEAR: Final = (
    ("identity and caution facts are current", "all"),
    ("… and in the context of a question about them", "all"),
    ("… and were so at the end of every quarter", "all"),
    ("cautions are in any other context, too", "all"),
    ("what has changed is current no more", "all"),
    ("promises are kept in mind", "all"),
    ("events of strong feeling are kept in mind", "all"),
    ("… and a question finds them", "all"),
    ("trivial episodes are gone or merged", "all"),
    ("memories in view are bounded", "at the cap"),
    ("closed memories have a reason in their history", "all"),
    ("relationships go as the story does", "all"),
    ("levels do not flicker", "none"),
)

LIVING: Final = Part(
    title="Part 4: a memory that lives",
    conditions=(
        holds("a year of ten characters, one command", "< 3 min", "year", _year_taken),
        *(holds(f"a year: {name}", goal, "year", _condition(name)) for name, goal in _YEAR),
        holds("emotion, macro-F1, lines of users and of characters", "≥ 0.60 each", "emotions", _emotion),
        by_tests("every number of the documents", "tests-numbers"),
        by_tests("any broken emotion answer gives one valid one-hot", "tests-emotion-answers"),
        holds("upkeep over 100,000 memories in one scope", "< 60 s, < 1 GB", "upkeep", _upkeep),
    ),
)
