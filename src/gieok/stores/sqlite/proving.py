"""Making sure that a file holds nothing any more of what was erased from its tables.

Freed space is overwritten at once (`secure_delete`). Three places are left: the keyword index keeps the ends of words
whose beginning another word shares, until it is written anew; a page whose rows moved to a neighbour keeps a copy of
them in its unused middle, until the file is written anew; and the log keeps earlier pages until it is moved into the
file, which a reader of an earlier state holds up without anybody being told.
"""

from __future__ import annotations

import time
from typing import Final

from gieok.errors import ErasureUnproven
from gieok.stores.sqlite.connection import Connection
from gieok.stores.sqlite.writer import LogLength, Writer

MEANS: Final = "secure_delete, FTS5 optimize, VACUUM, wal_checkpoint(TRUNCATE)"
QUICK: Final = 256 * 1024 * 1024  #: bytes of a file that is written anew in passing
_PAUSE: Final = 0.05


def rid_of_remains(writer: Writer, location: str, seconds: float) -> None:
    """Rid the file and its log of what erased rows left there; raises `ErasureUnproven` if a reader is in the way."""
    until = time.monotonic() + seconds
    writer.write(_write_the_index_anew)
    writer.between(lambda connection: connection.script("VACUUM"))
    while not writer.between(lambda connection: LogLength(connection).empty()):
        if time.monotonic() > until:
            raise ErasureUnproven(
                f"it is erased, but somebody has been reading an earlier state of {location} for {seconds:g} s, so its "
                "log still holds it; no certificate was given out: end long reads, then run: gieok scrub"
            )
        time.sleep(_PAUSE)


def _write_the_index_anew(connection: Connection) -> None:
    connection.script("INSERT INTO keywords (keywords) VALUES ('optimize')")
