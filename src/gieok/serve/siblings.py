"""What the workers of one server share, made before they are forked.

Requests a minute are counted in shared memory. Locks lie on a file, so that the system lets go of those of a worker
that dies. Each worker listens at a Unix socket in a private folder: the others ask it for its metrics and contexts,
tell it of webhooks that changed, and send the first worker the connections that only one process can serve: chats,
whose replies and sessions are kept in memory, and pages.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
import mmap
import secrets
import shutil
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from typing import Any, ClassVar, Final
from urllib.parse import unquote_to_bytes
from zlib import crc32

from gieok.access.guard import LONGEST_HEAD
from gieok.serve.front import StrictHttpProtocol

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows, where there is one worker
    fcntl = None  # type: ignore[assignment]  # as above

log = logging.getLogger(__name__)

_ANY_WORKER: Final = (b"/v1/", b"/healthz", b"/readyz", b"/metrics", b"/mcp", b"/docs", b"/openapi.json")
_FIRST_WORKER: Final = (b"/v1/chat", b"/v1/completions", b"/v1/responses")
_ANSWER_SECONDS: Final = 2.0  #: that a worker has to answer another
_LOCK_PAUSE: Final = 0.005  #: seconds between two tries
_LONGEST_LINE: Final = 4_096
Answer = Callable[[str], Awaitable[bytes]]


def is_for_the_first(line: bytes) -> bool:
    """Whether a request that begins with this line is served by the first worker alone."""
    words = line.split(b" ", 2)
    path = unquote_to_bytes(words[1].partition(b"?")[0]) if len(words) == 3 else b""
    return path.startswith(b"/") and (path.startswith(_FIRST_WORKER) or not path.startswith(_ANY_WORKER))


class SharedBuckets:
    """How many requests each key has left, and since when, in memory that all workers see.

    It has room for 16,384 keys; beyond, the bucket of another key is given away, which is then full again.
    """

    _SLOT: Final = struct.Struct("=16sdd")
    _SLOTS: Final = 16_384
    _PROBES: Final = 16

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, self._SLOT.size * self._SLOTS)

    def get(self, key_id: str) -> tuple[float, float] | None:
        name, _, found = self._find(key_id)
        return found[1:] if found[0] == name else None

    def __setitem__(self, key_id: str, value: tuple[float, float]) -> None:
        name, at, _ = self._find(key_id)
        self._SLOT.pack_into(self._memory, at, name, *value)

    def _find(self, key_id: str) -> tuple[bytes, int, tuple[bytes, float, float]]:
        """Return the name of a key here, its place, and what is there: its own, nothing, or that of another key."""
        name = sha256(key_id.encode()).digest()[:16]
        home = crc32(name)
        for step in range(self._PROBES):
            at = (home + step) % self._SLOTS * self._SLOT.size
            there = self._SLOT.unpack_from(self._memory, at)
            if there[0] in (name, bytes(16)):
                return name, at, there
        at = home % self._SLOTS * self._SLOT.size
        return name, at, self._SLOT.unpack_from(self._memory, at)


class Siblings:
    """The workers of one server, as each of them sees the others."""

    def __init__(self, count: int) -> None:
        """Prepare for `count` workers, in the process that will fork them."""
        self.index = 0  #: of this worker
        self.buckets = SharedBuckets()
        self.answers: dict[str, Answer] = {}  #: what this worker answers to its siblings, by name
        self._secret = secrets.token_hex(16)
        self._locks = TemporaryFile()  # noqa: SIM115  # open as long as the process
        self._folder = Path(mkdtemp(prefix="gieok-workers-"))
        self._places = [str(self._folder / str(index)) for index in range(count)]
        self._listeners = [socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) for _ in self._places]
        for listener, place in zip(self._listeners, self._places, strict=True):
            listener.bind(place)
            listener.listen(128)  # a worker that starts anew finds what came meanwhile

    def close(self) -> None:
        """Remove the sockets, in the process that made them."""
        for listener in self._listeners:
            listener.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    # Locks

    @contextmanager
    def counting(self) -> Iterator[None]:
        """Keep the other workers away from the buckets, for a moment."""
        fcntl.lockf(self._locks, fcntl.LOCK_EX, 1, 0)
        try:
            yield
        finally:
            fcntl.lockf(self._locks, fcntl.LOCK_UN, 1, 0)

    @asynccontextmanager
    async def exclusively(self, name: str) -> AsyncIterator[None]:
        """Keep the other workers from doing the same meanwhile. A worker must ask only once for a name at a time."""
        place = 1 + int.from_bytes(sha256(name.encode()).digest()[:7])
        while not self._try_lock(place):
            await asyncio.sleep(_LOCK_PAUSE)
        try:
            yield
        finally:
            fcntl.lockf(self._locks, fcntl.LOCK_UN, 1, place)

    def _try_lock(self, place: int) -> bool:
        try:
            fcntl.lockf(self._locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
        except (BlockingIOError, PermissionError):
            return False
        return True

    # The line between workers

    def ask(self, name: str, argument: str = "") -> Iterator[tuple[int, bytes]]:
        """Ask all other workers; yield the index and the answer of those that have one. It blocks."""
        for index, place in enumerate(self._places):
            if index == self.index:
                continue
            answer = b""
            with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
                asking.settimeout(_ANSWER_SECONDS)
                asking.connect(place)
                asking.sendall(self._line("ask", name, argument))
                answer = b"".join(iter(lambda: asking.recv(65_536), b""))
            if answer:
                yield index, answer

    async def listen(self, make: Callable[[], StrictHttpProtocol]) -> asyncio.Server:
        """Answer the other workers; connections that they send are served by what `make` returns."""
        loop = asyncio.get_running_loop()
        listener = self._listeners[self.index]
        return await loop.create_unix_server(lambda: _Line(self, make), sock=listener)

    def introduced(self, scheme: str | None, client: object, server: object) -> bytes:
        """Return what a connection to the first worker begins with, before the bytes of the client."""
        return self._line("connection", {"scheme": scheme, "client": client, "server": server}, "")

    async def connected(self, back: _Back) -> None:
        await asyncio.get_running_loop().create_unix_connection(lambda: back, self._places[0])

    def _line(self, *words: object) -> bytes:
        return json.dumps([self._secret, *words]).encode() + b"\n"

    def words(self, line: bytes) -> list[Any]:
        """Return what a sibling says; empty: it is none."""
        try:
            secret, *words = json.loads(line)
            return words if hmac.compare_digest(secret, self._secret) and len(words) == 3 else []
        except (ValueError, TypeError):
            return []


class _Line(asyncio.Protocol):
    """A connection from a sibling: a question, or a client's connection that is passed on."""

    def __init__(self, siblings: Siblings, make: Callable[[], StrictHttpProtocol]) -> None:
        self._siblings, self._make = siblings, make
        self._data = b""
        self._answering: asyncio.Task[None] | None = None
        self._transport: asyncio.Transport

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # of a stream
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._data += data
        line, end, rest = self._data.partition(b"\n")
        if not end:
            if len(line) > _LONGEST_LINE:
                self._transport.abort()
            return
        match self._siblings.words(line):
            case ["ask", name, argument] if self._answering is None:
                self._answering = asyncio.get_running_loop().create_task(self._answer(name, argument))
            case ["connection", facts, _]:
                served = self._make()
                self._transport.set_protocol(served)
                served.connection_made(_PassedOn(self._transport, facts))  # type: ignore[arg-type]  # it acts as one
                served.data_received(rest)
            case _:
                self._transport.abort()

    async def _answer(self, name: str, argument: str) -> None:
        try:
            self._transport.write(await self._siblings.answers[name](argument))
        except Exception:  # the edge of a task: the sibling gets no answer
            log.exception("a question of another worker was not answered")
        self._transport.close()


class _PassedOn:
    """The transport of a connection that was passed on, with the addresses that the client sees."""

    def __init__(self, transport: asyncio.Transport, facts: dict[str, Any]) -> None:
        self._transport = transport
        client, server = facts["client"], facts["server"]
        self._facts = {
            "peername": client and tuple(client),
            "sockname": server and tuple(server),
            "sslcontext": facts["scheme"] == "https",
            "socket": None,
        }

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self._facts.get(name, default)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class _Back(asyncio.Protocol):
    """The other half of a connection that was passed on, at the worker that accepted it."""

    def __init__(self, front: SiblingHttpProtocol, first: bytes) -> None:
        self._front, self._first = front, first
        self.transport: asyncio.Transport | None = None

    def send(self, data: bytes) -> None:
        if self.transport is None:
            self._first += data
        else:
            self.transport.write(data)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # of a stream
        self.transport = transport
        transport.write(self._first)
        self._front.transport.resume_reading()

    def data_received(self, data: bytes) -> None:
        self._front.transport.write(data)

    def pause_writing(self) -> None:
        self._front.transport.pause_reading()

    def resume_writing(self) -> None:
        self._front.transport.resume_reading()

    def connection_lost(self, error: Exception | None) -> None:
        self._front.transport.close()


class SiblingHttpProtocol(StrictHttpProtocol):
    """A connection to a worker. Once it asks for what the first worker serves alone, that one goes on with it."""

    siblings: ClassVar[Siblings]  #: set in a class of the worker's own
    _head = b""  #: of a request, until its first line is complete
    _at_head = True
    _back: _Back | None = None

    def data_received(self, data: bytes) -> None:
        if self._back is not None:
            self._back.send(data)
        elif not self._at_head:
            super().data_received(data)
        else:
            self._head += data
            line, end, _ = self._head.partition(b"\n")
            if end or len(self._head) > LONGEST_HEAD:
                data, self._head, self._at_head = self._head, b"", False
                if self.siblings.index and is_for_the_first(line) and not self._is_answering:
                    self._pass_on(data)
                else:
                    super().data_received(data)

    def on_headers_complete(self) -> None:
        if self.siblings.index and is_for_the_first(b"- %b -" % self.url):
            raise ValueError("it was sent before the answer to the request before it")
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._at_head = True

    def _pass_on(self, data: bytes) -> None:
        self._unset_keepalive_if_required()
        self._stop_waiting()
        self.transport.pause_reading()
        back = self._back = _Back(self, self.siblings.introduced(self.scheme, self.client, self.server) + data)
        connecting = self.loop.create_task(self.siblings.connected(back))

        def failed(task: asyncio.Task[None]) -> None:
            if task.cancelled() or task.exception() is not None:
                self.transport.close()

        connecting.add_done_callback(failed)

    def pause_writing(self) -> None:
        if self._back is not None and self._back.transport is not None:
            self._back.transport.pause_reading()
        super().pause_writing()

    def resume_writing(self) -> None:
        if self._back is not None and self._back.transport is not None:
            self._back.transport.resume_reading()
        super().resume_writing()

    def connection_lost(self, error: Exception | None) -> None:
        if self._back is not None and self._back.transport is not None:
            self._back.transport.close()
        super().connection_lost(error)

    def shutdown(self) -> None:
        if self._back is None:  # else it lasts as long as the first worker has to answer
            super().shutdown()
