"""The OpenAPI document: what FastAPI tells, with failures as the problems that they are."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi

from gieok.bank import MemoryBank
from gieok.http import (
    audit,
    banks,
    chat,
    disclosing,
    erasing,
    journal,
    living,
    memories,
    recalling,
    trace,
    turns,
    upkeep,
    webhooks,
)
from gieok.http.once import UnderWay
from gieok.http.problems import MEDIA_TYPE, tell_problems
from gieok.http.recalling import Contexts
from gieok.http.shapes.memories import EXAMPLE

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
        turns,
        trace,
        recalling,
        memories,
        living,
        journal,
        audit,
        upkeep,
        erasing,
        banks,
        disclosing,
        chat,
        webhooks,
    ):
        routes.include_router(each.routes)
    return routes


def furnish(app: FastAPI, bank: MemoryBank) -> None:
    """Put into `app` what the routes of the API need beside it: problems, the document, what is kept for a while."""
    app.state.bank = bank
    app.state.contexts = Contexts(now=bank.clock.now)
    app.state.under_way = UnderWay()
    tell_problems(app)
    describe(app)
