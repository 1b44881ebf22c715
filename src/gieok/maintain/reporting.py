"""What a pass does, as rows of a table, for a dry run and for the report after a real one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gieok.domain.memory import Change
from gieok.domain.upkeep import Action, Kept, PassName

What = Literal["new", "changed", "closed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One memory that a pass touches."""

    pass_name: PassName | None  #: None: of several
    action: Action
    what: What
    memory_id: str
    content: str
    why: str


def rows(kept: Iterable[Kept], name: PassName | None = None) -> list[Row]:
    """Return a row for every change, those of one action together; `name` is that of the pass, if it was one."""
    return [
        Row(
            pass_name=name,
            action=each.action,
            what=_what(change),
            memory_id=change.memory_id,
            content=_content(change),
            why=each.why,
        )
        for each in kept
        for change in each.changes
    ]


def _what(change: Change) -> What:
    if change.before is None:
        return "new"
    return "closed" if change.after is None or change.after.hidden else "changed"


def _content(change: Change) -> str:
    memory = change.after or change.before
    return memory.content if memory else ""
