"""Decisions on claims: a closed set.

Extractors and models propose claims, pure rules decide, and every decision results in the same kind of changes, so that
history, audit and undo are written once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gieok.domain.claim import Claim, Flaw
from gieok.domain.memory import Change, Memory
from gieok.domain.promotion import Promotion

Reason = Literal[
    Flaw,
    "below_threshold",  #: the promotion score is too low
    "predictable",  #: similar to a known fact, and not important
    "nothing_to_retract",
    "nothing_to_end",
    "less_certain",  #: the known fact is more certain
    "knows_better",  #: the subject said otherwise
    "doubtful",  #: it would take something back, and is itself uncertain
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Effect:
    """A decision that changes memories."""

    claim: Claim
    changes: tuple[Change, ...]  #: of the memory concerned first, then of those it closes or opens

    @property
    def memory(self) -> Memory:
        return _after(self.changes[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember(_Effect):
    """Store a new memory."""

    promotion: Promotion


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforce(_Effect):
    """Reinforce a memory that was stated again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede(_Effect):
    """Store a new memory and close older ones; they stay in history."""

    promotion: Promotion

    @property
    def closed(self) -> tuple[Memory, ...]:
        return tuple(_after(change) for change in self.changes[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Retract(_Effect):
    """Retract a memory: it was never true. Memories that it had closed are open again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """Change nothing; the claim is kept with the reason."""

    claim: Claim
    why: Reason
    promotion: Promotion | None = None

    @property
    def changes(self) -> tuple[Change, ...]:
        return ()


Decision = Remember | Reinforce | Supersede | Retract | Ignore


def _after(change: Change) -> Memory:
    assert change.after is not None, "decisions never delete a memory"
    return change.after
