"""What a server in front would not let through, or hides: the guard does not rely on it."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from threading import Thread, current_thread
from typing import Any

import pytest

from gieok.access.caller import TurnedAway, caller_in
from gieok.access.guard import Guard, without_key
from gieok.access.keys import create_key
from gieok.domain.server_state import Role
from gieok.errors import BankUnavailable, Forbidden
from gieok.settings import Settings

HOST = (b"host", b"localhost")


class Desk:
    """A desk with some keys; it can break."""

    def __init__(self, *keys: Any) -> None:
        self.keys = keys
        self.counted: list[dict[str, int]] = []
        self.broken = False
        self.read_by: Thread | None = None

    def access_keys(self):
        self.read_by = current_thread()
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
        guard = Guard(
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
        ([HOST, (b"origin", b"http://localhost"), (b"origin", b"http://localhost")], "/", 403),
        ([HOST, (b"Authorization", b"Bearer gk_x"), (b"content-length", b"99999999999")], "/", 401),
        ([HOST, (b"content-length", b"-1")], "/", 413),
        ([HOST, (b"content-length", b"1"), (b"Content-Length", b"99999999999")], "/", 413),
    ],
)
def test_what_a_careless_server_passes_on_is_still_turned_away(headers, path, expected):
    inside, sent = asked(*headers, path=path)
    assert (status(sent), inside.scopes) == (expected, [])


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
    token, key = create_key("x", "reader", now=datetime.now(UTC))
    desk, inside = Desk(key), Inside()
    guard = Guard(inside, desk, settings=Settings(), address="0.0.0.0", refused=refused, openai_refused=refused)

    async def run() -> None:
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
    assert desk.read_by is not None
    desk.read_by.join(30)  # the thread that reads keys ends with the server, though the guard is still there
    assert not desk.read_by.is_alive()


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


PAGES = ("/", "/memories", "/login", "/logout")


class Visited:
    """A guard before pages, for as long as a test needs it."""

    def __init__(self, *keys: Any, **settings: Any) -> None:
        self.desk, self.inside = Desk(*keys), Inside()
        self.guard = Guard(
            self.inside,
            self.desk,
            settings=replace(Settings(), serve_keys="always", **settings),
            address="127.0.0.1",
            refused=with_headers,
            openai_refused=refused,
            fresh_seconds=0,
            is_page=lambda path: path in PAGES or path.startswith("/_nicegui_ws/"),
        )

    async def ask(self, *headers: tuple[bytes, bytes], path: str = "/memories", **scope: Any) -> Any:
        """Return what the guard answered; None: they got through."""
        sent: list[Any] = []
        self.inside.scopes.clear()
        waiting = [{"type": "http.request", "body": scope.pop("body", b""), "more_body": False}]

        async def receive():
            return waiting.pop(0) if waiting else {"type": "http.disconnect"}

        async def send(message):
            sent.append(message)

        given = [(b"host", scope.pop("host", b"localhost")), *headers]
        whole = {"type": "http", "method": "GET", "path": path, "scheme": "http", "headers": given, **scope}
        await self.guard({"server": ("127.0.0.1", 8420), "query_string": b"", **whole}, receive, send)
        return sent[0] if sent else None


def with_headers(refusal):
    async def answer(scope, receive, send):
        headers = [(name.encode(), value.encode()) for name, value in refusal.headers.items()]
        await send({"type": "http.response.start", "status": refusal.status, "headers": headers})

    return answer


def cookie(secret: str) -> tuple[bytes, bytes]:
    return (b"cookie", f"gieok_visit_8420={secret}".encode())


def key(role: Role = "reader", **more: Any) -> tuple[str, Any]:
    return create_key("x", role, now=datetime.now(UTC), **more)


def test_whoever_has_shown_a_key_gets_to_pages_by_a_cookie_and_to_nothing_else():
    async def run() -> None:
        token, kept = key()
        door = Visited(kept)
        secret = await door.guard.log_in(token)
        assert await door.ask(cookie(secret)) is None
        assert caller_in(door.inside.scopes[0]).key == kept
        assert await door.ask(cookie(secret), type="websocket", path="/_nicegui_ws/x", subprotocols=[]) is None
        assert (await door.ask(cookie(secret), path="/v1/facts"))["status"] == 401
        assert (await door.ask(cookie("x")))["headers"][0] == (b"Location", b"/login?to=/memories")
        socket = await door.ask(type="websocket", path="/_nicegui_ws/x", subprotocols=[])
        assert (socket["type"], socket["code"]) == ("websocket.close", 1008)

    asyncio.run(run())


def test_a_visit_ends_with_its_key_and_when_its_visitor_leaves():
    async def run() -> None:
        (token, kept), (other, gone) = key(), key()
        door = Visited(kept, gone)
        secret, lost = await door.guard.log_in(token), await door.guard.log_in(other)
        door.desk.keys = (kept, replace(gone, revoked_at=datetime.now(UTC)))
        assert (await door.ask(cookie(lost)))["status"] == 303
        assert not door.guard.lives(lost)
        assert await door.guard.visitor(lost) is None
        assert door.guard.lives(secret)
        door.guard.log_out(secret)
        assert not door.guard.lives(secret)
        assert len(door.guard.sessions) == 0

    asyncio.run(run())


def test_a_key_that_opens_nothing_begins_no_visit():
    async def run() -> None:
        token, kept = key()
        door = Visited(kept)
        for wrong in ("", "x", token[:-1], token + "x"):
            with pytest.raises(TurnedAway):
                await door.guard.log_in(wrong)
        assert len(door.guard.sessions) == 0
        assert not door.guard.lives(None)
        assert await door.guard.visitor(None) is None

    asyncio.run(run())


def test_only_a_use_of_a_page_counts_and_not_its_parts():
    async def run() -> None:
        token, kept = key(per_day=3)
        door = Visited(kept)
        secret = await door.guard.log_in(token)
        assert [await door.ask(cookie(secret)) for _ in range(2)] == [None, None]
        assert (await door.ask(cookie(secret)))["status"] == 429
        assert await door.ask(cookie(secret), path="/_nicegui_ws/x", type="websocket", subprotocols=[]) is None
        assert await door.guard.visitor(secret) is not None
        with pytest.raises(TurnedAway):
            await door.guard.visitor(secret, counts=True)

    asyncio.run(run())


def test_pages_are_for_their_own_origin_alone_though_another_may_call_the_api():
    async def run() -> None:
        token, kept = key()
        door = Visited(kept, serve_origins="http://localhost:3000", serve_hosts="memory.example")
        secret = await door.guard.log_in(token)
        app, own = (b"origin", b"http://localhost:3000"), (b"origin", b"https://memory.example")
        assert await door.ask(app, (b"x-api-key", token.encode()), path="/v1/facts") is None
        assert (await door.ask(app, cookie(secret)))["status"] == 403
        assert (await door.ask(app, cookie(secret), path="/logout", method="POST"))["status"] == 403
        asked = (b"access-control-request-method", b"GET")
        assert (await door.ask(app, asked, method="OPTIONS"))["status"] == 403
        assert await door.ask(own, cookie(secret), host=b"memory.example") is None
        assert (await door.ask(cookie(secret), host=b"evil.example"))["status"] == 421

    asyncio.run(run())


def test_a_stranger_may_send_a_key_and_nothing_larger():
    async def run() -> None:
        door = Visited()
        assert await door.ask(path="/login", method="POST", body=b"x" * 4_096) is None
        with pytest.raises(Forbidden):
            caller_in(door.inside.scopes[0]).check("reader")
        assert (await door.ask(path="/login", method="POST", body=b"x" * 4_097))["status"] == 413

    asyncio.run(run())


def test_while_keys_cannot_be_read_no_page_opens():
    async def run() -> None:
        token, kept = key()
        door = Visited(kept)
        secret = await door.guard.log_in(token)
        door.desk.broken = True
        assert (await door.ask(cookie(secret)))["status"] == 503
        door.desk.broken = False
        assert await door.ask(cookie(secret)) is None

    asyncio.run(run())
