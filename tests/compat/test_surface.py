"""Nothing that users can name is removed or changed: calls, settings, commands, routes, tools, schemas.

Additions pass. They are kept from then on when `surface.py` has written them down.
"""

import copy
from collections.abc import Iterator

import httpx2
import pytest

from compat import surface
from compat.server import running, tools


@pytest.fixture(scope="module")
def server() -> Iterator[httpx2.Client]:
    with running() as client:
        yield client


def test_every_public_name_can_be_called_and_read_as_before():
    assert list(surface.python_changes(surface.kept("python"), surface.python_surface())) == []


def test_every_setting_has_its_name_and_default():
    before, now = surface.kept("settings"), surface.settings_surface()
    assert {name: now.get(name, "is gone") for name in before} == before


def test_every_command_takes_what_it_took():
    assert list(surface.command_changes(surface.kept("commands"), surface.command_surface())) == []


@pytest.mark.check
def test_every_route_takes_and_answers_what_it_did(server):
    now = surface.http_surface(server.get("/openapi.json").json())
    assert list(surface.http_changes(surface.kept("http"), now)) == []


@pytest.mark.check
@pytest.mark.parametrize(
    "path", ["/healthz", "/readyz", "/metrics", "/docs", "/openapi.json", "/v1/models", "/v1/chat/completions"]
)
def test_every_address_beside_the_api_is_there(server, path):
    assert server.get(path).status_code != httpx2.codes.NOT_FOUND


@pytest.mark.check
def test_every_tool_takes_and_gives_what_it_did(server):
    assert list(surface.tool_changes(surface.kept("mcp"), surface.tool_surface(tools(server)))) == []


def test_no_step_of_a_schema_that_was_shipped_has_changed():
    before, now = surface.kept("migrations"), surface.migration_surface()
    assert {name: now.get(name, "is gone") for name in before} == before


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("(query, *, k=None)", "(query)"),
        ("(query, *, k=None)", "(query, *, k=8)"),
        ("(query, *, k=None)", "(query, at, *, k=None)"),
        ("(text, reply=None)", "(text, *, reply=None)"),
        ("(a=None, b=None)", "(b=None, a=None)"),
        ("async (a)", "(a)"),
        ("value", "(a)"),
    ],
)
def test_a_call_that_would_stumble_is_told(before, now):
    assert surface.stumbles(before, now)


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("(query, *, k=None)", "(query, *, at=None, k=None, **more)"),
        ("(query)", "(query=None, k=8)"),
        ("async (*arguments, **options)", "async (query, *, k=None)"),
    ],
)
def test_a_call_that_takes_more_is_let_through(before, now):
    assert surface.stumbles(before, now) == []


def without_a_field(document):
    for schema in document["components"]["schemas"].values():
        schema.get("properties", {}).pop("text", None)


def with_a_required_parameter(document):
    anew = {"in": "query", "name": "anew", "required": True, "schema": {"type": "string"}}
    document["paths"]["/v1/recall"]["post"]["parameters"].append(anew)


def without_a_route(document):
    del document["paths"]["/v1/recall"]


def with_another_type(document):
    document["components"]["schemas"] |= {
        name: {**schema, "properties": {**schema["properties"], "score": {"type": "string"}}}
        for name, schema in document["components"]["schemas"].items()
        if "score" in schema.get("properties", {})
    }


@pytest.mark.parametrize("change", [without_a_field, with_a_required_parameter, without_a_route, with_another_type])
def test_a_change_of_a_route_that_breaks_a_client_is_told(change):
    before = surface.kept("http")
    now = copy.deepcopy(before)
    assert list(surface.http_changes(before, now)) == []
    change(now)
    assert list(surface.http_changes(before, now))
