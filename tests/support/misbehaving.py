"""A real OpenAI-compatible HTTP server on loopback that misbehaves on demand.

    with Misbehaving() as server:
        server.will(status(500), status(500), answer("안녕"))       # the next three requests, in this order
        server.will(stall(), when=streaming)                        # the next request that asks for a stream
        server.always(limited(retry_after="3"))                     # every request that has no other turn of its own
        …  # talk to server.url
        assert len(server.asked) == 3                               # what came, with body and headers
        assert server.quiet()                                       # every connection was closed by its client

Without a script it answers well: a chat with "좋아요.", /embeddings with vectors, /models with one.
An act is a function of the `Exchange`; those below can be handed to `will` and `always` as they are, and new ones
are a few lines.
"""

from __future__ import annotations

import json
import os
import select
import socket
import struct
import threading
import time
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from uuid import uuid4

Act = Callable[["Exchange"], None]
When = Callable[["Asked"], bool]

LONG = 60.0  #: seconds: longer than any test waits; whoever hangs up or closes the server ends it at once
DIMENSION = 8


@dataclass(frozen=True)
class Asked:
    """One request as it came."""

    path: str  #: "/v1/chat/completions"
    headers: dict[str, str]  #: names in lower case
    body: dict[str, Any]

    @property
    def text(self) -> str:
        """All that its messages say."""
        return "\n".join(str(message.get("content")) for message in self.body.get("messages", []))


class HungUp(Exception):
    """The client closed its connection, or the server is being closed."""


class Exchange:
    """A request, and the ways to answer it."""

    def __init__(self, asked: Asked, handler: _Handler) -> None:
        self.asked = asked
        self._handler = handler
        self._chunked = False

    @property
    def streaming(self) -> bool:
        return bool(self.asked.body.get("stream"))

    def head(self, code: int = 200, type: str = "application/json", length: int | None = None, **headers: str) -> None:
        """Send the status line and the headers; without a `length` the body follows in chunks."""
        handler = self._handler
        handler.send_response(code)
        handler.send_header("Content-Type", type)
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        self._chunked = length is None
        handler.send_header(*(("Transfer-Encoding", "chunked") if length is None else ("Content-Length", str(length))))
        handler.end_headers()

    def send(self, data: bytes) -> None:
        """Send a piece of the body."""
        if data:
            self._handler.wfile.write(b"%x\r\n%s\r\n" % (len(data), data) if self._chunked else data)

    def end(self) -> None:
        """Say that the body is whole."""
        if self._chunked:
            self._handler.wfile.write(b"0\r\n\r\n")

    def json(self, value: object, code: int = 200, **headers: str) -> None:
        """Send `value` as the whole answer."""
        data = json.dumps(value, ensure_ascii=False).encode()
        self.head(code, length=len(data), **headers)
        self.send(data)

    def event(self, value: object) -> None:
        """Send one event of a stream."""
        self.send(b"data: %s\n\n" % (value if isinstance(value, bytes) else json.dumps(value).encode()))

    def pause(self, seconds: float) -> None:
        """Wait; raise `HungUp` as soon as the client goes away or the server is closed."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            readable, _, _ = select.select([self._handler.connection], [], [], min(left, 0.02))
            if self._handler.server.closing.is_set():
                raise HungUp
            if readable and not self._handler.connection.recv(1, socket.MSG_PEEK):
                raise HungUp

    def reset(self) -> None:
        """Break the connection off with an RST, in the middle of whatever it was."""
        connection = self._handler.connection
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        os.close(connection.detach())
        raise HungUp


@dataclass
class _Rule:
    acts: list[Act]
    when: When
    forever: bool


class Misbehaving:
    """The server; use it as a context manager, or `close()` it."""

    def __init__(self) -> None:
        self.asked: list[Asked] = []  #: every request so far
        self.hung_up = 0  #: exchanges that the client left before their end
        self.open_connections = 0
        self._rules: list[_Rule] = []
        self._moved = threading.Condition()
        self._server = _Server(("127.0.0.1", 0), self)
        self.port: int = self._server.server_address[1]
        # Ports come back, and what a client remembers of an endpoint must not meet the next test there.
        self._prefix = f"/{uuid4().hex}"
        self.url = f"http://127.0.0.1:{self.port}{self._prefix}/v1"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), name="misbehaving")
        self._thread.start()

    def will(self, *acts: Act, when: When = lambda _: True) -> None:
        """Let the next requests (those that `when` holds of) meet these acts, one each."""
        self._rules.append(_Rule(list(acts), when, forever=False))

    def always(self, act: Act, when: When = lambda _: True) -> None:
        """Let every request (that `when` holds of) meet this act from now on, unless a `will` has its turn."""
        self._rules.insert(0, _Rule([act], when, forever=True))

    def forget(self) -> None:
        """Behave well again, and forget what was asked."""
        with self._moved:
            self._rules.clear()
            self.asked.clear()
            self.hung_up = 0

    def quiet(self, within: float = 20.0) -> bool:
        """Wait until nobody is connected; return whether that came to be in time."""
        return self.until(lambda: self.open_connections == 0, within)

    def until(self, holds: Callable[[], bool], within: float = 20.0) -> bool:
        """Wait until `holds`, looking at every request and connection that comes or goes."""
        with self._moved:
            return self._moved.wait_for(holds, within)

    def close(self) -> None:
        self._server.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.break_off()
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _next(self, asked: Asked) -> Act:
        with self._moved:
            self.asked.append(asked)
            self._moved.notify_all()
            for rule in sorted(self._rules, key=lambda rule: rule.forever):
                if rule.acts and rule.when(asked):
                    return rule.acts[0] if rule.forever else rule.acts.pop(0)
        return well

    def _connections(self, change: int, hung_up: int = 0) -> None:
        with self._moved:
            self.open_connections += change
            self.hung_up += hung_up
            self._moved.notify_all()


@dataclass
class _Connections:
    lock: threading.Lock = field(default_factory=threading.Lock)
    held: set[socket.socket] = field(default_factory=set)


class _Server(ThreadingHTTPServer):
    daemon_threads = False  # server_close() waits for them: a test leaves no thread behind
    request_queue_size = 64

    def __init__(self, address: tuple[str, int], owner: Misbehaving) -> None:
        self.owner = owner
        self.closing = threading.Event()
        self.connections = _Connections()
        super().__init__(address, _Handler)

    def break_off(self) -> None:
        with self.connections.lock:
            for connection in self.connections.held:
                with suppress(OSError):  # its client may have left meanwhile
                    connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Say nothing: clients that go away are what this is for."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def setup(self) -> None:
        super().setup()
        with self.server.connections.lock:
            self.server.connections.held.add(self.connection)
        self.server.owner._connections(+1)

    def finish(self) -> None:
        with self.server.connections.lock:
            self.server.connections.held.discard(self.connection)
        try:
            super().finish()
        finally:
            self.server.owner._connections(-1)

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self._answer(json.loads(data or b"{}"))

    def _answer(self, body: dict[str, Any]) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        asked = Asked(self.path.removeprefix(self.server.owner._prefix), headers, body)
        act = self.server.owner._next(asked)
        try:
            act(Exchange(asked, self))
        except (HungUp, OSError):
            self.close_connection = True
            self.server.owner._connections(0, hung_up=1)

    def log_message(self, *_: object) -> None: ...


def streaming(asked: Asked) -> bool:
    """Whether a stream was asked for."""
    return bool(asked.body.get("stream"))


def embedding(asked: Asked) -> bool:
    """Whether vectors were asked for."""
    return asked.path.endswith("/embeddings")


def saying(words: str) -> When:
    """Hold of a request whose messages contain `words`."""
    return lambda asked: words in asked.text


def well(exchange: Exchange) -> None:
    """Answer whatever was asked as a server in order would."""
    path = exchange.asked.path
    if path.endswith("/embeddings"):
        vectors()(exchange)
    elif path.endswith("/models"):
        exchange.json({"object": "list", "data": [{"id": "small", "object": "model", "owned_by": "test"}]})
    elif path.endswith("/chat/completions"):
        answer("좋아요.")(exchange)
    else:
        status(404)(exchange)


def answer(text: str, *, usage: bool = True, finish: str = "stop", pause: float = 0.0) -> Act:
    """Answer a chat with `text`: whole or, where a stream was asked for, two characters at a time."""
    return bits(*(text[at : at + 2] for at in range(0, len(text), 2)), usage=usage, finish=finish, pause=pause)


def bits(*texts: str, usage: bool = True, finish: str = "stop", pause: float = 0.0) -> Act:
    """Answer with exactly these bits; `pause` seconds stand before each but the first."""

    def act(exchange: Exchange) -> None:
        if not exchange.streaming:
            exchange.json(_completion("".join(texts), usage=usage, finish=finish))
            return
        exchange.head(type="text/event-stream")
        for count, text in enumerate(texts):
            exchange.pause(pause if count else 0)
            exchange.event(_chunk({"content": text}))
        exchange.event(_chunk({}, finish=finish))
        if usage and (exchange.asked.body.get("stream_options") or {}).get("include_usage"):
            exchange.event({**_chunk({}), "choices": [], "usage": _usage("".join(texts))})
        exchange.event(b"[DONE]")
        exchange.end()

    return act


def gated(gate: threading.Event, before: Sequence[str], after: Sequence[str]) -> Act:
    """Stream the bits `before`, wait for `gate`, stream those `after`."""

    def act(exchange: Exchange) -> None:
        exchange.head(type="text/event-stream")
        for text in before:
            exchange.event(_chunk({"content": text}))
        while not gate.is_set():
            exchange.pause(0.01)
        for text in after:
            exchange.event(_chunk({"content": text}))
        exchange.event(_chunk({}, finish="stop"))
        exchange.event(b"[DONE]")
        exchange.end()

    return act


def vectors(dimension: int = DIMENSION, *, dtype: str | None = None) -> Act:
    """Answer /embeddings: for each text a vector that depends on the text alone. `dtype="float"` ignores base64."""

    def act(exchange: Exchange) -> None:
        given = exchange.asked.body.get("input", [])
        texts = [given] if isinstance(given, str) else given
        base64 = exchange.asked.body.get("encoding_format") == "base64" and dtype != "float"
        data = [
            {"object": "embedding", "index": index, "embedding": _packed(vector) if base64 else vector}
            for index, vector in enumerate(_vector(text, dimension) for text in texts)
        ]
        count = sum(len(text) for text in texts)
        usage = {"prompt_tokens": count, "total_tokens": count}
        exchange.json({"object": "list", "model": "small", "data": data, "usage": usage})

    return act


def slow(seconds: float = LONG, then: Act = well) -> Act:
    """Keep silent for `seconds` before the first byte."""

    def act(exchange: Exchange) -> None:
        exchange.pause(seconds)
        then(exchange)

    return act


def slow_body(seconds: float = LONG) -> Act:
    """Send the headers and half of the answer, then keep silent."""

    def act(exchange: Exchange) -> None:
        data = json.dumps(_completion("좋아요.")).encode()
        exchange.head(length=len(data))
        exchange.send(data[: len(data) // 2])
        exchange.pause(seconds)
        exchange.send(data[len(data) // 2 :])

    return act


def stall(*texts: str, seconds: float = LONG) -> Act:
    """Send `texts` ("좋", "아" where none are given) of a stream, then nothing more; without a stream: half a body."""

    def act(exchange: Exchange) -> None:
        if not exchange.streaming:
            slow_body(seconds)(exchange)
            return
        exchange.head(type="text/event-stream")
        for text in texts or ("좋", "아"):
            exchange.event(_chunk({"content": text}))
        exchange.pause(seconds)

    return act


def status(code: int, message: str = "no", **headers: str) -> Act:
    """Answer with an error: 401, 404, 500, 503 …"""
    return lambda exchange: exchange.json({"error": {"message": message, "type": "error"}}, code, **headers)


def limited(retry_after: str | None = None) -> Act:
    """Answer 429; `retry_after` is seconds or an HTTP date."""
    return status(429, "too many requests", **({} if retry_after is None else {"Retry_After": retry_after}))


def refuses(field: str, then: Act = well) -> Act:
    """Answer 400 to whoever sends `field` ("response_format", "stream_options"), else `then`.

    "response_format.json_schema" refuses that type alone.
    """
    name, _, kind = field.partition(".")

    def act(exchange: Exchange) -> None:
        sent = exchange.asked.body.get(name)
        if sent is not None and (not kind or sent.get("type") == kind):
            status(400, f"unknown field: {name}")(exchange)
        else:
            then(exchange)

    return act


def truncated(text: str = '{"facts": [{"attribute": "pet", "val') -> Act:
    """Answer with JSON that was cut in the middle, as a model does that ran out of tokens."""
    return answer(text, finish="length")


def empty(exchange: Exchange) -> None:
    """Answer with no text at all."""
    bits()(exchange)


def huge(size: int = 10_000_000) -> Act:
    """Answer with `size` letters: a stream of bits of 1,000, or one body that is sent piece by piece."""

    def act(exchange: Exchange) -> None:
        piece = b"a" * 1_000
        if exchange.streaming:
            exchange.head(type="text/event-stream")
            for _ in range(size // 1_000):
                exchange.event(_chunk({"content": piece.decode()}))
            exchange.event(b"[DONE]")
        else:
            before, after = json.dumps(_completion("|")).encode().split(b"|")
            exchange.head()
            exchange.send(before)
            for _ in range(size // 1_000):
                exchange.send(piece)
            exchange.send(after)
        exchange.end()

    return act


def endless(pause: float = 0.01) -> Act:
    """Stream a letter every `pause` seconds, and never stop."""

    def act(exchange: Exchange) -> None:
        exchange.head(type="text/event-stream")
        while True:
            exchange.event(_chunk({"content": "아"}))
            exchange.pause(pause)

    return act


def reset(exchange: Exchange) -> None:
    """Break the connection off before a byte of the answer."""
    exchange.reset()


def reset_midway(exchange: Exchange) -> None:
    """Break the connection off in the middle of the body, or after two bits of a stream."""
    data = json.dumps(_completion("좋아요.")).encode()
    if exchange.streaming:
        exchange.head(type="text/event-stream")
        for text in ("좋", "아"):
            exchange.event(_chunk({"content": text}))
    else:
        exchange.head(length=len(data))
        exchange.send(data[: len(data) // 2])
    exchange.pause(0.05)  # an RST throws away what the client has not read yet
    exchange.reset()


def hang_up_midway(exchange: Exchange) -> None:
    """End the connection in good order, but in the middle of a body."""
    data = json.dumps(_completion("좋아요.")).encode()
    exchange.head(length=len(data))
    exchange.send(data[: len(data) // 2])
    raise HungUp


def page(text: str = "<html>It works!</html>", code: int = 200) -> Act:
    """Answer with a web page, as a wrong URL or a proxy does."""

    def act(exchange: Exchange) -> None:
        exchange.head(code, type="text/html", length=len(text.encode()))
        exchange.send(text.encode())

    return act


def raw(value: object) -> Act:
    """Answer with this JSON, whatever it is: `{}`, `[]`, `{"choices": []}` …"""
    return lambda exchange: exchange.json(value)


def _completion(text: str, *, usage: bool = True, finish: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": text}
    whole = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "small",
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
    }
    return {**whole, "usage": _usage(text)} if usage else whole


def _chunk(delta: dict[str, str], finish: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "small",
        "choices": [{"index": 0, "delta": {"role": "assistant", **delta}, "finish_reason": finish}],
    }


def _usage(text: str) -> dict[str, int]:
    return {"prompt_tokens": 7, "completion_tokens": len(text), "total_tokens": 7 + len(text)}


def _vector(text: str, dimension: int) -> list[float]:
    return [zlib.crc32(f"{at}{text}".encode()) / 2**32 - 0.5 for at in range(dimension)]


def _packed(vector: Sequence[float]) -> str:
    import base64

    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode()
