"""The OpenAPI document: plain words, typed answers and examples that work, and nothing from elsewhere."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import jsonschema
import pytest
from fastapi import FastAPI
from fastapi.routing import iter_route_contexts

from gieok.http.api import api_routes
from gieok.testing import ScriptedModel
from support.api import talking

WRITES = {"post", "patch", "put", "delete"}
OURS = {context.path for context in iter_route_contexts(api_routes().routes)}
ONLY_ASKS = {"/v1/recall", "/v1/context"}
A_CHAT = re.compile("/v1/chat")  # has the ids of its turns and events for what is sent again
AN_ADMINS = re.compile("/v1/maintain/all|/v1/webhooks")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    with talking(tmp_path_factory.mktemp("bank"), model=ScriptedModel({"reply": "저도요."})) as client:
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


def test_no_page_fetches_anything_from_elsewhere(client: httpx2.Client) -> None:
    for page in ("/docs", "/redoc"):
        assert client.get(page).status_code == 404


def test_the_page_lists_the_routes_with_what_they_do_and_need() -> None:
    page = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
    told = {
        tuple(route.split()): (role, words)
        for route, role, words in re.findall(r"^\| `([A-Z]+ /v1[^`]*)` \| (\w+) \| (.+) \|$", page, re.M)
    }
    app = FastAPI()
    app.include_router(api_routes())
    there = {
        (method.upper(), path): operation["summary"]
        for path, methods in app.openapi()["paths"].items()
        for method, operation in methods.items()
    }
    assert {route: words for route, (_, words) in told.items()} == there
    for (method, path), (role, _) in told.items():
        reads = method == "GET" or path in ONLY_ASKS
        assert role == ("admin" if AN_ADMINS.match(path) else "reader" if reads else "writer"), path
