"""A profile, as it is shown: whose memory it is, how much is in it, and when they last talked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from gieok.bank.checking import composed
from gieok.domain.holdings import Holdings, ScopeSummary
from gieok.domain.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One scope in the list."""

    scope: Scope
    title: str  #: the character, else the user, else the world
    beside: tuple[tuple[str, str], ...]  #: the other names, each with what it names
    is_canon: bool
    turns: int
    memories: int
    latest_at: datetime | None


def profile(summary: ScopeSummary) -> Profile:
    scope = summary.scope
    names = [(field, name) for field in ("character", "user", "world") if (name := getattr(scope, field)) is not None]
    return Profile(
        scope=scope,
        title=names[0][1],
        beside=tuple(names[1:]),
        is_canon=scope.is_canon,
        turns=summary.turns,
        memories=summary.memories,
        latest_at=summary.latest_at,
    )


def typed_name(scope: Scope) -> str:
    """Return what has to be typed before a scope is erased."""
    return " · ".join(name for name in (scope.character, scope.user, scope.world) if name is not None)


def is_meant(typed: str, scope: Scope) -> bool:
    """Whether somebody typed the name of `scope`; blanks and the dots between its parts do not matter."""

    def bare(text: str) -> str:
        return "".join(composed(text).replace("·", "").split())

    return bare(typed) == bare(typed_name(scope))


def what_goes(held: Holdings) -> dict[str, int]:
    """Return what would be erased, by name, without what there is none of."""
    counts = {
        "turns": held.turns + held.rewound,
        "utterances": held.utterances,
        "memories": held.memories,
        "concluded": held.concluded,
        "people": held.people,
        "scenes": held.scenes,
        "operations": held.operations,
        "traces": held.traces,
        "documents": held.documents,
    }
    return {name: count for name, count in counts.items() if count}
