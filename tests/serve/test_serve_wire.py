"""HTTP as people write it by hand: Korean in addresses, and mistakes that are told as problems."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

import gieok
from gieok.access.guard import LONGEST_HEAD
from gieok.serve.app import create_app, guarded_app
from gieok.serve.front import StrictHttpProtocol
from support.serving import served


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    path: Path = tmp_path_factory.mktemp("wire") / "bank.db"
    with gieok.open(path, embedder="hashing") as bank:
        bank.scope(user="민수", character="레티아").observe("나 고양이 좋아해")
        with served(guarded_app(create_app(bank)), http=StrictHttpProtocol) as url:
            yield int(url.rpartition(":")[2])


def said(port: int, *pieces: bytes) -> bytes:
    """Send pieces one by one, and return all that is answered until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for piece in pieces:
            connection.sendall(piece)
        answer = b""
        while piece := connection.recv(65_536):
            answer += piece
    return answer


REQUEST = "GET /v1/facts?user=민수&character=레티아 HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode()


@pytest.mark.parametrize("cut", [len(REQUEST), 20, 24, 25, 40])
def test_korean_letters_in_an_address_are_read_as_they_are(port: int, cut: int) -> None:
    answer = said(port, REQUEST[:cut], REQUEST[cut:])
    assert answer.startswith(b"HTTP/1.1 200 ")
    assert "고양이를 좋아함" in answer.decode()


def test_so_are_those_of_the_next_request_on_the_same_connection(port: int) -> None:
    first = REQUEST.replace(b"Connection: close\r\n", b"")
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        for request in (first, REQUEST):
            connection.sendall(request)
            answer = b""
            while "고양이를 좋아함".encode() not in answer:
                piece = connection.recv(65_536)
                assert piece, answer
                answer += piece


def test_a_body_with_korean_letters_is_left_as_it_is(port: int) -> None:
    body = json.dumps({"query": "고양이"}, ensure_ascii=False).encode()
    head = f"POST /v1/recall?user=민수&character=레티아 HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n"
    head += "Content-Type: application/json\r\nConnection: close\r\n\r\n"
    for pieces in ([head.encode() + body], [head.encode(), body], [head.encode() + body[:12], body[12:]]):
        assert "고양이를 좋아함" in said(port, *pieces).decode()


@pytest.mark.parametrize(
    "request_line",
    [
        b"\x16\x03\x01\x02\x00\x01",
        b"GET\r\n\r\n",
        b"HELLO THERE FRIEND\r\n\r\n",
        b"GET http://evil.example/v1/scopes HTTP/1.1\r\nHost: 127.0.0.1",
    ],
)
def test_what_is_no_http_is_told_as_a_problem(port: int, request_line: bytes) -> None:
    head, _, body = said(port, request_line + b"\r\n\r\n").partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    assert b"application/problem+json" in head
    assert "https://" in json.loads(body)["detail"]


@pytest.mark.parametrize(
    "endless",
    [
        b"GET /v1/facts?user=",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: ",
        b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-Many: a\r\n" * 2_000 + b"X-Last: ",
    ],
)
def test_an_address_and_headers_that_have_no_end_are_not_taken_in(port: int, endless: bytes) -> None:
    head, _, body = said(port, endless, b"a" * (LONGEST_HEAD + 1 - len(endless))).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 431 ")
    assert "in its body" in json.loads(body)["detail"]


def test_neither_is_what_follows_a_body_without_end(port: int) -> None:
    head = b"POST /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX-Long: "
    assert said(port, head, b"a" * (LONGEST_HEAD + 1 - len(head))) == b""


def test_a_long_head_and_a_long_body_are_taken_in_however_they_come(port: int) -> None:
    body = json.dumps({"query": "고양이", "at": None}).encode() + b" " * 4 * LONGEST_HEAD
    head = b"POST /v1/recall?user=%EB%AF%BC%EC%88%98&character=%EB%A0%88%ED%8B%B0%EC%95%84 HTTP/1.1\r\n"
    head += b"Host: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\n"
    head += b"X-Long: " + b"a" * (LONGEST_HEAD // 2) + b"\r\nContent-Length: %d\r\n\r\n" % len(body)
    for pieces in ([head + body], [head, body], [head[:999], head[999:] + body[:9], body[9:]]):
        assert said(port, *pieces).startswith(b"HTTP/1.1 200 ")


def test_what_follows_a_body_is_no_header(port: int) -> None:
    request = b"GET /v1/scopes HTTP/1.1\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    answer = said(port, request + b"0\r\nHost: 127.0.0.1\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b"Bad Host" in answer
