"""Private ids that cluster by scope: the scope's number above 24 bits, a running number below.

All that belongs to one scope lies in one range of ids, and nothing else does.
"""

from __future__ import annotations

from typing import Final

from gieok.errors import ScopeFull

_BITS: Final = 24
MOST: Final = (1 << _BITS) - 1  #: the last running number of a scope


def first_id(scope_id: int) -> int:
    return scope_id << _BITS


def last_id(scope_id: int) -> int:
    return scope_id << _BITS | MOST


def numbered(scope_id: int, number: int) -> int:
    """Return the private id of `number` in a scope; raises `ScopeFull` beyond the scope's range."""
    if number > MOST:
        raise ScopeFull(f"this scope holds {MOST:,} entries and takes no more; go on in another scope")
    return scope_id << _BITS | number


def number_of(private_id: int) -> int:
    return private_id & MOST
