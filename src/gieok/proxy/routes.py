"""The two routes that OpenAI's clients know: chats that remember, and the characters to chat with."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import takewhile
from typing import Any, Final

from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, FastAPI, Request, Response

from gieok.access.caller import Caller, caller_in
from gieok.bank import MemoryBank
from gieok.bank.models import Upstream
from gieok.bank.roll import every_scope
from gieok.domain.scope import Scope
from gieok.errors import BankError, GieokError
from gieok.proxy import body
from gieok.proxy.faults import Fault, no_model, unreadable
from gieok.proxy.listening import Chat, Listener
from gieok.proxy.naming import model_name, named
from gieok.proxy.relay import LARGE, Passage, Relay
from gieok.proxy.upstream import Way

log = logging.getLogger(__name__)

_FAREWELL: Final = 30.0  #: seconds that a server which stops waits for what is being kept


class Proxy:
    """One bank between clients and a model."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self._way = Way(bank)
        self._listener = Listener(bank)
        self._threads = CapacityLimiter(bank.settings.serve_threads)
        self._unfinished: set[asyncio.Future[Any]] = set()

    async def chat(self, request: Request) -> Response:
        """Pass a chat on. Raises `Fault` and `GieokError` for what is wrong before that."""
        data = await request.body()
        caller = caller_in(request.scope)
        settings = self._bank.settings
        try:
            asked = body.read(data) if len(data) < LARGE else await to_thread.run_sync(body.read, data)
        except body.Unreadable as cause:
            raise unreadable() from cause
        who = named(request.headers, asked.fields, home=caller.home, user=settings.proxy_user)
        caller.check("writer", who.scope)
        upstream = await self._upstream()
        model = (who.model or upstream.model) if who.ours else None
        if who.ours and model is None:
            raise no_model()
        chat = Chat(
            scope=who.scope,
            session=who.session,
            messages=asked.messages,
            beside=asked.beside_messages,
            reply_tokens=asked.reply_tokens(),
        )
        return Relay(
            Passage(
                way=self._way,
                upstream=upstream,
                listener=self._listener,
                threads=self._threads,
                chat=chat,
                asked=asked,
                model=model,
                headers=request.scope["headers"],
                unfinished=self._unfinished,
            )
        )

    async def models(self, request: Request) -> Response:
        """Return the characters that the caller may talk to, and the models of the endpoint."""
        caller = caller_in(request.scope)
        caller.check("reader", _anywhere(caller))
        characters = await to_thread.run_sync(partial(self._characters, caller), limiter=self._threads)
        listed: list[Any] = [{"id": name, "object": "model", "created": 0, "owned_by": "gieok"} for name in characters]
        with suppress(Fault, GieokError):  # the characters are there all the same; a chat will tell what is missing
            listed += await self._way.models(await self._upstream())
        # In ASCII: what an endpoint lists may hold halves of letters.
        return Response(json.dumps({"object": "list", "data": listed}), media_type="application/json")

    async def close(self) -> None:
        """Wait until what was said is kept, and hang up."""
        if self._unfinished:
            await asyncio.wait({*self._unfinished}, timeout=_FAREWELL)
        await self._way.close()

    async def _upstream(self) -> Upstream:
        if self._way.known is not None:
            return self._way.known
        return await to_thread.run_sync(self._way.found, limiter=self._threads)

    def _characters(self, caller: Caller) -> list[str]:
        home, user = caller.home, self._bank.settings.proxy_user
        scopes = [scope for scope in self._known(caller) if scope.character is not None]
        if home.character is not None:
            scopes.append(Scope(user=home.user or user, character=home.character, world=home.world))
        own = [replace(scope, user=home.user or user) if scope.is_canon else scope for scope in scopes]
        return sorted({model_name(scope) for scope in own if caller.opens(scope)})

    def _known(self, caller: Caller) -> Iterator[Scope]:
        """Yield the scopes, or canon in their place, whose characters the caller may know of, by the bounds of the key.

        Where bounds name a user, others' characters stay theirs, though that user might begin to talk to them.
        """
        store, bounds = self._bank.store, caller.bounds
        anybodys = [each for each in bounds if each.user is None]
        if anybodys or not bounds:
            yield from (
                each for each in store.characters() if not bounds or any(bound.hold(each) for bound in anybodys)
            )
        if own := [each for each in bounds if each.user is not None]:
            yield from every_scope(store, own)
            yield from takewhile(lambda scope: scope.is_canon, every_scope(store))


def _anywhere(caller: Caller) -> Scope | None:
    """Return a scope that the caller's key opens, to ask what it may do there; None: it opens all."""
    if caller.key is None or not caller.key.bounds:
        return None
    bound = caller.key.bounds[0]
    return Scope(user=bound.user or "user", character=bound.character, world=bound.world)


def proxy_routes() -> APIRouter:
    """Return the routes; the application that takes them in has its bank in `state.bank`, and enters `proxying`."""
    # They are OpenAI's, and described there: the document of this API is about the rest.
    router = APIRouter(include_in_schema=False)

    @router.post("/v1/chat/completions")
    async def chat(request: Request) -> Response:
        try:
            return await _proxy(request).chat(request)
        except Fault as fault:
            return _told(fault)
        except GieokError as error:
            return _failed(error)

    @router.get("/v1/models")
    async def models(request: Request) -> Response:
        try:
            return await _proxy(request).models(request)
        except GieokError as error:
            return _failed(error)

    return router


@asynccontextmanager
async def proxying(app: FastAPI) -> AsyncIterator[None]:
    """Close the proxy of an application, if one was needed, when that stops."""
    yield
    proxy = getattr(app.state, "proxy", None)
    if proxy is not None:
        await proxy.close()


def _proxy(request: Request) -> Proxy:
    """Return the proxy of the application, which is made with the first request."""
    state = request.app.state
    if not hasattr(state, "proxy"):
        state.proxy = Proxy(state.bank)
    proxy = state.proxy
    assert isinstance(proxy, Proxy)
    return proxy


def _failed(error: GieokError) -> Response:
    if isinstance(error, BankError):  # a caller does not see its words
        log.warning("the bank cannot be used: %s", error)
    return _told(Fault.of(error))


def _told(fault: Fault) -> Response:
    return Response(fault.body, status_code=fault.status, media_type="application/json")
