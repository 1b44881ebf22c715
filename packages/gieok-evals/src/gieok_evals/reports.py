"""Counts, rates and intervals, and how reports are written as JSON and as tables."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Final, TypeVar

from rich.table import Table

_RESAMPLES: Final = 1_000
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Share:
    """`hits` out of `of`."""

    hits: int = 0
    of: int = 0

    @property
    def rate(self) -> float | None:
        """None if nothing was counted."""
        return self.hits / self.of if self.of else None

    def __add__(self, other: Share) -> Share:
        return Share(self.hits + other.hits, self.of + other.of)


def one(hit: bool) -> Share:
    """Return the share of a single observation."""
    return Share(int(hit), 1)


@dataclass(frozen=True, slots=True)
class Extraction:
    """Facts that were found, missed, and found although nobody stated them."""

    found: int = 0
    missed: int = 0
    extra: int = 0

    def __add__(self, other: Extraction) -> Extraction:
        return Extraction(self.found + other.found, self.missed + other.missed, self.extra + other.extra)

    @property
    def precision(self) -> float | None:
        return Share(self.found, self.found + self.extra).rate

    @property
    def recall(self) -> float | None:
        return Share(self.found, self.found + self.missed).rate

    @property
    def f1(self) -> float | None:
        total = 2 * self.found + self.missed + self.extra
        return 2 * self.found / total if total else None


Count = TypeVar("Count", Share, Extraction)
Unit = TypeVar("Unit")


def totals(counts: Iterable[tuple[str, Count]]) -> dict[str, Count]:
    """Return the sum of the counts of each name, in order of first appearance."""
    found: dict[str, Count] = {}
    for name, count in counts:
        found[name] = found[name] + count if name in found else count
    return found


def interval(
    units: Sequence[Unit], figure: Callable[[Sequence[Unit]], float | None], *, seed: int = 0
) -> Interval | None:
    """Return the 95 % bootstrap interval of `figure`, drawn over whole `units`; None for fewer than two units.

    A unit is a whole script, because the turns of one script depend on each other.
    """
    if len(units) < 2:
        return None
    dice = random.Random(seed)
    drawn = (figure(dice.choices(units, k=len(units))) for _ in range(_RESAMPLES))
    figures = sorted(value for value in drawn if value is not None)
    if not figures:
        return None
    last = len(figures) - 1
    return (figures[round(0.025 * last)], figures[round(0.975 * last)])


@dataclass(kw_only=True)
class Tally:
    """Counts that grow while one script is played."""

    shares: dict[str, Share] = field(default_factory=lambda: defaultdict(Share))
    tables: dict[str, dict[str, Share]] = field(default_factory=lambda: defaultdict(lambda: defaultdict(Share)))
    failures: list[str] = field(default_factory=list)  #: sentences

    def share(self, name: str) -> Share:
        return self.shares.get(name, Share())

    def count(self, name: str, hit: bool) -> None:
        self.shares[name] += one(hit)

    def count_under(self, table: str, heading: str, hit: bool) -> None:
        self.tables[table][heading] += one(hit)

    def fail(self, what: str) -> None:
        self.failures.append(what)


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A share over all scripts with its 95 % interval."""

    share: Share
    interval: Interval | None


def headline(tallies: Sequence[Tally], name: str, seed: int) -> Headline:
    def total(drawn: Iterable[Tally]) -> Share:
        return sum((tally.share(name) for tally in drawn), Share())

    return Headline(share=total(tallies), interval=interval(tallies, lambda drawn: total(drawn).rate, seed=seed))


def table_totals(tallies: Iterable[Tally], table: str) -> dict[str, Share]:
    return totals(pair for tally in tallies for pair in tally.tables.get(table, {}).items())


def as_json(report: object) -> str:
    return json.dumps(plain(report), ensure_ascii=False, indent=2)


def plain(value: object) -> Any:
    """Return `value` as dictionaries, lists and numbers; floats have four places."""
    if isinstance(value, Share):
        return {"hits": value.hits, "of": value.of, "rate": plain(value.rate)}
    if isinstance(value, Extraction):
        counts = {"found": value.found, "missed": value.missed, "extra": value.extra}
        derived = {"precision": value.precision, "recall": value.recall, "f1": value.f1}
        return counts | {name: plain(figure) for name, figure in derived.items()}
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return round(value, 4) if isinstance(value, float) else value


def percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f} %"


def shown(share: Share) -> str:
    return f"{percent(share.rate)} ({share.hits}/{share.of})"


def between(ends: Interval | None) -> str:
    return "" if ends is None else f"{percent(ends[0])} – {percent(ends[1])}"


def shares_table(title: str, counts: Mapping[str, Share], *, heading: str = "found") -> Table:
    """Return a table of shares, the lowest first."""
    table = Table(title=title, title_justify="left")
    table.add_column(title.split(" ")[-1])
    table.add_column(heading, justify="right")
    for name, count in sorted(counts.items(), key=lambda pair: pair[1].rate or 0.0):
        table.add_row(name, shown(count))
    return table


def extractions_table(title: str, counts: Mapping[str, Extraction]) -> Table:
    """Return a table of extractions, the lowest F1 first."""
    table = Table(title=title, title_justify="left")
    table.add_column(title.split(" ")[-1])
    for heading in ("found", "missed", "extra", "precision", "recall", "F1"):
        table.add_column(heading, justify="right")
    for name, count in sorted(counts.items(), key=lambda pair: pair[1].f1 or 0.0):
        figures = (percent(count.precision), percent(count.recall), percent(count.f1))
        table.add_row(name, str(count.found), str(count.missed), str(count.extra), *figures)
    return table
