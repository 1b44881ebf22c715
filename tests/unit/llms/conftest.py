"""A server that misbehaves, a model behind it, and the count of threads before and after."""

import threading
from collections.abc import Callable

import pytest

from gieok.llms import EndpointLlm, Patience
from support.misbehaving import Misbehaving

PATIENT = Patience(seconds=60.0, stall=30.0, pause=0.001, retries=2)  # a busy machine is no misbehaviour
Connect = Callable[..., EndpointLlm]


@pytest.fixture
def server():
    before = threading.active_count()
    with Misbehaving() as server:
        yield server
    assert threading.active_count() == before


@pytest.fixture
def connect(server):
    """Make a model that speaks to the server; in the end it is closed, and no connection may be left."""
    made = []

    def connect(patience: Patience = PATIENT, **options: object) -> EndpointLlm:
        made.append(EndpointLlm("small", url=server.url, key="secret", patience=patience, **options))
        return made[-1]

    yield connect
    for llm in made:
        llm.close()
    assert server.quiet()
