"""Something that must hold: its goal, the measurement that tells it, and how that reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple


class Reading(NamedTuple):
    """A figure in words, and whether it meets the goal."""

    measured: str
    met: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One row of the page."""

    what: str
    goal: str
    by: tuple[str, ...]  #: measurements
    read: Callable[..., Reading]  #: given what each of them told


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The conditions of one part of the work."""

    title: str
    conditions: tuple[Condition, ...]


def holds(what: str, goal: str, by: str | Sequence[str], read: Callable[..., Reading]) -> Condition:
    return Condition(what=what, goal=goal, by=(by,) if isinstance(by, str) else tuple(by), read=read)


def by_tests(what: str, by: str, goal: str = "every test passes", *, expected_failures: bool = True) -> Condition:
    """Return a condition that tests watch over; where an expected failure counts as one, say so."""

    def read(told: Any) -> Reading:
        failed, expected, skipped = told["failed"], told["expected_failures"], told["skipped"]
        missing = expected if not expected_failures else 0
        words = f"{told['passed']:,} of {told['passed'] + len(failed) + expected:,} passed"
        if expected:
            words += f"; {expected} expected failures"
        if skipped:
            words += f"; {skipped} were skipped"
        if failed:
            words += f"; failed: {', '.join(failed[:3])}{' …' if len(failed) > 3 else ''}"
        return Reading(words, not failed and not missing and not skipped)

    return holds(what, goal, by, read)


def share(told: Any) -> str:
    """Return a share as reports write it: {hits, of, rate}."""
    return "nothing to count" if not told["of"] else f"{told['rate']:.1%} ({told['hits']:,} of {told['of']:,})"


def all_of(told: Any) -> Reading:
    return Reading(f"{told['hits']:,} of {told['of']:,}", told["hits"] == told["of"])
