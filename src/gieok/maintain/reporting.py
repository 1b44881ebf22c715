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
            what=what_became(change),
            memory_id=change.memory_id,
            content=words_of(change),
            why=each.why,
        )
        for each in kept
        for change in each.changes
    ]


def what_became(change: Change) -> What:
    """Say what a change does to its memory; one that ended is closed, though it stays in history."""
    before, after = change.before, change.after
    if before is None:
        return "new"
    ended = after is not None and before.invalid_at is None and after.invalid_at is not None
    return "closed" if after is None or after.hidden or ended else "changed"


def words_of(change: Change) -> str:
    """Return what there is to read of a change: the words of the memory, or those that it was told anew in."""
    before, after = change.before, change.after
    if before is not None and after is not None and after.interpretation not in (None, before.interpretation):
        return after.interpretation or ""
    memory = after or before
    return memory.content if memory else ""
