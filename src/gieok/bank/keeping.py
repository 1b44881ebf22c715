"""What a mind tells of its own upkeep: what is due and why, what was concluded, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from gieok.bank.checking import listed
from gieok.domain.answer import Item
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import Utterance, checked_moment
from gieok.domain.upkeep import Outlook, by_upkeep
from gieok.errors import UnknownMemory
from gieok.ports import Holdings

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What a memory rests on: the memories that it was made from, and the words that it was read from."""

    memories: tuple[Memory, ...] = ()
    utterances: tuple[Utterance, ...] = ()
    gone: int = 0  #: grounds that are no longer in force


class Keeping:
    """The part of a `Mind` that tells of its upkeep."""

    _bank: MemoryBank
    key: Scope

    def outlook(self, at: datetime | None = None) -> tuple[Outlook, ...]:
        """Return how far each pass of upkeep is from being due, by what, and when it last ran."""
        return self._bank.services.maintainer.outlook(self.key, None if at is None else checked_moment(at))

    def conclusions(self) -> list[Memory]:
        """Return all that upkeep made of memories and has not let go of: summaries, profiles, insights, merged ones."""
        with self._bank.store.view(self.key) as view:
            return [memory for memory in view.concluded() if by_upkeep(memory)]

    def grounds(self, memory_ids: Iterable[str]) -> dict[str, Grounds]:
        """Return what each of these memories rests on; raises `UnknownMemory`."""
        asked = listed(memory_ids, "memory_ids")
        with self._bank.store.view(self.key) as view:
            known = view.memories_by_id(asked)
            for memory_id in asked:
                if memory_id not in known:
                    raise UnknownMemory(memory_id)
            memories = view.memories_by_id({each for memory in known.values() for each in memory.made_from})
            refs = view.refs({each for memory in known.values() for each in memory.sources})
            items = view.items(refs.values())
        said = {item_id: items[ref] for item_id, ref in refs.items() if ref in items}
        return {memory_id: _grounds(known[memory_id], memories, said) for memory_id in asked}

    def holdings(self) -> Holdings:
        """Return how much is kept of this mind, in every state."""
        return self._bank.holdings(self.key)


def _grounds(memory: Memory, memories: dict[str, Memory], said: dict[str, Item]) -> Grounds:
    made_from = tuple(memories[each] for each in memory.made_from if each in memories)
    utterances = tuple(item for each in memory.sources if isinstance(item := said.get(each), Utterance))
    gone = len(memory.made_from) + len(memory.sources) - len(made_from) - len(utterances)
    return Grounds(memories=made_from, utterances=utterances, gone=gone)
