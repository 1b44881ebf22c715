"""Writes that a client may send twice: with the same `Idempotency-Key`, the first answer is sent again."""

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
from gieok.domain.scope import Scope
from gieok.domain.server_state import KeptAnswer
from gieok.errors import InvalidScope
from gieok.http.problems import IDEMPOTENCY_KEY, HTTPProblem

ANSWER_LIFETIME: Final = timedelta(hours=24)
LONGEST_KEY: Final = 255
_WRITES: Final = frozenset({"POST", "PATCH", "PUT", "DELETE"})
_HEADERS: Final = ("content-type", "etag", "location")  #: of an answer that are stored with it
SCOPE_NAMES: Final = ("user", "character", "world")  #: query parameters that every route takes


@dataclass(slots=True)
class KeyedLocks:
    """One lock for each name in use: the same request that is sent meanwhile waits for the first answer."""

    _locks: dict[str, tuple[asyncio.Lock, list[None]]] = field(default_factory=dict)

    @asynccontextmanager
    async def hold(self, name: str) -> AsyncIterator[None]:
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
    stored = await run_sync(bank.store.server.answer, name, bank.clock.now())
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
        await run_sync(lambda: bank.store.server.keep_answer(name, new, until=now + ANSWER_LIFETIME, now=now))
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
