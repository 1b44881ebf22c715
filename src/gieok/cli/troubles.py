"""Errors in the words of the command line: where a message names a Python call, the command that does the same."""

from __future__ import annotations

import errno
import shlex

from gieok.errors import (
    GieokError,
    TurnChanged,
    UnderHold,
    UnknownMemory,
    UnknownPerson,
    UnknownScope,
    UnknownTurn,
)


def told(trouble: GieokError | OSError) -> str:
    """Return what to tell the person at the terminal."""
    match trouble:
        case UnknownMemory():
            return f"no memory {trouble.memory_id!r} in this scope; `gieok facts --history` lists what there is"
        case UnknownPerson():
            return f"nobody goes by {trouble.name!r} in this scope; `gieok people` lists whom it knows"
        case TurnChanged():
            rewind = f"gieok rewind {shlex.quote(trouble.turn_id)}"
            return (
                f"turn {trouble.turn_id!r} was observed with another text; "
                f"use a new --turn-id, or take it back first: {rewind}"
            )
        case UnknownTurn():
            return f"{trouble}; `gieok trace` names the last turn, `gieok emotions --json` all of them"
        case UnknownScope() if trouble.known:
            return f"{trouble}; name all that stands in one of the brackets, by -u, -c and -w"
        case UnderHold():
            return str(trouble).replace("bank.release(scope)", "gieok hold --release")
        case OSError(errno=errno.ENOSPC):
            return f"{_where(trouble)}there is no room left on the disk; free some space and try again"
        case OSError():
            return f"{_where(trouble)}{trouble.strerror or trouble}; check the path and its permissions"
    return str(trouble)


def _where(trouble: OSError) -> str:
    return "" if trouble.filename is None else f"{trouble.filename}: "
