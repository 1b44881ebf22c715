"""The figures of a report: shares, precision and recall, intervals over scripts; and reports as JSON."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Final, TypeVar

_RESAMPLES: Final = 1_000


@dataclass(frozen=True, slots=True)
class Share:
    """So many of so many."""

    hits: int = 0
    of: int = 0

    @property
    def rate(self) -> float | None:
        """None where there was nothing to count."""
        return self.hits / self.of if self.of else None

    def __add__(self, other: Share) -> Share:
        return Share(self.hits + other.hits, self.of + other.of)

    def counted(self, hit: bool) -> Share:
        return Share(self.hits + hit, self.of + 1)


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was found, what was not, and what nobody had said."""

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


Unit = TypeVar("Unit")


def interval(
    units: Sequence[Unit], figure: Callable[[Sequence[Unit]], float | None], *, seed: int = 0
) -> tuple[float, float] | None:
    """Return the 95 % bootstrap interval of `figure`, drawn over whole `units`: turns of one script hang together.

    None for fewer than two units.
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


def as_json(report: object) -> str:
    return json.dumps(plain(report), ensure_ascii=False, indent=2)


def plain(value: object) -> Any:
    """Return `value` as what JSON knows."""
    if isinstance(value, Share):
        return {"hits": value.hits, "of": value.of, "rate": _rounded(value.rate)}
    if isinstance(value, Extraction):
        counts = {"found": value.found, "missed": value.missed, "extra": value.extra}
        derived = {"precision": value.precision, "recall": value.recall, "f1": value.f1}
        return counts | {name: _rounded(figure) for name, figure in derived.items()}
    if is_dataclass(value):
        return {each.name: plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return _rounded(value) if isinstance(value, float) else value


def _rounded(figure: float | None) -> float | None:
    return None if figure is None else round(figure, 4)
