"""Handles on one bank for a test, all closed at its end; whoever inherits says how one is opened."""

from collections.abc import Callable, Iterator

import pytest

from gieok.ports import Store
from gieok.testing.stand_ins import HashVectors
from gieok_contract import VECTORS, Reopen

Opener = Callable[[HashVectors], Store]


class Handles:
    """The fixtures that the store contract asks for, over a fixture `opener`."""

    @pytest.fixture
    def handle(self, opener: Opener) -> Iterator[Callable[..., Store]]:
        opened: list[Store] = []

        def open_one(vectors: HashVectors = VECTORS) -> Store:
            opened.append(opener(vectors))
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
