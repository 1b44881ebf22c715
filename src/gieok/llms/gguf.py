"""A model file on this machine, served by llama.cpp inside this process, on loopback.

All users of the same file share one server. It starts at the first question, which blocks the whole process while the
file loads, and stops with its last user.
"""

from __future__ import annotations

import atexit
import os
import secrets
import threading
import urllib.request
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from gieok.domain.answer import Message
from gieok.errors import ModelFailed
from gieok.llms.endpoint import EndpointLlm, Patience
from gieok.ports import Completion

CONTEXT: Final = 8192  #: tokens that all questions at one time share
_AT_ONCE: Final = 2
_CACHE_MB: Final = 256  #: cache of prompts; llama.cpp's default is 8 GB
_SILENT: Final = -1
_BATCH: Final = 256  #: tokens of a prompt read at once; a batch cannot be cancelled, not even by closing
_READY_WITHIN: Final = 60.0


class GgufLlm:
    """Implements `gieok.ports.Llm` over a GGUF file."""

    def __init__(self, path: Path, *, context: int = CONTEXT, patience: Patience | None = None) -> None:
        self.name = path.stem
        self._path = path
        self._context = context
        self._patience = patience or Patience()
        self._lock = threading.Lock()
        self._server: _Server | None = None
        self._endpoint: EndpointLlm | None = None
        self._trouble: str | None = None  #: why it did not start; it is not tried again
        self._closed = False

    def complete(
        self, messages: Sequence[Message], *, schema: Mapping[str, Any] | None = None, most_tokens: int
    ) -> Completion:
        return self._started().complete(messages, schema=schema, most_tokens=most_tokens)

    def stream(self, messages: Sequence[Message], *, most_tokens: int) -> Generator[str, None, Completion]:
        return (yield from self._started().stream(messages, most_tokens=most_tokens))

    def address(self) -> tuple[str, str]:
        """Return the URL and the key for other callers in this process; starts the server if necessary."""
        self._started()
        server = self._server
        if server is None:
            raise ModelFailed("unreachable", self.name, "it was closed")
        return server.url, server.key

    def close(self) -> None:
        with self._lock:
            server, endpoint, self._closed = self._server, self._endpoint, True
            self._server = self._endpoint = None
        if endpoint is not None:
            endpoint.close()
        if server is not None:
            with _SERVERS_LOCK:
                server.users -= 1
                if server.users == 0 and _SERVERS.pop((server.path, server.context), None) is not None:
                    server.running = None  # it stops with its last reference

    def _started(self) -> EndpointLlm:
        with self._lock:
            if self._closed:
                raise ModelFailed("unreachable", self.name, "it was closed")
            if self._trouble is not None:
                raise ModelFailed("refused", self.name, self._trouble)
            if self._endpoint is None:
                try:
                    self._server = server = _acquire(self._path, self._context)
                except (OSError, RuntimeError) as cause:
                    self._trouble = f"{self._path} does not load as a GGUF model: {cause}"
                    raise ModelFailed("refused", self.name, self._trouble) from cause
                self._endpoint = EndpointLlm(self.name, url=server.url, key=server.key, patience=self._patience)
            return self._endpoint


class _Server:
    """One file being served; `users` is guarded by `_SERVERS_LOCK`."""

    def __init__(self, path: Path, context: int) -> None:
        import xllamacpp

        self.path = path
        self.context = context
        self.users = 0
        self.key = secrets.token_urlsafe(24)  # keeps other programs of this machine out
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.api_keys = [self.key]
        params.n_ctx = context
        params.n_batch = params.n_ubatch = _BATCH
        params.n_parallel = _AT_ONCE
        params.kv_unified = True
        # On two busy cores, two threads took over ten times as long as one; they seem to spin while waiting.
        threads = max(1, (os.cpu_count() or 1) - 1)
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        params.cache_ram_mib = _CACHE_MB
        params.warmup = False
        params.ui = False
        params.verbosity = _SILENT
        self.running: Any = xllamacpp.Server(params)
        address = str(self.running.listening_address)
        self.url = f"{address}/v1"
        # A server that is stopped before its loop runs never stops: this request goes through the loop.
        request = urllib.request.Request(f"{address}/slots", headers={"Authorization": f"Bearer {self.key}"})
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=_READY_WITHIN) as response:
            response.read()


_SERVERS: Final[dict[tuple[Path, int], _Server]] = {}
_SERVERS_LOCK: Final = threading.Lock()  # held while a file loads: two at once slow each other down


def _acquire(path: Path, context: int) -> _Server:
    if not path.is_file():
        raise FileNotFoundError("there is no such file")
    with _SERVERS_LOCK:
        server = _SERVERS.get((path, context))
        if server is None:  # started in a thread that gets no Ctrl-C: one that is half started never stops
            with ThreadPoolExecutor(1, "gieok-loading") as loading:
                server = _SERVERS[path, context] = loading.submit(_Server, path, context).result()
        server.users += 1
        return server


@atexit.register
def _stop_all() -> None:
    """Stop the servers before the interpreter shuts down around their threads."""
    with _SERVERS_LOCK:
        while _SERVERS:
            _SERVERS.popitem()[1].running = None
