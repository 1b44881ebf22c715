"""What upkeep concluded, with what it rests on, as it is shown: the story so far first, then the newest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from gieok.bank.keeping import Grounds
from gieok.domain.memory import Memory

Sort = Literal["rolling", "profile", "insight", "weekly", "merged"]
_ORDER: Final[tuple[Sort, ...]] = ("rolling", "profile", "insight", "weekly", "merged")
_SORTS: Final[Mapping[str, Sort]] = {"profile": "profile", "insight": "insight", "summary": "rolling"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """A summary, a profile, an insight or a merged memory."""

    sort: Sort
    memory_id: str
    content: str
    about: str | None  #: whom it is about, where that is not the user
    written_at: datetime
    grounds: Grounds

    @property
    def headline(self) -> str:
        return self.content.partition("\n")[0]


def sort_of(memory: Memory) -> Sort:
    if "weekly" in memory.tags:
        return "weekly"
    return _SORTS.get(memory.content_type, "merged")


def in_order(memories: Iterable[Memory]) -> list[Memory]:
    """Return what stands for all before what stands for a part, and the newest of a sort first."""
    newest = sorted(memories, key=lambda memory: (memory.valid_at, memory.known_at), reverse=True)
    return sorted(newest, key=lambda memory: _ORDER.index(sort_of(memory)))


def conclusion(memory: Memory, grounds: Grounds) -> Conclusion:
    return Conclusion(
        sort=sort_of(memory),
        memory_id=memory.id,
        content=memory.content,
        about=memory.subject_id if memory.subject in ("other", "character") else None,
        written_at=memory.known_at,
        grounds=grounds,
    )
