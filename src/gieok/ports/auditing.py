"""Who did what, when and why, in chains that can be looked through."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Protocol

from gieok.domain.acting import Actor
from gieok.domain.audit import Chain, Deed, Verified
from gieok.domain.scope import Scope


class Trail(Protocol):
    """What was done in a bank. Deeds are written by whoever writes what they tell of, in the same transaction."""

    def deeds(self, scope: Scope | None, limit: int | None = None, *, before: int | None = None) -> list[Deed]:
        """Return the last deeds of a scope (with a number below `before`), in order; no limit: all of them.

        No scope: the deeds that belong to none, on keys, webhooks, documents and embedders.
        """
        ...

    def actors(self, scope: Scope, operations: Iterable[int]) -> dict[int, Actor]:
        """Return on whose behalf operations were done, by their numbers; what was never told, or erased, is left out.

        Whoever had them revised is not meant.
        """
        ...

    def note_read(self, scope: Scope, actor: Actor, route: str, at: datetime) -> bool:
        """Note that somebody reads what is not theirs; False: nothing is kept of `scope`."""
        ...

    def chains(self, scope: Scope | None = None) -> list[Chain]:
        """Return the chain of a scope, if it has one, or (None) every chain, also those of scopes that were erased."""
        ...

    def told(self, chain: Chain) -> Iterator[tuple[Deed, tuple[str, ...]]]:
        """Yield the deeds of a chain, newest first, each with the lines that its digest vouches for.

        The lines are JSON: the operation as it was after that deed, with its claims, changes and moves, and what was
        said in its turn. What was erased has none.
        """
        ...

    def verify(self, scope: Scope | None = None) -> Verified:
        """Look through the chain of a scope, or (None) through all there are, and hold the journal against them."""
        ...
