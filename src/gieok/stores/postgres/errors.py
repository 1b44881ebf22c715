"""What a server, or the way to it, may have to say, in gieok's words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from psycopg import errors

from gieok.errors import BankError, BankInterrupted, BankUnavailable, DiskFull, ErrorText, GieokError, InvalidText

#: What passes: the server stops, starts or crashed, or two transactions were in each other's way.
_PASSING: Final = (
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.ConnectionException,
    errors.ConnectionFailure,
    errors.IdleInTransactionSessionTimeout,
)
_SENTENCES: Final[list[tuple[type[psycopg.Error], Callable[[str], GieokError], str]]] = [
    (errors.DiskFull, DiskFull, "the disk of {} is full; nothing was written, free some space and try again"),
    (
        errors.QueryCanceled,
        BankUnavailable,
        "{} took too long and was stopped (postgres_seconds); nothing was written, try again, or allow it more time",
    ),
    (
        errors.LockNotAvailable,
        BankUnavailable,
        "another process kept what was to be written at {} locked for too long; nothing was written, try again",
    ),
    (
        errors.TooManyConnections,
        BankUnavailable,
        "{} takes no more connections; raise its max_connections, or lower postgres_pool of those who use it",
    ),
    (
        errors.ReadOnlySqlTransaction,
        BankUnavailable,
        "{} may only be read (a standby?); name the server that takes writes",
    ),
    (
        errors.InvalidPassword,
        BankUnavailable,
        "{} does not know this user and password; check the address (--bank or GIEOK_BANK)",
    ),
    (
        errors.InvalidAuthorizationSpecification,
        BankUnavailable,
        "{} does not let this user in ({error}); check the address and the server's pg_hba.conf",
    ),
    (
        errors.InvalidCatalogName,
        BankUnavailable,
        "there is no such database at {}; make it first: createdb NAME",
    ),
    (
        errors.InsufficientPrivilege,
        BankUnavailable,
        "this user may not do that at {} ({error}); let its owner grant it, or make the tables first: gieok migrate",
    ),
    (errors.OutOfMemory, BankUnavailable, "{} is out of memory; nothing was written, try again later"),
]
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
    for kind, ours, sentence in _SENTENCES:
        if isinstance(error, kind):
            return ours(sentence.format(location, error=told))
    if isinstance(error, _UNSTORABLE) or (isinstance(error, psycopg.DataError) and "NUL" in told):
        return InvalidText(ErrorText("postgres.text"))
    if isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and error.sqlstate is None:
        return BankInterrupted(ErrorText("postgres.connection_lost", location=location, told=told))
    return BankError(f"{location}: {told}")


@contextmanager
def in_our_words(location: str) -> Iterator[None]:
    """Raise what the driver has to say as an error of gieok's."""
    try:
        yield
    except psycopg.Error as error:
        raise translated(error, location) from error
    except UnicodeEncodeError as error:
        raise InvalidText(ErrorText("text.unstorable")) from error
