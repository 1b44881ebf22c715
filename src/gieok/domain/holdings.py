"""How much is kept of a scope."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from gieok.domain.scope import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeSummary:
    """A scope and what is in it."""

    scope: Scope
    turns: int
    memories: int  #: visible ones, past and present
    utterances: int
    latest_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Holdings:
    """All that is kept of a scope: what is past, forgotten and taken back, too."""

    turns: int = 0
    rewound: int = 0  #: turns that were taken back
    utterances: int = 0  #: of all these turns
    states: Mapping[str, int] = field(default_factory=dict)  #: learned memories: current, past, forgotten
    types: Mapping[str, int] = field(default_factory=dict)  #: the same by type
    conclusions: Mapping[str, int] = field(default_factory=dict)  #: what upkeep concluded, by type
    people: int = 0
    scenes: int = 0
    operations: int = 0  #: entries of the journal
    traces: int = 0
    unembedded: int = 0  #: items that wait for their vectors
    documents: int = 0

    @property
    def memories(self) -> int:
        """Memories that were learned, in any state."""
        return sum(self.states.values())

    @property
    def concluded(self) -> int:
        return sum(self.conclusions.values())

    @property
    def counts(self) -> dict[str, int]:
        """How much there is, by what it is, as certificates tell it."""
        return {
            "turns": self.turns + self.rewound,
            "utterances": self.utterances,
            "memories": self.memories + self.concluded,
            "operations": self.operations,
            "people": self.people,
            "scenes": self.scenes,
            "traces": self.traces,
            "documents": self.documents,
        }
