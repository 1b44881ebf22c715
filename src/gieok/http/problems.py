"""What went wrong, as RFC 9457 problem details: a word for programs, and a sentence that names the way out."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match

from gieok import errors
from gieok.http import request_id
from gieok.http.misread import misread

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
_PLACE: Final = "/problems/"
_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
_TITLES: Final = {"malformed-json": "Malformed JSON", "not-utf-8": "Not UTF-8"}
_SOON: Final = {"Retry-After": "1"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One answer that is not what was asked for."""

    status: int
    title: str
    detail: str
    kind: str = "about:blank"  #: a word for programs: "/problems/unknown-memory"
    more: dict[str, Any] = field(default_factory=dict)

    def response(self, headers: Mapping[str, str] | None = None) -> JSONResponse:
        return JSONResponse(self.record(), status_code=self.status, media_type=MEDIA_TYPE, headers=headers)

    def record(self) -> dict[str, Any]:
        told = {"type": self.kind, "title": self.title, "status": self.status, "detail": self.detail, **self.more}
        if (known := request_id.current.get()) is not None:
            told["request_id"] = known
        return told


class Refused(HTTPException):
    """A request that the way in itself turns down."""

    def __init__(self, status: int, word: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, detail, headers)
        title = _TITLES.get(word) or word.replace("-", " ").capitalize()
        self.problem = Problem(status=status, title=title, detail=detail, kind=_PLACE + word)


_STATUSES: Final[tuple[tuple[type[errors.GieokError], int, str], ...]] = (
    (errors.Forbidden, 403, "Not allowed"),
    (errors.MemoryMoved, 412, "Changed meanwhile"),
    (errors.UnknownMemory, 404, "Unknown memory"),
    (errors.UnknownTurn, 404, "Unknown turn"),
    (errors.UnknownPerson, 404, "Unknown person"),
    (errors.NoTrace, 404, "No trace"),
    (errors.NotFound, 404, "Not found"),
    (errors.TurnChanged, 409, "Turn changed"),
    (errors.UnderHold, 409, "Under a hold"),
    (errors.ErasureUnproven, 503, "Erased, but not proven"),
    (errors.TurnUnderWay, 409, "Another turn is under way"),
    (errors.ScopeBusy, 503, "Busy"),
    (errors.NoModel, 503, "No model"),
    (errors.ModelFailed, 502, "The model failed"),
    (errors.EmbedderFailed, 502, "The embedder failed"),
    (errors.BankError, 503, "The bank cannot be used"),
    (errors.InvalidInput, 422, "Invalid input"),
    (errors.GieokError, 422, "Not possible"),
)


def _words(error: errors.GieokError) -> str:
    """Return what the error says; the way out is another over HTTP than in Python."""
    match error:
        case errors.UnknownMemory():
            return f"no memory {error.memory_id!r} in this scope; GET /v1/memories?state=all lists what there is"
        case errors.UnknownTurn():
            return f"no turn {error.turn_id!r} in this scope: never observed, or rewound; GET /v1/turns lists them"
        case errors.UnknownPerson():
            return f"nobody goes by {error.name!r} in this scope; GET /v1/entities lists whom it knows"
        case errors.TurnChanged():
            way_out = "leave turn_id out or give a new one, or change it with PATCH /v1/turns/{id}"
            return f"turn {error.turn_id!r} was observed with another text; {way_out}"
        case errors.MemoryMoved():
            moved = f"memory {error.memory_id!r} is at version {error.found} by now, not {error.expected}"
            return f"{moved}; GET it again, then change it with its new ETag"
        case errors.NoModel():
            way_out = 'start it with one: gieok serve --llm ollama:qwen3:8b, or llm = "…" in gieok.toml'
            return f"this server has no model to speak with; {way_out}. POST /v1/context and /v1/turns need none"
        case errors.UnderHold():
            return f"a hold by {error.by} stands on [{error.scope}]; nothing was erased, its operator has to release it"
        case errors.ErasureUnproven():
            return "it is erased, but others still look at an earlier state; the proof is given with the next scrub"
        case errors.BankError():  # its own words may name files
            return "the bank cannot be read or written now; whoever runs the server finds the reason in its log"
        case _:
            return str(error)


def problem_of(error: errors.GieokError) -> Problem:
    """Return the problem that an error of gieok's is."""
    status, title = next((status, title) for kind, status, title in _STATUSES if isinstance(error, kind))
    return Problem(status=status, title=title, detail=_words(error), kind=_PLACE + word_of(type(error)))


def word_of(kind: type[errors.GieokError]) -> str:
    """Return the name of an error as it stands in an address: "unknown-memory"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


async def told(request: Request, error: Exception) -> JSONResponse:
    """Answer a request that failed."""
    assert isinstance(error, errors.GieokError)
    if isinstance(error, errors.BankError):  # a caller does not see its words
        log.warning("the bank cannot be used: %s", error)
    problem = problem_of(error)
    return problem.response(_SOON if isinstance(error, errors.ScopeBusy) else None)


async def turned_down(request: Request, error: Exception) -> JSONResponse:
    """Answer what no route takes, or what the way in refused."""
    assert isinstance(error, HTTPException)
    if isinstance(error, Refused):
        return error.problem.response(error.headers)
    headers = error.headers
    word, detail = "refused", str(error.detail)
    if error.status_code == 404:
        word, detail = (
            "no-such-route",
            f"there is nothing at {request.scope['path'][:200]}; /docs shows what there is",
        )
    if error.status_code == 405:
        headers = {"Allow": _allowed(request)}
        word, detail = "method-not-allowed", f"{request.method} is not possible here; use {headers['Allow']}"
    return Refused(error.status_code, word, detail).problem.response(headers)


async def misunderstood(request: Request, error: Exception) -> JSONResponse:
    """Answer a request of the wrong form."""
    assert isinstance(error, RequestValidationError)
    route = request.scope.get("route")
    body = getattr(route, "body_field", None)
    found = misread(error.errors(), body and body.field_info.annotation)
    detail = "; ".join(f"{each['where']}: {each['what']}" for each in found[:3])
    more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
    problem = Problem(
        status=422,
        title="Invalid request",
        detail=detail + more,
        kind=_PLACE + "invalid-request",
        more={"errors": found},
    )
    return problem.response()


async def broken(request: Request, error: Exception) -> JSONResponse:
    """Answer what nobody foresaw. Whoever runs the server sees the error in its log; a caller does not."""
    detail = "this is a mistake in gieok, not in your request; the server's log has it, please report it"
    return Problem(status=500, title="Internal error", detail=detail, kind=_PLACE + "internal-error").response()


def tell_problems(app: FastAPI) -> None:
    """Have every failure answered as a problem."""
    app.add_exception_handler(errors.GieokError, told)
    app.add_exception_handler(HTTPException, turned_down)
    app.add_exception_handler(RequestValidationError, misunderstood)
    app.add_exception_handler(Exception, broken)


def _allowed(request: Request) -> str:
    """Return what is possible at the address: each method may have a route of its own."""
    asked = ({**request.scope, "method": method} for method in _METHODS)
    routes = request.app.routes
    return ", ".join(each["method"] for each in asked if any(route.matches(each)[0] is Match.FULL for route in routes))
