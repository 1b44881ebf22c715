"""An exchange as a caller hands it in, the trace of a turn, and which turns could not be read."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from math import inf
from threading import Lock

from gieok.domain.answer import Trace, emotion_reading
from gieok.domain.emotion import Felt
from gieok.domain.memory import Change
from gieok.domain.noticed import Noticed
from gieok.domain.turn import CHARACTER, USER, Turn, checked_text
from gieok.errors import ErrorText, GieokError, InvalidText

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """An exchange, not yet a turn."""

    lines: tuple[tuple[str, str], ...]  #: (speaker, text)
    at: datetime | None = None
    session: str | None = None
    turn_id: str | None = None
    operation_id: str | None = None  #: that the operation is to have; None: a new one
    why: str = ""  #: that stands in the log
    channel: str | None = None
    present: tuple[str, ...] = ()
    cut_off: bool = False  #: the reply was broken off
    scripted: bool = False  #: the reply, which is the last line, is a fixed phrase: it is kept, but not read
    felt: tuple[Felt, ...] = ()  #: what somebody else than the classifier has read; it counts before it
    consent: tuple[str, ...] = ()  #: kinds of personal data that may stay as they were said, where that is asked for
    used: tuple[str, ...] = ()  #: ids of the memories that the reply was made with
    trace: Trace | None = None  #: how it came about, as far as is known by now; None: nobody wants to know

    def heard_by(self, character: str, speaker: str) -> Said:
        """Return the same exchange as `character` heard it from `speaker`, whose lines carry that name."""
        roles = {CHARACTER: speaker, character: CHARACTER}
        lines = tuple((roles.get(who, who), text) for who, text in self.lines)
        return replace(
            self, lines=lines, used=(), trace=None, present=tuple(who for who in self.present if who != character)
        )


def said(text: str | None, reply: str | None, speaker: str | None) -> tuple[tuple[str, str], ...]:
    """Return the checked lines of an exchange: `text` by `speaker` (the user), then `reply` by the character."""
    if text is None and reply is None:
        raise InvalidText(ErrorText("text.nothing_said"))
    lines = []
    if text is not None:
        lines.append((speaker or USER, checked_text(text, "text")))
    if reply is not None:
        lines.append((CHARACTER, checked_text(reply, "reply")))
    return tuple(lines)


def reworded(turn: Turn, text: str | None, reply: str | None) -> tuple[tuple[str, str], ...]:
    """Return the lines of a turn with a new first line (`text`), a new `reply`, or both. All other lines stay."""
    lines = [(each.speaker, each.text) for each in turn.utterances]
    if reply:
        lines = [line for line in lines if line[0] != CHARACTER] + [(CHARACTER, checked_text(reply, "reply"))]
    if text:
        first = next((line for line in lines if line[0] != CHARACTER), None)
        rest = [line for line in lines if line is not first]
        lines = [(first[0] if first else USER, checked_text(text, "text")), *rest]
    return tuple(lines)


@contextmanager
def after_storing() -> Iterator[None]:
    """Log errors instead of raising them: the turn is stored, and an error would mean that it is not."""
    try:
        yield
    except GieokError:
        log.warning("the turn is stored, but not all that follows one could be done", exc_info=True)


class FailedTurns:
    """Counts failed attempts to read turns. Of more than `most` turns, those that failed longest ago are dropped."""

    def __init__(self, *, enough: int | None = None, most: int = 10_000) -> None:
        """After `enough` failures (None: only when told to) a turn is given up."""
        self._enough = enough
        self._most = most
        self._failures: OrderedDict[tuple[str, ...], float] = OrderedDict()
        self._lock = Lock()

    def failed(self, turn: Turn) -> float:
        """Note that `turn` could not be read; return how often that was so by now."""
        return self._note(turn, 1)

    def give_up(self, turn: Turn) -> None:
        """Never try `turn` again."""
        self._note(turn, inf)

    def count(self, turn: Turn) -> float:
        with self._lock:
            return self._failures.get(_key(turn), 0)

    def worth_trying(self, turn: Turn) -> bool:
        return self.count(turn) < (inf if self._enough is None else self._enough)

    def _note(self, turn: Turn, more: float) -> float:
        key = _key(turn)
        with self._lock:
            count = self._failures[key] = self._failures.get(key, 0) + more
            self._failures.move_to_end(key)
            if len(self._failures) > self._most:
                self._failures.popitem(last=False)
        return count


def _key(turn: Turn) -> tuple[str, ...]:
    """Return what no other turn has: the id of a rewound turn may be reused, and a caller's ids are per scope."""
    return (turn.id, *(utterance.id for utterance in turn.utterances))


def completed(begun: Trace | None, noticed: Noticed | None, changes: Iterable[Change]) -> Trace | None:
    """Return the whole trace of a turn; None where nobody wants one."""
    if begun is None:
        return None
    return replace(
        begun,
        used=tuple(
            each.memory_id for each in changes if each.before and each.after and each.after.uses > each.before.uses
        ),
        emotions=tuple(emotion_reading(felt) for felt in noticed.felt) if noticed is not None else (),
    )


def without_answers(noticed: Noticed | None) -> Noticed | None:
    """Return `noticed` as the journal keeps it: what a model answered word for word goes with the trace."""
    if noticed is None or not any(felt.raw for felt in noticed.felt):
        return noticed
    return replace(noticed, felt=tuple(replace(felt, raw="") for felt in noticed.felt))
