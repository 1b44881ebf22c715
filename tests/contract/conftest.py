"""A PostgreSQL server for the worker."""

from collections.abc import Iterator

import pytest

from support.postgres import Server, running


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running() as server:
        yield server
