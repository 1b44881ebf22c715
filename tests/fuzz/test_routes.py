"""Every route with bodies, paths, queries and headers that mean harm: no 500, and an answer in time."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import pytest

import gieok
from gieok.serve.app import create_app, guarded_app
from gieok.testing import ScriptedModel
from support import hostile
from support.authorizing import Route, routes_of
from support.hostile import within
from support.serving import served

SECONDS = 30.0
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def served_bank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[httpx2.Client, list[Route]]]:
    folder: Path = tmp_path_factory.mktemp("bank")
    options: dict[str, Any] = {"embedder": "hashing", "behind_the_scenes": "off"}
    with gieok.open(folder / "memories.db", model=ScriptedModel({"reply": "네"}), **options) as bank:
        bank.scope(user="minsu", character="letia").observe("나 고양이 좋아해", reply="저도요")
        app = create_app(bank)
        with served(guarded_app(app)) as url, httpx2.Client(base_url=url, timeout=60, trust_env=False) as client:
            yield client, routes_of(app)


def quoted(text: str) -> str:
    return quote(text[:2_000].encode("utf-8", "surrogatepass"), safe="")


def send(client: httpx2.Client, method: str, path: str, **more: Any) -> int:
    asked = "POST" if method == "*" else method
    with within(SECONDS, (method, path[:100])), client.stream(asked, path, **more) as response:
        body = response.read()
    assert response.status_code < 500 or response.status_code in (502, 503), (method, path[:200], more, body[:500])
    return response.status_code


def test_no_body_breaks_a_route(served_bank: Any, counts: Callable[[int, int], int]) -> None:
    client, routes = served_bank
    dice = random.Random(1)
    for method, path in routes:
        if method in ("GET", "HEAD"):
            continue
        bodies = hostile.BODIES if counts(0, 1) else dice.sample(hostile.BODIES, 8)
        for body in bodies:
            params = {"user": "minsu", "character": "letia"}
            send(client, method, re.sub(r"\{[^}]*\}", "1", path), content=body, headers=JSON, params=params)


def test_no_name_in_a_path_or_a_query_breaks_a_route(served_bank: Any, counts: Callable[[int, int], int]) -> None:
    client, routes = served_bank
    dice = random.Random(2)
    for method, path in routes:
        texts = hostile.TEXTS if counts(0, 1) else dice.sample(hostile.TEXTS, 8)
        for text in texts:
            there = re.sub(r"\{[^}]*\}", quoted(text) or "x", path)
            name = dice.choice(["user", "character", "world", "limit", "cursor", "after", "at", "since", "state", "k"])
            query = f"user=minsu&{name}={quoted(text)}&{quoted(text)}=1"
            send(client, method, f"{there[:3_000]}?{query[:6_000]}", headers=JSON)


def test_no_header_breaks_the_server(served_bank: Any) -> None:
    client, _ = served_bank
    sent = [each[:3_000] for each in hostile.TEXTS if each.isprintable() and each.strip() == each and each]
    for text in sent:
        for name in (
            "Authorization",
            "X-API-Key",
            "If-None-Match",
            "Idempotency-Key",
            "X-Request-Id",
            "Cookie",
            "Origin",
        ):
            value = text.encode("utf-8", "replace")
            send(client, "GET", "/v1/facts?user=minsu&character=letia", headers=[(name.encode(), value)])


def test_json_of_the_wrong_shape_breaks_no_route(served_bank: Any, counts: Callable[[int, int], int]) -> None:
    client, routes = served_bank
    dice = random.Random(4)
    document = client.get("/openapi.json").json()
    writing = [(method, path) for method, path in routes if method in ("POST", "PATCH", "PUT")]
    for method, path in writing:
        body = document["paths"].get(path, {}).get(method.lower(), {}).get("requestBody")
        example = (
            example_of(document, body) if body else {"model": "m", "messages": [{"role": "user", "content": "안녕"}]}
        )
        for _ in range(counts(8, 400)):
            instead = dice.choice([each for each in hostile.VALUES if each == each] + ["\0", "\ud800", "가" * 9_000])
            spoilt = hostile.spoilt(example, dice, instead)
            text = as_json(spoilt)
            params = {"user": "minsu", "character": "letia"}
            send(client, method, re.sub(r"\{[^}]*\}", "1", path), content=text, headers=JSON, params=params)


def as_json(value: Any) -> bytes:
    import json

    return json.dumps(value).encode()


def example_of(document: Any, body: Any) -> Any:
    """Return an example of what a route takes, as its document has it, with every field that there is."""
    schema = body["content"]["application/json"]["schema"]
    while "$ref" in schema or ("anyOf" in schema and "properties" not in schema):
        schema = schema["anyOf"][0] if "anyOf" in schema and "$ref" not in schema else schema
        if "$ref" in schema:
            schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[1]]
    examples = schema.get("examples") or [{}]
    return {**dict.fromkeys(schema.get("properties", {})), **examples[0]}
