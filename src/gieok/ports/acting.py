"""On whose behalf something is done: noted at the edge, read where it is written down.

It follows whoever calls into coroutines and into threads that take the context along (`asyncio.to_thread`). Work behind
the scenes is done on nobody's behalf but the program's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from gieok.domain.audit import LIBRARY, Actor

_ACTOR: Final[ContextVar[Actor]] = ContextVar("gieok.actor", default=LIBRARY)


def actor() -> Actor:
    """Return on whose behalf this is done; whoever holds the bank, where nobody was noted."""
    return _ACTOR.get()


@contextmanager
def acting_as(somebody: Actor) -> Iterator[None]:
    """Have all that is written meanwhile, in this context, be done on behalf of `somebody`."""
    before = _ACTOR.set(somebody)
    try:
        yield
    finally:
        _ACTOR.reset(before)


def act_as(somebody: Actor) -> None:
    """Have all that is written from here on, in this context, be done on behalf of `somebody`."""
    _ACTOR.set(somebody)
