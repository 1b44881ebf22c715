"""The outermost application: every request gets an id, a log line and its metrics.

Unexpected errors end here, too: they are logged once, and answered with the id of the request.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections import deque
from dataclasses import dataclass, field
from typing import ClassVar, Final
from urllib.parse import unquote_plus

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Send
from starlette.types import Scope as AsgiScope
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gieok.access.caller import caller_in
from gieok.access.guard import LOGIN, LONGEST_HEAD
from gieok.access.keys import redact_keys
from gieok.http import request_id
from gieok.http.problems import MEDIA_TYPE, Problem
from gieok.serve.metrics import Metrics, hashed_query_scope

log = logging.getLogger("gieok.serve.requests")
_ESCAPED: Final = re.compile(r"\\u(?!d[89a-f])([0-9a-f]{4})", re.IGNORECASE)
_STATE_KEY: Final = "gieok.request"
_ROUTINE: Final = frozenset({"/healthz", "/readyz", "/metrics"})  #: asked every few seconds; logged only when they fail
_GONE: Final = 499  #: the client disconnected
_QUOTED: Final = 4_096  #: bytes of a body that a log with texts quotes
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "WEBSOCKET"})


class Gate:
    """Lets one request through in each round of the event loop, in order of arrival."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning = False

    async def wait_turn(self) -> None:
        """Wait for one's turn; without others, not at all."""
        loop = asyncio.get_running_loop()
        if not self._turning:
            self._turning = True
            loop.call_soon(self._turn, loop)
            return
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.append(mine)
        await mine

    def _turn(self, loop: asyncio.AbstractEventLoop) -> None:
        while self._waiting:
            first = self._waiting.popleft()
            if not first.done():  # its client may have disconnected
                first.set_result(None)
                loop.call_soon(self._turn, loop)
                return
        self._turning = False


@dataclass(slots=True)
class _RequestState:
    scope: AsgiScope
    id: str
    begun: float = field(default_factory=time.perf_counter)
    first: float | None = None  #: seconds until the first byte of its answer
    status: int = 0
    failed: bool = False  #: and that is logged
    body: bytearray = field(default_factory=bytearray)  #: its beginning, where texts are logged

    @property
    def method(self) -> str:
        method = "WEBSOCKET" if self.scope["type"] == "websocket" else self.scope["method"]
        return method if method in _METHODS else "OTHER"

    @property
    def route(self) -> str:
        """The template of the path: `/v1/turns/{turn_id}`."""
        found = getattr(self.scope.get("route"), "path", None)
        if found is not None:
            return str(self.scope.get("root_path", "")) + str(found)
        if self.scope.get("root_path"):
            return str(self.scope["root_path"])  # mounted: the application there has templates of its own
        plain = "endpoint" in self.scope and not self.scope.get("path_params")
        return str(self.scope["path"]) if plain else "unknown"

    @property
    def caller(self) -> str | None:
        try:
            return caller_in(self.scope).name
        except KeyError:
            return None  # the guard refused it


class RouteProbe:
    """The innermost middleware: it reports route and caller to `RequestLog`, since the guard copies the scope."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        state = scope.get(_STATE_KEY)
        if not isinstance(state, _RequestState):
            await self._app(scope, receive, send)
            return
        state.scope = scope
        await _answer(self._app, state, receive, send)


class RequestLog:
    """The outermost ASGI application, around the guard."""

    def __init__(self, app: ASGIApp, *, metrics: Metrics, log_text: bool = False) -> None:
        self._app, self._metrics, self._log_text = app, metrics, log_text
        self._gate = Gate()
        self.running = 0  #: requests without an answer yet

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        state = _RequestState(scope, request_id.request_id(Headers(scope=scope).get(request_id.HEADER)))
        known = request_id.current.set(state.id)
        scope[_STATE_KEY] = state
        waits = scope["type"] == "http"  # a websocket stays open as long as its page
        self.running += waits
        try:
            await self._gate.wait_turn()
            heard = receive if scope["path"] == LOGIN else self._quoting(state, receive)  # the login holds a key

            async def answer(message: Message) -> None:
                if message["type"] in ("http.response.start", "websocket.http.response.start", "websocket.accept"):
                    state.first = time.perf_counter() - state.begun
                    state.status = message.get("status", 101)
                    message.setdefault("headers", [])  # they are optional when a websocket is accepted
                    MutableHeaders(scope=message)[request_id.HEADER] = state.id
                await send(message)

            await _answer(self._app, state, heard, answer)
        finally:
            self.running -= waits
            self._log(state)
            request_id.current.reset(known)

    def _quoting(self, state: _RequestState, receive: Receive) -> Receive:
        async def ask() -> Message:
            message = await receive()
            if len(state.body) < _QUOTED:
                state.body += message.get("body", b"")[: _QUOTED - len(state.body)]
            return message

        return ask if self._log_text else receive

    def _log(self, state: _RequestState) -> None:
        seconds = time.perf_counter() - state.begun
        status = state.status or _GONE
        self._metrics.answered(state.method, state.route, status, state.first if state.first is not None else seconds)
        fields = {
            "method": state.method,
            "route": state.route,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "key": state.caller,
            "scope": hashed_query_scope(state.scope.get("query_string", b"")),
        }
        if self._log_text:
            query = unquote_plus(state.scope.get("query_string", b"").decode("latin-1"))
            fields["path"] = redact_keys(f"{state.scope['path']}?{query}")
            body = state.body.decode("utf-8", "replace")  # escaped text is masked like all other text
            fields["body"] = redact_keys(_ESCAPED.sub(lambda escape: chr(int(escape[1], 16)), body))
        routine = state.route in _ROUTINE and status < 400
        log.log(logging.DEBUG if routine else logging.INFO, "request", extra={"fields": fields})


async def _answer(app: ASGIApp, state: _RequestState, receive: Receive, send: Send) -> None:
    """Have `app` answer; an unexpected error is logged once, and answered where that is still possible."""
    try:
        await app(state.scope, receive, send)
    except Exception:  # the edge of the process: the client gets an answer, and the log a line
        if not state.failed:
            log.exception("a request failed")
        state.failed = True
        if state.first is not None or state.scope["type"] == "websocket":
            raise  # the answer has begun: it can only be cut off
        problem = Problem(
            status=500,
            title="Something went wrong here",
            detail="this is an error of the server; its log has it under the request id",
        )
        await problem.response()(state.scope, receive, send)


_LETTERS: Final = re.compile(rb"[\x80-\xff]")
_UNREADABLE: Final = Problem(
    status=400,
    title="Not HTTP",
    detail="this cannot be read as HTTP/1.1; check the request line and the headers, and whether it should be https://",
)
_TOO_LONG: Final = Problem(
    status=431,
    title="Request header fields too large",
    detail=f"the address and the headers of a request hold at most {LONGEST_HEAD:,} bytes here; "
    "send what is long in its body",
)


_TOO_SLOW: Final = Problem(
    status=408,
    title="Request too slow",
    detail="the address and the headers of this request did not arrive in time; send it again without pauses",
)
_FULL: Final = Problem(
    status=503,
    title="Too many connections",
    detail="this server has as many connections as it may (serve_connections); try again in a few seconds",
)
_LOG_SECONDS: Final = 60.0  #: between two lines about connections that were refused


def _end_unopened(transport: asyncio.Transport) -> None:
    """Close a websocket that is not open yet: what opens it does not answer to all that it does not understand."""
    if not getattr(transport.get_protocol(), "handshake_complete", True):
        transport.close()


class StrictHttpProtocol(HttpToolsProtocol):
    """A connection. Non-ASCII letters in an address, which the parser would refuse, are percent-encoded first.

    Parser and server have no limits for what comes before any key is checked: here address and headers must be short
    and arrive in time, a client must go on to read its answers, and there are only so many connections.
    """

    most_connections: ClassVar[int] = 1_000  #: of this process
    head_seconds: ClassVar[float] = 15.0  #: that address and headers may take, from the first byte or the connection
    stalled_seconds: ClassVar[float] = 60.0  #: that a client may leave an answer unread
    _refused_until: ClassVar[float] = 0.0  #: when the next refused connection is logged
    _deadline: asyncio.TimerHandle | None = None  #: of the head, which is disarmed once that is complete
    _stalled: asyncio.TimerHandle | None = None
    _in_first_line = True
    _in_head = True
    _head_bytes = 0  #: since the last request or piece of a body was complete

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        if len(self.connections) > self.most_connections:
            self._refuse_connection()
        else:
            self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._head_bytes += len(data)
        super().data_received(self._encoded(data) if self._in_first_line else data)
        if self._head_bytes > LONGEST_HEAD and not self.transport.is_closing():
            self._refuse_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True
        self._await_head()

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # trailers are no headers: those have been checked already
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._stop_waiting()
        if not self.url.startswith((b"/", b"*")):
            raise ValueError("a target with a host of its own")  # uvicorn would drop that host unchecked
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._head_bytes = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._head_bytes = 0
        super().on_message_complete()
        self._in_first_line = True

    def _encoded(self, data: bytes) -> bytes:
        end = data.find(b"\n")
        self._in_first_line = end < 0
        line = data if end < 0 else data[:end]
        if line.isascii():
            return data
        return _LETTERS.sub(lambda letter: b"%%%02X" % ord(letter[0]), line) + data[len(line) :]

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(self.stalled_seconds, self.transport.abort)

    def resume_writing(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None
        super().resume_writing()

    def handle_websocket_upgrade(self) -> None:
        super().handle_websocket_upgrade()
        self.loop.call_later(self.head_seconds, _end_unopened, self.transport)

    def _await_head(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.head_seconds, self._end_slow_head)

    def _stop_waiting(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end_slow_head(self) -> None:
        if self._head_bytes and not self._is_answering:
            self._respond(_TOO_SLOW, "408 Request Timeout")
        else:
            self.transport.close()

    def _refuse_connection(self) -> None:
        now = self.loop.time()
        if now >= StrictHttpProtocol._refused_until:
            StrictHttpProtocol._refused_until = now + _LOG_SECONDS
            log.warning("connections are refused: %d are open (serve_connections)", self.most_connections)
        self._respond(_FULL, "503 Service Unavailable", b"retry-after: 5\r\n")

    @property
    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete  # type: ignore[redundant-expr]  # its types say never None; before the first request it is

    def send_400_response(self, msg: str) -> None:
        self._respond(_UNREADABLE, "400 Bad Request")

    def _refuse_head(self) -> None:
        """Close the connection of an endless head; say why, unless an answer is being sent."""
        if self._is_answering or not self._in_head:
            self.transport.close()
        else:
            self._respond(_TOO_LONG, "431 Request Header Fields Too Large")

    def _respond(self, problem: Problem, status: str, headers: bytes = b"") -> None:
        body = json.dumps(problem.record()).encode()
        head = f"HTTP/1.1 {status}\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + headers + b"connection: close\r\n\r\n" + body)
        self.transport.close()
