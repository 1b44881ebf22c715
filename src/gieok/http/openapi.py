"""The OpenAPI document: what FastAPI tells, with failures as the problems that they are."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse, RedirectResponse

from gieok.bank import MemoryBank
from gieok.http import bank as http_bank
from gieok.http import chat, memories, story, turns, webhooks
from gieok.http.memories import Contexts
from gieok.http.problems import MEDIA_TYPE, tell_problems
from gieok.http.requests import UnderWay
from gieok.http.shapes import EXAMPLE

_PROBLEM: Final[dict[str, Any]] = {
    "title": "Problem",
    "description": "What went wrong, after RFC 9457.",
    "type": "object",
    "required": ["type", "title", "status", "detail"],
    "properties": {
        "type": {"type": "string", "description": "A word for programs; it does not change."},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "What is wrong, and what to do about it."},
        "errors": {
            "type": "array",
            "description": "Each mistake of a request of the wrong form.",
            "items": {
                "type": "object",
                "required": ["where", "what"],
                "properties": {"where": {"type": "string"}, "what": {"type": "string"}},
            },
        },
    },
    "examples": [
        {
            "type": "/problems/unknown-memory",
            "title": "Unknown memory",
            "status": 404,
            "detail": "no memory 'm-1' in this scope; GET /v1/memories?state=all lists what there is",
        }
    ],
}
_FAILED: Final = {
    "description": "Anything else that went wrong.",
    "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_UNUSED: Final = ("HTTPValidationError", "ValidationError")


def describe(app: FastAPI) -> None:
    """Have `app` tell of its failures as they are."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _described(app)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]  # as FastAPI's documents tell to do it


def _described(app: FastAPI) -> dict[str, Any]:
    told = get_openapi(title=app.title, version=app.version, summary=app.summary, routes=app.routes)
    schemas = told.setdefault("components", {}).setdefault("schemas", {})
    for name in _UNUSED:
        schemas.pop(name, None)
    schemas["Problem"] = _PROBLEM
    for operations in told["paths"].values():
        for operation in operations.values():
            operation["responses"].setdefault("default", _FAILED)
    told = _by_title(told)
    if (memory := told["components"]["schemas"].get("Memory")) is not None:
        memory["examples"] = [EXAMPLE]  # FastAPI leaves out what is null
    return told


def _by_title(told: dict[str, Any]) -> dict[str, Any]:
    """Return the document with each schema under the name that it has for a reader: Memory, not MemoryShape."""
    schemas = told["components"]["schemas"]
    titles = Counter(schema.get("title") for schema in schemas.values())
    names = {name: title for name, schema in schemas.items() if titles[title := schema.get("title")] == 1 and title}
    told["components"]["schemas"] = {names.get(name, name): schema for name, schema in schemas.items()}
    text = json.dumps(told)
    for name, title in names.items():
        text = text.replace(f'"#/components/schemas/{name}"', f'"#/components/schemas/{title}"')
    renamed: dict[str, Any] = json.loads(text)
    return renamed


def api_routes() -> APIRouter:
    """Return every route of the API."""
    routes = APIRouter()
    for each in (
        turns.routes,
        memories.routes_recalling,
        memories.routes,
        story.routes,
        turns.routes_journal,
        http_bank.routes_audit,
        http_bank.routes_upkeep,
        http_bank.routes_erasing,
        http_bank.routes,
        http_bank.routes_disclosing,
        chat.routes,
        webhooks.routes,
    ):
        routes.include_router(each)
    return routes


def furnish(app: FastAPI, bank: MemoryBank) -> None:
    """Put into `app` what the routes of the API need beside it: problems, the document, what is kept for a while."""
    app.state.bank = bank
    app.state.contexts = Contexts(now=bank.clock.now)
    app.state.under_way = UnderWay()
    tell_problems(app)
    describe(app)


_PATH: Final = "/docs"
_POLICY: Final = {
    "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'"
}
_SOMEBODY: Final = {"user": "minsu", "character": "letia"}
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --dim: #888 }
body { font: 16px/1.6 system-ui, "Apple SD Gothic Neo", "Noto Sans KR", sans-serif; max-width: 54rem;
  margin: 3rem auto; padding: 0 1rem; word-break: keep-all; overflow-wrap: anywhere }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.15rem }
code, pre { font: .875rem/1.5 ui-monospace, monospace }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem }
details { border-top: 1px solid var(--line) }
details > div { padding: 0 0 1rem 1rem }
summary { cursor: pointer; padding: .5rem 0 }
summary b { display: inline-block; min-width: 4.5rem; font: 600 .8rem ui-monospace, monospace }
summary span, td { color: var(--dim) }
table { border-collapse: collapse; width: 100% }
td { padding: .15rem 1rem .15rem 0; vertical-align: top; font-size: .9rem }
"""


def reference_routes() -> APIRouter:
    """Return the page, and the way to it for whoever opens the bare address."""
    routes = APIRouter(include_in_schema=False)

    @routes.get("/")
    async def home() -> RedirectResponse:
        return RedirectResponse(_PATH)

    @routes.get(_PATH)
    async def page(request: Request) -> HTMLResponse:
        return HTMLResponse(reference(request.app.openapi(), str(request.base_url).rstrip("/")), headers=_POLICY)

    return routes


def reference(document: Mapping[str, Any], place: str) -> str:
    """Return the page about `document`, with examples that work at `place`."""
    rooms: dict[str, list[str]] = {}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            told = _operation(document, method.upper(), path, operation, place)
            rooms.setdefault(operation["tags"][0], []).append(told)
    inside = "".join(f"<h2>{escape(room.capitalize())}</h2>{''.join(told)}" for room, told in rooms.items())
    return (
        '<!doctype html><html lang="en"><meta charset="utf-8"><title>gieok 기억</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{_STYLE}</style><h1>gieok 기억</h1><p>{escape(document['info']['summary'])}</p>"
        f"<p>OpenAI clients: base URL <code>{escape(place)}/v1</code>, model <code>gieok/letia</code>. "
        f"MCP: <code>{escape(place)}/mcp</code>. "
        'For programs: <a href="/openapi.json">openapi.json</a>.</p>'
        f"{inside}</html>"
    )


def _operation(document: Mapping[str, Any], method: str, path: str, operation: Mapping[str, Any], place: str) -> str:
    body = _body(document, operation)
    rows = [*_parameters(operation), *_fields(document, body)]
    told = "".join(f"<tr><td><code>{escape(name)}</code><td>{escape(words)}" for name, words in rows)
    call = _call(method, path, operation, body, place)
    return (
        f"<details><summary><b>{method}</b><code>{escape(path)}</code> <span>{escape(operation['summary'])}</span>"
        f"</summary><div><p>{escape(operation.get('description', ''))}</p><table>{told}</table>"
        f"<pre>{escape(call)}</pre></div></details>"
    )


def _parameters(operation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for each in operation.get("parameters", []):
        yield each["name"], f"{each['in']}. {each.get('description', '')}"


def _fields(document: Mapping[str, Any], body: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    needed = body.get("required", [])
    for name, schema in body.get("properties", {}).items():
        kind = _kind(document, schema) + (", needed" if name in needed else "")
        yield name, f"{kind}. {schema.get('description', '')}"


def _kind(document: Mapping[str, Any], schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " or ".join(str(each) for each in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_kind(document, each) for each in schema["anyOf"])
    if "$ref" in schema:
        return _kind(document, _resolved(document, schema))
    return str(schema.get("format") or schema.get("type", "anything"))


def _body(document: Mapping[str, Any], operation: Mapping[str, Any]) -> Mapping[str, Any]:
    schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    some: Mapping[str, Any] = next(iter(schema.get("anyOf", [schema])))
    return _resolved(document, some)


def _resolved(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def _call(method: str, path: str, operation: Mapping[str, Any], body: Mapping[str, Any], place: str) -> str:
    """Return a call that can be copied into a shell."""
    taken = {each["name"] for each in operation.get("parameters", []) if each["in"] == "query"}
    scope = urlencode({name: value for name, value in _SOMEBODY.items() if name in taken})
    told = f"curl '{place}{path}{'?' if scope else ''}{scope}'"
    if method not in ("GET", "POST") or (method == "POST" and not body):
        told += f" -X {method}"
    if "text/event-stream" in operation["responses"].get("200", {}).get("content", {}):
        told += " -N"
    if body:
        example = json.dumps(next(iter(body.get("examples", [{}]))), ensure_ascii=False).replace("'", "'\\''")
        told += f" \\\n  --json '{example}'"
    return told
