"""A server that misbehaves, a model behind it that is quick to give up, and the count of threads before and after."""

import threading
from collections.abc import Callable, Iterator

import pytest

from gieok.llms import EndpointLlm, Patience
from support.misbehaving import Misbehaving

QUICK = Patience(seconds=20.0, stall=0.3, pause=0.001, retries=2)
Connect = Callable[..., EndpointLlm]


@pytest.fixture
def server() -> Iterator[Misbehaving]:
    before = threading.active_count()
    with Misbehaving() as server:
        yield server
    assert threading.active_count() == before


@pytest.fixture
def connect(server: Misbehaving) -> Iterator[Connect]:
    """Make a model that speaks to the server; in the end it is closed, and no connection may be left."""
    made = []

    def connect(patience: Patience = QUICK, **options: object) -> EndpointLlm:
        made.append(EndpointLlm("small", url=server.url, key="secret", patience=patience, **options))
        return made[-1]

    yield connect
    for llm in made:
        llm.close()
    assert server.quiet()
