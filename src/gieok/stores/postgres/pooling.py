"""Connections that are lent: each to one transaction at a time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

import psycopg
from psycopg.types.string import TextLoader
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from gieok.errors import BankClosed, BankInterrupted, BankUnavailable
from gieok.stores.postgres.addresses import Address
from gieok.stores.postgres.connection import Connection
from gieok.stores.tables.connection import Row
from gieok.stores.tables.scope_locks import OwnProcess

Result = TypeVar("Result")
_READ: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
_WRITE: Final = "BEGIN ISOLATION LEVEL READ COMMITTED"
_STALE: Final = 64  #: connections that a server left behind when it stopped, at most
_IDLE: Final = 300.0  #: seconds until a connection that nobody needs is closed


def prepared(raw: psycopg.Connection[Any]) -> None:
    """Make a new connection ready: documents are handed on as the texts that they are."""
    for kind in ("json", "jsonb"):
        raw.adapters.register_loader(kind, TextLoader)


class Pool:
    """Implements `tables.connection.Reading` and `Writing`."""

    def __init__(self, address: Address, *, size: int, seconds: float, ranks: bool = False) -> None:
        self.ranks = ranks
        self._process = OwnProcess()
        self._location = address.shown
        self._size = size
        self._seconds = seconds
        self._pool: ConnectionPool[psycopg.Connection[Row]] = ConnectionPool(
            address.conninfo,
            min_size=0,
            max_size=size,
            timeout=seconds,
            max_idle=_IDLE,
            kwargs={"autocommit": True, **address.options(seconds)},
            configure=prepared,
            name="gieok",
            open=True,
        )

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """Lend a connection for one read transaction; what it sees stays the same from its first query on."""
        with self.lent(_READ) as connection:
            yield connection

    def write(self, work: Callable[[Connection], Result], /) -> Result:
        """Run `work` in a transaction. Where the connection breaks off, it is not known whether it was kept."""
        with self.lent(_WRITE) as connection:
            result = work(connection)
            connection.script("COMMIT")
            return result

    @contextmanager
    def lent(self, begin: str = _WRITE) -> Iterator[Connection]:
        """Lend a connection with a transaction begun; what is not committed when it comes back is rolled back."""
        connection = self._begun(begin)
        try:
            yield connection
        finally:
            self._give_back(connection)

    def close(self) -> None:
        """Lend no more. In a fork do nothing."""
        if not self._process.left:
            self._pool.close(timeout=2.0)

    def _begun(self, begin: str) -> Connection:
        """Return a connection that answers: those which a server left behind when it stopped are thrown away."""
        until = time.monotonic() + self._seconds
        for _ in range(_STALE):
            connection = self._taken(max(until - time.monotonic(), 0.05))
            try:
                connection.script(begin)
            except BankInterrupted:
                self._give_back(connection)
                if time.monotonic() > until:
                    raise
                continue
            except BaseException:  # whatever it is, the connection goes back; it is raised again
                self._give_back(connection)
                raise
            return connection
        raise BankUnavailable(f"{self._location} does not answer; check that the server runs, and try again")

    def _taken(self, seconds: float) -> Connection:
        self._process.check()
        try:
            return Connection(self._pool.getconn(timeout=seconds), self._location, ranks=self.ranks)
        except PoolClosed as closed:
            raise BankClosed from closed
        except PoolTimeout as late:
            raise BankUnavailable(self._why_none()) from late

    def _why_none(self) -> str:
        stats = self._pool.get_stats()
        if stats.get("pool_size", 0) >= self._size:
            return (
                f"all {self._size} connections to {self._location} were busy for {self._seconds:g} s; "
                "nothing was written, try again, or raise postgres_pool"
            )
        return (
            f"{self._location} cannot be reached for {self._seconds:g} s; check that the server runs and the address "
            "(--bank or GIEOK_BANK); nothing was written"
        )

    def _give_back(self, connection: Connection) -> None:
        if self._process.left:
            return
        connection.end()
        try:
            self._pool.putconn(connection.raw)
        except PoolClosed:  # meanwhile: nobody will lend it again
            connection.raw.close()
