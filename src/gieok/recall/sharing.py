"""What a scope may read of its siblings, where sharing was declared.

`user_facts`: what the user said of themself to other characters of the same world. `character`: all that the character
talked about with others; from here, their user is somebody else, and is told of by name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from gieok.domain.answer import Item, Where
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope, Sharing
from gieok.domain.turn import CHARACTER, USER
from gieok.ports import MemoryFilter
from gieok.recall.ranking import Ranked

_SAME_FOR_ALL: Final = (CHARACTER, "world")  #: whom scopes of one character in one world mean alike


@dataclass(frozen=True, slots=True, kw_only=True)
class Sibling:
    """Another scope, and what may be read of it."""

    scope: Scope
    sharing: Sharing

    def where(self, asked: Where) -> Where | None:
        """Return what to look for there; None: nothing that was asked for can be there."""
        if self.sharing == "user_facts":
            fits = asked.kind != "utterance" and asked.about in (None, USER) and asked.said_by in (None, USER)
            return replace(asked, kind="memory", about=USER, said_by=USER) if fits else None
        about, said_by = self._there(asked.about), self._there(asked.said_by)
        if (about is None) != (asked.about is None) or (said_by is None) != (asked.said_by is None):
            return None
        return replace(asked, about=about, said_by=said_by)

    def standing(self) -> MemoryFilter | None:
        """Return which of its pinned memories are always there; None: none of them."""
        return MemoryFilter(pinned=True, subject=USER, speaker=USER) if self.sharing == "user_facts" else None

    def allows(self, item: Item) -> bool:
        if self.sharing == "character":
            return True
        return isinstance(item, Memory) and item.subject == USER and item.speaker == USER

    def seen(self, ranked: Iterable[Ranked]) -> list[Ranked]:
        """Return what was found there as it is from here."""
        allowed = [each for each in ranked if self.allows(each.item)]
        return (
            allowed if self.sharing == "user_facts" else [replace(each, item=self.told(each.item)) for each in allowed]
        )

    def told(self, item: Item) -> Item:
        """Return an item of somebody else's: the user there is a person with a name, and those around them theirs."""
        name = self.scope.user
        if self.sharing == "user_facts" or name is None:
            return item
        speaker = name if item.speaker == USER else item.speaker
        if not isinstance(item, Memory):
            return replace(item, speaker=speaker)
        if item.subject in _SAME_FOR_ALL:
            return replace(item, speaker=speaker)
        whose = name if item.subject == USER else f"{name}의 {item.subject_id}"
        return replace(item, speaker=speaker, subject="other", subject_id=whose)

    def _there(self, who: str | None) -> str | None:
        """Return what somebody whom we mean is called there."""
        if who in _SAME_FOR_ALL:
            return who
        return USER if who is not None and who == self.scope.user else None
