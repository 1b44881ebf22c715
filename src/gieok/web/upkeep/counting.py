"""Sizes and counters, as they are shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from gieok.domain.holdings import Holdings
from gieok.domain.model import CallSum

_STEP: Final = 1024
_UNITS: Final = ("B", "KB", "MB", "GB", "TB")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one model was asked for one task."""

    task: str
    model: str
    calls: int
    failed: int
    tokens: int
    seconds: float
    cost: float


def asked(sums: Iterable[CallSum]) -> list[Asked]:
    """Return the calls of all days by task and model, the most frequent first."""
    by_name: dict[tuple[str, str], list[CallSum]] = {}
    for each in sums:
        by_name.setdefault((each.task, each.model), []).append(each)
    found = [
        Asked(
            task=task,
            model=model,
            calls=sum(each.calls for each in group),
            failed=sum(each.calls for each in group if each.failure is not None),
            tokens=sum(each.prompt_tokens + each.answer_tokens for each in group),
            seconds=sum(each.seconds for each in group),
            cost=sum(each.cost for each in group),
        )
        for (task, model), group in by_name.items()
    ]
    return sorted(found, key=lambda each: (-each.calls, each.task, each.model))


def own_figures(held: Holdings) -> Mapping[str, int]:
    """Return the counters of one mind by name, without those that count nothing but would puzzle."""
    figures = {
        "turns": held.turns,
        "rewound": held.rewound,
        "utterances": held.utterances,
        "memories": held.memories,
        "conclusions": held.concluded,
        "people": held.people,
        "scenes": held.scenes,
        "operations": held.operations,
        "traces": held.traces,
        "documents": held.documents,
        "unembedded": held.unembedded,
    }
    return {name: count for name, count in figures.items() if count or name not in ("rewound", "documents")}


def size(count: int) -> str:
    """Return a number of bytes as people read it: 4.2 MB."""
    amount = float(count)
    for unit in _UNITS[:-1]:
        if amount < _STEP:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= _STEP
    return f"{amount:.1f} {_UNITS[-1]}"
