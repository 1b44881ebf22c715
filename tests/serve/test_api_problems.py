"""Whatever goes wrong is told as a problem whose text names the way out; nothing a caller sends is a 500."""

from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

import gieok
from support.api import asking, refused, talking

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    with talking(tmp_path_factory.mktemp("bank")) as client:
        yield client


@pytest.mark.parametrize(
    ("body", "status", "word", "way_out"),
    [
        (b'{"text": ', 400, "malformed-json", "line 1, column 10"),
        (b"\xff\xfe", 400, "not-utf-8", "send it as UTF-8"),
        (b'{"text": NaN}', 400, "malformed-json", "NaN"),
        (b'{"text": "a", "cut_off": -Infinity}', 400, "malformed-json", "leave the field out"),
        (b'{"text": 1e999}', 422, "number-too-large", "too large"),
        (b'{"text": ' + b"9" * 5_000 + b"}", 422, "number-too-large", "18"),
        (b'{"text": "\\ud83d \xec\x95\x88\xeb\x85\x95"}', 422, "lone-surrogate", "both halves"),
        (b"[" * 100_000, 400, "malformed-json", "nested too deeply"),
        (b'{"text": "a"' + b"".join(b', "%d": 1' % n for n in range(100)) + b"}", 422, "too-many-fields", "openapi"),
        (b'{"text": [' + b"[]," * 200_000 + b"[]]}", 422, "too-many-parts", "200,000"),
        (b'{"text": "\\u0000"}', 422, "invalid-request", "NUL"),
        (b'{"text": "a", "text": "b"}', 400, "malformed-json", "a field twice"),
        (b'{"text": 5}', 422, "invalid-request", "must be text"),
        (b'["text"]', 422, "invalid-request", "JSON object"),
        (b"{}", 422, "invalid-text", "give a text, a reply, or both"),
        (b'{"text": "a', 400, "malformed-json", "Unterminated string starting, at line 1, column 10"),
        (b'{"text": "a", "txet": "b"}', 422, "invalid-request", "body.txet: is not known here; did you mean text?"),
        (b'{"text": "a", "replly": "b"}', 422, "invalid-request", "did you mean reply?"),
        (b'{"text": "a", "zzz": "b"}', 422, "invalid-request", "known here: text, reply, "),
        (b'{"text": "  "}', 422, "invalid-request", "at least one visible character"),
        (b"", 422, "invalid-request", "body: is missing; send a JSON object"),
        (b'{"text": "a", "at": "2026-11-15T21:30:00"}', 422, "invalid-request", "2026-11-15T21:30:00+09:00"),
        (b'{"text": "a", "at": 1763209800}', 422, "invalid-request", "such as 2026-11-15T21:30:00+09:00"),
        (b'{"text": "a", "at": "2026-11-15"}', 422, "invalid-request", "such as 2026-11-15T21:30:00+09:00"),
        (b'{"text": "a", "at": "0001-01-01T00:00:00Z"}', 422, "invalid-request", "years 2 to 9998"),
        (b'{"text": "a", "at": "2026-02-30T00:00:00Z"}', 422, "invalid-request", "such as"),
        (b'{"text": "a", "present": ["\\n"]}', 422, "invalid-request", "one line"),
        (b'{"text": "a", "turn_id": "a/b"}', 422, "invalid-request", "no slash"),
        (b'{"text": "a", "speaker": ""}', 422, "invalid-request", "body.speaker: is too short; it takes at least 1"),
    ],
)
def test_a_body_that_cannot_be_used_is_refused_with_the_reason(
    client: httpx2.Client, body: bytes, status: int, word: str, way_out: str
) -> None:
    assert way_out in refused(client.post("/v1/turns", content=body, headers=JSON), status, word)


@pytest.mark.parametrize("path", ["/v1/chat", "/v1/chat/t1/edit", "/v1/webhooks", "/v1/recall"])
def test_a_body_of_a_hundred_thousand_fields_is_not_told_of_each(client: httpx2.Client, path: str) -> None:
    body = b"{" + b",".join(b'"%d":1' % n for n in range(100_000)) + b"}"
    response = client.post(path, content=body, headers=JSON)
    refused(response, 422, "too-many-fields")
    assert len(response.content) < 1_000


def test_every_mistake_is_listed_with_its_place(client: httpx2.Client) -> None:
    response = client.post("/v1/recall", json={"k": "3", "explain": "yes", "where": {"type": "cat"}})
    refused(response, 422, "invalid-request")
    assert {each["where"] for each in response.json()["errors"]} == {
        "body.query",
        "body.k",
        "body.explain",
        "body.where.type",
    }


@pytest.mark.parametrize(
    ("path", "params", "word", "way_out"),
    [
        ("/v1/turns", {"user": "", "character": "레티아"}, "invalid-request", "leave it out"),
        ("/v1/turns", {"user": "가" * 201}, "invalid-request", "at most 200"),
        ("/v1/turns", {"user": "줄\n바꿈"}, "invalid-request", "one line"),
        ("/v1/turns", {"cursor": "x"}, "unknown-cursor", "leave it out"),
        ("/v1/turns", {"cursor": "WyJtZW1vcmllcyIsM10"}, "unknown-cursor", "turns"),
        ("/v1/turns", {"limit": "many"}, "invalid-request", "whole number"),
        ("/v1/memories", {"stat": "past"}, "unknown-parameter", "did you mean state?"),
        ("/v1/memories", {"state": "gone"}, "invalid-request", "'current', 'past', 'forgotten' or 'all'"),
        ("/v1/memories", {"attribute": "likse"}, "invalid-request", "favorite.<anything>"),
        ("/v1/facts", {"as_of": "2026-11-15T00:00:00"}, "invalid-request", "+09:00"),
    ],
)
def test_a_query_that_makes_no_sense_is_refused_with_the_reason(
    client: httpx2.Client, path: str, params: dict[str, str], word: str, way_out: str
) -> None:
    assert way_out in refused(client.get(path, params=params), 422, word)


def test_a_request_without_a_scope_says_what_a_scope_is(client: httpx2.Client) -> None:
    bare = httpx2.get(f"{client.base_url}/v1/turns", trust_env=False)
    assert "user, character and world in the query: ?user=" in refused(bare, 422, "invalid-scope")


def test_a_misspelt_field_within_a_field_is_suggested_too(client: httpx2.Client) -> None:
    asked = client.post("/v1/recall", json={"query": "고양이", "weights": {"keywords": 1}})
    assert "body.weights.keywords: is not known here; did you mean keyword?" in refused(asked, 422, "invalid-request")


def test_names_that_are_not_utf_8_are_refused_and_not_mixed_up(client: httpx2.Client) -> None:
    for name in ("민수", "지수"):
        escaped = "".join(f"%{byte:02X}" for byte in name.encode("cp949"))
        answer = httpx2.post(f"{client.base_url}/v1/turns?user={escaped}", json={"text": "안녕"}, trust_env=False)
        assert "%EB%AF%BC%EC%88%98" in refused(answer, 400, "not-utf-8")
    assert "\ufffd" not in client.get("/v1/scopes").text


def test_what_is_not_there_and_what_is_not_possible_are_problems_too(client: httpx2.Client) -> None:
    assert "/docs" in refused(client.get("/v1/memoires"), 404, "no-such-route")
    wrong = client.put("/v1/turns")
    assert "use GET, POST" in refused(wrong, 405, "method-not-allowed")
    assert wrong.headers["allow"] == "GET, POST"
    assert "GET /v1/entities" in refused(client.get("/v1/entities/아무개"), 404, "unknown-person")


def test_a_bank_that_is_closed_does_not_tell_where_it_is(tmp_path: Path) -> None:
    bank = gieok.open(tmp_path / "secret-place.db", embedder="hashing")
    with asking(bank) as client:
        bank.close()
        response = client.get("/v1/turns")
        refused(response, 503, "bank-closed")
        assert "secret-place" not in response.text
