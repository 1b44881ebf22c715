"""A write that is sent twice is done once: its answer is kept under the caller's word for it, and given again."""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any, Final

from anyio.to_thread import run_sync
from fastapi import Depends, Header, Request, Response

from gieok.access.caller import caller_in
from gieok.bank import MemoryBank
from gieok.domain.desk import KeptAnswer
from gieok.domain.scope import Scope
from gieok.errors import InvalidScope
from gieok.http.misread import ONCE
from gieok.http.problems import Refused

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
