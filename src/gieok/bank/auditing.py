"""What was done in a bank, by whom and why: to be listed, looked through and taken along."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import datetime, timedelta
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

from gieok.domain.actor import Actor, acting_as, person
from gieok.domain.audit import Chain, Deed, Verified, deed_record, parsed
from gieok.domain.scope import Scope
from gieok.ports import Clock, Store

if TYPE_CHECKING:
    from gieok.bank.mind import Mind

_TOGETHER: Final = timedelta(minutes=1)  #: in which reads of one scope by the same are one
_MOST: Final = 10_000  #: reads that are held in memory


class Reads:
    """Who has read what just now: a page that reads a hundred times is noted once."""

    def __init__(self) -> None:
        self._noted: dict[tuple[Actor, Scope], datetime] = {}
        self._lock = Lock()

    def is_news(self, actor: Actor, scope: Scope, now: datetime) -> bool:
        with self._lock:
            noted = self._noted.get((actor, scope))
        return noted is None or not noted <= now < noted + _TOGETHER

    def note(self, actor: Actor, scope: Scope, now: datetime) -> None:
        with self._lock:
            self._noted.pop((actor, scope), None)
            self._noted[actor, scope] = now
            while len(self._noted) > _MOST:
                del self._noted[next(iter(self._noted))]


class Auditing:
    """The part of a `MemoryBank` that tells who did what."""

    store: Store
    clock: Clock
    _reads: Reads

    def acting_as(self, name: str) -> AbstractContextManager[None]:
        """Have what is written meanwhile be done by the person of that name: `with bank.acting_as("운영자 김"): …`."""
        return acting_as(person(name))

    def audit(
        self, scope: Scope | Mind | None = None, limit: int | None = None, *, before: int | None = None
    ) -> list[Deed]:
        """Return the last deeds in a scope (with a number below `before`), in order: who did what, when and why.

        Without a scope: what was done to the bank itself, its keys, webhooks, documents and embedder.
        """
        return self.store.trail.deeds(None if scope is None else _scope(scope), limit, before=before)

    def verify_audit(self, scope: Scope | Mind | None = None) -> Verified:
        """Look through the chain of a scope, or all there are, and hold the journal and what was said against them."""
        return self.store.trail.verify(None if scope is None else _scope(scope))

    def audit_records(self, scope: Scope | Mind | None = None) -> Iterator[dict[str, Any]]:
        """Yield the audit log as records for a file: each chain, and its deeds, the newest first.

        A deed has the lines that its digest vouches for in `told`: the operation with what was before and after it.
        """
        wanted = None if scope is None else _scope(scope)
        for chain in self.store.trail.chains(wanted):
            yield chain_record(chain)
            for deed, lines in self.store.trail.told(chain):
                told = [parsed(line) for line in lines]
                yield {"kind": "deed", "chain": chain.mark, **deed_record(deed), "told": told}

    def is_unread(self, scope: Scope, actor: Actor) -> bool:
        """Whether it would be news that somebody reads a scope: it was not noted within the last minute."""
        return self._reads.is_news(actor, scope, self.clock.now())

    def note_read(self, scope: Scope, actor: Actor, route: str) -> None:
        """Note that somebody reads a scope that is not theirs, once a minute."""
        now = self.clock.now()
        if self._reads.is_news(actor, scope, now):
            self.store.trail.note_read(scope, actor, route, now)
            self._reads.note(actor, scope, now)


def chain_record(chain: Chain) -> dict[str, Any]:
    """Return where a chain stands, as it goes into a file; without names its scope was erased."""
    scope = chain.scope
    return {
        "kind": "chain",
        "chain": chain.mark,
        "erased": scope is None and not chain.of_bank,
        "of_bank": chain.of_bank,
        "user": scope.user if scope else None,
        "character": scope.character if scope else None,
        "world": scope.world if scope else None,
        "since": chain.since,
        "length": chain.length,
        "head": chain.head,
    }


def _scope(given: Scope | Mind) -> Scope:
    return given if isinstance(given, Scope) else given.key
