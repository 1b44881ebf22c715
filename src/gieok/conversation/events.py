"""The events of a turn, in their order.

First what the model sees, then its reply in pieces, then what the character felt, what was remembered and how the
relationship changed; at last that the turn is done. Everything is stored by the time `MemoryUpdate` comes.
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
    """What the model is about to see; `context.degraded` names what is missing in it."""

    context: Context


@dataclass(frozen=True, slots=True, kw_only=True)
class Delta:
    """The next bit of the reply, as it is kept: without control characters and broken letters."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """The model gave no reply, or broke off."""

    failure: Failure
    message: str  #: what to tell the user: the trouble and the way out, in the language of the settings
    detail: str = ""  #: what the model's side said of it


@dataclass(frozen=True, slots=True, kw_only=True)
class Emotion:
    """What the character feels after its reply."""

    felt: Felt


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryUpdate:
    """What became of the turn; it is kept."""

    observed: Observed


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationshipUpdate:
    """How the turn moved the two: their relationship, and how they speak to each other."""

    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The turn is over."""

    turn: Turn
    reply: str  #: "": there is none
    cut_off: bool  #: the reply, or the lack of one, is not what the model would have said in the end


Event = ContextBuilt | Delta | Failed | Emotion | MemoryUpdate | RelationshipUpdate | Done


def failed(trouble: ModelFailed, *, language: str, began: bool) -> Failed:
    """Return the event for `trouble`; `began`: a part of the reply had come."""
    words = words_in("en" if language == "en" else "ko")
    kept = words("reply.broke_off" if began else "reply.nothing_came")
    message = f"{words(f'reply.failures.{trouble.failure}')} {kept}"
    return Failed(failure=cast(Failure, trouble.failure), message=message, detail=trouble.detail)
