"""A real server on a free port of loopback, for the time of a test."""

import random
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from time import monotonic, sleep
from typing import Any

import uvicorn

from gieok.serve.front import StrictHttpProtocol


def free_port() -> int:
    """Return a port for a server that is told its port; none that the system hands out to sockets meanwhile."""
    for port in random.sample(range(20_000, 30_000), 100):
        with socket.socket() as tried:
            try:
                tried.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise RuntimeError("no port is free")


@contextmanager
def served(app: Any, **options: Any) -> Iterator[str]:
    """Serve an ASGI application; yield its address."""
    # By its name: asyncio takes Nagle's delay only off sockets that say what they are.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", **{"http": StrictHttpProtocol, **options}))
    thread = Thread(target=server.run, kwargs={"sockets": [listening]}, name="test-server")
    thread.start()
    try:
        until = monotonic() + 30
        while not server.started:
            if not thread.is_alive() or monotonic() > until:
                raise RuntimeError("the server did not start")
            sleep(0.01)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(30)
        listening.close()
