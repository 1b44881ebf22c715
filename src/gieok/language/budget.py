"""The processor time that reading one text may take.

Readers are linear in the length of a text, but a hostile text can still be many times slower than an ordinary one. What
reads in many steps calls `check_time` in each.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from time import thread_time


class ReadingTooLong(Exception):  # no `GieokError`: whoever set the limit catches it
    """A text takes longer to read than it may."""


class _Limit(local):
    until: float | None = None  #: processor time of this thread


_limit = _Limit()


@contextmanager
def reading_within(seconds: float) -> Iterator[None]:
    """Let `check_time` raise `ReadingTooLong` once this thread has computed for `seconds`; an outer limit stays."""
    outer = _limit.until
    mine = thread_time() + seconds
    _limit.until = mine if outer is None else min(mine, outer)
    try:
        yield
    finally:
        _limit.until = outer


def check_time() -> None:
    """Raise `ReadingTooLong` if the limit of this thread has passed."""
    if _limit.until is not None and thread_time() > _limit.until:
        raise ReadingTooLong("the text takes too long to read")
