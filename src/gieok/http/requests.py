"""What a request is about: the bank, whoever asks, and the mind that they may ask."""

from __future__ import annotations

import asyncio
import base64
import binascii
import difflib
import hashlib
import json
import re
from bisect import bisect_right
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import wraps
from inspect import iscoroutinefunction, signature
from math import isfinite
from typing import Annotated, Any, Final, NoReturn, TypeVar
from urllib.parse import unquote_to_bytes

from anyio.to_thread import run_sync
from fastapi import APIRouter, Depends, Header, Query, Request, Response
from fastapi.dependencies.utils import get_flat_params
from fastapi.routing import APIRoute

from gieok.access.caller import Caller, caller_in, note_reading
from gieok.bank import MemoryBank, Mind
from gieok.domain.scope import Scope
from gieok.domain.server_state import KeptAnswer, Role
from gieok.errors import InvalidScope
from gieok.http.problems import MEDIA_TYPE, NAME, ONCE, Refused

Name = Annotated[str | None, Query(min_length=1, max_length=200, pattern=NAME)]

# None of these waits for anything, but for noting that somebody reads what is not theirs: as coroutines they cost no
# thread.


async def bank_of(request: Request) -> MemoryBank:
    bank = request.app.state.bank
    assert isinstance(bank, MemoryBank)
    return bank


async def caller_of(request: Request) -> Caller:
    return caller_in(request.scope)


async def scope_of(
    request: Request,
    caller: Annotated[Caller, Depends(caller_of)],
    user: Name = None,
    character: Name = None,
    world: Name = None,
) -> Scope:
    """Return the scope that the query names, or the one that the caller's key means where it names none."""
    _check_letters(request.scope["query_string"])
    if user is character is world is None:
        user, character, world = caller.home.user, caller.home.character, caller.home.world
    if user is character is world is None:
        raise InvalidScope(
            "whose memory? name at least one of user, character and world in the query: ?user=minsu&character=letia"
        )
    return Scope(user=user, character=character, world=world)


def _check_letters(query: bytes) -> None:
    """Refuse what is not UTF-8: read with a � for each letter, the names of two users could become one."""
    try:
        unquote_to_bytes(query).decode()
    except UnicodeDecodeError as cause:
        detail = "the query is not UTF-8; percent-encode names as UTF-8 (민수 is %EB%AF%BC%EC%88%98)"
        raise Refused(400, "not-utf-8", detail) from cause


def mind_for(role: Role) -> Callable[..., Awaitable[Mind]]:
    """Return a dependency: the mind of the scope that is named, if the caller may do there what `role` may."""

    async def mind(
        request: Request,
        scope: Annotated[Scope, Depends(scope_of)],
        caller: Annotated[Caller, Depends(caller_of)],
        bank: Annotated[MemoryBank, Depends(bank_of)],
    ) -> Mind:
        caller.check(role, scope)
        if role != "writer":  # what is written tells by whom
            await note_reading(bank, caller, scope, f"{request.method} {request.scope['route'].path}")
        return bank.mind(scope)

    return mind


def whole_bank_for(role: Role) -> Callable[..., Awaitable[MemoryBank]]:
    """Return a dependency: the bank, if the caller may do everywhere in it what `role` may."""

    async def bank(
        caller: Annotated[Caller, Depends(caller_of)], bank: Annotated[MemoryBank, Depends(bank_of)]
    ) -> MemoryBank:
        caller.check(role)
        return bank

    return bank


Asked = Annotated[Caller, Depends(caller_of)]
Bank = Annotated[MemoryBank, Depends(bank_of)]
ReadMind = Annotated[Mind, Depends(mind_for("reader"))]
WrittenMind = Annotated[Mind, Depends(mind_for("writer"))]


_DIGITS: Final = 18  #: a longer whole number does not fit where it would be kept
_SIGNS: Final = 200_000  #: commas and brackets, in texts too; all others wait while they are read
_FIELDS: Final = 100  #: of one object; each that is not known would be told of


class StrictRequest(Request):
    """A request whose JSON is UTF-8, finite, and free of halves of letters."""

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = strict_json(await self.body())
        return self._json


def strict_json(body: bytes) -> Any:
    """Return what `body` says; raises `Refused`."""
    if sum(map(body.count, (b",", b"[", b"{"))) > _SIGNS:
        raise Refused(422, "too-many-parts", f"the body has more than {_SIGNS:,} parts; no field takes so many")
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as cause:
        raise Refused(400, "not-utf-8", f"the body is not UTF-8 at byte {cause.start}; send it as UTF-8") from cause
    try:
        value = json.loads(text, parse_constant=_not_json, parse_int=_whole, parse_float=_finite)
        _check_fields(value)
        if "\\u" in text:
            _check_letters_bodies(value)
    except json.JSONDecodeError as cause:
        what = f"{cause.msg.removesuffix(' at')}, at line {cause.lineno}, column {cause.colno}"
        raise Refused(400, "malformed-json", f"the body is not JSON: {what}") from cause
    except RecursionError as cause:
        raise Refused(400, "malformed-json", "the body is nested too deeply; no field takes more than a few") from cause
    return value


def _check_fields(value: Any) -> None:
    if not isinstance(value, dict):
        return
    if len(value) > _FIELDS:
        detail = f"an object in the body has {len(value):,} fields; no more than {_FIELDS} are read"
        raise Refused(422, "too-many-fields", f"{detail}, and /openapi.json lists those that are known")
    for each in value.values():
        _check_fields(each)


def _check_letters_bodies(value: Any) -> None:
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as cause:
        detail = "the body holds half of a surrogate pair (\\ud800 to \\udfff), which is no letter; send both halves"
        raise Refused(422, "lone-surrogate", detail) from cause


def _not_json(word: str) -> NoReturn:
    raise Refused(400, "malformed-json", f"the body holds {word}, which JSON does not have; leave the field out")


def _whole(digits: str) -> int:
    if (many := len(digits.lstrip("-"))) > _DIGITS:
        raise Refused(422, "number-too-large", f"a whole number in the body has {many} digits; 18 are enough")
    return int(digits)


def _finite(digits: str) -> float | int:
    number = float(digits)
    if number.is_integer() and abs(number) < 10**_DIGITS:
        return int(number)  # to JSON, 8 and 8.0 are one number
    if not isfinite(number):
        raise Refused(422, "number-too-large", "a number in the body is too large to be counted with")
    return number


Item = TypeVar("Item")

_MOST: Final = 1_000
Limit = Annotated[
    int, Query(ge=1, le=_MOST, description="Things on a page; the server may give fewer (setting `serve_page`).")
]
Cursor = Annotated[str | None, Query(alias="cursor", max_length=1_000, description="`next` of the page before.")]
Place = list[str | int]


def page_size(bank: MemoryBank, limit: int) -> int:
    return min(limit, bank.settings.serve_page)


def cursor(name: str, place: Place) -> str:
    """Return where the list `name` was left, as an opaque word."""
    told = json.dumps([name, *place], ensure_ascii=False, separators=(",", ":"))
    return base64.urlsafe_b64encode(told.encode()).decode().rstrip("=")


def place_in(name: str, given: str | None, *kinds: type) -> Any:
    """Return the place that a cursor of the list `name` holds; None: no cursor was given. Raises `Refused`."""
    if given is None:
        return None
    try:
        held, *place = json.loads(base64.urlsafe_b64decode(given + "=" * (-len(given) % 4)))
    except (ValueError, TypeError, binascii.Error, RecursionError):
        held, place = None, []
    if held != name or [type(each) for each in place] != list(kinds) or any(_huge(each) for each in place):
        raise unknown_cursor(name)
    return place


def unknown_cursor(name: str) -> Refused:
    detail = f"this cursor is not one of this list ({name}); leave it out to begin at the start"
    return Refused(422, "unknown-cursor", detail)


def number_in(name: str, given: str | None) -> int | None:
    """Return the number that a cursor holds."""
    place = place_in(name, given, int)
    return None if place is None else int(place[0])


def leafed(
    found: Sequence[Item],
    key: Callable[[Item], tuple[str, ...]],
    name: str,
    given: str | None,
    size: int,
    *,
    newest_first: bool = False,
) -> tuple[list[Item], str | None]:
    """Return a page of a list that is at hand, by the order of `key`, and the cursor of the next one."""
    ordered = sorted(found, key=key)
    keys = [key(item) for item in ordered]
    place = place_in(name, given, *(str for _ in keys[0])) if keys else None
    if newest_first:
        end = len(keys) if place is None else bisect_right(keys, tuple(place)) - (tuple(place) in keys)
        start = max(end - size, 0)
        page = ordered[start:end][::-1]
        return page, cursor(name, list(keys[start])) if start > 0 else None
    start = 0 if place is None else bisect_right(keys, tuple(place))
    end = start + size
    return ordered[start:end], cursor(name, list(keys[end - 1])) if end < len(keys) else None


def moment_key(moment: datetime) -> str:
    """Return a moment as a text that sorts as moments do."""
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


def _huge(part: object) -> bool:
    return isinstance(part, int) and not 0 <= part < 2**31


KEPT: Final = timedelta(hours=24)
LONGEST: Final = 255
_WRITES: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})
_HEADERS: Final = ("content-type", "etag", "location")
SCOPE: Final = ("user", "character", "world")  #: the names in a query, taken by every route


@dataclass(slots=True)
class UnderWay:
    """Which requests are being answered, so that the same one sent meanwhile waits for the answer."""

    _locks: dict[str, tuple[asyncio.Lock, list[None]]] = field(default_factory=dict)

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncIterator[None]:
        lock, waiting = self._locks.setdefault(name, (asyncio.Lock(), []))
        waiting.append(None)
        try:
            async with lock:
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
            max_length=LONGEST,
            pattern=ONCE,
            description="A word of your own for this write, such as a UUID. Sent again within 24 hours, "
            "the same request gets the same answer and is not done twice.",
        ),
    ] = None,
) -> None:
    """Tell of the header; `answered_once` heeds it."""


HEEDED: Final = [Depends(_header)]  #: the dependencies of every write


def once_word(request: Request) -> str | None:
    """Return the caller's word for a write, if it is one that is heeded."""
    word = request.headers.get("idempotency-key")
    return word if word is not None and len(word) <= LONGEST and re.fullmatch(ONCE, word) else None


def turn_id_of(request: Request) -> str | None:
    """Return a turn id that the same write has when it is sent again; None: the caller has no word for it."""
    word = once_word(request)
    return None if word is None else "once-" + hashlib.sha256(_named(request, word).encode()).hexdigest()[:26]


async def answered_once(request: Request, answered: Callable[[Request], Awaitable[Response]]) -> Response:
    """Answer a request, or repeat the answer that the same one got; one that is sent meanwhile waits for it."""
    word = once_word(request)
    if word is None or request.method not in _WRITES:
        return await answered(request)
    name = _named(request, word)
    async with request.app.state.under_way.alone(name):
        return await _once(request, name, answered)


async def _once(request: Request, name: str, answered: Callable[[Request], Awaitable[Response]]) -> Response:
    bank: MemoryBank = request.app.state.bank
    print_of_it = await _fingerprint(request)
    kept = await run_sync(bank.store.desk.answer, name, bank.clock.now())
    if kept is not None:
        if kept.fingerprint != print_of_it:
            detail = "this Idempotency-Key was used for another request; give every new request a key of its own"
            raise Refused(422, "idempotency-key-reused", detail)
        return Response(kept.body, kept.status, {**dict(kept.headers), "Idempotent-Replayed": "true"})
    response = await answered(request)
    if 200 <= response.status_code < 300 and isinstance(body := getattr(response, "body", None), bytes):
        now = bank.clock.now()
        headers = tuple((each, response.headers[each]) for each in _HEADERS if each in response.headers)
        answer = KeptAnswer(
            fingerprint=print_of_it,
            status=response.status_code,
            headers=headers,
            body=body.decode(),
            scope=_scope(request),
        )
        await run_sync(lambda: bank.store.desk.keep_answer(name, answer, until=now + KEPT, now=now))
    return response


def _named(request: Request, word: str) -> str:
    """Return the name that an answer is kept under: another caller's word, or one in another scope, is another."""
    parts: list[Any] = [caller_in(request.scope).name, *(request.query_params.get(each) for each in SCOPE), word]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


async def _fingerprint(request: Request) -> str:
    query = request.scope["query_string"].decode("latin-1")
    told = [request.method, request.scope["path"], query, request.headers.get("if-match", "")]
    return hashlib.sha256(json.dumps(told).encode() + await request.body()).hexdigest()


def _scope(request: Request) -> Scope | None:
    """Return the scope that an answer is of, and is erased with: as `scope_of` has it. None: of no one's."""
    named = [request.query_params.get(each) for each in SCOPE]
    if all(each is None for each in named):
        home = caller_in(request.scope).home
        named = [home.user, home.character, home.world]
    try:
        return Scope(**dict(zip(SCOPE, named, strict=True)))
    except InvalidScope:
        return None


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
