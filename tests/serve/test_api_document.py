"""The OpenAPI document: plain words, typed answers and examples that work, and nothing from elsewhere."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

import gieok
from gieok.access.caller import Caller, let_in
from gieok.http.openapi import api_routes, reference
from gieok.http.router import made_routes
from gieok.serve.app import create_app
from gieok.testing import ScriptedModel
from support.api import talking
from support.serving import served

WRITES = {"post", "patch", "put", "delete"}
OURS = {context.path for context in iter_route_contexts(made_routes(api_routes()))}
ONLY_ASKS = {"/v1/recall", "/v1/context"}
A_CHAT = re.compile("/v1/chat")  # has the ids of its turns and events for what is sent again
AN_ADMINS = re.compile("/v1/maintain/all|/v1/webhooks|/v1/audit|/v1/eras")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    with talking(tmp_path_factory.mktemp("bank"), model=ScriptedModel({"reply": "저도요."})) as client:
        yield client


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    """All that is served, not the API alone."""
    with gieok.open(tmp_path_factory.mktemp("whole") / "bank.db", embedder="hashing") as bank:
        app = create_app(bank)

        async def let_all_in(scope: Any, receive: Any, send: Any) -> None:
            let_in(scope, Caller())
            await app(scope, receive, send)

        with served(let_all_in) as url, httpx2.Client(base_url=url) as client:
            yield client


@pytest.fixture(scope="module")
def document(client: httpx2.Client) -> Any:
    return client.get("/openapi.json").json()


def operations(document: Any) -> list[tuple[str, str, Any]]:
    return [
        (method, path, operation)
        for path, methods in document["paths"].items()
        if path in OURS
        for method, operation in methods.items()
    ]


def test_every_route_says_what_it_does_what_it_gives_and_how_it_fails(document: Any) -> None:
    assert len(operations(document)) >= 34
    for method, path, operation in operations(document):
        assert operation["summary"], path
        assert operation["description"].endswith((".", "was on.")), path
        assert operation["tags"], path
        good = {status: answer for status, answer in operation["responses"].items() if status.startswith("2")}
        assert good, path
        for status, answer in good.items():
            schemas = [each["schema"] for each in answer.get("content", {}).values()]
            assert status == "204" or (schemas and all(schemas)), f"{method} {path} has an answer of any shape"
        assert "application/problem+json" in operation["responses"]["422"]["content"], path
        assert "application/problem+json" in operation["responses"]["default"]["content"], path


def test_every_write_tells_of_its_idempotency_key(document: Any) -> None:
    for method, path, operation in operations(document):
        names = {parameter["name"] for parameter in operation.get("parameters", [])}
        kept = method in WRITES and path not in ONLY_ASKS and not A_CHAT.match(path)
        assert ("Idempotency-Key" in names) == kept, (method, path)


def test_every_example_is_what_its_schema_says(document: Any) -> None:
    shown = 0
    for schema in document["components"]["schemas"].values():
        for example in schema.get("examples", []):
            whole = {**schema, "components": document["components"]}
            jsonschema.Draft202012Validator(whole).validate(example)
            shown += 1
    assert shown >= 12


def test_the_examples_work_as_they_stand(client: httpx2.Client, document: Any) -> None:
    schemas = document["components"]["schemas"]
    tried = 0
    for method, path, operation in operations(document):
        content = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
        named = [each for each in (content, *content.get("anyOf", [])) if "$ref" in each]
        for schema in named:
            if "{" in path:
                continue
            for example in schemas[schema["$ref"].rpartition("/")[2]].get("examples", []):
                response = client.request(method, path, json=example)
                assert response.status_code in (200, 201), (path, example, response.text)
                tried += 1
    assert tried >= 7


def test_the_bare_address_leads_to_a_page_that_fetches_nothing_from_elsewhere(server: httpx2.Client) -> None:
    page = server.get("/", follow_redirects=True)
    assert page.url.path == "/docs"
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["content-security-policy"].startswith("default-src 'none'; ")
    assert re.findall(r"""(?:src|href|action)=["']?([^"'> ]*)""", page.text) == ["/openapi.json"]
    assert not re.search(r"<script|url\(|@import", page.text)
    assert server.get("/redoc").status_code == 404


def test_the_page_shows_every_operation_of_the_whole_server_with_words_of_its_own(server: httpx2.Client) -> None:
    page = unescape(server.get("/docs").text)
    paths = server.get("/openapi.json").json()["paths"]
    assert {"/v1/chat", "/v1/webhooks", "/metrics", "/v1/turns"} <= set(paths)
    for path, methods in paths.items():
        for method, operation in methods.items():
            assert f"<b>{method.upper()}</b><code>{path}</code> <span>{operation['summary']}</span>" in page
            made_up = operation["operationId"].partition("_v1_")[0].replace("_", " ").title()
            assert operation["summary"] != made_up, f"{method} {path} has no summary of its own"


def test_calls_that_the_page_shows_work_as_they_stand(server: httpx2.Client) -> None:
    page = unescape(server.get("/docs").text)
    shown = re.findall(r"<pre>curl '([^'{}]+)'(?: -X (\w+))?(?: -N)?(?: \\\n  --json '(.*?)')?</pre>", page)
    assert len(shown) > 20
    for url, method, body in shown:
        if "/v1/chat" in url or "/maintain/all" in url:
            continue  # one takes a model, the other works for long
        answer = server.request(
            method or ("POST" if body else "GET"),
            url,
            content=body.encode() or None,
            headers={"Content-Type": "application/json"} if body else {},
        )
        assert answer.status_code < 300, (url, method, body, answer.text)


def test_what_a_caller_says_is_only_text_on_the_page() -> None:
    document = {"info": {"summary": "<b>"}, "paths": {}}
    assert "&lt;b&gt;" in reference(document, "http://x")
    assert "<script" not in reference(document, "http://<script>")


def test_the_page_lists_the_routes_with_what_they_do_and_need() -> None:
    page = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
    told = {
        tuple(route.split()): (role, words)
        for route, role, words in re.findall(r"^\| `([A-Z]+ /v1[^`]*)` \| (\w+) \| (.+) \|$", page, re.M)
    }
    app = FastAPI()
    app.router.routes.extend(made_routes(api_routes()))
    there = {
        (method.upper(), path): operation["summary"]
        for path, methods in app.openapi()["paths"].items()
        for method, operation in methods.items()
    }
    assert {route: words for route, (_, words) in told.items()} == there
    for (method, path), (role, _) in told.items():
        reads = method == "GET" or path in ONLY_ASKS
        assert role == ("admin" if AN_ADMINS.match(path) else "reader" if reads else "writer"), path
