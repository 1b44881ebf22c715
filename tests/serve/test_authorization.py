"""Every route × role × own or foreign scope. Whoever adds a route says here what it needs."""

from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from fastapi import Body, Depends, FastAPI

import gieok
from gieok.bank import MemoryBank, Mind
from gieok.http.dependencies import bank_of, mind_for, whole_bank_for
from gieok.http.problems import add_problem_handlers
from gieok.serve.app import create_app
from support.authorizing import FOREIGN, OWN, Needs, Reach, Request, Route, faults, needing, routes_of

ANY_KEY = Needs(None, "key")


def by_header(scope: gieok.Scope) -> Request | None:
    """Name a scope as clients of the proxy can; they always speak to a character, and never for nobody."""
    if scope.user is None:
        return None  # who names no user speaks for the one whose key it is: test_proxy_chat
    names = {"User": scope.user, "Character": scope.character or "nobody", "World": scope.world}
    headers = {f"X-Gieok-{name}": value for name, value in names.items() if value is not None}
    return Request(headers=headers, body={"model": "small", "messages": [{"role": "user", "content": "안녕"}]})


TABLE: dict[Route, Needs] = {
    **needing(ANY_KEY, "GET /openapi.json", "GET /docs", "GET /", "GET /v1/scopes", "GET /v1/bank"),
    **needing(
        Needs("reader"),
        "GET /v1/turns",
        "GET /v1/turns/{turn_id}",
        "POST /v1/recall",
        "POST /v1/context",
        "GET /v1/facts",
        "GET /v1/memories",
        "GET /v1/memories/{memory_id}",
        "GET /v1/memories/{memory_id}/history",
        "GET /v1/timeline",
        "GET /v1/relationship",
        "GET /v1/relationship/trajectory",
        "GET /v1/manners",
        "GET /v1/emotions",
        "GET /v1/entities",
        "GET /v1/entities/{name}",
        "GET /v1/scenes",
        "GET /v1/journal",
        "GET /v1/summaries",
        "GET /v1/export",
        "GET /v1/export.zip",
        "GET /v1/about-me",
    ),
    **needing(
        Needs("writer"),
        "POST /v1/turns",
        "PATCH /v1/turns/{turn_id}",
        "POST /v1/turns/{turn_id}/reroll",
        "POST /v1/turns/{turn_id}/rewind",
        "POST /v1/memories",
        "PATCH /v1/memories/{memory_id}",
        "PUT /v1/memories/{memory_id}/pin",
        "DELETE /v1/memories/{memory_id}/pin",
        "DELETE /v1/memories/{memory_id}",
        "POST /v1/memories/{memory_id}/restore",
        "POST /v1/scenes",
        "POST /v1/scenes/end",
        "POST /v1/maintain",
    ),
    **needing(Needs("admin", "bank"), "POST /v1/maintain/all", "GET /v1/audit/verify", "GET /v1/erasures"),
    **needing(Needs("admin"), "GET /v1/audit", "POST /v1/erase"),
    **needing(Needs("writer"), "POST /v1/chat", "POST /v1/chat/{turn_id}/regenerate", "POST /v1/chat/{turn_id}/edit"),
    **needing(Needs("writer"), "DELETE /v1/chat/{turn_id}"),
    **needing(Needs("reader"), "GET /v1/chat/{turn_id}/events", "GET /v1/turns/{turn_id}/trace"),
    **needing(ANY_KEY, "* /mcp"),
    **needing(Needs("writer", asked=by_header), "POST /v1/chat/completions"),
    **needing(ANY_KEY, "GET /v1/models"),
    **needing(Needs(None, "nothing"), "GET /healthz", "GET /readyz"),
    **needing(Needs("admin", "bank"), "GET /metrics"),
    **needing(Needs("admin", "bank"), "GET /v1/webhooks", "POST /v1/webhooks", "DELETE /v1/webhooks/{webhook_id}"),
}

#: What names something outside of a scope elsewhere than in the query: Reach(("POST", "/v1/turns"), {"present": …}).
REACHES: list[Reach] = [
    Reach(("POST", path), {"text": "나 강아지 좋아해", "present": ["sera"]}) for path in ("/v1/chat", "/v1/turns")
]


@pytest.fixture
def bank(tmp_path) -> Iterator[MemoryBank]:
    with gieok.open(tmp_path / "memories.db", embedder="hashing", serve_keys="always") as bank:
        for scope in (OWN, *FOREIGN[:2]):
            bank.mind(scope).observe("나 고양이 좋아해")
        yield bank


def test_every_route_asks_for_the_role_and_the_scope_that_it_needs(bank):
    found = faults(create_app(bank), bank, TABLE, REACHES)
    assert not found, "\n" + "\n".join(found)


def small_app(bank: MemoryBank) -> FastAPI:
    """An application with a right route of each kind, and two that reach out."""
    app = FastAPI(openapi_url=None)
    app.state.bank = bank
    add_problem_handlers(app)

    @app.get("/facts")
    def facts(mind: Annotated[Mind, Depends(mind_for("reader"))]) -> int:
        return len(mind.facts())

    @app.post("/turns/{turn_id}")
    def turns(turn_id: int, mind: Annotated[Mind, Depends(mind_for("writer"))], text: Annotated[str, Body()]) -> None:
        mind.observe(text)

    @app.post("/upkeep")
    def upkeep(bank: Annotated[MemoryBank, Depends(whole_bank_for("admin"))]) -> None: ...

    @app.post("/beside")
    def beside(mind: Annotated[Mind, Depends(mind_for("writer"))], told: Annotated[dict[str, Any], Body()]) -> None:
        for character in told.get("present", ()):
            mind._bank.mind(mind.key.beside(character)).observe("나 강아지 좋아해")

    @app.get("/open")
    def everybody(bank: Annotated[MemoryBank, Depends(bank_of)]) -> int:
        return len(bank.scopes())

    return app


RIGHT: dict[Route, Needs] = {
    **needing(Needs("reader"), "GET /facts"),
    **needing(Needs("writer"), "POST /turns/{turn_id}", "POST /beside"),
    **needing(Needs("admin", "bank"), "POST /upkeep"),
    **needing(ANY_KEY, "GET /open"),
}


def test_the_matrix_lets_right_routes_pass(bank):
    assert faults(small_app(bank), bank, RIGHT) == []


def test_the_matrix_sees_every_route_however_it_was_added(bank):
    app = small_app(bank)
    outer = FastAPI(openapi_url=None)
    outer.include_router(app.router, prefix="/v1")
    outer.mount("/inspector", app)
    assert set(routes_of(outer)) == {(method, f"/v1{path}") for method, path in RIGHT} | {("*", "/inspector")}


@pytest.mark.parametrize(
    ("route", "needs", "fault"),
    [
        (("GET", "/facts"), Needs("writer"), "GET /facts as a reader: 200, which should be 403"),
        (("GET", "/facts"), Needs("reader", "nothing"), "with just what it needs: 401, which should not be 401 or 403"),
        (("POST", "/beside"), Needs("reader"), "with just what it needs: 403, which should not be 401 or 403"),
        (("POST", "/upkeep"), Needs("writer", "bank"), "with just what it needs: 403, which should not be"),
        (("GET", "/open"), Needs("reader"), "GET /open about [user=jisu character=letia world=academy]: 200"),
        (("GET", "/open"), Needs("admin", "bank"), "with a key for a part of the bank: 200, which should be 403"),
        (("GET", "/gone"), ANY_KEY, "GET /gone: is in the table, but not there"),
    ],
)
def test_the_matrix_sees_a_route_that_is_not_as_the_table_says(bank, route, needs, fault):
    assert fault in "\n".join(faults(small_app(bank), bank, {**RIGHT, route: needs}))


def test_the_matrix_sees_a_route_that_nobody_thought_about(bank):
    table = {route: needs for route, needs in RIGHT.items() if route != ("GET", "/open")}
    assert faults(small_app(bank), bank, table) == ["GET /open: say in the table what it needs"]


def test_the_matrix_sees_who_reaches_out_of_a_scope(bank):
    reach = Reach(("POST", "/beside"), {"present": ["sera"]})
    assert faults(small_app(bank), bank, RIGHT, [reach]) == [
        "POST /beside with {'present': ['sera']}: 200, which should be 403",
        "something was written outside of the caller's scope",
    ]
