"""Clients that are slow, idle, greedy or deaf hold up themselves alone."""

import asyncio
import json
import logging
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from threading import Event, Semaphore
from time import sleep
from typing import Any

import pytest

import gieok
from gieok.access.keys import create_key
from gieok.http.router import routes_of
from gieok.serve.app import create_app, guarded_app
from gieok.serve.front import StrictHttpProtocol
from support.raw_http import Line
from support.serve_command import Command
from support.serving import served

GET = b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\n"
MOST = 20
LONG = 20_000_000
HELD = Semaphore(0)  #: one for each request that has come to the route /v1/held


class Quick(StrictHttpProtocol):
    """With limits that a test can reach; it is not slow to wait for them."""

    head_seconds = 0.3
    stalled_seconds = 0.3


@contextmanager
def open_server(folder: Any, *, keys: int = 0, **settings: Any) -> Iterator[tuple[Line, list[str], Event]]:
    """Serve a bank; yield a way to it, tokens of keys, and what lets the route /v1/slow answer."""
    asked = {"serve_keys": "always"} if keys else {}
    release = Event()
    with gieok.open(folder / "bank.db", embedder="hashing", serve_per_minute=0, **asked, **settings) as bank:
        app, routes = create_app(bank), routes_of("slow")

        @routes.get("/slow")
        def slow() -> dict[str, str]:
            release.wait(60)
            return {}

        @routes.get("/held")
        async def held() -> dict[str, str]:
            """Wait without a thread: any number of requests can be under way."""
            HELD.release()
            while not release.is_set():
                await asyncio.sleep(0.01)
            return {}

        @routes.get("/long")
        def long() -> dict[str, str]:
            return {"text": "가" * LONG}

        app.router.routes[:0] = routes.routes  # what is unknown under /v1 goes to the proxy
        made = [create_key(f"key {each}", "writer", now=datetime.now(UTC)) for each in range(keys)]
        for _, kept in made:
            bank.store.server.keep_key(kept)
        with served(guarded_app(app), http=Quick) as url:
            try:
                yield Line(int(url.rpartition(":")[2])), [token for token, _ in made], release
            finally:
                release.set()


def connected(line: Line, data: bytes = b"") -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", line.port), timeout=90)
    connection.sendall(data)
    return connection


def heard(connection: socket.socket) -> bytes:
    """Return all that is answered until the server hangs up."""
    with connection:
        return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.mark.parametrize("sent", [b"", b"GET /v1", GET % b"/healthz" + b"X-Never: en"])
def test_a_head_that_does_not_come_is_not_waited_for(tmp_path, sent):
    with open_server(tmp_path) as (line, _, _):
        slow = [connected(line, sent) for _ in range(MOST)]
        assert line.ask("/healthz").status == 200
        for each in slow:
            answer = heard(each)
            assert answer.startswith(b"HTTP/1.1 408 ") if sent else not answer


def test_neither_is_that_of_a_second_request(tmp_path):
    with open_server(tmp_path) as (line, _, _):
        connection = connected(line, GET % b"/healthz" + b"\r\n")
        assert connection.recv(1_000).startswith(b"HTTP/1.1 200 ")
        connection.sendall(GET % b"/healthz")
        assert b"HTTP/1.1 408 " in heard(connection)


def test_a_websocket_that_is_never_open_is_not_waited_for(tmp_path):
    """What opens it gives up on a line of 9,000 bytes, without a word."""
    knock = GET % b"/socket" + b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    with open_server(tmp_path) as (line, _, _):
        assert not heard(connected(line, knock + b"X-Long: " + b"a" * 9_000 + b"\r\n\r\n"))


def test_a_client_that_does_not_read_its_answer_is_left(tmp_path, monkeypatch):
    left = Event()

    def lost(self: Quick, error: Exception | None) -> None:
        super(Quick, self).connection_lost(error)
        left.set()

    monkeypatch.setattr(Quick, "connection_lost", lost, raising=False)
    with open_server(tmp_path) as (line, _, _):
        deaf = connected(line, GET % b"/v1/long" + b"\r\n")
        assert left.wait(30)
        assert len(heard(deaf)) < 3 * LONG


def test_there_are_only_so_many_connections_and_the_log_says_so_once(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(StrictHttpProtocol, "most_connections", 3)
    monkeypatch.setattr(StrictHttpProtocol, "_refused_until", 0.0)
    monkeypatch.setattr(Quick, "head_seconds", 60.0)
    with open_server(tmp_path) as (line, _, _), ExitStack() as open_ones:
        for _ in range(3):
            held = open_ones.enter_context(connected(line, GET % b"/healthz" + b"\r\n"))
            assert held.recv(100).startswith(b"HTTP/1.1 200 ")
        with caplog.at_level(logging.WARNING, "gieok.serve.requests"):
            refused = [heard(connected(line)) for _ in range(5)]
        assert all(each.startswith(b"HTTP/1.1 503 ") and b"retry-after" in each for each in refused)
        assert [each.message for each in caplog.records if "refused" in each.message] == [
            "connections are refused: 3 are open (serve_connections)"
        ]
        open_ones.close()
        assert line.ask("/healthz").status == 200


def test_a_process_takes_the_number_from_its_settings(tmp_path):
    with Command(tmp_path, GIEOK_SERVE_CONNECTIONS="2") as command:
        line = Line(int(command.address().rpartition(":")[2]))
        with connected(line), connected(line):
            assert heard(connected(line)).startswith(b"HTTP/1.1 503 ")
        command.process.terminate()
        assert command.ends() == 0
        assert any("connections are refused: 2 are open" in each["message"] for each in command.lines)


def bearer(token: str) -> bytes:
    return f"Authorization: Bearer {token}\r\n\r\n".encode()


@pytest.mark.parametrize("target", ["/v1/slow", "/mcp"])
def test_a_key_with_many_slow_requests_holds_up_no_other(tmp_path, target, monkeypatch):
    with open_server(tmp_path, keys=2) as (line, (busy, other), release), ExitStack() as open_ones:
        if target == "/mcp":
            monkeypatch.setattr(gieok.Mind, "facts", lambda *_, **__: release.wait(60) or [])
            head, body = mcp_call("facts")
        else:
            head, body = GET % b"/v1/slow", b""
        slow = [open_ones.enter_context(connected(line, head + bearer(busy) + body)) for _ in range(200)]
        answer = line.ask("/v1/turns?user=minsu&character=letia", f"Authorization: Bearer {other}")
        assert answer.status == 200
        for each in slow:
            each.setblocking(False)
            with pytest.raises(BlockingIOError):
                each.recv(1)
            each.settimeout(90)
        release.set()
        assert all(each.recv(100).startswith(b"HTTP/1.1 200 ") for each in slow)


def mcp_call(name: str) -> tuple[bytes, bytes]:
    arguments = {"user": "minsu", "character": "letia"}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}
    data = json.dumps(body).encode()
    head = b"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: %d\r\n" % len(
        data
    )
    return head + b"Accept: application/json, text/event-stream\r\n", data


def test_a_key_has_only_so_many_requests_under_way(tmp_path):
    with open_server(tmp_path, keys=2, serve_at_once=5) as (line, (busy, other), release), ExitStack() as open_ones:
        slow = [open_ones.enter_context(connected(line, GET % b"/v1/held" + bearer(busy))) for _ in range(5)]
        assert all(HELD.acquire(timeout=60) for _ in slow)
        answer = line.ask("/v1/turns?user=a&character=b", f"Authorization: Bearer {busy}")
        assert (answer.status, answer.get("retry-after")) == (429, "1")
        assert "5 requests under way" in answer.json["detail"]
        assert "요청 5개" in answer.json["detail"]
        assert line.ask("/v1/turns?user=a&character=b", f"Authorization: Bearer {other}").status == 200
        assert line.ask("/healthz", f"Authorization: Bearer {busy}").status == 200
        release.set()
        assert all(each.recv(100).startswith(b"HTTP/1.1 200 ") for each in slow)
        while line.ask("/v1/turns?user=a&character=b", f"Authorization: Bearer {busy}").status == 429:
            sleep(0.01)
