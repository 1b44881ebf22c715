"""What is done with a claim: a closed set of decisions.

Extractors and models propose claims, pure rules decide, and every path ends in the same changes, so that history,
audit and undo are written once.
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
    "predictable",  #: close to what is known, and not important
    "nothing_to_retract",
    "nothing_to_end",
    "less_certain",  #: what is known is known better
    "knows_better",  #: the one it is about said otherwise
    "doubtful",  #: it would take something back, and is not sure itself
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Effect:
    """A decision that changes memories."""

    claim: Claim
    changes: tuple[Change, ...]  #: the memory that it is about first, then what it closes or opens

    @property
    def memory(self) -> Memory:
        return _after(self.changes[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class Remember(_Effect):
    """A new belief."""

    promotion: Promotion


@dataclass(frozen=True, slots=True, kw_only=True)
class Reinforce(_Effect):
    """The same thing said again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede(_Effect):
    """A new belief that closes older ones; they stay in history."""

    promotion: Promotion

    @property
    def closed(self) -> tuple[Memory, ...]:
        return tuple(_after(change) for change in self.changes[1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class Retract(_Effect):
    """It was never true; what it had closed is open again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignore:
    """Nothing changes; the candidate is kept with the reason."""

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
