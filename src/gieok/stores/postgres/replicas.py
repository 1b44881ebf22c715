"""Reads from hot standbys whose lag is within a bound, otherwise from the primary.

Lag is measured without the standby's clock: its replay position is compared with the position that the primary had a
short time ago. That position is taken again after each write of this process and after each read from the primary, so
that the process reads its own writes and never an older state than before.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Final

from gieok.errors import BankInterrupted, BankUnavailable, ErrorText
from gieok.stores.postgres.connection import READ, Connection, Pool, address_of
from gieok.stores.postgres.schema import SERVER

_NAP: Final = 5.0  #: seconds that a replica is left alone which could not be asked
_PATIENCE: Final = 2.0  #: seconds that a connection to a replica is waited for
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A position of the primary's log, and when it was taken (`time.monotonic`)."""

    place: int
    at: float


class Replicas:
    """Implements `tables.connection.Reading`."""

    def __init__(self, primary: Pool, pools: Sequence[Pool], *, staleness: float) -> None:
        self._primary = primary
        self._pools = pools
        self._staleness = staleness
        self._mark = _Mark(0, float("-inf"))
        self._looked_at = float("-inf")  #: when something was last read from the primary
        self._asleep_until = [0.0] * len(pools)
        self._gate = Lock()

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        with ExitStack() as lent:
            yield self._fresh(lent) or self._own(lent)

    def close(self) -> None:
        for pool in self._pools:
            pool.close()

    def _own(self, lent: ExitStack) -> Connection:
        connection = lent.enter_context(self._primary.snapshot())
        self._look()
        lent.callback(self._look)  # what is seen is from before
        return connection

    def _look(self) -> None:
        self._looked_at = time.monotonic()

    def _fresh(self, lent: ExitStack) -> Connection | None:
        """Return a connection to a replica whose lag is within the bound, or None."""
        needed = self._needed()
        for number, pool in enumerate(self._pools):
            if time.monotonic() < self._asleep_until[number]:
                continue
            try:
                with ExitStack() as trying:
                    connection = trying.enter_context(pool.lent(None))
                    if _replayed(connection) < needed:
                        continue
                    connection.begin(READ)
                    self._saw(_replayed(connection))
                    lent.enter_context(trying.pop_all())
                    return connection
            except (BankUnavailable, BankInterrupted) as trouble:
                self._asleep_until[number] = time.monotonic() + _NAP
                log.warning("a replica is passed over: %s", trouble)
        return None

    def _needed(self) -> int:
        """Return the log position that a replica must have replayed."""
        now, mark = time.monotonic(), self._mark
        if mark.at > max(self._primary.wrote_at, self._looked_at) and now - mark.at < self._staleness / 2:
            return mark.place
        with self._primary.lent(None) as connection:
            ((place,),) = connection.script(SERVER["find_place"])
        with self._gate:
            self._mark = mark = _Mark(max(int(place), self._mark.place), max(now, self._mark.at))
        return mark.place

    def _saw(self, place: int) -> None:
        """Exclude replicas that are behind a position that was read."""
        with self._gate:
            self._mark = _Mark(max(place, self._mark.place), self._mark.at)


def _replayed(connection: Connection) -> int:
    """Return the replay position of a standby; -1 if the server is no standby."""
    ((place,),) = connection.script(SERVER["find_replayed"])
    return -1 if place is None else int(place)


def replicas_of(primary: Pool, locations: Sequence[str], *, schema: str, size: int, staleness: float) -> Replicas:
    """Return the replicas at these addresses. Raises `BankUnavailable` if one is not a valid address."""
    addresses = [address_of(each) for each in locations]
    for address in addresses:
        if address.schema != schema:
            raise BankUnavailable(ErrorText("postgres.replica_schema", location=address.shown, schema=schema))
    return Replicas(
        primary, [primary.like(each, size=size, patience=_PATIENCE) for each in addresses], staleness=staleness
    )
