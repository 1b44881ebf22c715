"""Every route × role × own or foreign scope; tests/data/routes.toml says what each route needs."""

from collections.abc import Iterator
from typing import Annotated, Any

import pytest
from fastapi import Body, Depends, FastAPI

import gieok
from gieok.bank import MemoryBank, Mind
from gieok.http.problems import add_problem_handlers
from gieok.http.router import bank_of, mind_for, whole_bank
from gieok.proxy.routes import PASSED_ON
from gieok.serve.app import create_app
from support.authorizing import FOREIGN, OWN, ROUTES, Needs, Reach, Request, Route, faults, needs_of


def by_header(scope: gieok.Scope) -> Request | None:
    """Name a scope as clients of the proxy can; they always speak to a character, and never for nobody."""
    if scope.user is None:
        return None  # who names no user speaks for the one whose key it is: test_proxy_chat
    names = {"User": scope.user, "Character": scope.character or "nobody", "World": scope.world}
    headers = {f"X-Gieok-{name}": value for name, value in names.items() if value is not None}
    return Request(headers=headers, body={"model": "small", "messages": [{"role": "user", "content": "안녕"}]})


PASSED = {f"/{each}" for each in PASSED_ON}
TABLE = {route: needs_of(row["needs"]) for route, row in ROUTES.items()}
for base in ("/v1", ""):
    TABLE["POST", f"{base}/chat/completions"] = Needs("writer", asked=by_header)
    for method, path in [each for each in TABLE if each[1].startswith(base) and each[1].removeprefix("/v1") in PASSED]:
        TABLE[method, path] = Needs("writer", "key")  # that of any scope

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
    def upkeep(bank: Annotated[MemoryBank, Depends(whole_bank)]) -> None: ...

    @app.post("/beside")
    def beside(mind: Annotated[Mind, Depends(mind_for("writer"))], told: Annotated[dict[str, Any], Body()]) -> None:
        for character in told.get("present", ()):
            mind._bank.mind(mind.key.beside(character)).observe("나 강아지 좋아해")

    @app.get("/open")
    def everybody(bank: Annotated[MemoryBank, Depends(bank_of)]) -> int:
        return len(bank.scopes())

    return app


ANY_KEY = Needs(None, "key")
RIGHT: dict[Route, Needs] = {
    ("GET", "/facts"): Needs("reader"),
    ("POST", "/turns/{turn_id}"): Needs("writer"),
    ("POST", "/beside"): Needs("writer"),
    ("POST", "/upkeep"): Needs("admin", "bank"),
    ("GET", "/open"): ANY_KEY,
}


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


def test_the_matrix_sees_who_reaches_out_of_a_scope(bank):
    reach = Reach(("POST", "/beside"), {"present": ["sera"]})
    assert faults(small_app(bank), bank, RIGHT, [reach]) == [
        "POST /beside with {'present': ['sera']}: 200, which should be 403",
        "something was written outside of the caller's scope",
    ]
