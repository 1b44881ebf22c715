"""PostgreSQL keeps the store contract, on a real server."""

from collections.abc import Callable, Iterator

import pytest

from gieok.ports import Store
from gieok.stores.postgres import open_store
from gieok.testing.stand_ins import HashVectors
from gieok.testing.store_contract import VECTORS, Reopen, StoreContract
from support.postgres import Server


@pytest.fixture(scope="module")
def template(server: Server) -> str:
    """A database with an empty bank, to be copied."""
    name = server.database()
    open_store(server.address(name), embedder=VECTORS.name, dimension=VECTORS.dimension).close()
    return name


class PostgresFixtures:
    """A database for each test; every handle is closed at the end."""

    @pytest.fixture
    def address(self, server: Server, template: str) -> Iterator[str]:
        name = server.database(template)
        yield server.address(name)
        server.drop(name)

    @pytest.fixture
    def handle(self, address: str) -> Iterator[Callable[..., Store]]:
        opened: list[Store] = []

        def open_one(vectors: HashVectors = VECTORS) -> Store:
            opened.append(open_store(address, embedder=vectors.name, dimension=vectors.dimension))
            return opened[-1]

        yield open_one
        for store in opened:
            store.close()

    @pytest.fixture
    def store(self, handle: Callable[..., Store]) -> Store:
        return handle()

    @pytest.fixture
    def reopen(self, store: Store, handle: Callable[..., Store]) -> Reopen:
        current = [store]

        def again(vectors: HashVectors = VECTORS) -> Store:
            current.pop().close() if current else None
            current.append(handle(vectors))
            return current[-1]

        return again

    @pytest.fixture
    def second_handle(self, store: Store, handle: Callable[..., Store]) -> Store:
        return handle()

    @pytest.fixture
    def rounds(self, counts: Callable[[int, int], int]) -> int:
        return counts(15, 400)


class TestPostgres(PostgresFixtures, StoreContract):
    pass
