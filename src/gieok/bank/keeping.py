"""What a mind tells of its own upkeep: what is due and why, what was concluded, and what that rests on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from gieok.bank.checking import checked_choice, listed
from gieok.domain.answer import Item
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import Utterance, checked_moment
from gieok.domain.upkeep import PASSES, Outlook, PassName, by_upkeep
from gieok.errors import UnknownMemory
from gieok.ports import Holdings

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank
    from gieok.maintain.maintaining import Upkept


@dataclass(frozen=True, slots=True, kw_only=True)
class Grounds:
    """What a memory rests on: the memories that it was made from, and the words that it was read from."""

    memories: tuple[Memory, ...] = ()
    utterances: tuple[Utterance, ...] = ()
    gone: int = 0  #: grounds that are no longer in force


class Keeping:
    """The part of a `Mind` that does its upkeep, and tells of it."""

    _bank: MemoryBank
    key: Scope

    def maintain(
        self, passes: Iterable[PassName] | None = None, *, at: datetime | None = None, dry_run: bool = False
    ) -> Upkept:
        """Do the upkeep that is due, or the named `passes`; a dry run writes nothing and tells what would be done.

        What was kept while the embedder was away gets its vectors. Where nothing is named, what was forgotten leaves
        the disk, too: see `scrub`.
        """
        done = self.upkept(passes, at=at, dry_run=dry_run)
        if passes is None and not dry_run:
            self._bank.scrub([self.key], prove=self._bank.store.proves_quickly)
        return done

    def upkept(self, passes: Iterable[PassName] | None, *, at: datetime | None, dry_run: bool) -> Upkept:
        """Do the same without scrubbing: for whoever goes through many minds and does that once."""
        asked = None if passes is None else listed(passes, "passes")
        for name in asked or ():
            checked_choice("pass", name, PASSES)
        wanted = None if asked is None else [name for name in PASSES if name in asked]
        moment = None if at is None else checked_moment(at)
        if not dry_run:
            self._bank.services.fill_in_vectors(self.key)
        return self._bank.services.maintainer.maintain(self.key, wanted, at=moment, dry_run=dry_run)

    def due(self, at: datetime | None = None) -> tuple[PassName, ...]:
        """Return the passes of upkeep that are due."""
        return self._bank.services.maintainer.due(self.key, None if at is None else checked_moment(at))

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
