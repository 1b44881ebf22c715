"""What the driver complains of, in gieok's own errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import apsw

from gieok.errors import BankError, BankUnavailable, DiskFull, GieokError, InvalidText, NotABank

BUSY_SECONDS: Final = 60  #: how long to wait for another process before giving up

#: A full disk may first be noticed when the file beside the bank, in which its users meet, cannot grow.
_NO_ROOM: Final = (apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMOPEN)
_SENTENCES: Final[list[tuple[type[apsw.Error], Callable[[str], GieokError], str]]] = [
    (apsw.FullError, DiskFull, "the disk of {} is full; nothing was written, free some space and try again"),
    (apsw.NotADBError, NotABank, "{} is not a gieok bank, or is encrypted with another key"),
    (
        apsw.BusyError,
        BankUnavailable,
        f"another process kept {{}} locked for {BUSY_SECONDS} seconds; nothing was written, try again",
    ),
    (apsw.ReadOnlyError, BankUnavailable, "{} is read-only; make the file and its folder writable"),
    (apsw.PermissionsError, BankUnavailable, "{} may not be used; make the file and its folder writable"),
    (apsw.CantOpenError, BankUnavailable, "{} cannot be opened; check that its folder exists and is writable"),
    (apsw.CorruptError, BankUnavailable, "{} is damaged ({error}); restore it from a backup"),
    (apsw.IOError, BankUnavailable, "{} cannot be read or written ({error}); check the disk"),
]


def translated(error: apsw.Error | UnicodeEncodeError, location: str) -> GieokError:
    """Return the error to raise `from` the driver's."""
    if isinstance(error, UnicodeEncodeError):
        return InvalidText("a text holds a lone surrogate and cannot be stored; decode it with errors='replace'")
    if isinstance(error, apsw.IOError) and getattr(error, "extendedresult", None) in _NO_ROOM:
        return translated(apsw.FullError(str(error)), location)
    for kind, ours, sentence in _SENTENCES:
        if isinstance(error, kind):
            return ours(sentence.format(location, error=error))
    return BankError(f"{location}: {error}")
