"""The API as a whole: its routes, its OpenAPI document, and /docs, a page made from the document."""

from __future__ import annotations

import json
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from string import Template
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, RedirectResponse
from starlette.routing import BaseRoute

from gieok.bank import MemoryBank
from gieok.http import bank as bank_routes
from gieok.http import chat, memories, turns, webhooks
from gieok.http.memories import ContextRegistry
from gieok.http.problems import MEDIA_TYPE, add_problem_handlers
from gieok.http.router import KeyedLocks, made_routes

_ANY_PROBLEM: Final = {
    "description": "Anything else that went wrong.",
    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_UNUSED: Final = ("HTTPValidationError", "ValidationError")
_DOCS: Final = "/docs"
_POLICY: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
}
_EXAMPLE_SCOPE: Final = {"user": "minsu", "character": "letia"}


def api_routes() -> list[BaseRoute]:
    """Return the routes, in the order in which they are tried: what is asked most comes first."""
    of = (turns.routes, memories.routes, turns.story_routes, bank_routes.routes, chat.routes, webhooks.routes)
    return [route for each in of for route in each.routes]


def add_api_state(app: FastAPI, bank: MemoryBank) -> None:
    """Put into `app` what the routes of the API need: the bank, problem documents, the OpenAPI document."""
    app.state.bank = bank
    app.state.contexts = ContextRegistry(now=bank.clock.now)
    app.state.idempotency_locks = KeyedLocks()
    app.state.replies = chat.Replies()
    add_problem_handlers(app)

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # FastAPI documents this way to replace it


def _document(app: FastAPI) -> dict[str, Any]:
    document = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=made_routes(app.routes))
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    for name in _UNUSED:
        schemas.pop(name, None)
    schemas["Problem"] = json.loads(files(__package__).joinpath("problem_schema.json").read_text(encoding="utf-8"))
    for operations in document["paths"].values():
        for operation in operations.values():
            operation["responses"].setdefault("default", _ANY_PROBLEM)
    for schema in schemas.values():
        properties = schema.get("properties", {})
        is_answer = properties.keys() <= set(schema.get("required", ()))  # no key of it is left out
        if "examples" in schema and is_answer:
            schema["examples"] = [{key: each.get(key) for key in properties} for each in schema["examples"]]
    return document


def reference_routes() -> APIRouter:
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    async def home() -> RedirectResponse:
        return RedirectResponse(_DOCS)

    @routes.get(_DOCS)
    async def page(request: Request) -> HTMLResponse:
        return HTMLResponse(reference(request.app.openapi(), str(request.base_url).rstrip("/")), headers=_POLICY)

    return routes


def reference(document: Mapping[str, Any], address: str) -> str:
    """Return the page about `document`, with examples that work at `address`."""
    sections: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            text = _operation(document, method.upper(), path, operation, address)
            sections.setdefault(operation["tags"][0], []).append(text)
    page = Template(files(__package__).joinpath("reference.html").read_text(encoding="utf-8"))
    return page.substitute(
        summary=escape(document["info"]["summary"]),
        address=escape(address),
        sections="".join(f"<h2>{escape(tag.capitalize())}</h2>{''.join(texts)}" for tag, texts in sections.items()),
    )


def _operation(document: Mapping[str, Any], method: str, path: str, operation: Mapping[str, Any], address: str) -> str:
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    body = _resolved(document, next(iter(schema.get("anyOf", [schema]))))
    parameters = operation.get("parameters", [])
    rows = [(each["name"], f"{each['in']}. {each.get('description', '')}") for each in parameters]
    for name, field in body.get("properties", {}).items():
        kind = _type_text(document, field) + (", required" if name in body.get("required", []) else "")
        rows.append((name, f"{kind}. {field.get('description', '')}"))
    table = "".join(f"<tr><td><code>{escape(name)}</code><td>{escape(text)}" for name, text in rows)
    return (
        f"<details><summary><b>{method}</b><code>{escape(path)}</code> <span>{escape(operation['summary'])}</span>"
        f"</summary><div><p>{escape(operation.get('description', ''))}</p><table>{table}</table>"
        f"<pre>{escape(_curl(method, path, operation, body, address))}</pre></div></details>"
    )


def _type_text(document: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(str(each) for each in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_type_text(document, each) for each in schema["anyOf"])
    if "$ref" in schema:
        return _type_text(document, _resolved(document, schema))
    return str(schema.get("format") or schema.get("type", "anything"))


def _resolved(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _curl(method: str, path: str, operation: Mapping[str, Any], body: Mapping[str, Any], address: str) -> str:
    taken = {each["name"] for each in operation.get("parameters", []) if each["in"] == "query"}
    scope = urlencode({name: value for name, value in _EXAMPLE_SCOPE.items() if name in taken})
    call = f"curl '{address}{path}{'?' if scope else ''}{scope}'"
    if method not in ("GET", "POST") or (method == "POST" and not body):
        call += f" -X {method}"
    if "text/event-stream" in operation["responses"].get("200", {}).get("content", {}):
        call += " -N"
    if body:
        example = json.dumps(next(iter(body.get("examples", [{}]))), ensure_ascii=False).replace("'", "'\\''")
        call += f" \\\n  --json '{example}'"
    return call
