"""Errors in the words of the command line: where a message names a Python call, the command that does the same."""

from __future__ import annotations

import shlex

from gieok.errors import GieokError, TurnChanged, UnknownMemory, UnknownPerson


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
        case OSError():
            where = "" if trouble.filename is None else f"{trouble.filename}: "
            return f"{where}{trouble.strerror or trouble}; check the path and its permissions"
    return str(trouble)
