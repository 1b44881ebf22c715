"""The parts of a mind that a year looks at, in one place, so that nothing else of it depends on how they are made."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, Protocol, cast

from gieok.bank import open_bank
from gieok.domain.answer import Context, Hit, Observed
from gieok.domain.attributes import ContentType
from gieok.domain.decision import Decision, Ignore
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation
from gieok_evals.benches import StoryClock
from gieok_evals.year.generator import day_of

_CONCLUSIONS: Final = ("insight", "summary", "profile")
_MEMORY: Final = Path("/dev/shm")  # the folder made there is its owner's alone
_ROOM: Final = 2**30  #: bytes; ten years take a quarter of it
_SMALL: Final = 0.3  #: importance of what is written down of any day


class Standing(Protocol):
    """How close two are: five axes from 0 to 100, and a level."""

    @property
    def trust(self) -> float: ...
    @property
    def affection(self) -> float: ...
    @property
    def respect(self) -> float: ...
    @property
    def rivalry(self) -> float: ...
    @property
    def familiarity(self) -> float: ...
    @property
    def level(self) -> str: ...


class Step(Protocol):
    """A relationship as it was from a moment on."""

    @property
    def at(self) -> datetime: ...
    @property
    def relationship(self) -> Standing: ...


class Living(Protocol):
    """A mind, as far as a year needs one."""

    def observe(
        self,
        text: str,
        *,
        reply: str,
        at: datetime,
        session: str,
        turn_id: str,
    ) -> Observed: ...
    def remember(self, content: str, *, type: ContentType, importance: float, at: datetime) -> Decision: ...
    def facts(self) -> Sequence[Memory]: ...
    def context(self, query: str, *, at: datetime) -> Context: ...
    def recall(self, query: str, *, k: int, at: datetime) -> Sequence[Hit]: ...
    def history(self, memory_id: str) -> Sequence[tuple[Operation, Change]]: ...
    def journal(self) -> Sequence[Operation]: ...
    def trajectory(self) -> Sequence[Step]: ...


@dataclass(frozen=True, slots=True)
class Point:
    """Where a relationship stood at a moment of the story."""

    day: float  #: since the story began
    score: float
    level: str


@contextmanager
def living(*, user: str, character: str, embedder: str, cap: int | None, clock: StoryClock) -> Iterator[Living]:
    """Open a mind in a bank of its own that keeps itself up; `cap` limits the memories of a scope."""
    with (
        TemporaryDirectory(prefix="gieok-year-", dir=_somewhere()) as folder,
        open_bank(
            Path(folder) / "year.db",
            embedder=embedder,
            clock=clock,
            upkeep="auto",
            upkeep_cap=cap,
            behind_the_scenes="off",
        ) as bank,
    ):
        yield cast(Living, bank.scope(user=user, character=character, world="year"))


def _somewhere() -> Path | None:
    """Return where a bank that is gone afterwards need not wait for a disk; None: wherever such folders are made."""
    fits = os.access(_MEMORY, os.W_OK) and shutil.disk_usage(_MEMORY).free > _ROOM
    return _MEMORY if fits else None


def note(mind: Living, episode: str, at: datetime) -> str | None:
    """Write a small thing that happened down; return the id of its memory, or None where it was passed over."""
    decision = mind.remember(episode, type="event", importance=_SMALL, at=at)
    return None if isinstance(decision, Ignore) else decision.memory.id


def course(mind: Living) -> tuple[Point, ...]:
    """Return how the relationship went: the last of every day, and every step that changed the level."""
    points: list[Point] = []
    for step in mind.trajectory():
        point = Point(day_of(step.at), score(step.relationship), step.relationship.level)
        if points and int(points[-1].day) == int(point.day) and points[-1].level == point.level:
            points[-1] = point
        else:
            points.append(point)
    return tuple(points)


def score(standing: Standing) -> float:
    """Return how close two are, 0–100, reckoned here once more on purpose: the engine's own is under test."""
    near = 0.35 * standing.affection + 0.25 * standing.trust + 0.25 * standing.familiarity + 0.15 * standing.respect
    return min(max(near - 0.1 * standing.rivalry, 0.0), 100.0)


def open_still(memory: Memory) -> bool:
    """Whether nothing has closed `memory`: neither the story, nor a person, nor upkeep."""
    return memory.invalid_at is None and not memory.hidden


def made_from(memory: Memory) -> tuple[str, ...]:
    """Return the ids of the memories that it took the place of; what is only concluded from others replaces none."""
    return () if memory.content_type in _CONCLUSIONS else memory.made_from


def reason(operation: Operation, memory_id: str) -> str:
    """Return why `operation` closed a memory, in the journal's words; empty: it does not say."""
    kept = (each.why for each in operation.kept if _touches(each.changes, memory_id))
    decided = (type(each).__name__ for each in operation.decisions if _touches(each.changes, memory_id))
    return next(kept, "") or next(decided, "") or operation.why


def _touches(changes: Sequence[Change], memory_id: str) -> bool:
    return any(change.memory_id == memory_id for change in changes)
