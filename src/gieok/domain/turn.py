"""Turns: exchanges of utterances, each with its speaker and id."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import MAXYEAR, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from gieok.domain.scope import LONGEST_NAME
from gieok.errors import ErrorText, InvalidInput, InvalidQuery, InvalidText, NaiveDatetime

LONGEST_UTTERANCE: Final = 8_000

_YEARS: Final = range(2, 9999)  #: one day of margin, so that any UTC offset can be applied

USER: Final = "user"
CHARACTER: Final = "character"
ROLES: Final = (USER, CHARACTER, "world")  #: reserved as names; see `display_name`


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One utterance of one speaker."""

    id: str
    turn_id: str
    speaker: str  #: "user", "character", or another name
    text: str
    at: datetime
    position: int  #: index in the turn, from 0
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An exchange, as stored in the log."""

    id: str  #: the caller's turn id, or a generated one
    utterances: tuple[Utterance, ...]
    at: datetime  #: story time
    recorded_at: datetime  #: wall time
    session: str | None = None
    channel: str | None = None
    present: tuple[str, ...] = ()  #: other characters who heard it
    cut_off: bool = False  #: the reply was interrupted: the listener disconnected, or the model stopped
    number: int = 0  #: its index among the turns of the scope, from 1

    def says(self, other: Turn) -> bool:
        return _lines(self) == _lines(other)


def _lines(turn: Turn) -> tuple[tuple[str, str], ...]:
    return tuple((utterance.speaker, utterance.text) for utterance in turn.utterances)


def checked_text(text: object, name: str = "text") -> str:
    """Return `text` if it is a valid utterance; else raise `InvalidText`."""
    if not isinstance(text, str):
        raise InvalidText(f"{name} must be a string, not {type(text).__name__}")
    if not text.strip():
        raise InvalidText(ErrorText("text.empty", name=name))
    if len(text) > LONGEST_UTTERANCE:
        raise InvalidText(ErrorText("text.long", name=name, n=len(text), longest_utterance=LONGEST_UTTERANCE))
    if "\x00" in text:
        raise InvalidText(ErrorText("text.nul", name=name, index=text.index(chr(0))))
    surrogate = next((i for i, letter in enumerate(text) if "\ud800" <= letter <= "\udfff"), None)
    if surrogate is not None:
        raise InvalidText(ErrorText("text.surrogate", name=name, surrogate=surrogate))
    return text


def checked_speaker(name: str) -> str:
    """Return `name` if it is a valid one-line name; else raise `InvalidText`."""
    name = unicodedata.normalize("NFC", checked_text(name, "speaker"))
    if len(name) > LONGEST_NAME or any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in name):
        raise InvalidText(ErrorText("text.speaker", longest_name=LONGEST_NAME))
    return name


def display_name(name: str) -> str:
    """Return the name under which another speaker is stored: a stranger named "user" is not the user."""
    return f"@{name}" if name in ROLES else name


def checked_moment(moment: datetime, name: str = "at") -> datetime:
    """Return `moment` if it has a time zone and fits every zone; else raise `InvalidInput`."""
    if not isinstance(moment, datetime):
        raise InvalidInput(f"{name} must be a datetime, not {type(moment).__name__}")
    if moment.year not in _YEARS:
        raise InvalidInput(
            ErrorText("query.year", name=name, moment=moment.isoformat(), first=_YEARS.start, last=_YEARS.stop - 1)
        )
    if moment.utcoffset() is None:
        raise NaiveDatetime(name, moment)
    return moment


_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}|\d{8}")


def moment(text: str | None, zone: ZoneInfo, name: str = "--at") -> datetime | None:
    """Return the time that `text` names; without an offset, in `zone`. A date is its first moment."""
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError as cause:
        raise InvalidQuery(ErrorText("query.date", name=name, text=text)) from cause
    return read if read.tzinfo is not None else read.replace(tzinfo=zone)


def end_of(text: str | None, zone: ZoneInfo, name: str) -> datetime | None:
    """Return the time that `text` names; a date ends at the start of the next."""
    start = moment(text, zone, name)
    if start is None or not _DAY.fullmatch((text or "").strip()) or start.year == MAXYEAR:
        return start  # no day follows the last one; the caller rejects such years with a reason
    return start + timedelta(days=1)


def last_of(text: str | None, zone: ZoneInfo, name: str) -> datetime | None:
    """Return the time that `text` names; for a date its last moment, so that the day is included."""
    end = end_of(text, zone, name)
    return end if end is None or end == moment(text, zone, name) else end - timedelta(microseconds=1)
