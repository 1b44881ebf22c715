"""What is told of a turn that is kept: its reply where nobody has heard it, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from gieok.conversation import events
from gieok.conversation.events import Event
from gieok.conversation.exchange import reply_in
from gieok.domain.answer import Observed
from gieok.domain.turn import CHARACTER

_BETWEEN_THE_TWO: Final = ("relationship", "manners")


def replayed(observed: Observed) -> Iterator[Event]:
    """Yield the reply, in one piece."""
    reply = reply_in(observed.turn)
    if reply:
        yield events.Delta(text=reply)


def outcomes(observed: Observed) -> Iterator[Event]:
    """Yield what the character felt, what was remembered, and how it moved the two."""
    for felt in observed.emotions:
        if felt.speaker == CHARACTER:
            yield events.Emotion(felt=felt)
    yield events.MemoryUpdate(observed=observed)
    moves = tuple(move for move in observed.moves if move.kind in _BETWEEN_THE_TWO)
    if moves:
        yield events.RelationshipUpdate(moves=moves)


def done(observed: Observed) -> Event:
    """Return what ends a turn."""
    turn = observed.turn
    return events.Done(turn=turn, reply=reply_in(turn), cut_off=turn.cut_off)


def retold(observed: Observed) -> Iterator[Event]:
    """Yield all that can be told of a turn that is kept; what the model saw is no longer known."""
    yield from replayed(observed)
    yield from outcomes(observed)
    yield done(observed)
