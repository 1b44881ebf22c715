"""What was said: a turn is an exchange of utterances, each with its speaker and its own id."""

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

_YEARS: Final = range(2, 9999)  #: a day to spare on either side, so that any offset can be applied

USER: Final = "user"
CHARACTER: Final = "character"
ROLES: Final = (USER, CHARACTER, "world")  #: what nobody may be called; see `display_name`


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """One thing one speaker said."""

    id: str
    turn_id: str
    speaker: str  #: "user", "character", or the name of anybody else
    text: str
    at: datetime
    position: int  #: its place in the turn, from 0
    session: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """An exchange, as it is kept in the log."""

    id: str  #: the caller's turn id, or one made for it
    utterances: tuple[Utterance, ...]
    at: datetime  #: when it happened in the story
    recorded_at: datetime  #: wall time
    session: str | None = None
    channel: str | None = None
    present: tuple[str, ...] = ()  #: other characters who heard it
    cut_off: bool = False  #: the reply was broken off: whoever listened went away, or the model fell silent
    number: int = 0  #: its place among the turns of the scope, from 1

    def says(self, other: Turn) -> bool:
        return _lines(self) == _lines(other)


def _lines(turn: Turn) -> tuple[tuple[str, str], ...]:
    return tuple((utterance.speaker, utterance.text) for utterance in turn.utterances)


def checked_text(text: object, name: str = "text") -> str:
    """Return `text` if it can be kept as an utterance, else raise `InvalidText`."""
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
    """Return `name` if it can stand for somebody in one line, else raise `InvalidText`."""
    name = unicodedata.normalize("NFC", checked_text(name, "speaker"))
    if len(name) > LONGEST_NAME or any(unicodedata.category(letter) in ("Cc", "Cs", "Zl", "Zp") for letter in name):
        raise InvalidText(ErrorText("text.speaker", longest_name=LONGEST_NAME))
    return name


def display_name(name: str) -> str:
    """Return the name under which somebody else is kept: a stranger who calls themself "user" is not the user."""
    return f"@{name}" if name in ROLES else name


def checked_moment(moment: datetime, name: str = "at") -> datetime:
    """Return `moment` if it says where on earth it is and every time zone can write it, else raise `InvalidInput`."""
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
    """Return the moment that `text` names; without an offset it is read in `zone`. A bare day is its first moment."""
    if text is None:
        return None
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError as cause:
        raise InvalidQuery(ErrorText("query.date", name=name, text=text)) from cause
    return read if read.tzinfo is not None else read.replace(tzinfo=zone)


def end_of(text: str | None, zone: ZoneInfo, name: str) -> datetime | None:
    """Return the moment that `text` names; a bare day ends where the next begins."""
    start = moment(text, zone, name)
    if start is None or not _DAY.fullmatch((text or "").strip()) or start.year == MAXYEAR:
        return start  # there is no day after the last one; whoever asks refuses such years, and says why
    return start + timedelta(days=1)


def last_of(text: str | None, zone: ZoneInfo, name: str) -> datetime | None:
    """Return the moment that `text` names; of a bare day its last, so that asking as of a day counts all of it."""
    end = end_of(text, zone, name)
    return end if end is None or end == moment(text, zone, name) else end - timedelta(microseconds=1)
