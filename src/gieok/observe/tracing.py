"""What observing adds to the trace of a turn: how feelings were read, and which memories counted as used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gieok.domain.memory import Change
from gieok.domain.noticed import Noticed
from gieok.domain.trace import Trace, how_read


def completed(begun: Trace | None, noticed: Noticed | None, changes: Iterable[Change]) -> Trace | None:
    """Return the whole trace of a turn; None where nobody wants one."""
    if begun is None:
        return None
    return replace(
        begun,
        used=tuple(change.memory_id for change in changes if _was_used(change)),
        emotions=tuple(how_read(felt) for felt in noticed.felt) if noticed is not None else (),
    )


def without_answers(noticed: Noticed | None) -> Noticed | None:
    """Return `noticed` as the journal keeps it: what a model answered word for word goes with the trace."""
    if noticed is None or not any(felt.raw for felt in noticed.felt):
        return noticed
    return replace(noticed, felt=tuple(replace(felt, raw="") for felt in noticed.felt))


def _was_used(change: Change) -> bool:
    return change.before is not None and change.after is not None and change.after.uses > change.before.uses
