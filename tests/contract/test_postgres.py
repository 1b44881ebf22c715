"""PostgreSQL keeps the store contract, on a real server."""

from collections.abc import Iterator

import pytest

from gieok.stores.postgres import open_store
from gieok.testing.store_contract import VECTORS, StoreContract
from support.postgres import Server
from support.store_handles import Handles, Opener


@pytest.fixture(scope="module")
def address(server: Server) -> Iterator[tuple[str, str]]:
    """A database with an empty bank: its name, and where it is."""
    name = server.database()
    address = server.address(name)
    open_store(address, embedder=VECTORS.name, dimension=VECTORS.dimension).close()
    yield name, address
    server.drop(name)


class PostgresFixtures(Handles):
    """An empty bank for each test."""

    @pytest.fixture
    def opener(self, server: Server, address: tuple[str, str]) -> Iterator[Opener]:
        name, place = address
        yield lambda vectors: open_store(place, embedder=vectors.name, dimension=vectors.dimension)
        server.empty(name, VECTORS.name, VECTORS.dimension)


class TestPostgres(PostgresFixtures, StoreContract):
    pass
