"""Entries of the journal, as they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from gieok.domain.decision import Ignore
from gieok.domain.operation import Operation, OperationKind, Pin, Undo
from gieok.web.upkeep.effects import Effect, effect
from gieok.web.upkeep.reasons import reason
from gieok.web.wording import Words

Who = Literal["person", "import", "rules", "upkeep", "model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One operation: when, by whom, what it changed."""

    number: int
    kind: OperationKind | Literal["unpin"]
    at: datetime  #: story time
    recorded_at: datetime
    who: Who
    by: str  #: the rule, prompt or model with its version
    undone: bool
    whys: tuple[str, ...]
    effects: tuple[Effect, ...]
    moves: tuple[str, ...]  #: kinds of what else changed
    ignored: int  #: claims that were let pass
    took_back: int  #: operations that it undid


def entry(operation: Operation, words: Words) -> Entry:
    request = operation.request
    reasons = (operation.why, *(kept.why for kept in operation.kept))
    return Entry(
        number=operation.number,
        kind="unpin" if isinstance(request, Pin) and not request.pinned else operation.kind,
        at=operation.moment.at,
        recorded_at=operation.moment.recorded_at,
        who=who(operation.who),
        by=operation.who,
        undone=operation.undone,
        whys=tuple(dict.fromkeys(reason(why, words) for why in reasons if why)),
        effects=tuple(effect(change) for change in operation.changes),
        moves=tuple(dict.fromkeys(move.kind for move in operation.moves if move.kind != "pass")),
        ignored=sum(isinstance(decision, Ignore) for decision in operation.decisions),
        took_back=len(request.operations) if isinstance(request, Undo) else 0,
    )


def who(name: str) -> Who:
    """Say what kind of hand it was."""
    if name in ("person", "import"):
        return "import" if name == "import" else "person"
    first = name.partition("/")[0]
    return "rules" if first == "rules" else "upkeep" if first == "upkeep" else "model"
