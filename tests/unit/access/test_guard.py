"""What a server in front would not let through, or hides: the guard does not rely on it."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from gieok.access.caller import caller_in
from gieok.access.guard import guarded
from gieok.access.headers import Headers, without_key
from gieok.access.keys import issued
from gieok.errors import BankUnavailable
from gieok.settings import Settings

HOST = (b"host", b"localhost")


class Desk:
    """A desk with some keys; it can break."""

    def __init__(self, *keys: Any) -> None:
        self.keys = keys
        self.counted: list[dict[str, int]] = []
        self.broken = False

    def access_keys(self):
        if self.broken:
            raise BankUnavailable("the disk is gone")
        return list(self.keys)

    def uses(self, day):
        return {}

    def count_uses(self, day, uses):
        if self.broken:
            raise BankUnavailable("the disk is gone")
        self.counted.append(dict(uses))


class Inside:
    """The application behind: it notes what it gets."""

    def __init__(self) -> None:
        self.scopes: list[Any] = []
        self.got: list[Any] = []

    async def __call__(self, scope, receive, send):
        self.scopes.append(scope)
        while (message := await receive())["type"] not in (
            "http.disconnect",
            "lifespan.shutdown",
            "websocket.disconnect",
        ):
            self.got.append(message)
        self.got.append(message)


def refused(refusal):
    async def answer(scope, receive, send):
        await send({"type": "http.response.start", "status": refusal.status, "headers": []})

    return answer


def asked(
    *headers: tuple[bytes, bytes], desk: Any = None, address: str = "127.0.0.1", came: Any = None, **scope: Any
) -> tuple[Inside, list[Any]]:
    """Let one request come to a guard; return what was behind it, and what it sent."""
    inside, sent = Inside(), []
    waiting = came or [{"type": "http.request", "body": b"", "more_body": False}]

    async def run() -> None:
        guard = guarded(
            inside, desk or Desk(), settings=Settings(), address=address, refused=refused, openai_refused=refused
        )

        async def receive():
            return waiting.pop(0) if waiting else {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)

        whole = {"type": "http", "method": "GET", "path": "/", "scheme": "http", "headers": list(headers), **scope}
        await guard(whole, receive, send)

    asyncio.run(run())
    return inside, sent


def status(sent):
    return sent[0].get("status", sent[0]["type"])


def test_a_right_request_gets_through_with_its_caller():
    inside, sent = asked(HOST)
    assert sent == []
    assert caller_in(inside.scopes[0]).key is None


@pytest.mark.parametrize(
    ("headers", "path", "expected"),
    [
        ([HOST, HOST], "/", 400),
        ([HOST, (b"Host", b"evil.example")], "/", 400),
        ([], "/", 400),
        ([(b"HOST", b"evil.example")], "/", 421),
        ([HOST], "http://localhost/", 400),
        ([HOST], "", 400),
        ([HOST, (b"ORIGIN", b"https://evil.example")], "/", 403),
        ([HOST, (b"Authorization", b"Bearer gk_x")], "/", 401),
        ([HOST, (b"content-length", b"-1")], "/", 413),
        ([HOST, (b"content-length", b"1"), (b"Content-Length", b"99999999999")], "/", 413),
    ],
)
def test_what_a_careless_server_passes_on_is_still_turned_away(headers, path, expected):
    inside, sent = asked(*headers, path=path)
    assert (status(sent), inside.scopes) == (expected, [])


def test_a_socket_is_closed_before_it_opens():
    inside, sent = asked(HOST, (b"origin", b"https://evil.example"), type="websocket", subprotocols=[])
    assert (sent[0]["type"], sent[0]["code"], inside.scopes) == ("websocket.close", 1008, [])


def test_what_is_neither_http_nor_a_socket_does_not_get_past():
    with pytest.raises(ValueError, match="webtransport"):
        asked(HOST, type="webtransport")


def test_who_hangs_up_within_their_body_is_not_answered():
    came = [{"type": "http.request", "body": b"half", "more_body": True}, {"type": "http.disconnect"}]
    inside, sent = asked(HOST, came=came, method="POST")
    assert (inside.scopes, sent) == ([], [])


def test_a_body_in_parts_arrives_whole_and_then_the_rest():
    parts = [{"type": "http.request", "body": part, "more_body": part != b"c"} for part in (b"a", b"b", b"c")]
    inside, _ = asked(HOST, came=parts, method="POST")
    assert inside.got == [
        {"type": "http.request", "body": b"abc", "more_body": False},
        {"type": "http.disconnect"},
    ]


def test_a_start_and_a_stop_pass_through_and_what_was_counted_is_kept():
    token, key = issued("x", "reader", now=datetime.now(UTC))
    desk, inside = Desk(key), Inside()

    async def run() -> None:
        guard = guarded(inside, desk, settings=Settings(), address="0.0.0.0", refused=refused, openai_refused=refused)
        coming = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]

        async def ended():
            return {"type": "http.disconnect"}

        async def requested():
            return {"type": "http.request", "body": b"", "more_body": False} if not inside.got else await ended()

        async def receive():
            return coming.pop(0)

        async def send(message): ...

        http = {"type": "http", "method": "GET", "path": "/", "headers": [HOST, (b"x-api-key", token.encode())]}
        await guard(http, requested, send)
        assert desk.counted == []
        await guard({"type": "lifespan"}, receive, send)

    asyncio.run(run())
    assert [each["type"] for each in inside.got if each["type"].startswith("lifespan")] == [
        "lifespan.startup",
        "lifespan.shutdown",
    ]
    assert desk.counted == [{key.id: 1}]


def test_a_desk_that_breaks_lets_nobody_in_and_tells_no_key(caplog):
    token, key = issued("x", "admin", now=datetime.now(UTC))
    desk = Desk(key)
    desk.broken = True
    inside, sent = asked(HOST, (b"x-api-key", token.encode()), desk=desk)
    assert (status(sent), inside.scopes) == (503, [])
    assert "the disk is gone" in caplog.text
    assert token.split("_")[2] not in caplog.text


def test_only_what_holds_a_key_of_ours_is_taken_out():
    scope = {
        "headers": [
            (b"Authorization", b"Bearer gk_abc"),
            (b"authorization", b"Basic dTpw"),
            (b"X-Api-Key", b"gk_abc"),
            (b"sec-websocket-protocol", b"gieok.key.gk_abc"),
            (b"sec-websocket-protocol", b"chat, gieok.key.gk_abc ,json"),
            (b"accept", b"*/*"),
        ],
        "subprotocols": ["chat", "gieok.key.gk_abc", "json"],
    }
    inside = without_key(scope)
    assert inside["headers"] == [
        (b"authorization", b"Basic dTpw"),
        (b"sec-websocket-protocol", b"chat, json"),
        (b"accept", b"*/*"),
    ]
    assert inside["subprotocols"] == ["chat", "json"]
    assert len(scope["headers"]) == 6


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ([], set()),
        ([(b"authorization", b"Basic dTpw")], set()),
        ([(b"authorization", b"Bearer")], {""}),
        ([(b"authorization", b"Bearerx")], set()),
        ([(b"authorization", b" bEaReR \t a ")], {"a"}),
        ([(b"authorization", b"Bearer a"), (b"x-api-key", b"a")], {"a"}),
        ([(b"authorization", b"Bearer a"), (b"x-api-key", b"b")], {"a", "b"}),
        ([(b"x-api-key", b"\xff")], {"ÿ"}),
        ([(b"sec-websocket-protocol", b"x, gieok.key.a")], set()),
    ],
)
def test_keys_are_read_wherever_they_may_stand(headers, found):
    assert Headers({"headers": headers}).keys(of_socket=False) == found


def test_a_key_among_protocols_is_read_for_a_socket_alone():
    headers = Headers({"headers": [(b"sec-websocket-protocol", b"x"), (b"sec-websocket-protocol", b"gieok.key.a,y")]})
    assert (headers.keys(of_socket=True), headers.keys(of_socket=False)) == ({"a"}, set())
