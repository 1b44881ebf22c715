"""PostgreSQL keeps the store contract, on a real server."""

from collections.abc import Iterator

import pytest

from gieok.stores.postgres import open_store
from gieok.testing.store_contract import VECTORS, StoreContract
from support.postgres import Server
from support.store_handles import Handles, Opener


@pytest.fixture(scope="module")
def template(server: Server) -> str:
    """A database with an empty bank, to be copied."""
    name = server.database()
    open_store(server.address(name), embedder=VECTORS.name, dimension=VECTORS.dimension).close()
    return name


class PostgresFixtures(Handles):
    """A database for each test."""

    @pytest.fixture
    def opener(self, server: Server, template: str) -> Iterator[Opener]:
        name = server.database(template)
        address = server.address(name)
        yield lambda vectors: open_store(address, embedder=vectors.name, dimension=vectors.dimension)
        server.drop(name)


class TestPostgres(PostgresFixtures, StoreContract):
    pass
