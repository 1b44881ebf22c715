"""Counting while a script is played to a memory, and what many scripts give together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final

from gieok_evals.figures import Share, interval

DEPTH: Final = 10  #: answers that count
LONGEST: Final = 300  #: characters of each that count
MEANINGS: Final = {
    "found_at_1": "questions whose first answer holds all that is true now",
    "found_at_5": "questions whose first five answers hold it",
    "found_at_10": "questions whose first ten answers hold it",
    "fresh": "changed facts of which the new one comes before the old one",
    "leaks": "askings whose answers hold what only another user was told",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A share over all scripts with its 95 % interval."""

    share: Share
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """What one script gave."""

    shares: Mapping[str, Share]
    by: Mapping[str, Share]  #: found at ten, by kind of question and by slot
    observing: tuple[float, ...]  #: milliseconds
    asking: tuple[float, ...]
    characters: tuple[int, ...]  #: of the answers that count, for each asking
    failures: tuple[str, ...] = field(default=(), repr=False)


class Tally:
    """Counts that grow while a script is played."""

    def __init__(self) -> None:
        self._shares: defaultdict[str, Share] = defaultdict(Share)
        self._by: defaultdict[str, Share] = defaultdict(Share)
        self._failures: list[str] = []
        self.observing: list[float] = []
        self.asking: list[float] = []
        self.characters: list[int] = []

    def count(self, name: str, hit: bool) -> None:
        self._shares[name] += Share(int(hit), 1)

    def count_under(self, heading: str, hit: bool) -> None:
        self._by[heading] += Share(int(hit), 1)

    def fail(self, what: str) -> None:
        self._failures.append(what)

    def played(self, *, with_failures: bool) -> Played:
        return Played(
            shares=dict(self._shares),
            by=dict(self._by),
            observing=tuple(self.observing),
            asking=tuple(self.asking),
            characters=tuple(self.characters),
            failures=tuple(self._failures) if with_failures else (),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideReport:
    """The scores of a memory. Its fields are the keys of the JSON report."""

    adapter: str
    split: str
    turns: int
    scripts: int
    seed: int
    passed: bool  #: no leak
    scores: Mapping[str, Headline]  #: what each means stands in `MEANINGS`
    by: Mapping[str, Share]
    observe_ms: float  #: the median
    ask_ms: float
    characters: float  #: of the answers to a question that count, on average
    failures: tuple[str, ...] = field(default=(), repr=False)


def report(played: Sequence[Played], *, adapter: str, split: str, turns: int, seed: int) -> OutsideReport:
    by: dict[str, Share] = {}
    for each in played:
        for heading, share in each.by.items():
            by[heading] = by.get(heading, Share()) + share
    scores = {name: _headline(played, name, seed) for name in MEANINGS}
    lengths = [length for each in played for length in each.characters]
    return OutsideReport(
        adapter=adapter,
        split=split,
        turns=turns,
        scripts=len(played),
        seed=seed,
        passed=scores["leaks"].share.hits == 0,
        scores=scores,
        by=by,
        observe_ms=median(time for each in played for time in each.observing),
        ask_ms=median(time for each in played for time in each.asking),
        characters=sum(lengths) / len(lengths),
        failures=tuple(failure for each in played for failure in each.failures),
    )


def _headline(played: Sequence[Played], name: str, seed: int) -> Headline:
    ends = interval(played, lambda drawn: _total(drawn, name).rate, seed=seed)
    return Headline(share=_total(played, name), interval=ends)


def _total(played: Sequence[Played], name: str) -> Share:
    return sum((each.shares.get(name, Share()) for each in played), Share())
