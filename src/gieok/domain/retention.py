"""How long things are kept: days by type of memory, of the bank and of a scope, unless somebody put a hold on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import cast, get_args

from gieok.domain.attributes import ContentType
from gieok.domain.memory import Memory
from gieok.errors import InvalidQuery

Days = Mapping[ContentType, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hold:
    """Nothing of a scope may go while it stands."""

    since: datetime  #: wall time
    by: str
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long a scope keeps its memories, where that is not as the bank does."""

    days: Mapping[str, float] = field(default_factory=dict)  #: by type; 0: for good


@dataclass(frozen=True, slots=True, kw_only=True)
class Provisions:
    """What was laid down for one scope."""

    hold: Hold | None = None
    retention: Retention | None = None

    def days(self, usual: Days) -> Days:
        """Return how long each type is kept here; what is not named is kept for good. Under a hold, everything is."""
        return {} if self.hold is not None else self.laid_down(usual)

    def laid_down(self, usual: Days) -> Days:
        """Return the same, whether or not there is a hold."""
        if self.retention is None:
            return usual
        laid_down = {**usual, **cast("Days", self.retention.days)}
        return {name: days for name, days in laid_down.items() if days > 0}


NONE = Provisions()


def checked_days(days: Mapping[str, float | None]) -> Retention:
    """Return the retention that is meant; None: for good. Raises `InvalidQuery`."""
    for name, given in days.items():
        if name not in get_args(ContentType):
            raise InvalidQuery(f"unknown type {name!r}; choose one of {', '.join(get_args(ContentType))}")
        if given is not None and not 0 < given < 1e6:
            raise InvalidQuery(f"{name}={given!r}: give the days it is kept, or None to keep it for good")
    return Retention(days={name: float(given or 0) for name, given in days.items()})


def ends_at(memory: Memory, days: Days) -> datetime | None:
    """Return when `memory` is past its time; None: never."""
    kept = days.get(memory.content_type)
    return None if kept is None else memory.known_at + timedelta(days=kept)


def is_over(memory: Memory, at: datetime, days: Days) -> bool:
    end = ends_at(memory, days)
    return end is not None and at > end
