"""Errors as RFC 9457 problem details: a `type` for programs, and a `detail` that says what to do."""

from __future__ import annotations

import difflib
import logging
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
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
from gieok.words import Language, accepted_language, words_in

log = logging.getLogger(__name__)

MEDIA_TYPE: Final = "application/problem+json"
_TYPE_PREFIX: Final = "/problems/"
_METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
_TITLES: Final = {"malformed-json": "Malformed JSON", "not-utf-8": "Not UTF-8"}

#: One line that is not blank: a name.
NAME: Final = r"^[^\x00-\x1f\x7f-\x9f\u2028\u2029]*[^\s\x00-\x1f\x7f-\x9f][^\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
#: The same without a slash: it is part of an address.
PLAIN_ID: Final = r"^[^/\x00-\x1f\x7f-\x9f\u2028\u2029]*[^/.\s\x00-\x1f\x7f-\x9f][^/\x00-\x1f\x7f-\x9f\u2028\u2029]*$"
#: A text that is not blank.
TEXT: Final = r"^[^\x00]*[^\s\x00-\x1f][^\x00]*$"
#: A name of the schema.
ATTRIBUTE: Final = rf"^({'|'.join(sorted(SCHEMA))}|favorite\.[^\x00-\x1f\x7f-\x9f]+)$"
IDEMPOTENCY_KEY: Final = r"^[!-~]+$"

PATTERNS: Final[Mapping[str, str]] = {
    NAME: "must be one line with at least one visible character",
    PLAIN_ID: "must be one line with at least one visible character and no slash",
    TEXT: "must have at least one visible character, and no NUL",
    ATTRIBUTE: f"is not in the schema; known: {', '.join(sorted(SCHEMA))}, and favorite.<anything>",
    IDEMPOTENCY_KEY: "must be 1 to 255 visible ASCII characters, such as a UUID",
}
_TEXTS: Final[Mapping[str, Mapping[str, Any]]] = tomllib.loads(
    files(__package__).joinpath("problems.toml").read_text(encoding="utf-8")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One problem document."""

    status: int
    title: str
    detail: str
    type: str = "about:blank"  #: for programs: "/problems/unknown-memory"
    more: dict[str, Any] = field(default_factory=dict)

    def response(self, headers: Mapping[str, str] | None = None) -> JSONResponse:
        return JSONResponse(self.record(), status_code=self.status, media_type=MEDIA_TYPE, headers=headers)

    def record(self) -> dict[str, Any]:
        found = {"type": self.type, "title": self.title, "status": self.status, "detail": self.detail, **self.more}
        if (current := request_id.current.get()) is not None:
            found["request_id"] = current
        return found


class HTTPProblem(HTTPException):
    """A request that the API itself refuses."""

    def __init__(self, status: int, word: str, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(status, detail, headers)
        title = _TITLES.get(word) or word.replace("-", " ").capitalize()
        self.problem = Problem(status=status, title=title, detail=detail, type=_TYPE_PREFIX + word)


def problem_of(error: errors.GieokError, language: Language = "en") -> Problem:
    """Return the problem for one of gieok's errors, with its detail in `language`."""
    known: dict[str, Any] = {}
    for kind in reversed(type(error).__mro__):
        known |= _TEXTS["errors"].get(kind.__name__, {})
    words = words_in(language)
    details = words.some("errors.http")
    name = next((kind.__name__ for kind in type(error).__mro__ if kind.__name__ in details), None)
    detail = error.in_language(words) if name is None else words(f"errors.http.{name}", **vars(error))
    word = problem_word(type(error))
    return Problem(status=known["status"], title=known["title"], detail=detail, type=_TYPE_PREFIX + word)


def problem_word(kind: type[errors.GieokError]) -> str:
    """Return the name of an error as its problem type has it: "unknown-memory"."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", kind.__name__).lower()


def validation_errors(mistakes: Sequence[Mapping[str, Any]], body: object = None) -> list[dict[str, str]]:
    """Return for each mistake where it is ("body.text") and what it is. What was sent is not repeated.

    `body` is the model of the request's body: its fields are suggested for misspelt ones.
    """
    return [{"where": ".".join(map(str, each["loc"])), "what": _mistake_text(each, body)} for each in mistakes]


def _mistake_text(mistake: Mapping[str, Any], body: object) -> str:
    kind, facts = mistake["type"], mistake.get("ctx") or {}
    if kind == "missing" and mistake["loc"] == ("body",):
        return "is missing; send a JSON object with Content-Type: application/json"
    if kind == "string_pattern_mismatch":
        return PATTERNS.get(facts.get("pattern", ""), f"must match {facts.get('pattern')}")
    if kind == "extra_forbidden":
        known = _fields(body, mistake["loc"][1:-1])
        close = difflib.get_close_matches(str(mistake["loc"][-1]), known, n=1)
        hint = f"known here: {', '.join(known)}" if known else "/openapi.json lists the fields"
        return f"is not known here; {f'did you mean {close[0]}?' if close else hint}"
    text = _TEXTS["validation"].get(kind)
    return text.format(**facts) if text is not None else str(mistake["msg"])


def _fields(kind: object, path: Sequence[Any]) -> list[str]:
    """Return the fields of the model that `path` leads to from `kind`; empty: it leads to none, or to several."""
    models = [each for each in (kind, *get_args(kind)) if isinstance(each, type) and issubclass(each, BaseModel)]
    if len(models) != 1:
        return []
    fields = models[0].model_fields
    if not path:
        return list(fields)
    return _fields(fields[path[0]].annotation, path[1:]) if path[0] in fields else []


def add_problem_handlers(app: FastAPI) -> None:
    app.exception_handler(errors.GieokError)(_handle_gieok_error)
    app.exception_handler(HTTPException)(_handle_http_exception)
    app.exception_handler(RequestValidationError)(_handle_invalid_request)
    app.exception_handler(Exception)(_handle_unexpected_error)


async def _handle_gieok_error(request: Request, error: errors.GieokError) -> JSONResponse:
    if isinstance(error, errors.BankError):  # the answer does not repeat its text
        log.warning("the bank cannot be used: %s", error)
    problem = problem_of(error, accepted_language(request.headers.get("Accept-Language", "")) or "en")
    return problem.response({"Retry-After": "1"} if isinstance(error, errors.ScopeBusy) else None)


async def _handle_http_exception(request: Request, error: HTTPException) -> JSONResponse:
    if isinstance(error, HTTPProblem):
        return error.problem.response(error.headers)
    headers = error.headers
    word, detail = "refused", str(error.detail)
    if error.status_code == 404:
        word = "no-such-route"
        detail = f"there is nothing at {request.scope['path'][:200]}; /docs shows what there is"
        problem = HTTPProblem(404, word, detail).problem
        as_openai = {"message": detail, "type": "invalid_request_error", "param": None, "code": word}
        return replace(problem, more={"error": as_openai}).response(headers)
    if error.status_code == 405:  # each method may have a route of its own
        asked = ({**request.scope, "method": method} for method in _METHODS)
        routes = request.app.routes
        allowed = [each["method"] for each in asked if any(route.matches(each)[0] is Match.FULL for route in routes)]
        headers = {"Allow": ", ".join(allowed)}
        word, detail = "method-not-allowed", f"{request.method} is not possible here; use {headers['Allow']}"
    return HTTPProblem(error.status_code, word, detail).problem.response(headers)


async def _handle_invalid_request(request: Request, error: RequestValidationError) -> JSONResponse:
    body = getattr(request.scope.get("route"), "body_field", None)
    found = validation_errors(error.errors(), body and body.field_info.annotation)
    detail = "; ".join(f"{each['where']}: {each['what']}" for each in found[:3])
    more = f" (and {len(found) - 3} more)" if len(found) > 3 else ""
    problem = HTTPProblem(422, "invalid-request", detail + more).problem
    return replace(problem, more={"errors": found}).response()


async def _handle_unexpected_error(request: Request, error: Exception) -> JSONResponse:
    """Answer without the error: whoever runs the server finds it in the log."""
    detail = "this is a mistake in gieok, not in your request; the server's log has it, please report it"
    return HTTPProblem(500, "internal-error", detail).problem.response()
