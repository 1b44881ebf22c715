"""On whose behalf something is done: noted at the edge, read where it is written down.

It follows whoever calls into coroutines and into threads that take the context along (`asyncio.to_thread`). Work behind
the scenes is done on nobody's behalf but the program's own.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Final, Literal

from gieok.errors import ErrorText, InvalidQuery

ActorKind = Literal["key", "person", "local", "library"]
_LONGEST_NAME: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Actor:
    """Whoever asked for something: a key of a server, a person, somebody on this machine, a program with the bank."""

    kind: ActorKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else self.kind


LIBRARY: Final = Actor(kind="library")


def person(name: str) -> Actor:
    """Return the person of that name; raises `InvalidQuery` unless it can be written down."""
    name = unicodedata.normalize("NFC", name).strip()
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise InvalidQuery(ErrorText("query.person_name", longest_name=_LONGEST_NAME))
    return Actor(kind="person", name=name)


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
