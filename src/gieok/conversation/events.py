"""The events of a turn, in order.

First the context, then pieces of the reply, then the character's feeling, what was remembered and how the relationship
changed; finally the end of the turn. Everything is stored before `MemoryUpdate`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from gieok.domain.answer import Context, Failure, Observed
from gieok.domain.emotion import Felt
from gieok.domain.state import Move
from gieok.domain.turn import Turn
from gieok.errors import ModelFailed
from gieok.words import words_in


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextBuilt:
    """The context for the model; `context.degraded` names what is missing in it."""

    context: Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """The next piece of the reply, as stored: without control characters and invalid characters."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The model gave no reply, or stopped early."""

    failure: Failure
    message: str  #: cause and remedy for the user, in the configured language
    detail: str = ""  #: the message of the model's provider


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    """The character's feeling after its reply."""

    felt: Felt


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUpdate:
    """The result of the turn, which is now stored."""

    observed: Observed


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipUpdate:
    """Changes of relationship and manners by the turn."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The end of the turn."""

    turn: Turn
    reply: str  #: "": none
    cut_off: bool  #: the reply is incomplete or missing


Event = ContextBuilt | Delta | Failed | Emotion | MemoryUpdate | RelationshipUpdate | Done


def failed(trouble: ModelFailed, *, language: str, began: bool) -> Failed:
    """Return the event for `trouble`; `began`: part of the reply had arrived."""
    words = words_in("en" if language == "en" else "ko")
    kept = words("reply.broke_off" if began else "reply.nothing_came")
    message = f"{words(f'reply.failures.{trouble.failure}')} {kept}"
    return Failed(failure=cast(Failure, trouble.failure), message=message, detail=trouble.detail)
