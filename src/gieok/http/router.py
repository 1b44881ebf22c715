"""The kind of route that the API is made of: strict about names and JSON, and idempotent where a client asks for it."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Coroutine, Mapping
from functools import wraps
from inspect import iscoroutinefunction, signature
from math import isfinite
from typing import Any, Final, NoReturn

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.routing import APIRoute

from gieok.http.idempotency import SCOPE_NAMES, answer_once
from gieok.http.problems import MEDIA_TYPE, HTTPProblem
from gieok.http.schemas import answer_model, json_bytes

_DIGITS: Final = 18  #: a longer integer does not fit into the store
_PARTS: Final = 200_000  #: commas and brackets, in texts too; all other requests wait while they are parsed
_FIELDS: Final = 100  #: of one object; each unknown one would be reported
_MEANING: Final[Mapping[int, str]] = {
    400: "The body cannot be read.",
    403: "The key does not allow it.",
    404: "It does not exist in this scope.",
    409: "It contradicts what is stored.",
    412: "Somebody else changed it meanwhile.",
    422: "The request is invalid; `detail` says what to change.",
    503: "The bank cannot be used now.",
}


class Route(APIRoute):
    """A route that refuses unknown query parameters, reads JSON strictly and honours `Idempotency-Key`."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        options["tags"] = options["tags"][-1:]  # its own, else that of its router
        super().__init__(path, _serialized(endpoint, options.get("status_code") or 200), **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()
        known = sorted({*SCOPE_NAMES, *(each.alias for each in get_flat_params(self.dependant))})

        async def handle(request: Request) -> Response:
            for name in request.query_params:  # a misspelt filter would be ignored without a word
                if name not in known:
                    close = difflib.get_close_matches(name, known, n=1)
                    hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(known)}"
                    raise HTTPProblem(422, "unknown-parameter", f"unknown query parameter {name[:50]!r}; {hint}")
            return await answer_once(StrictRequest(request.scope, request.receive), handler)

        return handle


def router(tag: str) -> APIRouter:
    return APIRouter(prefix="/v1", tags=[tag], route_class=Route, responses=problems(403, 422, 503))


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what the document says about these failures."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": _MEANING[status], "content": content} for status in statuses}


def _serialized(endpoint: Callable[..., Any], status: int) -> Callable[..., Any]:
    """Return `endpoint` with its answer as JSON: a long one is written in its thread, not in the event loop."""

    def response(returned: Any, values: Mapping[str, Any]) -> Response:
        if isinstance(returned, Response):
            return returned
        asked = values.get("response")  # FastAPI's: for endpoints that set a status or headers
        return Response(
            json_bytes(returned),
            status_code=(asked and asked.status_code) or status,
            headers=dict(asked.headers) if asked else None,
            media_type="application/json",
        )

    if iscoroutinefunction(endpoint):

        @wraps(endpoint)
        async def answer(**values: Any) -> Response:
            return response(await endpoint(**values), values)

    else:

        @wraps(endpoint)
        def answer(**values: Any) -> Response:
            return response(endpoint(**values), values)

    # FastAPI reads the parameters and the model of the answer from the signature.
    known = signature(endpoint, eval_str=True)
    vars(answer)["__signature__"] = known.replace(return_annotation=answer_model(known.return_annotation))
    return answer


class StrictRequest(Request):
    """A request whose JSON is UTF-8, has only finite numbers and no lone surrogates."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = strict_json(await self.body())
        return self._json


def strict_json(body: bytes) -> Any:
    """Parse `body`; raises `HTTPProblem`."""
    if sum(map(body.count, (b",", b"[", b"{"))) > _PARTS:
        raise HTTPProblem(422, "too-many-parts", f"the body has more than {_PARTS:,} parts; no field takes so many")
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise HTTPProblem(400, "not-utf-8", f"the body is not UTF-8 at byte {cause.start}; send it as UTF-8") from cause
    try:
        value = json.loads(text, parse_constant=_refuse_constant, parse_int=_integer, parse_float=_number)
        _check_fields(value)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as cause:
        what = f"{cause.msg.removesuffix(' at')}, at line {cause.lineno}, column {cause.colno}"
        raise HTTPProblem(400, "malformed-json", f"the body is not JSON: {what}") from cause
    except UnicodeEncodeError as cause:
        detail = "the body holds half of a surrogate pair (\\ud800 to \\udfff), which is no letter; send both halves"
        raise HTTPProblem(422, "lone-surrogate", detail) from cause
    except RecursionError as cause:
        detail = "the body is nested too deeply; no field takes more than a few levels"
        raise HTTPProblem(400, "malformed-json", detail) from cause
    return value


def _check_fields(value: Any) -> None:
    if not isinstance(value, dict):
        return
    if len(value) > _FIELDS:
        detail = f"an object in the body has {len(value):,} fields; no more than {_FIELDS} are read"
        raise HTTPProblem(422, "too-many-fields", f"{detail}, and /openapi.json lists those that are known")
    for each in value.values():
        _check_fields(each)


def _refuse_constant(word: str) -> NoReturn:
    raise HTTPProblem(400, "malformed-json", f"the body holds {word}, which JSON does not have; leave the field out")


def _integer(digits: str) -> int:
    if (count := len(digits.lstrip("-"))) > _DIGITS:
        raise HTTPProblem(422, "number-too-large", f"an integer in the body has {count} digits; at most 18 are read")
    return int(digits)


def _number(digits: str) -> float | int:
    number = float(digits)
    if number.is_integer() and abs(number) < 10**_DIGITS:
        return int(number)  # to JSON, 8 and 8.0 are one number
    if not isfinite(number):
        raise HTTPProblem(422, "number-too-large", "a number in the body is too large")
    return number
