"""What the API is made of: routes that are strict about names and JSON, and what endpoints ask FastAPI for.

Writes may be sent twice: with the same `Idempotency-Key`, the first answer is sent again.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import difflib
import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property, partial, wraps
from inspect import iscoroutinefunction, signature
from math import isfinite
from typing import Annotated, Any, Final, NoReturn, TypeVar
from urllib.parse import unquote_to_bytes

from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.routing import APIRoute
from starlette._utils import get_route_path
from starlette.routing import BaseRoute, Match, compile_path
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from gieok.access.caller import Caller, caller_in, note_reading
from gieok.bank import MemoryBank, Mind
from gieok.domain.scope import Scope
from gieok.domain.server_state import KeptAnswer, Role
from gieok.errors import InvalidScope
from gieok.http.problems import IDEMPOTENCY_KEY, MEDIA_TYPE, NAME, HTTPProblem
from gieok.http.schemas import Page, answer_model, json_bytes

ANSWER_LIFETIME: Final = timedelta(hours=24)
LONGEST_KEY: Final = 255
_WRITES: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})
_HEADERS: Final = ("content-type", "etag", "location")  #: of an answer that are stored with it
SCOPE_NAMES: Final = ("user", "character", "world")  #: query parameters that every route takes


@dataclass(slots=True)
class KeyedLocks:
    """One lock for each name in use: the same request that is sent meanwhile waits for the first answer."""

    #: keeps other processes of the server from the same name
    elsewhere: Callable[[str], AbstractAsyncContextManager[None]] | None = None
    _locks: dict[str, tuple[asyncio.Lock, list[None]]] = field(default_factory=dict)

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
        lock, waiting = self._locks.setdefault(name, (asyncio.Lock(), []))
        waiting.append(None)
        try:
            async with lock, self.elsewhere(name) if self.elsewhere is not None else nullcontext():
                yield
        finally:
            waiting.pop()
            if not waiting:
                del self._locks[name]


async def _header(
    key: Annotated[
        str | None,
        Header(
            alias="Idempotency-Key",
            min_length=1,
            max_length=LONGEST_KEY,
            pattern=IDEMPOTENCY_KEY,
            description="Your own word for this write, such as a UUID. Sent again within 24 hours, "
            "the same request gets the same answer and is not done twice.",
        ),
    ] = None,
) -> None:
    """Document and check the header; `answer_once` acts on it."""


IDEMPOTENT: Final = [Depends(_header)]  #: the dependencies of every write


def idempotency_key(request: Request) -> str | None:
    """Return the key of a write, if it has a valid one."""
    key = request.headers.get("idempotency-key")
    return key if key is not None and len(key) <= LONGEST_KEY and re.fullmatch(IDEMPOTENCY_KEY, key) else None


def idempotent_turn_id(request: Request) -> str | None:
    """Return the turn id that the same write has whenever it is sent; None: it has no key."""
    key = idempotency_key(request)
    return None if key is None else "once-" + hashlib.sha256(_answer_name(request, key).encode()).hexdigest()[:26]


async def answer_once(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    """Answer a request, or repeat the answer that the same one got; one that is sent meanwhile waits for it."""
    key = idempotency_key(request)
    if key is None or request.method not in _WRITES:
        return await answer(request)
    name = _answer_name(request, key)
    async with request.app.state.idempotency_locks.hold(name):
        return await _stored_or_new(request, name, answer)


async def _stored_or_new(request: Request, name: str, answer: Callable[[Request], Awaitable[Response]]) -> Response:
    bank: MemoryBank = request.app.state.bank
    query = request.scope["query_string"].decode("latin-1")
    parts = [request.method, request.scope["path"], query, request.headers.get("if-match", "")]
    fingerprint = hashlib.sha256(json.dumps(parts).encode() + await request.body()).hexdigest()
    stored = await asyncio.to_thread(bank.store.server.answer, name, bank.clock.now())
    if stored is not None:
        if stored.fingerprint != fingerprint:
            detail = "this Idempotency-Key was used for another request; give every new request a key of its own"
            raise HTTPProblem(422, "idempotency-key-reused", detail)
        return Response(stored.body, stored.status, {**dict(stored.headers), "Idempotent-Replayed": "true"})
    response = await answer(request)
    if 200 <= response.status_code < 300 and isinstance(body := getattr(response, "body", None), bytes):
        now = bank.clock.now()
        new = KeptAnswer(
            fingerprint=fingerprint,
            status=response.status_code,
            headers=tuple((each, response.headers[each]) for each in _HEADERS if each in response.headers),
            body=body.decode(),
            scope=_scope(request),
        )
        await asyncio.to_thread(bank.store.server.keep_answer, name, new, until=now + ANSWER_LIFETIME, now=now)
    return response


def _answer_name(request: Request, key: str) -> str:
    """Return the name that an answer is stored under; it differs by caller and by scope."""
    parts: list[Any] = [caller_in(request.scope).name, *(request.query_params.get(each) for each in SCOPE_NAMES), key]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _scope(request: Request) -> Scope | None:
    """Return the scope whose erasure also erases the answer, as `scope_of` finds it; None: there is none."""
    names = [request.query_params.get(each) for each in SCOPE_NAMES]
    if all(each is None for each in names):
        home = caller_in(request.scope).home
        names = [home.user, home.character, home.world]
    try:
        return Scope(**dict(zip(SCOPE_NAMES, names, strict=True)))
    except InvalidScope:
        return None


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


Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])


class Route(APIRoute):
    """A route that refuses unknown query parameters, reads JSON strictly and honours `Idempotency-Key`."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        options["tags"] = options["tags"][-1:]  # its own, else that of its router
        options["responses"] = {
            status: {**told, "model": answer_model(told["model"])} if "model" in told else told
            for status, told in options["responses"].items()
        }
        super().__init__(path, _serialized(endpoint, options.get("status_code") or 200), **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()
        known = sorted({*SCOPE_NAMES, *(each.alias for each in get_flat_params(self.dependant))})

        async def handle(request: Request) -> Response:
            strict = StrictRequest(request.scope, request.receive)
            for name in strict.query_params:  # a misspelt filter would be ignored without a word
                if name not in known:
                    close = difflib.get_close_matches(name, known, n=1)
                    hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(known)}"
                    raise HTTPProblem(422, "unknown-parameter", f"unknown query parameter {name[:50]!r}; {hint}")
            return await answer_once(strict, handler)

        return handle


class LazyRoute(BaseRoute):
    """A `Route` that is made for the first request that it matches: most processes are asked for a few of them."""

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        self.path = self.path_format = path
        self._make = partial(Route, path, endpoint, **options)
        self._pattern = compile_path(path)[0] if "{" in path else None

    @cached_property
    def route(self) -> Route:
        return self._make()

    def matches(self, scope: AsgiScope) -> tuple[Match, AsgiScope]:
        if scope["type"] == "http":
            path = get_route_path(scope)
            if path == self.path if self._pattern is None else self._pattern.match(path):
                return self.route.matches(scope)
        return Match.NONE, {}

    async def handle(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        await self.route.handle(scope, receive, send)


def made_routes(routes: Iterable[BaseRoute]) -> list[BaseRoute]:
    """Return `routes` as FastAPI's own, for what looks into them."""
    return [each.route if isinstance(each, LazyRoute) else each for each in routes]


class Router(APIRouter):
    """The routes of one subject."""

    def write(
        self,
        method: str,
        path: str,
        summary: str,
        *statuses: int,
        responses: Mapping[int | str, Any] = {},
        **options: Any,
    ) -> Callable[[Endpoint], Endpoint]:
        """Add a write, which is done once however often it is sent; `statuses` are those of the problems it meets."""
        known = problems(*statuses) | dict(responses)
        return self.api_route(
            path, methods=[method], summary=summary, dependencies=IDEMPOTENT, responses=known, **options
        )


def routes_of(tag: str) -> Router:
    return Router(
        prefix="/v1",
        tags=[tag],
        route_class=LazyRoute,  # type: ignore[arg-type]  # it takes the same arguments
        responses=problems(403, 422, 503),
    )


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return what the document says about these failures."""
    content = {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}}
    return {status: {"description": _MEANING[status], "content": content} for status in statuses}


def _serialized(endpoint: Callable[..., Any], status: int) -> Callable[..., Any]:
    """Return `endpoint` with its answer as JSON: a long one is written in its thread, not in the event loop.

    Threads are those of the event loop, which callers get in turn; FastAPI's own go to whoever came first.
    """

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
        async def answer(**values: Any) -> Response:
            return await asyncio.to_thread(lambda: response(endpoint(**values), values))

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
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_constant=_refuse_constant,
            parse_int=_integer,
            parse_float=_number,
        )
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


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        detail = "an object in the body has a field twice; send each once, for of two nobody knows which is meant"
        raise HTTPProblem(400, "malformed-json", detail)
    return found


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


Name = Annotated[str | None, Query(min_length=1, max_length=200, pattern=NAME)]

# These are coroutines, so that they need no thread: they wait only where a read of another user's scope is recorded.


async def bank_of(request: Request) -> MemoryBank:
    bank: MemoryBank = request.app.state.bank
    return bank


async def caller_of(request: Request) -> Caller:
    return caller_in(request.scope)


CurrentBank = Annotated[MemoryBank, Depends(bank_of)]
CurrentCaller = Annotated[Caller, Depends(caller_of)]


def _scope_of(request: Request, caller: Caller, user: str | None, character: str | None, world: str | None) -> Scope:
    """Return the scope that the query names; where it names none, the home scope of the caller's key."""
    try:  # decoded with a � for each broken letter, the names of two users could become one
        unquote_to_bytes(request.scope["query_string"]).decode()
    except UnicodeDecodeError as cause:
        detail = "the query is not UTF-8; percent-encode names as UTF-8 (민수 is %EB%AF%BC%EC%88%98)"
        raise HTTPProblem(400, "not-utf-8", detail) from cause
    if user is character is world is None:
        user, character, world = caller.home.user, caller.home.character, caller.home.world
    if user is character is world is None:
        raise InvalidScope(
            "whose memory? name at least one of user, character and world in the query: ?user=minsu&character=letia"
        )
    return Scope(user=user, character=character, world=world)


def mind_for(role: Role) -> Callable[..., Awaitable[Mind]]:
    """Return a dependency: the mind of the named scope, if the caller has `role` there."""

    # It depends on no other: FastAPI takes longer to find out about each than they take.
    async def mind(request: Request, user: Name = None, character: Name = None, world: Name = None) -> Mind:
        bank, caller = await bank_of(request), await caller_of(request)
        scope = _scope_of(request, caller, user, character, world)
        caller.check(role, scope)
        if role != "writer":  # a write records its actor itself
            await note_reading(bank, caller, scope, f"{request.method} {request.scope['route'].path}")
        return bank.mind(scope)

    return mind


async def whole_bank(caller: CurrentCaller, bank: CurrentBank) -> MemoryBank:
    """Return the bank, if the caller may do anything in all of it."""
    caller.check("admin")
    return bank


ReadMind = Annotated[Mind, Depends(mind_for("reader"))]
WriteMind = Annotated[Mind, Depends(mind_for("writer"))]
AdminMind = Annotated[Mind, Depends(mind_for("admin"))]
WholeBank = Annotated[MemoryBank, Depends(whole_bank)]


Item = TypeVar("Item")

Limit = Annotated[
    int, Query(ge=1, le=1_000, description="Items on a page; the server may return fewer (setting `serve_page`).")
]
Cursor = Annotated[str | None, Query(alias="cursor", max_length=1_000, description="`next` of the page before.")]


def page_size(bank: MemoryBank, limit: int) -> int:
    return min(limit, bank.settings.serve_page)


def make_cursor(name: str, *place: str | int) -> str:
    text = json.dumps([name, *place], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(name: str, cursor: str | None, *kinds: type) -> list[Any] | None:
    """Return the place that a cursor of the list `name` holds; None without a cursor. Raises `HTTPProblem`."""
    if cursor is None:
        return None
    try:
        found, *place = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        found, place = None, []
    too_large = any(isinstance(each, int) and not 0 <= each < 2**31 for each in place)
    if found != name or [type(each) for each in place] != list(kinds) or too_large:
        raise unknown_cursor(name)
    return list(place)


def unknown_cursor(name: str) -> HTTPProblem:
    detail = f"this cursor does not belong to this list ({name}); leave it out to begin at the start"
    return HTTPProblem(422, "unknown-cursor", detail)


def read_number(name: str, cursor: str | None) -> int | None:
    place = read_cursor(name, cursor, int)
    return None if place is None else int(place[0])


def numbered_page(name: str, found: Sequence[Any]) -> Page[Any]:
    """Return a page, newest first, of what was read oldest first; its members are numbered from 1."""
    following = make_cursor(name, found[0].number) if found and found[0].number > 1 else None
    return Page(list(reversed(found)), following)


def sorted_page(
    name: str,
    found: Sequence[Item],
    key: Callable[[Item], tuple[str, ...]],
    cursor: str | None,
    size: int,
    *,
    newest_first: bool = False,
) -> Page[Item]:
    """Return a page of a list that is all in memory, in the order of `key`."""
    ordered = sorted(found, key=key)
    keys = [key(item) for item in ordered]
    read = read_cursor(name, cursor, *(str for _ in keys[0])) if keys else None
    place = None if read is None else tuple(read)
    if newest_first:
        end = len(keys) if place is None else bisect_right(keys, place) - (place in keys)
        start = max(end - size, 0)
        return Page(ordered[start:end][::-1], make_cursor(name, *keys[start]) if start > 0 else None)
    start = 0 if place is None else bisect_right(keys, place)
    end = start + size
    return Page(ordered[start:end], make_cursor(name, *keys[end - 1]) if end < len(keys) else None)


def moment_key(moment: datetime) -> str:
    """Return a moment as a text that sorts as moments do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
