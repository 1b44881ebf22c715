"""Operations: all changes of a scope in order, so that each can be undone.

A request is the input; carrying it out (`apply.py`) gives its outcome.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gieok.domain.claim import Claim, Saying
from gieok.domain.decision import Decision
from gieok.domain.entity import Face
from gieok.domain.judgement import Moment
from gieok.domain.memory import Change, Memory
from gieok.domain.model_conclusions import Conflict, Insight, Retelling, Thought
from gieok.domain.noticed import Noticed
from gieok.domain.relationship import Relationship
from gieok.domain.state import Delta, Move
from gieok.domain.upkeep import Kept, PassName


@dataclass(frozen=True, slots=True, kw_only=True)
class Learn:
    """Apply the claims and observations of a turn, and count the memories used in the context of the reply."""

    claims: tuple[Claim, ...] = ()
    used: tuple[str, ...] = ()
    noticed: Noticed | None = None
    session: str | None = None
    participants: tuple[str, ...] = ()  #: speakers of the turn
    character: str | None = None  #: the character's name
    confirmed: tuple[str, ...] = ()  #: doubtful memories that a model confirms
    doubted: tuple[str, ...] = ()  #: … and memories that it rejects; they stay as doubtful


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfMemory:
    """A request for one memory."""

    memory_id: str
    saying: Saying | None = None  #: what the memory says: after a rewind another memory may say it


@dataclass(frozen=True, slots=True, kw_only=True)
class Amend(_OfMemory):
    """Correct a memory: it has always been so."""

    content: str
    value: str | None = None
    surface: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin(_OfMemory):
    """Pin or unpin a memory."""

    pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(_OfMemory):
    """Confirm a doubtful memory, and close memories that contradict it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject(_OfMemory):
    """Reject a doubtful memory: it was never true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide(_OfMemory):
    """Forget a memory: it is excluded from all answers and stays in history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore(_OfMemory):
    """Restore wording and validity of a memory."""

    to: Memory  #: the earlier version; its counts are not restored


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Undo operations. It has no changes of its own: the recalculated outcomes of later operations hold them."""

    operations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintain:
    """Run upkeep passes, in this order."""

    passes: tuple[PassName, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Merge two names into one person."""

    name: str
    other: str
    channel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Split a name from a person."""

    name: str
    other: str  #: the name to split off
    channel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Start a scene (`place` and `daytime` if known), or only end one."""

    ends: bool = False
    place: str | None = None
    daytime: str | None = None
    session: str | None = None
    participants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Think:
    """Apply a model's conclusions from memories, as far as the rules allow."""

    insights: tuple[Insight, ...] = ()
    retellings: tuple[Retelling, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    over: tuple[Thought, ...] = ()  #: the thoughts that were considered, whatever the result


@dataclass(frozen=True, slots=True, kw_only=True)
class Direct:
    """Leave a note for the next turn, and change the relationship slightly."""

    note: str
    deltas: tuple[Delta, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrive:
    """Import a person or a relationship from another system; with neither, record that a whole source was imported.

    People who are known here, and an existing relationship, stay unchanged.
    """

    person: Face | None = None
    relationship: Relationship | None = None
    turns: int = 0  #: imported turns; a relationship with more turns than these is kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """Replaces a request that was erased; a replay does nothing for it."""


Edit = Amend | Pin | Confirm | Reject | Hide | Restore  #: edits of one memory by a person
Request = Learn | Edit | Maintain | Join | Part | Stage | Think | Direct | Arrive | Undo | Erased
OperationKind = Literal[
    "observe", "read", "deepen", "remember", "correct", "pin", "confirm", "reject", "forget", "pass", "direct",
    "people", "scene", "arrive", "rewind",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One journal entry: who did what, when and why, and what changed."""

    id: str
    kind: OperationKind
    moment: Moment
    who: str  #: "person", the extractor with its version, or the prompt with its version and model
    request: Request
    why: str = ""
    turn_id: str | None = None
    decisions: tuple[Decision, ...] = ()
    kept: tuple[Kept, ...] = ()  #: results of upkeep
    changes: tuple[Change, ...] = ()  #: changes of memories, in order: of the decisions, of upkeep, then the rest
    moves: tuple[Move, ...] = ()  #: changes of the state records
    number: int = 0  #: its position in the scope's log, set by the store
    undone: bool = False
