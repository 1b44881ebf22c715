"""What went wrong, as RFC 9457 problem details: a word for programs, and a sentence that names the way out."""

from __future__ import annotations

import difflib
import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, get_args

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException
from starlette.routing import Match

from gieok import errors
from gieok.domain.attributes import SCHEMA
from gieok.http import request_id

#: pydantic's name of a mistake, and what to say; the fields are those of its `ctx`.
_WORDS: Final[Mapping[str, str]] = {
    "missing": "is missing; give it",
    "string_type": "must be text",
    "string_too_short": "is too short; it takes at least {min_length} character(s), else leave it out",
    "string_too_long": "is too long; at most {max_length} characters fit",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "int_parsing_size": "is too large a number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "bool_parsing": "must be true or false",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
    "too_long": "holds too many; at most {max_length} are taken at once",
    "too_short": "holds too few; give at least {min_length}",
    "list_type": "must be a list",
    "dict_type": "must be an object",
    "model_attributes_type": "must be a JSON object, sent with Content-Type: application/json",
    "model_type": "must be a JSON object",
    "literal_error": "must be one of {expected}",
    "value_error": "{error}",
}


def misread(mistakes: Sequence[Mapping[str, Any]], body: object = None) -> list[dict[str, str]]:
    """Return each mistake as where it is ("body.text") and what it is. What was sent is not repeated.

    `body` is what the request should have held: a model, whose fields are suggested for misspelt ones.
    """
    return [{"where": ".".join(str(part) for part in each["loc"]), "what": _what(each, body)} for each in mistakes]


def _what(mistake: Mapping[str, Any], body: object) -> str:
    kind, facts = mistake["type"], mistake.get("ctx") or {}
    if kind == "missing" and mistake["loc"] == ("body",):
        return "is missing; send a JSON object with Content-Type: application/json"
    if kind == "string_pattern_mismatch":
        return PATTERNS.get(facts.get("pattern", ""), f"must match {facts.get('pattern')}")
    if kind == "extra_forbidden":
        return f"is not known here; {_meant(mistake['loc'], body)}"
    words = _WORDS.get(kind)
    return words.format(**facts) if words is not None else str(mistake["msg"])


def _meant(place: Sequence[Any], body: object) -> str:
    """Return what a field that is not there may have been meant to be."""
    known = _fields(body, place[1:-1])
    if not known:
        return "/openapi.json lists the fields"
    meant = difflib.get_close_matches(str(place[-1]), known, n=1)
    return f"did you mean {meant[0]}?" if meant else f"known here: {', '.join(known)}"


def _fields(kind: object, path: Sequence[Any]) -> list[str]:
    """Return the fields of the model that `path` leads to from `kind`; empty: it leads to none, or to several."""
    models = [each for each in (kind, *get_args(kind)) if isinstance(each, type) and issubclass(each, BaseModel)]
    if len(models) != 1:
        return []
    fields = models[0].model_fields
    if not path:
        return list(fields)
    return _fields(fields[path[0]].annotation, path[1:]) if path[0] in fields else []


#: One line that is not blank; what a name may be.
NAME: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
#: The same without a slash: it stands in an address.
PLAIN_ID: Final = r"^[^/\x00-\x1f\x7f-\x9f\u2028\u2029]*[^/.\s\x00-\x1f\x7f-\x9f][^/\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
#: A text that is not blank.
TEXT: Final = r"^[^\x00]*[^\s\x00-\x1f][^\x00]*$"
#: A name of the schema.
ATTRIBUTE: Final = rf"^({'|'.join(sorted(SCHEMA))}|favorite\.[^\x00-\x1f\x7f-\x9f]+)$"
#: A word for a request that may be sent again.
ONCE: Final = r"^[!-~]+$"

PATTERNS: Final[Mapping[str, str]] = {
    NAME: "must be one line with at least one visible character",
    PLAIN_ID: "must be one line with at least one visible character and no slash",
    TEXT: "must have at least one visible character, and no NUL",
    ATTRIBUTE: f"is not in the schema; known: {', '.join(sorted(SCHEMA))}, and favorite.<anything>",
    ONCE: "must be 1 to 255 visible ASCII characters, such as a UUID",
}


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
        case errors.UnknownVersion():
            way_out = f"GET /v1/memories/{error.memory_id}/history lists those it has"
            return f"memory {error.memory_id!r} has no version {error.version}; {way_out}"
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
        case _:
            return _words_on_keeping(error)


def _words_on_keeping(error: errors.GieokError) -> str:
    match error:
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
