"""What a server, or the way to it, may have to say, in gieok's words."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psycopg
from psycopg import errors

from gieok.errors import BankError, BankInterrupted, BankUnavailable, DiskFull, ErrorText, GieokError, InvalidText

_SAID: Final = tomllib.loads(Path(__file__).with_name("errors.toml").read_text(encoding="utf-8"))
_PASSING: Final = tuple(getattr(errors, name) for name in _SAID["passing"])
_MESSAGES: Final = [(getattr(errors, name), key) for name, key in _SAID["messages"].items()]
_CONNECTING: Final = [(re.compile(words, re.IGNORECASE), key) for key, words in _SAID["connecting"].items()]
_UNSTORABLE: Final = (errors.CharacterNotInRepertoire, errors.UntranslatableCharacter, errors.ProgramLimitExceeded)


def translated(error: psycopg.Error, location: str) -> GieokError:
    """Return the error to raise `from` the driver's."""
    told = (str(error).splitlines() or [""])[0]
    if "does not support SSL" in told:
        return BankUnavailable(ErrorText("postgres.tls", location=location))
    if isinstance(error, psycopg.OperationalError) and "certificate verify failed" in told:
        return BankUnavailable(ErrorText("postgres.certificate", location=location))
    if isinstance(error, _PASSING):
        return BankInterrupted(ErrorText("postgres.broke_off", location=location, told=told))
    for kind, key in _MESSAGES:
        if isinstance(error, kind):
            ours = DiskFull if kind is errors.DiskFull else BankUnavailable
            return ours(ErrorText(f"postgres.{key}", location=location, told=told))
    if isinstance(error, _UNSTORABLE) or (isinstance(error, psycopg.DataError) and "NUL" in told):
        return InvalidText(ErrorText("postgres.text"))
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and error.sqlstate is None:
        return BankInterrupted(ErrorText("postgres.connection_lost", location=location, told=told))
    return BankError(f"{location}: {told}")


def why_unconnected(error: psycopg.Error, location: str) -> GieokError:
    """Return the error to raise `from` what the driver says when no connection can be made."""
    ours = translated(error, location)
    if not isinstance(ours, BankInterrupted):
        return ours
    told = str(error)
    key = next((key for words, key in _CONNECTING if words.search(told)), "unreachable")
    kind = BankInterrupted if key == "starting" else BankUnavailable
    cause = (told.splitlines() or [""])[0].rpartition("failed: ")[2]
    return kind(ErrorText(f"postgres.{key}", location=location, told=cause))


@contextmanager
def in_our_words(location: str) -> Iterator[None]:
    """Raise what the driver has to say as an error of gieok's."""
    try:
        yield
    except psycopg.Error as error:
        raise translated(error, location) from error
    except UnicodeEncodeError as error:
        raise InvalidText(ErrorText("text.unstorable")) from error
