"""The current actor: set at the edge of the program, recorded with every write.

It follows calls into coroutines, and into threads that copy the context (`asyncio.to_thread`). Background work has no
actor but the program itself.
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
    """Who requested an operation: a server key, a person, a local user, or a program that uses the bank."""

    kind: ActorKind
    name: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.name else self.kind


LIBRARY: Final = Actor(kind="library")


def person(name: str) -> Actor:
    """Return the person with that name; raises `InvalidQuery` if the name cannot be stored."""
    name = unicodedata.normalize("NFC", name).strip()
    if not name or len(name) > _LONGEST_NAME or not name.isprintable():
        raise InvalidQuery(ErrorText("query.person_name", longest_name=_LONGEST_NAME))
    return Actor(kind="person", name=name)


_ACTOR: Final[ContextVar[Actor]] = ContextVar("gieok.actor", default=LIBRARY)


def actor() -> Actor:
    """Return the current actor; by default, the program that holds the bank."""
    return _ACTOR.get()


@contextmanager
def acting_as(somebody: Actor) -> Iterator[None]:
    """Set `somebody` as the actor of all writes in this block and context."""
    before = _ACTOR.set(somebody)
    try:
        yield
    finally:
        _ACTOR.reset(before)
