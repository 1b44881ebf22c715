"""A bank behind a real PgBouncer in transaction mode, as docs/storage.md configures it.

GIEOK_TEST_PGBOUNCER may name the program; otherwise the system's is taken, which tools/pgbouncer.sh installs.
"""

import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

import gieok
from gieok.stores.postgres.connection import is_pooled
from gieok.stores.postgres.store import MEANS
from support.postgres import Server

pytestmark = pytest.mark.check
NAMED = os.environ.get("GIEOK_TEST_PGBOUNCER")
ROOT = Path(__file__).parents[2]
PREPARES_FROM = (1, 21)


def program() -> str:
    """Return where PgBouncer is; it is installed if it can be."""
    path = f"{os.environ['PATH']}:/usr/sbin"
    if NAMED is not None:
        return NAMED
    if shutil.which("pgbouncer", path=path) is None:
        subprocess.run([ROOT / "tools" / "pgbouncer.sh"], check=True)
    found = shutil.which("pgbouncer", path=path)
    if found is None:
        reason = "no PgBouncer: as root, apt-get install pgbouncer"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def of_the_page() -> str:
    """Return the configuration that docs/storage.md recommends."""
    [config] = re.findall(r"```ini\n(.*?)```", (ROOT / "docs" / "storage.md").read_text(encoding="utf-8"), re.DOTALL)
    return str(config)


@dataclass(frozen=True)
class Bouncer:
    """A PgBouncer that is up in front of a server."""

    port: int
    version: tuple[int, ...]

    def address(self, name: str) -> str:
        return f"postgresql://gieok@127.0.0.1:{self.port}/{name}"


@pytest.fixture(scope="module")
def bouncer(server: Server, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bouncer]:
    where = program()
    told = subprocess.run([where, "--version"], capture_output=True, text=True, check=True).stdout
    version = tuple(map(int, re.findall(r"\d+", told)[:2]))
    folder = tmp_path_factory.mktemp("pgbouncer")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    config = of_the_page()
    prepared = re.compile(r"^max_prepared_statements.*\n", re.MULTILINE)
    assert prepared.search(config), "the page says what is needed for prepared statements"
    if version < PREPARES_FROM:
        config = prepared.sub("", config)
    at_home = f"* = host={server.process.pgdata} user=postgres"  # any user: nobody's password is tried here
    config = re.sub(r"^games = .*$", at_home, config, flags=re.MULTILINE)
    config += (
        f"\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\nauth_type = any\ndefault_pool_size = 3\n"
    )
    (folder / "pgbouncer.ini").write_text(config)
    user = ["-u", server.process.system_user] if os.getuid() == 0 and server.process.system_user else []
    for each in (folder, *folder.parents[:2]):
        each.chmod(0o755)
    process = subprocess.Popen(
        [where, *user, str(folder / "pgbouncer.ini")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    try:
        _wait_for(port, process)
        yield Bouncer(port, version)
    finally:
        process.terminate()
        process.communicate(timeout=20)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 30
    while process.poll() is None and time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.05)
        else:
            return
    process.terminate()
    pytest.fail(f"PgBouncer did not start: {process.communicate(timeout=20)[0].decode(errors='replace')}")


@pytest.fixture
def name(server: Server, bouncer: Bouncer) -> Iterator[str]:
    name = server.database()
    yield name
    server.drop(name)


def test_a_bank_behind_it_remembers_and_leaves_nothing_behind(server, bouncer, name):
    with gieok.open(bouncer.address(name), embedder="hashing") as bank:

        def talk(number: int) -> None:
            mind = bank.scope(user=f"u{number}", character="레티아")
            for turn in range(3):
                mind.observe(f"나 {turn}번 버스 타고 다녀", turn_id=f"t{turn}")
            assert mind.recall("무슨 버스 타?")
            assert len(mind.turns()) == 3

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(talk, range(16)))
        letia = bank.scope(user="u1", character="레티아")
        letia.erase(turn="t1")
        [certificate] = bank.certificates()
        assert certificate.intact
        assert MEANS in certificate.means
        assert bank.store.problems() == []
        assert bank.verify_audit().sound

        with psycopg.connect(server.address(name), autocommit=True) as admin:
            tables = admin.execute("SELECT DISTINCT schemaname FROM pg_tables WHERE tablename IN ('bank', 'turns')")
            assert tables.fetchall() == [("gieok",)]
        wanted = "current_setting('search_path'), current_setting('statement_timeout'), current_setting('lock_timeout')"
        with psycopg.connect(server.address(name)) as fresh:
            usual = fresh.execute(f"SELECT {wanted}").fetchone()
        others = [psycopg.connect(bouncer.address(name), prepare_threshold=None) for _ in range(3)]
        for other in others:  # each is lent a connection of its own, of the three that there are
            assert other.execute(f"SELECT {wanted}").fetchone() == usual
            assert other.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() == (0,)
        for other in others:
            other.close()


def test_a_pooler_is_told_from_a_server(server, bouncer, name):
    for address, pooled in ((server.address(name), False), (bouncer.address(name), True)):
        with psycopg.connect(address, autocommit=True) as raw:
            assert is_pooled(raw) == pooled


def test_statements_are_prepared_where_it_can_keep_them(bouncer, name):
    if bouncer.version < PREPARES_FROM:
        pytest.skip(f"PgBouncer {bouncer.version} cannot keep prepared statements")
    with gieok.open(bouncer.address(name), embedder="hashing", postgres_prepare="on") as bank:
        mind = bank.scope(user="민수", character="레티아")
        for turn in range(12):
            mind.observe(f"나 {turn}번 버스 타고 다녀", turn_id=f"t{turn}")
        assert len(mind.turns(99)) == 12
        with psycopg.connect(bouncer.address(name), prepare_threshold=None) as other:
            assert other.execute("SELECT count(*) FROM pg_prepared_statements").fetchone() != (0,)


def test_a_wrong_database_behind_it_is_told_as_such(bouncer):
    with pytest.raises(gieok.errors.BankUnavailable, match="no such database"):
        gieok.open(bouncer.address("nowhere"), embedder="hashing")
