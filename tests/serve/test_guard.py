"""The guard before a small application, on a real server, asked byte by byte."""

import json
import logging
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from time import monotonic
from typing import Any

import pytest
from fastapi.responses import JSONResponse

import gieok
from gieok.access.caller import caller_in
from gieok.access.guard import LONGEST_HEAD, MOST_HEADERS, Guard
from gieok.access.keys import create_key, revoke
from gieok.domain.scope import Scope
from gieok.domain.server_state import Bounds
from gieok.errors import Forbidden
from gieok.http.problems import Problem
from support.raw_http import Line, chunked
from support.serving import served

EVIL = "Origin: https://evil.example"


@dataclass
class Inside:
    """What stands behind the guard: it answers whoever gets there, and notes them."""

    scopes: list[Any] = field(default_factory=list)
    answers_with: list[tuple[bytes, bytes]] = field(default_factory=list)
    ended: bool = False

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            await send({"type": "lifespan.startup.complete"})
            await receive()
            self.ended = True
            await send({"type": "lifespan.shutdown.complete"})
            return
        self.scopes.append(scope)
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept", "subprotocol": next(iter(scope["subprotocols"]), None)})
            await send({"type": "websocket.close", "code": 1000})
            return
        body = (await receive())["body"]
        told = json.dumps({"caller": caller_in(scope).name, "size": len(body)}).encode()
        headers = [(b"content-length", str(len(told)).encode()), *self.answers_with]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": told})


@dataclass(frozen=True)
class Door(Line):
    """A guarded server."""

    inside: Inside

    @property
    def own(self) -> str:
        return f"Origin: http://127.0.0.1:{self.port}"


def problem(refusal):
    return Problem(status=refusal.status, title=refusal.title, detail=refusal.detail).response(refusal.headers)


def as_openai(refusal):
    error = {"message": refusal.detail, "type": "invalid_request_error", "param": None, "code": None}
    return JSONResponse({"error": error}, status_code=refusal.status, headers=refusal.headers)


Open = Callable[..., AbstractContextManager[Door]]


@contextmanager
def door_of(
    bank: gieok.MemoryBank,
    address: str,
    settings: dict[str, Any],
    *,
    parser: Any = "auto",
    parser_bytes: int | None = None,
    **options: float,
) -> Iterator[Door]:
    inside = Inside()
    guard = Guard(
        inside,
        bank.store.server,
        settings=replace(bank.settings, **settings),
        address=address,
        refused=problem,
        openai_refused=as_openai,
        **options,
    )
    with served(guard, proxy_headers=False, http=parser, h11_max_incomplete_event_size=parser_bytes) as url:
        yield Door(int(url.rpartition(":")[2]), inside)


@pytest.fixture(scope="module")
def bank(tmp_path_factory) -> Iterator[gieok.MemoryBank]:
    with gieok.open(tmp_path_factory.mktemp("bank") / "memories.db", embedder="hashing") as bank:
        yield bank


@pytest.fixture
def opened(bank) -> Open:
    return lambda address="127.0.0.1", **settings: door_of(bank, address, settings)


@pytest.fixture(scope="module")
def long_at_home(bank):
    with door_of(bank, "127.0.0.1", {}, fresh_seconds=0) as door:
        yield door


@pytest.fixture(scope="module")
def long_abroad(bank):
    with door_of(bank, "0.0.0.0", {}, fresh_seconds=0) as door:
        yield door


@pytest.fixture
def at_home(long_at_home) -> Door:
    """A server that only this machine can reach."""
    long_at_home.inside.scopes.clear()
    return long_at_home


@pytest.fixture
def abroad(long_abroad) -> Door:
    """A server that others can reach. It knows a new key at once."""
    long_abroad.inside.scopes.clear()
    return long_abroad


@pytest.fixture
def key(bank):
    """Make a key and return what its holder sends."""

    def key(role="writer", **options):
        token, kept = create_key("시험", role, now=datetime.now(UTC), **options)
        bank.store.server.keep_key(kept)
        return token

    return key


def bearer(token: str) -> str:
    return f"Authorization: Bearer {token}"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:8420", "127.0.0.1:1", "[::1]:8420"])
def test_the_names_of_loopback_are_let_in(at_home, host):
    assert at_home.ask(host=host).status == 200
    assert at_home.knock(host=host).status == 101


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8420", "localhost.evil.example", "localhost.", "192.168.0.2", "0.0.0.0"]
)
def test_a_page_whose_name_was_made_to_point_here_is_turned_away(at_home, host):
    answer = at_home.ask(host=host)
    assert answer.status == 421
    assert "serve_hosts" in answer.json["detail"]
    assert at_home.knock(host=host).status == 403
    assert at_home.inside.scopes == []


@pytest.mark.parametrize(
    ("target", "headers"),
    [
        ("/v1/facts?user=minsu&user=jihun", []),
        ("/v1/facts?user=minsu&us%65r=minsu", []),
        ("/v1/facts?user=&user=minsu", []),
        ("/memories?world=a&character=letia&character=sera", []),
        ("/v1/chat/completions", ["X-Gieok-User: minsu", "x-gieok-user: jihun"]),
        ("/v1/chat/completions", ["X-Gieok-Session: a", "X-Gieok-Session: b"]),
        ("/v1/turns", ["Idempotency-Key: a", "Idempotency-Key: b"]),
        ("/v1/memories/m1", ["If-Match: a", "If-Match: b"]),
    ],
)
def test_whoever_says_twice_whose_memory_is_meant_is_turned_away(at_home, target, headers):
    answer = at_home.ask(target, *headers)
    assert answer.status == 400
    assert at_home.inside.scopes == []
    assert at_home.ask("/v1/facts?user=minsu&tag=a&tag=b", *headers[:1]).status == 200


@pytest.mark.parametrize("parser", ["h11", "httptools"])
@pytest.mark.parametrize("target", ["http://127.0.0.1/v1/things", "http://evil.example/v1/things"])
def test_a_name_in_the_target_is_no_way_around_the_one_in_the_host(bank, parser, target):
    with door_of(bank, "127.0.0.1", {}, parser=parser) as at_home:
        assert at_home.ask(target, host="evil.example").status in (400, 421)
        assert at_home.inside.scopes == []
        # h11 hands on the whole target, which is no path; httptools its path alone.
        assert at_home.ask(target).status == (400 if parser == "h11" else 200)
        assert [each["path"] for each in at_home.inside.scopes] == ([] if parser == "h11" else ["/v1/things"])


def test_forwarded_names_are_not_believed(at_home, abroad):
    forwarded = ("X-Forwarded-Host: localhost", "X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1;host=localhost")
    assert at_home.ask("/", *forwarded, host="evil.example").status == 421
    assert abroad.ask("/", *forwarded).status == 401


@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
def test_a_page_of_another_origin_is_turned_away_whatever_it_asks(at_home, method):
    answer = at_home.ask("/v1/things", EVIL, method=method)
    assert answer.status == 403
    assert not answer.every("access-control-allow-origin")
    assert at_home.inside.scopes == []


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "http://127.0.0.1",
        "http://127.0.0.1:1",
        "http://localhost:{port}",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1:{port}/",
        "http://127.0.0.1.:{port}",
        "http://127.0.0.1:{port}@evil.example",
        "http://user@127.0.0.1:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://127.0.0.1:{port}, https://evil.example",
        "http://127.0.0.1\xff:{port}",
    ],
)
def test_only_the_servers_own_pages_talk_to_it(at_home, origin):
    header = f"Origin: {origin.format(port=at_home.port)}"
    assert at_home.ask("/v1/things", header).status == 403
    assert at_home.knock(header).status == 403
    assert at_home.inside.scopes == []


def test_a_page_of_its_own_is_let_in_and_told_nothing_of_others(at_home):
    answer = at_home.ask("/v1/things", at_home.own, method="POST", body=b"{}")
    assert answer.status == 200
    assert not [name for name, _ in answer.headers if name.lower().startswith("access-control-")]
    assert answer.every("vary") == []


def test_a_socket_of_a_foreign_page_is_turned_away_by_a_raw_upgrade(at_home, abroad, key):
    assert at_home.knock(EVIL).status == 403
    assert at_home.knock("oRiGiN: https://evil.example").status == 403
    assert abroad.knock(EVIL, bearer(key())).status == 403
    assert (at_home.inside.scopes, abroad.inside.scopes) == ([], [])
    assert at_home.knock().status == 101
    assert at_home.knock(at_home.own).status == 101


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_a_picture_or_script_in_a_foreign_page_is_not_served(at_home, site):
    assert at_home.ask("/v1/things", f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: no-cors").status == 403
    framed = ("Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe")
    assert at_home.ask("/v1/things", f"Sec-Fetch-Site: {site}", *framed).status == 403
    followed = (f"Sec-Fetch-Site: {site}", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document")
    assert at_home.ask("/", *followed).status == 200
    assert at_home.ask("/", *followed, method="POST").status == 403
    assert at_home.ask("/", "Sec-Fetch-Site: same-origin").status == 200


def test_where_others_can_reach_it_everything_but_its_health_needs_a_key(abroad):
    for path in (
        "/",
        "/v1/things",
        "/metrics",
        "/docs",
        "/openapi.json",
        "/healthz/",
        "/healthz/x",
        "//healthz",
        "/v1",
    ):
        assert abroad.ask(path).status == 401, path
    for path in ("/healthz", "/readyz", "/healthz?x=1"):
        assert abroad.ask(path).status == 200, path
    assert abroad.knock().status == 403
    assert abroad.ask("/v1/things", method="OPTIONS").status == 401


def test_whoever_asks_after_its_health_may_do_nothing_else(abroad, at_home):
    abroad.ask("/healthz", "X-API-Key: wrong")
    stranger = caller_in(abroad.inside.scopes[0])
    for scope in (None, Scope(user="minsu"), Scope(character="letia")):
        with pytest.raises(Forbidden):
            stranger.check("reader", scope)
    at_home.ask("/healthz")
    assert caller_in(at_home.inside.scopes[0]).key is None


@pytest.mark.parametrize("settings", [{"serve_keys": "always"}, {"serve_hosts": "memory.example"}])
def test_a_key_may_be_required_on_loopback_too(opened, key, settings):
    token = key()
    with opened(**settings) as door:
        assert door.ask().status == 401
        assert door.ask("/v1/things", bearer(token)).status == 200


def test_names_of_ones_own_are_let_in_and_no_others(opened, key):
    token = bearer(key())
    with opened("0.0.0.0", serve_hosts="memory.example") as door:
        assert door.ask("/", token, host="memory.example").status == 200
        assert door.ask("/", token, "Origin: https://memory.example", host="memory.example").status == 200
        assert door.ask("/", token, "Origin: https://evil.example", host="memory.example").status == 403
        assert door.ask("/", token, host="evil.example").status == 421
        assert door.ask("/healthz", host="evil.example").status == 421


@pytest.mark.parametrize(
    "header", ["Authorization: Bearer {}", "authorization: bearer   {}", "X-API-Key: {}", "AUTHORIZATION: BEARER\t{}"]
)
def test_a_key_opens_wherever_it_stands(abroad, key, header):
    token = key()
    answer = abroad.ask("/v1/things", header.format(token))
    assert (answer.status, answer.json["caller"]) == (200, token.split("_")[1])
    assert abroad.knock(header.format(token)).status == 101


def test_a_page_opens_a_socket_with_a_key_among_its_protocols(abroad, key):
    token = key()
    answer = abroad.knock(f"Sec-WebSocket-Protocol: gieok, gieok.key.{token}")
    assert (answer.status, answer.get("sec-websocket-protocol")) == (101, "gieok")
    assert abroad.knock(f"Sec-WebSocket-Protocol: gieok, gieok.key.{token}x").status == 403
    assert abroad.ask("/v1/things", f"Sec-WebSocket-Protocol: gieok.key.{token}").status == 401


def test_a_query_is_no_place_for_a_key(abroad, key):
    token = key()
    for name in ("key", "token", "access_token", "api_key"):
        assert abroad.ask(f"/v1/things?{name}={token}").status == 401
        assert abroad.knock(target=f"/socket?{name}={token}").status == 403


@pytest.mark.parametrize(
    "header",
    [
        "Authorization: {token}",
        "Authorization: Basic {token}",
        "Authorization: Bearer",
        "Authorization: Bearer {token}x",
        "Authorization: Bearer {token} x",
        "Authorization: Bearer {token},{token}",
        "Authorization: Bearer {id}",
        "Authorization: Bearer gk_{id}_" + "0" * 43,
        "Authorization: Bearer {token}\xff",
        "X-API-Key: Bearer {token}",
        "X-API-Key: ",
        "Cookie: key={token}",
        "Authorization: Bearer sk-somebody-elses",
    ],
)
def test_what_is_no_key_opens_nothing(abroad, key, header):
    token = key()
    answer = abroad.ask("/v1/things", header.format(token=token, id=token.split("_")[1]))
    assert answer.status == 401
    assert answer.get("www-authenticate").startswith("Bearer")
    assert token.split("_")[1].encode() not in answer.body
    assert token.split("_")[2].encode() not in answer.body
    assert abroad.inside.scopes == []


def test_a_wrong_a_strange_and_a_revoked_key_are_answered_alike(bank, abroad, key):
    good, gone = key(), key()
    revoke(bank.store.server, gone.split("_")[1], now=datetime.now(UTC))
    wrong = good[:-4] + ("AAAA" if not good.endswith("AAAA") else "BBBB")
    strange, _ = create_key("x", "admin", now=datetime.now(UTC))
    answers = [abroad.ask("/v1/things", bearer(each)) for each in (wrong, strange, gone, "garbled")]
    assert {(each.status, each.body, each.get("www-authenticate")) for each in answers} == {
        (401, answers[0].body, 'Bearer realm="gieok", error="invalid_token"')
    }
    assert abroad.ask("/v1/things", bearer(good)).status == 200


def test_of_two_different_keys_none_counts(abroad, key):
    one, other = key("reader"), key("admin")
    assert abroad.ask("/v1/things", bearer(one), bearer(other)).status == 400
    assert abroad.ask("/v1/things", bearer(one), f"X-API-Key: {other}").status == 400
    assert abroad.ask("/v1/things", bearer(one), f"X-API-Key: {one}").status == 200


def test_a_key_that_is_shown_where_none_is_needed_must_be_right(at_home, key):
    token = key("reader", bounds=[Bounds(user="minsu")])
    assert at_home.ask("/v1/things", bearer(token)).json["caller"] == token.split("_")[1]
    assert at_home.ask("/v1/things", bearer(token + "x")).status == 401
    assert at_home.ask("/v1/things", "X-API-Key: whatever").status == 401
    assert at_home.knock(bearer(token + "x")).status == 403


def test_a_client_of_the_proxy_may_send_the_key_it_cannot_do_without(at_home, abroad):
    for path in ("/v1/chat/completions", "/v1/models", "/v1/models/letia"):
        assert at_home.ask(path, bearer("sk-unused")).json["caller"] == "local"
        assert at_home.ask(path, bearer("gk_unused")).status == 401
        assert abroad.ask(path, bearer("sk-unused")).status == 401
    assert at_home.ask("/v1/modelsx", bearer("sk-unused")).status == 401


def test_clients_of_the_proxy_are_refused_in_their_own_words(abroad):
    assert set(abroad.ask("/v1/chat/completions", method="POST", body=b"{}").json) == {"error"}
    answer = abroad.ask("/v1/turns")
    assert answer.get("content-type") == "application/problem+json"
    assert set(answer.json) == {"type", "title", "status", "detail"}


def test_a_key_that_another_handle_revokes_stops_opening(bank, opened, key):
    token = key(per_minute=0)
    with opened("0.0.0.0") as door:
        assert door.ask("/v1/things", bearer(token)).status == 200
        with gieok.open(bank.settings.bank, embedder="hashing") as elsewhere:
            revoke(elsewhere.store.server, token.split("_")[1], now=datetime.now(UTC))
        until = monotonic() + 20
        while door.ask("/v1/things", bearer(token)).status == 200:
            assert monotonic() < until, "it still opens"
        assert door.ask("/v1/things", bearer(token)).status == 401


def test_nobody_behind_the_guard_sees_the_key(abroad, key):
    token = key()
    secret = token.split("_")[2]
    abroad.ask("/v1/things", bearer(token), f"X-API-Key: {token}", "X-Other: stays")
    abroad.knock(f"Sec-WebSocket-Protocol: gieok.key.{token}, gieok")
    http, socket = abroad.inside.scopes
    assert secret not in repr((http, socket))
    assert (b"x-other", b"stays") in http["headers"]
    assert socket["subprotocols"] == ["gieok"]


def test_no_log_tells_a_key(abroad, key, caplog):
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, logger="gieok")
    token = key(per_minute=1)
    for header in (bearer(token), bearer(token), bearer(token + "x"), f"X-API-Key: {token},"):
        abroad.ask("/v1/things", header)
        abroad.knock(header)
    abroad.knock(f"Sec-WebSocket-Protocol: gieok.key.{token}")
    assert token.split("_")[2] not in caplog.text


def test_a_body_that_announces_or_sends_too_much_is_not_read(opened):
    with opened(serve_body_kb=1) as door:
        answer = door.ask("/", "Content-Length: 1025", method="POST", body=b"")
        assert answer.status == 413
        assert "1,024 bytes" in answer.json["detail"]
        streamed = "Transfer-Encoding: chunked"
        assert door.ask("/", streamed, method="POST", body=chunked(*[b"x" * 100] * 50)).status == 413
        assert door.inside.scopes == []
        assert door.ask("/", method="POST", body=b"x" * 1024).json["size"] == 1024


@pytest.mark.parametrize("parser", ["h11", "httptools"])
@pytest.mark.parametrize(
    "headers",
    [[f"X-{number}: a" for number in range(MOST_HEADERS)], [f"X-{number}: {'a' * 9_000}" for number in range(8)]],
)
def test_more_or_larger_headers_than_anybody_needs_are_refused(bank, parser, headers):
    with door_of(bank, "127.0.0.1", {}, parser=parser, parser_bytes=2 * LONGEST_HEAD) as at_home:
        answer = at_home.ask("/v1/things", *headers)
        assert (answer.status, answer.get("connection")) == (431, "close")
        assert at_home.knock(*["X-Many: a"] * MOST_HEADERS).status == 403
        assert at_home.inside.scopes == []
        assert at_home.ask("/v1/things", *headers[: len(headers) // 2]).status == 200


def test_a_body_that_announces_nonsense_is_not_read(at_home):
    for length in ("-1", "+5", "5, 6", "1_0", "9" * 30):
        assert at_home.ask("/", f"Content-Length: {length}", method="POST", body=b"hello").status in (400, 413)
    assert at_home.ask("/", "Content-Length: 5", "Content-Length: 6", method="POST", body=b"hello").status == 400
    assert at_home.inside.scopes == []


@pytest.mark.parametrize("sent", [b"", b"half"])
def test_a_body_that_does_not_come_is_not_waited_for(bank, sent):
    with door_of(bank, "127.0.0.1", {}, body_seconds=0.2) as door:
        answer = door.ask("/", "Content-Length: 8", method="POST", body=sent)
        assert (answer.status, answer.get("connection")) == (408, "close")
        assert "send it again" in answer.json["detail"]
        assert door.inside.scopes == []
        assert door.ask("/", method="POST", body=b"all of it").status == 200


def test_a_key_that_asks_too_fast_is_told_when_to_come_back(opened, key):
    usual, own, free = key(), key(per_minute=2), key(per_minute=0)
    with opened("0.0.0.0", serve_per_minute=4) as door:

        def passed(token):
            return [door.ask("/", bearer(token)).status for _ in range(6)]

        assert passed(usual) == [200] * 4 + [429] * 2
        assert passed(own) == [200] * 2 + [429] * 4
        assert passed(free) == [200] * 6
        answer = door.ask("/", bearer(own))
        assert 1 <= int(answer.get("retry-after")) <= 30
        assert "2 requests a minute" in answer.json["detail"]
        assert door.knock(bearer(own)).status == 403
        assert door.ask("/v1/models", bearer(own)).json["error"]["message"] == answer.json["detail"]


def uses_of(bank, token):
    return bank.store.server.uses(datetime.now(UTC).date().isoformat()).get(token.split("_")[1], 0)


def test_a_daily_quota_outlives_the_server(bank, opened, key):
    token = key(per_day=3)
    with opened("0.0.0.0") as door:
        assert [door.ask("/", bearer(token)).status for _ in range(2)] == [200, 200]
    assert door.inside.ended
    assert uses_of(bank, token) == 2
    with opened("0.0.0.0") as door:
        answers = [door.ask("/", bearer(token)) for _ in range(3)]
        assert [each.status for each in answers] == [200, 429, 429]
        assert 1 <= int(answers[-1].get("retry-after")) <= 86_400
        assert "3 requests a day" in answers[-1].json["detail"]


def test_a_bank_that_cannot_be_read_lets_nobody_in(tmp_path):
    token, kept = create_key("x", "admin", now=datetime.now(UTC))
    bank = gieok.open(tmp_path / "closed.db", embedder="hashing")
    bank.store.server.keep_key(kept)
    with door_of(bank, "0.0.0.0", {}) as door:
        bank.close()
        assert door.ask("/", bearer(token)).status == 503
        assert door.ask("/healthz").status == 200
        assert door.inside.scopes[0]["path"] == "/healthz"


APP = "https://app.example"


def test_a_page_of_an_allowed_origin_may_ask_what_it_may_send(opened):
    with opened("0.0.0.0", serve_origins=APP) as door:
        asked = ("Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization,x-stainless-os")
        answer = door.ask("/v1/turns", f"Origin: {APP}", *asked, method="OPTIONS")
        assert (answer.status, answer.every("access-control-allow-origin")) == (204, [APP])
        assert "POST" in answer.get("access-control-allow-methods")
        assert answer.get("access-control-allow-headers") == "authorization,x-stainless-os"
        assert "Origin" in answer.get("vary")
        assert answer.get("access-control-allow-credentials") is None
        assert door.ask("/v1/turns", EVIL, *asked, method="OPTIONS").status == 403
        assert door.ask("/v1/turns", f"Origin: {APP}", method="OPTIONS").status == 401
        assert door.ask("/v1/turns", *asked, method="OPTIONS").status == 401
        assert door.inside.scopes == []


def test_a_page_of_an_allowed_origin_may_read_answers_and_refusals(opened, key):
    token = key()
    with opened("0.0.0.0", serve_origins=f"{APP} tauri://localhost") as door:
        for header, status in ((bearer(token), 200), ("X-None: 1", 401)):
            for origin in (APP, "tauri://localhost", "HTTPS://APP.example:443"):
                answer = door.ask("/v1/things", f"Origin: {origin}", header)
                assert (answer.status, answer.every("access-control-allow-origin")) == (status, [origin])
                assert answer.every("vary") == ["Origin"]
        assert door.ask("/v1/things", bearer(token)).every("vary") == ["Origin"]
        refused = door.ask("/v1/things", EVIL, bearer(token))
        assert (refused.status, refused.every("access-control-allow-origin")) == (403, [])
        assert door.knock(f"Origin: {APP}", bearer(token)).status == 101
        assert door.ask("/v1/things", "Origin: null", bearer(token)).status == 403


def test_what_an_upstream_allows_does_not_get_out(opened):
    with opened(serve_origins=APP) as door:
        door.inside.answers_with += [
            (b"Access-Control-Allow-Origin", b"*"),
            (b"access-control-allow-credentials", b"true"),
        ]
        assert not re.search("access-control", str(door.ask().headers), re.IGNORECASE)
        allowed = door.ask("/", f"Origin: {APP}")
        assert allowed.every("access-control-allow-origin") == [APP]
        assert allowed.every("access-control-allow-credentials") == []
