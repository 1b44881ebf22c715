"""What there is to say in a context, before anybody asks what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final

from gieok.domain.answer import Hit
from gieok.domain.attributes import attribute
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn

if TYPE_CHECKING:
    from gieok.prompts.compress import Compressed
    from gieok.recall.ranking import Ranked

_PINNED_ORDER: Final = {"caution": 0, "identity": 1}
_TOUCHES: Final = 0.3  #: cosine from which on a memory has to do with the question, though they share no word


@dataclass(frozen=True, slots=True, kw_only=True)
class Materials:
    """What there is to say."""

    query: str
    scope: Scope
    pinned: Sequence[Memory]
    hits: Sequence[Hit]  #: what was selected outright, then what was found, best first
    known: Sequence[Ranked | Hit]  #: facts about the user that fill what room is left, nearest to the question first
    turns: Sequence[Turn]  #: oldest first
    now: datetime  #: by the clock that days are named by
    system: str = ""  #: the caller's own prompt: it is taken whole or not at all, and never quoted
    examples: Sequence[str] = ()  #: the caller's own, too
    people: Sequence[str] = ()  #: who is there, how the two stand, how they feel: a line each
    summary: str = ""
    briefs: Sequence[Compressed] = ()  #: what some of the hits say in fewer words; each names first the first of them
    degraded: tuple[str, ...] = ()

    def pinned_in_order(self) -> list[Memory]:
        """Return what is always there: caution first, then identity, then the rest."""
        return sorted(self.pinned, key=_pinned_rank)

    def hits_in_order(self) -> Iterator[Hit]:
        """Yield what was selected, then the cautions that touch the question, then the rest as it is ranked."""
        selected = [hit for hit in self.hits if any(found.source == "included" for found in hit.why)]
        found = [hit for hit in self.hits if hit not in selected] if selected else self.hits
        warning: list[Hit] = []
        rest: list[Hit] = []
        for hit in found:
            (warning if _warns(hit) else rest).append(hit)
        yield from (*selected, *warning, *rest)


def is_caution(memory: Memory) -> bool:
    return _category(memory) == "caution"


def _warns(hit: Hit) -> bool:
    if not isinstance(hit.item, Memory) or not is_caution(hit.item):
        return False
    return hit.parts.keyword > 0 or hit.parts.graph > 0 or hit.parts.relevance >= _TOUCHES


def _category(memory: Memory) -> str:
    return attribute(memory.attribute).category if memory.attribute else ""


def _pinned_rank(memory: Memory) -> tuple[int, float, str]:
    return (_PINNED_ORDER.get(_category(memory), 2), -memory.importance, memory.id)
