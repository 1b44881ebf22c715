"""The matrix of every route × role × own or foreign scope, asked of a real server.

A route says in a table what it needs. What is asked with too little must be refused, what is asked with enough must
not, and a route that nobody thought about is a fault.
"""

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, cast

import httpx2
from fastapi import FastAPI
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts
from starlette.routing import WebSocketRoute

import gieok
from gieok.access.guard import Guard
from gieok.access.keys import FRESH_SECONDS, create_key
from gieok.domain.server_state import ROLES, Bounds, Role
from gieok.http.problems import Problem
from gieok.http.router import made_routes
from support.serving import served

OWN = gieok.Scope(user="minsu", character="letia", world="academy")
FOREIGN = (
    gieok.Scope(user="jisu", character="letia", world="academy"),
    gieok.Scope(user="minsu", character="sera", world="academy"),
    gieok.Scope(user="minsu", character="letia", world="elsewhere"),
    gieok.Scope(user="minsu"),
    gieok.Scope(character="letia", world="academy"),
)

Route = tuple[str, str]  #: method and path


@dataclass(frozen=True)
class Request:
    """How something is asked for."""

    params: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None


def by_query(scope: gieok.Scope) -> Request:
    """Name a scope as all routes of the API do."""
    names = {"user": scope.user, "character": scope.character, "world": scope.world}
    return Request(params={name: value for name, value in names.items() if value is not None}, body={})


@dataclass(frozen=True)
class Needs:
    """What a route needs: a role in a scope, in the whole bank, any key at all, or nothing."""

    role: Role | None
    of: Literal["scope", "bank", "key", "nothing"] = "scope"
    asked: Callable[[gieok.Scope], Request | None] = by_query  #: how it is asked about a scope; None: it cannot be


def needs_of(word: str) -> Needs:
    """Return what `needs` in tests/data/routes.toml means."""
    if word in ROLES:
        return Needs(cast(Role, word))
    return Needs("admin", "bank") if word == "bank" else Needs(None, cast(Any, word))


_ROWS = tomllib.loads((Path(__file__).parents[1] / "data" / "routes.toml").read_text(encoding="utf-8"))
#: by method and path: what it needs, and how it is asked for
ROUTES: dict[Route, dict[str, Any]] = {(*each.split(" ", 1),): row for each, row in _ROWS.items()}  # type: ignore[misc]


@dataclass(frozen=True)
class Reach:
    """A request in one's own scope that names something outside of it further in: `{"present": ["sera"]}`."""

    route: Route
    body: Any
    params: Mapping[str, str] = field(default_factory=dict)
    role: Role = "writer"
    refused: tuple[int, ...] = (403,)  #: 404 where what is outside is as good as not there


def routes_of(app: FastAPI) -> list[Route]:
    """Return every way into an application; HEAD goes with GET, "*" is any method."""
    found: list[Route] = []
    for each in iter_route_contexts(made_routes(app.routes)):
        methods = {"WEBSOCKET"} if isinstance(each.original_route, WebSocketRoute) else each.methods or {"*"}
        found += [
            (method, str(each.path)) for method in sorted(methods) if (method, "GET" in methods) != ("HEAD", True)
        ]
    return found


def behind_a_guard(app: FastAPI, bank: gieok.MemoryBank, *, fresh_seconds: float = FRESH_SECONDS) -> Guard:
    return Guard(
        app,
        bank.store.server,
        settings=bank.settings,
        address="127.0.0.1",
        refused=lambda no: Problem(status=no.status, title=no.title, detail=no.detail).response(no.headers),
        openai_refused=lambda no: JSONResponse({"error": {"message": no.detail}}, status_code=no.status),
        fresh_seconds=fresh_seconds,
    )


def faults(
    app: FastAPI,
    bank: gieok.MemoryBank,
    table: Mapping[Route, Needs],
    reaches: Sequence[Reach] = (),
    *,
    door: Any = None,
) -> list[str]:
    """Return a sentence for everything that is not as the table says.

    The bank's settings ask for keys always. `door` is what is served: `app` behind a guard, or what has one itself.
    """
    routes = routes_of(app)
    found = [f"{_named(each)}: say in the table what it needs" for each in routes if each not in table]
    found += [f"{_named(each)}: is in the table, but not there" for each in table if each not in routes]
    found += [
        f"{_named(each.route)}: is reached out from, but not there" for each in reaches if each.route not in routes
    ]
    known = {route: table[route] for route in routes if route in table}
    before = _outside(bank)
    with _asking(door or behind_a_guard(app, bank), bank) as ask:
        refusals = [each for route, needs in known.items() for each in _refusals(route, needs)]
        refusals += [_reaching(each) for each in reaches if each.route in routes]
        found += [fault for each in refusals if (fault := each.fault(ask)) is not None]
        if _outside(bank) != before:
            found.append("something was written outside of the caller's scope")
        allowed = [_allowed(route, needs) for route, needs in known.items()]
        found += [fault for each in allowed if (fault := each.fault(ask)) is not None]
    return found


Ask = Callable[["_Try"], int]


@dataclass(frozen=True)
class _Try:
    route: Route
    request: Request
    key: tuple[Role, bool] | None  #: a role, and whether it is bound to `OWN`
    statuses: tuple[int, ...]  #: that it must have, or (`but`) must not
    what: str
    but: bool = False

    def fault(self, ask: Ask) -> str | None:
        status = ask(self)
        if (status in self.statuses) is not self.but:
            return None
        wanted = " or ".join(map(str, self.statuses))
        return f"{_named(self.route)} {self.what}: {status}, which should {'not ' if self.but else ''}be {wanted}"


def _refusals(route: Route, needs: Needs) -> Iterator[_Try]:
    own = _own(needs)
    if needs.of == "nothing":
        return
    yield _Try(route, own, None, (401,), "without a key")
    if needs.role is None:
        return
    bound = needs.of == "scope"
    for lower in ROLES[: ROLES.index(needs.role)]:
        yield _Try(route, own, (lower, bound), (403,), f"as a {lower}")
    if needs.of == "bank":
        yield _Try(route, own, ("admin", True), (403,), "with a key for a part of the bank")
    if needs.of == "scope":
        for scope in FOREIGN:
            if (foreign := needs.asked(scope)) is not None:
                yield _Try(route, foreign, ("admin", True), (403,), f"about [{scope}]")


def _own(needs: Needs) -> Request:
    request = needs.asked(OWN)
    assert request is not None, "one's own scope can be asked about everywhere"
    return request


def _allowed(route: Route, needs: Needs) -> _Try:
    key = None if needs.of == "nothing" else (needs.role or "reader", needs.of != "bank")
    return _Try(route, _own(needs), key, (401, 403), "with just what it needs", but=True)


def _reaching(reach: Reach) -> _Try:
    request = Request(params={**by_query(OWN).params, **reach.params}, body=reach.body)
    return _Try(reach.route, request, (reach.role, True), reach.refused, f"with {reach.body}")


@contextmanager
def _asking(door: Any, bank: gieok.MemoryBank) -> Iterator[Ask]:
    bounds = (Bounds(user=OWN.user, character=OWN.character, world=OWN.world),)
    tokens = {}
    for role in ROLES:
        for bound in (True, False):
            token, kept = create_key(
                role, role, now=datetime.now(UTC), bounds=bounds if bound else (), home=bounds[0], per_minute=0
            )
            bank.store.server.keep_key(kept)
            tokens[role, bound] = token
    with served(door) as url, httpx2.Client(base_url=url, timeout=30) as client:

        def ask(tried: _Try) -> int:
            method, path = tried.route
            key = {"Authorization": f"Bearer {tokens[tried.key]}"} if tried.key is not None else {}
            with client.stream(
                "POST" if method == "*" else method,
                re.sub(r"\{[^}]*\}", "1", path),
                params=dict(tried.request.params),
                headers={**tried.request.headers, **key},
                json=None if method == "GET" else tried.request.body,
            ) as answer:
                return answer.status_code  # a stream need not be read to its end

        yield ask


def _outside(bank: gieok.MemoryBank) -> dict[str, Any]:
    """Return all that lies outside of `OWN`."""
    return {str(each.scope): (each.turns, each.memories) for each in bank.scopes() if each.scope != OWN}


def _named(route: Route) -> str:
    return " ".join(route)
