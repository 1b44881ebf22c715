"""A script: everything that is said in three conversations, and what is asked at the probes.

User u talks to characters A and B, user v to A. The conversation of u with A is the one that is scored; the others
hold what must not leak.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gieok.evals.cases import Expected
from gieok.evals.planted.language import UpdateKind, Value
from gieok.evals.statement import Statement

Conversation = Literal["uA", "uB", "vA"]
LineKind = Literal["facts", "small_talk", "adversarial", "update", "probe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Planted:
    """A fact about the user as it was said."""

    slot: str
    value: Value
    surfaces: tuple[str, ...]  #: the words that carry the value in this sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What an update does to a slot."""

    slot: str
    kind: UpdateKind
    old: Value
    new: Planted | None
    names_old: bool  #: without it, a slot of many values may keep the old one


@dataclass(frozen=True, slots=True, kw_only=True)
class Forbidden:
    """What must not be stored as a current fact."""

    said: Statement
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Trap:
    """An adversarial turn."""

    family: str
    must_not: tuple[Forbidden, ...]
    expect: tuple[Expected, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One exchange: what the user says, and what the character answers."""

    conversation: Conversation
    number: int  #: its place in its conversation, from 1
    kind: LineKind
    at: datetime
    text: str
    reply: str
    facts: tuple[Planted, ...] = ()
    change: Change | None = None
    trap: Trap | None = None
    typing: str | None = None  #: the typing noise on it


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A probe, asked aside: it is answered from memory and leaves no trace there."""

    text: str
    slot: str
    kind: Literal["direct", "indirect", "abstain"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpoint:
    """Questions asked before line `before` of the scored conversation."""

    before: int
    questions: tuple[Question, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """Three conversations in the order in which they happen."""

    seed: str
    lines: tuple[Line, ...]
    checkpoints: tuple[Checkpoint, ...]

    def of(self, conversation: Conversation) -> tuple[Line, ...]:
        return tuple(line for line in self.lines if line.conversation == conversation)
