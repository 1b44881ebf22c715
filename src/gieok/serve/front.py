"""The front of the server: every request gets an id, a line in the log and a place in the figures.

What nobody expected ends here, too: it is logged once, and answered with the id under which it stands in the log.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any, Final
from urllib.parse import unquote_plus

from starlette.datastructures import Headers, MutableHeaders
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gieok.access.browser_sessions import LOGIN
from gieok.access.caller import caller_in
from gieok.access.keys import redact_keys
from gieok.http import request_id
from gieok.http.problems import MEDIA_TYPE, Problem
from gieok.serve.logs import unnamed_scope
from gieok.serve.metrics import Metrics

log = logging.getLogger("gieok.serve.requests")
ASGIScope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[ASGIScope, Receive, Send], Awaitable[None]]
_ESCAPED: Final = re.compile(r"\\u(?!d[89a-f])([0-9a-f]{4})", re.IGNORECASE)
_PLACE: Final = "gieok.visit"
_ROUTINE: Final = frozenset({"/healthz", "/readyz", "/metrics"})  #: asked every few seconds; told only when not well
_GONE: Final = 499  #: whoever asked hung up
_QUOTED: Final = 4_096  #: bytes of a request that a log with texts quotes
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "WEBSOCKET"})


class Gate:
    """Lets one through in each round of the event loop, in the order in which they came."""

    def __init__(self) -> None:
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._turning = False

    async def pass_through(self) -> None:
        """Wait one's turn; where nobody else has come, not at all."""
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
            if not first.done():  # whoever hung up meanwhile has no turn
                first.set_result(None)
                loop.call_soon(self._turn, loop)
                return
        self._turning = False


@dataclass(slots=True)
class _Visit:
    """One request, as far as it has come."""

    scope: ASGIScope
    id: str
    begun: float = field(default_factory=time.perf_counter)
    first: float | None = None  #: seconds until its answer began
    status: int = 0
    failed: bool = False  #: the log has it
    said: bytearray = field(default_factory=bytearray)  #: the beginning of what was sent, where the log may have it

    @property
    def method(self) -> str:
        method = "WEBSOCKET" if self.scope["type"] == "websocket" else self.scope["method"]
        return method if method in _METHODS else "OTHER"

    @property
    def route(self) -> str:
        """The template of what was asked for: `/v1/turns/{turn_id}`."""
        found = getattr(self.scope.get("route"), "path", None)
        if found is not None:
            return str(self.scope.get("root_path", "")) + str(found)
        if self.scope.get("root_path"):
            return str(self.scope["root_path"])  # mounted: what is behind it has templates of its own
        plain = "endpoint" in self.scope and not self.scope.get("path_params")
        return str(self.scope["path"]) if plain else "unknown"

    @property
    def caller(self) -> str | None:
        try:
            return caller_in(self.scope).name
        except KeyError:
            return None  # the guard did not let them in


class Inside:
    """The innermost middleware: tells the front which route was found, and for whom; a guard copies the scope."""

    def __init__(self, app: App) -> None:
        self._app = app

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        visit = scope.get(_PLACE)
        if not isinstance(visit, _Visit):
            await self._app(scope, receive, send)
            return
        visit.scope = scope
        await _answered(self._app, visit, receive, send)


class Front:
    """The outermost ASGI application, around the guard."""

    def __init__(self, app: App, *, metrics: Metrics, log_text: bool = False) -> None:
        self._app = app
        self._metrics = metrics
        self._log_text = log_text
        self._gate = Gate()
        self.visitors = 0  #: who wait for an answer

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        visit = _Visit(scope, request_id.request_id(Headers(scope=scope).get(request_id.HEADER)))
        known = request_id.current.set(visit.id)
        scope[_PLACE] = visit
        waits = scope["type"] == "http"  # the socket of a page stays open as long as the page
        self.visitors += waits
        try:
            await self._gate.pass_through()
            heard = receive if scope["path"] == LOGIN else self._overheard(visit, receive)  # a key is sent there
            await _answered(self._app, visit, heard, _noting(visit, send))
        finally:
            self.visitors -= waits
            self._noted(visit)
            request_id.current.reset(known)

    def _overheard(self, visit: _Visit, receive: Receive) -> Receive:
        async def ask() -> MutableMapping[str, Any]:
            message = await receive()
            if len(visit.said) < _QUOTED:
                visit.said += message.get("body", b"")[: _QUOTED - len(visit.said)]
            return message

        return ask if self._log_text else receive

    def _noted(self, visit: _Visit) -> None:
        seconds = time.perf_counter() - visit.begun
        status = visit.status or _GONE
        self._metrics.answered(visit.method, visit.route, status, visit.first if visit.first is not None else seconds)
        told = {
            "method": visit.method,
            "route": visit.route,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "key": visit.caller,
            "scope": unnamed_scope(visit.scope.get("query_string", b"")),
        }
        if self._log_text:
            query = unquote_plus(visit.scope.get("query_string", b"").decode("latin-1"))
            told["path"] = redact_keys(f"{visit.scope['path']}?{query}")
            told["body"] = redact_keys(_ESCAPED.sub(_letter, visit.said.decode("utf-8", "replace")))
        routine = visit.route in _ROUTINE and status < 400
        log.log(logging.DEBUG if routine else logging.INFO, "request", extra={"told": told})


def _letter(escape: re.Match[str]) -> str:
    """Return what an escape stands for: what is said in escapes is masked as everything else."""
    return chr(int(escape[1], 16))


def _noting(visit: _Visit, send: Send) -> Send:
    async def answer(message: MutableMapping[str, Any]) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start", "websocket.accept"):
            visit.first = time.perf_counter() - visit.begun
            visit.status = message.get("status", 101)
            message.setdefault("headers", [])  # accepting a socket, one may leave them out
            MutableHeaders(scope=message)[request_id.HEADER] = visit.id
        await send(message)

    return answer


async def _answered(app: App, visit: _Visit, receive: Receive, send: Send) -> None:
    """Have `app` answer; what nobody expected is logged once, and answered as well as can be."""
    try:
        await app(visit.scope, receive, send)
    except Exception:  # the edge of the process: whatever went wrong, the caller gets an answer and the log a line
        if not visit.failed:
            log.exception("a request failed")
        visit.failed = True
        if visit.first is not None or visit.scope["type"] == "websocket":
            raise  # the answer has begun: all that is left is to break it off
        problem = Problem(
            status=500,
            title="Something went wrong here",
            detail="this is a fault of the server's; its log has it under the request id",
        )
        await problem.response()(visit.scope, receive, send)


LONGEST_HEAD: Final = 65_536  #: bytes of an address and its headers
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


class Wire(HttpToolsProtocol):
    """A connection. Letters beyond ASCII in an address, which the parser would refuse, are percent-encoded first.

    The parser takes in an address and headers without end, before anybody asks for a key: here they have one.
    """

    _addressing = True  #: the first line of a request is not over
    _in_head = True
    _in_vain = 0  #: bytes that came since a request was whole, or a piece of a body was

    def data_received(self, data: bytes) -> None:
        self._in_vain += len(data)
        super().data_received(self._addressed(data) if self._addressing else data)
        if self._in_vain > LONGEST_HEAD and not self.transport.is_closing():
            self._hang_up()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # what follows a body is no header: whoever checks those has looked already
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        if not self.url.startswith((b"/", b"*")):
            raise ValueError("a target with a host of its own")  # uvicorn would drop that host, unchecked
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._in_vain = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_vain = 0
        super().on_message_complete()
        self._addressing = True

    def _addressed(self, data: bytes) -> bytes:
        end = data.find(b"\n")
        self._addressing = end < 0
        line = data if end < 0 else data[:end]
        if line.isascii():
            return data
        return _LETTERS.sub(lambda letter: b"%%%02X" % ord(letter[0]), line) + data[len(line) :]

    def send_400_response(self, msg: str) -> None:
        self._tell(_UNREADABLE, "400 Bad Request")

    def _hang_up(self) -> None:
        """End a connection on which nothing comes to an end; say why, unless an answer is being given."""
        # Before the first request there is none, whatever uvicorn's types say.
        answering = self.cycle is not None and not self.cycle.response_complete  # type: ignore[redundant-expr]  # its types say never None; before the first request it is
        if answering or not self._in_head:
            self.transport.close()
        else:
            self._tell(_TOO_LONG, "431 Request Header Fields Too Large")

    def _tell(self, problem: Problem, status: str) -> None:
        body = json.dumps(problem.record()).encode()
        head = f"HTTP/1.1 {status}\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()
