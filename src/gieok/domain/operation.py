"""Operations: everything that ever changed a scope, in order, so that any of it can be undone.

A request is what was asked; carrying it out (`carrying.py`) gives its outcome.
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
    """Believe what was claimed, live what was noticed, and note which memories stood in the context of the reply."""

    claims: tuple[Claim, ...] = ()
    used: tuple[str, ...] = ()
    noticed: Noticed | None = None
    session: str | None = None
    participants: tuple[str, ...] = ()  #: who took part in the turn
    character: str | None = None  #: the character's name
    confirmed: tuple[str, ...] = ()  #: memories in doubt that a model bears out
    doubted: tuple[str, ...] = ()  #: … that it holds wrong; they stay, in doubt


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfMemory:
    """What a person asks for one memory."""

    memory_id: str
    saying: Saying | None = None  #: what the memory said: after a rewind another may say it


@dataclass(frozen=True, slots=True, kw_only=True)
class Amend(_OfMemory):
    """Put a memory's words right; it was always so."""

    content: str
    value: str | None = None
    surface: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin(_OfMemory):
    """Keep a memory in every context, or no longer."""

    pinned: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm(_OfMemory):
    """A doubtful memory is true: it becomes firm, and closes what cannot be true beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reject(_OfMemory):
    """A doubtful memory was never true."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hide(_OfMemory):
    """Forget a memory: it leaves every answer at once and stays in history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restore(_OfMemory):
    """Let a memory say again what it once said, and hold as it held then."""

    to: Memory  #: as it was then; how often it was said and used is not taken back


@dataclass(frozen=True, slots=True, kw_only=True)
class Undo:
    """Take operations back. Carries no change of its own: the survivors' outcomes say what is so now."""

    operations: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Maintain:
    """Do some upkeep passes, in this order."""

    passes: tuple[PassName, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Two names are one person's."""

    name: str
    other: str
    channel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A name that was taken for another's is a person of its own."""

    name: str
    other: str  #: the name that leaves
    channel: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """A scene begins (`place` and `daytime` as far as they are known), or only ends."""

    ends: bool = False
    place: str | None = None
    daytime: str | None = None
    session: str | None = None
    participants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Think:
    """Keep what a model made of memories, as far as rules allow it."""

    insights: tuple[Insight, ...] = ()
    retellings: tuple[Retelling, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    over: tuple[Thought, ...] = ()  #: what was thought over, whatever came of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Direct:
    """Leave a note for the next turn, and move the relationship a little."""

    note: str
    deltas: tuple[Delta, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrive:
    """Know somebody, or stand to the user, as another system had it; with neither, a whole source has moved in.

    Whom the character knows already, and how the two stand by now, stays as it is.
    """

    person: Face | None = None
    relationship: Relationship | None = None
    turns: int = 0  #: of the two that it counts in: those that moved in before it


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased:
    """What was asked is erased; a replay does nothing for it."""


Edit = Amend | Pin | Confirm | Reject | Hide | Restore  #: of one memory, by a person
Request = Learn | Edit | Maintain | Join | Part | Stage | Think | Direct | Arrive | Undo | Erased
OperationKind = Literal[
    "observe", "read", "deepen", "remember", "correct", "pin", "confirm", "reject", "forget", "pass", "direct",
    "people", "scene", "arrive", "rewind",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One entry of the journal: who did what, when and why, and what it changed."""

    id: str
    kind: OperationKind
    moment: Moment
    who: str  #: "person", the extractor with its version, or the prompt with its version and its model
    request: Request
    why: str = ""
    turn_id: str | None = None
    decisions: tuple[Decision, ...] = ()
    kept: tuple[Kept, ...] = ()  #: what upkeep did
    changes: tuple[Change, ...] = ()  #: of memories, in order; those of the decisions, then of upkeep, then the rest
    moves: tuple[Move, ...] = ()  #: of the things kept beside memories
    number: int = 0  #: its place in the scope's log, given by the store
    undone: bool = False
