"""PostgreSQL keeps the store contract, on a real server."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from threading import Event

import pytest

from gieok.errors import BankError
from gieok.ports import IndexEntry
from gieok.stores.postgres import PostgresStore, open_store
from gieok.stores.tables import vectors as later_vectors
from gieok.stores.tables.connection import Connection
from gieok.testing.builders import entry_for, turn
from gieok_contract import VECTORS, StoreContract
from gieok_contract.base import LETIA
from gieok_contract.reindex import begin, embed_all, nearest_new, unembedded_turn
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


class TestWritersWhileAReindexEnds(PostgresFixtures):
    """Whoever began to write before it ends is waited for: else the old embedder's vectors would stay."""

    @staticmethod
    def _ended_amid(store: PostgresStore, write: Callable[[Callable[[], None]], None]) -> None:
        """End it while `write` has written, but has not committed; then go on until it has ended."""
        written, go_on = Event(), Event()

        def pause() -> None:
            written.set()
            assert go_on.wait(20)

        with ThreadPoolExecutor(2) as threads:
            writing = threads.submit(write, pause)
            assert written.wait(20)
            ending = threads.submit(store.finish_reindex)
            wait([ending], timeout=1)
            go_on.set()
            writing.result()
            with suppress(BankError):  # what came in has no new vector yet
                ending.result()
        list(embed_all(store))
        store.finish_reindex()

    def test_a_turn_that_is_being_written(self, store: PostgresStore, second_handle: PostgresStore) -> None:
        begin(store)

        def write(pause: Callable[[], None]) -> None:
            index = {"t1/0": IndexEntry(terms=("바다",), vectors=VECTORS.embed(["바다 가자"]))}
            with second_handle.locked(LETIA) as room:
                commit = room._commit
                room._commit = lambda *work: (
                    room.held(),
                    commit(room, lambda connection: (work[1](connection), pause())[0]),
                )[1]
                room.apply(entry_for(turn("바다 가자", id="t1"), index=index))

        self._ended_amid(store, write)
        assert nearest_new(store, "바다 가자") == ["t1/0"]

    def test_vectors_that_are_being_filled_in(self, store: PostgresStore, second_handle: PostgresStore) -> None:
        unembedded_turn(store, LETIA, "바다 가자")
        begin(store)
        list(embed_all(store))
        with second_handle.view(LETIA) as view:
            [late] = view.vectorless(9)

        def write(pause: Callable[[], None]) -> None:
            def fill(connection: Connection) -> None:
                later_vectors.fill(connection, [late.key], [VECTORS.embed([late.text, "가자"])], embedder=VECTORS.name)
                pause()

            second_handle.write(fill)

        self._ended_amid(store, write)
        assert nearest_new(store, "바다 가자") == ["t1/0"]
