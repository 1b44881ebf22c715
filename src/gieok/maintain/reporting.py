"""What a pass does, as rows of a table, for a dry run and for the report after a real one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gieok.domain.upkeep import Action, Kept, PassName, What, what_became, words_of


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
