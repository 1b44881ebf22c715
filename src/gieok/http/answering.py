"""How the routes of the API are made: what they refuse, and the failures that their documents tell of."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Coroutine, Mapping
from functools import wraps
from inspect import iscoroutinefunction, signature
from typing import Any, Final

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.routing import APIRoute

from gieok.http.bodies import StrictRequest
from gieok.http.once import SCOPE, answered_once
from gieok.http.problems import MEDIA_TYPE, Refused

_MEANING: Final[Mapping[int, str]] = {
    400: "The body cannot be read.",
    403: "The key does not allow it.",
    404: "There is no such thing in this scope.",
    409: "It contradicts what is kept.",
    412: "Somebody changed it meanwhile.",
    422: "The request makes no sense as it stands; `detail` says what to change.",
    503: "The bank cannot be used now.",
}


class Route(APIRoute):
    """A route that takes no name it does not know, reads JSON by the letter, and does a write that has a word once."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, _written_out(endpoint, options.get("status_code") or 200), **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answered = super().get_route_handler()
        known = sorted({*SCOPE, *(each.alias for each in get_flat_params(self.dependant))})

        async def answer(request: Request) -> Response:
            _check_names(request, known)
            return await answered_once(StrictRequest(request.scope, request.receive), answered)

        return answer


def router(tag: str) -> APIRouter:
    return APIRouter(prefix="/v1", tags=[tag], route_class=Route, responses=failing(403, 422, 503))


def failing(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what a route's document says of these failures."""
    problem = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": _MEANING[status], "content": problem} for status in statuses}


def _written_out(endpoint: Callable[..., Any], status: int) -> Callable[..., Any]:
    """Return `endpoint` with its answer as JSON: a long one is written in its thread, not while all others wait."""
    if iscoroutinefunction(endpoint):  # it has no thread: its answer is short, or a stream
        return endpoint

    @wraps(endpoint)
    def answer(**values: Any) -> Response:
        told = endpoint(**values)
        if isinstance(told, Response):
            return told
        asked = values.get("response")  # what FastAPI gives to endpoints that set a status or headers
        return Response(
            "null" if told is None else told.model_dump_json(),
            status_code=(asked and asked.status_code) or status,
            headers=dict(asked.headers) if asked else None,
            media_type="application/json",
        )

    # The names in its annotations are those of the endpoint's own module.
    vars(answer)["__signature__"] = signature(endpoint, eval_str=True)
    return answer


def _check_names(request: Request, known: list[str]) -> None:
    """Refuse a query parameter that the route does not know: a misspelt filter would be left out in silence."""
    for name in request.query_params:
        if name not in known:
            meant = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {meant[0]}?" if meant else f"known here: {', '.join(known)}"
            raise Refused(422, "unknown-parameter", f"unknown query parameter {name[:50]!r}; {hint}")
