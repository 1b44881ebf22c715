"""What is to be answered, and how the turn that comes of it is kept: a new one, or an earlier one told anew."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from gieok.bank import Mind
from gieok.conversation import events
from gieok.conversation.events import Event
from gieok.domain.answer import Context, Observed
from gieok.domain.emotion import Felt
from gieok.domain.model import ModelCall
from gieok.domain.turn import CHARACTER, Turn
from gieok.errors import InvalidQuery

_MOMENT: Final = timedelta(microseconds=1)
_BETWEEN_THE_TWO: Final = ("relationship", "manners")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """What the model made of it."""

    reply: str | None
    cut_off: bool
    context: Context | None = None
    felt: tuple[Felt, ...] = ()
    calls: tuple[ModelCall, ...] = ()  #: what models were asked for it


class Exchange(Protocol):
    """Words of the user that are to be answered."""

    @property
    def text(self) -> str: ...

    @property
    def at(self) -> datetime | None:
        """As of when things are remembered; None: now."""
        ...

    @property
    def instead_of(self) -> str | None:
        """The turn whose place it takes."""
        ...

    @property
    def include(self) -> tuple[str, ...]:
        """Ids of what the model is to see in any case."""
        ...

    def kept(self, mind: Mind, answered: Answered) -> Observed: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class New:
    """Something said now."""

    text: str
    turn_id: str
    at: datetime | None = None
    session: str | None = None
    speaker: str | None = None
    present: tuple[str, ...] = ()
    channel: str | None = None
    instead_of: str | None = None
    include: tuple[str, ...] = ()

    def kept(self, mind: Mind, answered: Answered) -> Observed:
        return mind.observe(
            self.text,
            reply=answered.reply,
            at=self.at,
            session=self.session,
            turn_id=self.turn_id,
            speaker=self.speaker,
            present=self.present,
            channel=self.channel,
            context=answered.context,
            cut_off=answered.cut_off,
            felt=answered.felt,
            calls=answered.calls,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """An earlier turn, answered once more, as things were just before it."""

    turn: Turn
    text: str
    include: tuple[str, ...] = ()

    @property
    def at(self) -> datetime:
        return self.turn.at - _MOMENT

    @property
    def instead_of(self) -> str:
        return self.turn.id

    def kept(self, mind: Mind, answered: Answered) -> Observed:
        if answered.reply is None and self.text == said_in(self.turn):
            return self._as_it_was(mind)
        return mind.instead(
            self.turn.id,
            self.text,
            reply=answered.reply,
            context=answered.context,
            cut_off=answered.cut_off,
            felt=answered.felt,
            calls=answered.calls,
        )

    def _as_it_was(self, mind: Mind) -> Observed:
        speaker = next(each.speaker for each in self.turn.utterances if each.speaker != CHARACTER)
        reply = reply_in(self.turn) or None
        return mind.observe(self.text, reply=reply, turn_id=self.turn.id, speaker=speaker, present=self.turn.present)


def said_in(turn: Turn) -> str:
    """Return what was said to the character in `turn`."""
    said = next((each.text for each in turn.utterances if each.speaker != CHARACTER), None)
    if said is None:
        raise InvalidQuery(f"nobody spoke to the character in turn {turn.id!r}; there is nothing to reply to")
    return said


def reply_in(turn: Turn) -> str:
    """Return what the character said in `turn`; "": nothing."""
    return next((each.text for each in turn.utterances if each.speaker == CHARACTER), "")


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
