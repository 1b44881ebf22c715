"""The journal, upkeep and the bank itself, as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, Protocol

from pydantic import ConfigDict, Field

from gieok.domain.memory import Memory
from gieok.domain.operation import Operation, OperationKind
from gieok.domain.record import request_record
from gieok.domain.upkeep import Action, Kept, PassName
from gieok.http.shapes.base import Body, Moment, Page, ScopeShape, Shape
from gieok.http.shapes.living import MoveShape
from gieok.http.shapes.memories import ChangeShape
from gieok.http.shapes.turns import DecisionShape

if TYPE_CHECKING:
    from gieok.domain.scope import Scope


class KeptShape(Shape):
    """One thing that upkeep did to memories."""

    model_config = ConfigDict(frozen=True, title="Kept")

    action: Action
    why: str
    changes: list[ChangeShape]

    @classmethod
    def of(cls, kept: Kept) -> KeptShape:
        return cls(action=kept.action, why=kept.why, changes=[ChangeShape.of(change) for change in kept.changes])


class OperationShape(Shape):
    """One entry of the journal: who did what, when and why, and what it changed."""

    model_config = ConfigDict(frozen=True, title="Operation")

    id: str
    number: int
    kind: OperationKind
    at: datetime
    recorded_at: datetime
    who: str
    why: str
    turn_id: str | None
    undone: bool
    request: dict[str, Any] = Field(description="What was asked; `kind` tells what it is.")
    decisions: list[DecisionShape]
    kept: list[KeptShape]
    changes: list[ChangeShape]
    moves: list[MoveShape]

    @classmethod
    def of(cls, operation: Operation) -> OperationShape:
        return cls(
            id=operation.id,
            number=operation.number,
            kind=operation.kind,
            at=operation.moment.at,
            recorded_at=operation.moment.recorded_at,
            who=operation.who,
            why=operation.why,
            turn_id=operation.turn_id,
            undone=operation.undone,
            request=request_record(operation.request),
            decisions=[DecisionShape.of(each) for each in operation.decisions],
            kept=[KeptShape.of(each) for each in operation.kept],
            changes=[ChangeShape.of(each) for each in operation.changes],
            moves=[MoveShape.of(each) for each in operation.moves],
        )


class OperationPage(Page[OperationShape]):
    """One page of the journal, the newest first."""


class SummaryShape(Shape):
    """A summary, and what it tells of."""

    model_config = ConfigDict(frozen=True, title="Summary")

    id: str
    kind: str = Field(description="`rolling` (the story so far) or `weekly`.")
    content: str
    since: datetime
    until: datetime | None
    written_at: datetime
    made_from: list[str] = Field(description="Ids of the memories that it tells of.")
    sources: list[str] = Field(description="Ids of the utterances that it tells of.")

    @classmethod
    def of(cls, memory: Memory) -> SummaryShape:
        return cls(
            id=memory.id,
            kind="weekly" if "weekly" in memory.tags else "rolling",
            content=memory.content,
            since=memory.valid_at,
            until=memory.invalid_at,
            written_at=memory.known_at,
            made_from=list(memory.made_from),
            sources=list(memory.sources),
        )


class SummaryPage(Page[SummaryShape]):
    """One page of summaries."""


class Maintaining(Body):
    """Which upkeep to do."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"dry_run": True}, {"passes": ["merge", "prune"]}]}
    )

    passes: Annotated[list[PassName], Field(max_length=20)] | None = Field(
        default=None, description="Null: those that are due."
    )
    dry_run: bool = Field(default=False, description="Write nothing; tell what would be done.")
    at: Moment | None = None


class Did(Protocol):
    """What upkeep did in a scope."""

    @property
    def scope(self) -> Scope: ...
    @property
    def passes(self) -> tuple[PassName, ...]: ...
    @property
    def kept(self) -> tuple[Kept, ...]: ...
    @property
    def dry_run(self) -> bool: ...
    @property
    def busy(self) -> bool: ...


class UpkeptShape(Shape):
    """What upkeep did in a scope, or would do."""

    model_config = ConfigDict(frozen=True, title="Upkept")

    scope: ScopeShape
    passes: list[PassName]
    kept: list[KeptShape]
    dry_run: bool
    busy: bool = Field(description="Another process is at it; nothing was done.")

    @classmethod
    def of(cls, did: Did) -> UpkeptShape:
        return cls(
            scope=ScopeShape.of(did.scope),
            passes=list(did.passes),
            kept=[KeptShape.of(each) for each in did.kept],
            dry_run=did.dry_run,
            busy=did.busy,
        )


class ScopeCount(ScopeShape):
    """A scope, and how much is in it."""

    model_config = ConfigDict(frozen=True, title="ScopeCount")

    turns: int
    utterances: int
    memories: int
    latest_at: datetime | None


class ScopePage(Page[ScopeCount]):
    """One page of scopes."""


class BankShape(Shape):
    """What the bank is made of."""

    model_config = ConfigDict(frozen=True, title="Bank")

    engine: str
    schema_version: int
    encrypted: bool
    embedder: str
    dimension: int
    preset: str | None
    language: str
    timezone: str
    model: str | None = Field(description="What answers and extracts; null: rules alone.")
    size_bytes: int | None = Field(description="Null for a key that opens only a part of the bank; so are the counts.")
    counts: dict[str, int] | None
