"""The routes that OpenAI clients use: chats with memory, characters as models, and what the endpoint itself answers."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache, partial
from itertools import takewhile
from threading import Lock
from typing import Any, Final, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx2
from fastapi import APIRouter, Request, Response
from starlette.responses import StreamingResponse
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from gieok.access.caller import Caller, caller_in
from gieok.bank import MemoryBank, Mind, iter_scopes
from gieok.bank.models import Upstream
from gieok.domain.answer import Context
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.errors import BankError, GieokError
from gieok.proxy import history, lines, prompt
from gieok.proxy.upstream import (
    CompletionRequest,
    Headers,
    ProxyError,
    Unreadable,
    UpstreamClient,
    known_error,
    read,
    returned,
)
from gieok.words import Language, words_in

_OVERHEAD: Final = 4  #: tokens of a message beside its words
_PER_TOKEN: Final = 3  #: characters of names, brackets and tools
_AT_MOST: Final = 2  #: tokens of a character
_FOR_THE_REPLY: Final = 10  #: a tenth, where the client does not say
_MOMENT: Final = timedelta(microseconds=1)
_LOCKS: Final = 64  #: scopes share them
_MASKED: Final = 4_096  #: texts whose masked form is kept
_SHORT: Final = 500  #: characters of such a text
_LATEST: Final = 6  #: utterances whose language is that of the conversation
_RENEWED: Final = 16  #: turns of a session after which the stable part holds what was learned meanwhile
_SMALLEST: Final = 64  #: tokens; in less, there is nothing to say


def context_room(asked: CompletionRequest, bank: MemoryBank) -> int:
    """Return how many tokens a context may take, at most `context_budget`; below 0: the request is too long as it is.

    What a request costs is counted only where a rough guess does not do.
    """
    window, most = bank.settings.proxy_window, bank.settings.context_budget
    reply_tokens = asked.reply_tokens()
    room = window - (window // _FOR_THE_REPLY if reply_tokens is None else reply_tokens)
    said = [each for each in asked.messages if isinstance(each, Mapping)]
    words = [lines.message_text(each) for each in said]
    calls = sum(len(str(each["tool_calls"])) for each in said if each.get("tool_calls"))
    room -= (asked.beside_messages + calls) // _PER_TOKEN + _OVERHEAD * len(said)
    if room - _AT_MOST * sum(map(len, words)) >= most:
        return most
    count = bank.services.recaller.count
    return min(room - sum(map(count, words)), most)


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedChat:
    """A chat that holds the lock of its session: its context, and what is to be stored."""

    mind: Mind
    place: history.Place  #: where its turns are looked up
    session: str | None
    plan: history.Plan
    context: Context | None
    added: prompt.Placement  #: for the model; empty: nothing is known, or there is no room for it

    @property
    def lock_key(self) -> history.Place:
        return (self.mind.key, self.session)


class ChatMemory:
    """Prepares chats and stores them. Its methods block: they must run in a thread."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        # Clients resend the whole history with every message.
        self._masked = _cached(lambda text: bank.services.mask(text).text)
        self._stored = _cached(lambda text: (bank.services.log_mask or bank.services.mask)(text).text)
        self._sessions = history.SessionCache(bank)
        self._follows = bank.settings.proxy_history == "follow"
        self._told = prompt.ToldBefore(lambda text: bank.services.recaller.count(text), bank.settings.proxy_place)
        self.locks = history.SessionLocks()
        self._planning = tuple(Lock() for _ in range(_LOCKS))
        self._beginning: dict[history.Place, str | None] = {}  #: first messages of sessions that are not logged yet

    def prepared(
        self, scope: Scope, target: history.ChatTarget, asked: CompletionRequest
    ) -> PreparedChat | history.Place:
        """Lock the session, make the log match what the client shows, and return the context for the reply.

        Where another request holds the lock, its place is returned: wait for it, and prepare again.
        """
        place: history.Place = (scope, target.session)
        said = self._said(place, asked)
        with self._planning[hash(scope) % _LOCKS]:  # two first requests of one chat must see each other
            session, plan = self._taken(place, said)
        key: history.Place = (scope, session)
        if plan is None:
            return key
        mind = self._bank.mind(scope)
        try:
            shown = self._brought_in_line(mind, place, session, plan)
            language = prompt.talk_language(said.latest(_LATEST), self._bank.settings.language)
            room = context_room(asked, self._bank)
            context = self._context(self._speaking(mind, language), room, said, plan, shown)
            added = self._added(mind, place, key, asked, context, plan, shown, language=language, room=room)
        except BaseException:  # nothing else would release the lock; it is raised again
            self.release(key)
            raise
        return PreparedChat(mind=mind, place=place, session=session, plan=plan, context=context, added=added)

    def _said(self, place: history.Place, asked: CompletionRequest) -> history.ClientHistory:
        return history.client_history(
            asked.messages,
            self._stored,  # private data may be masked
            character=place[0].character,
            user=place[0].user,
            replies=lambda: {turn.key[1] for turn in self._sessions.read(place).turns},
        )

    def release(self, key: history.Place) -> None:
        self._beginning.pop(key, None)
        self.locks.release(key)

    def keep(self, prepared: PreparedChat, reply: str, *, whole: bool, remembering: bool = True) -> None:
        """Store the user's message with the reply as far as it came; `whole`: it is complete.

        A turn that was to be answered again stays as it is when nothing came. `remembering`: the model saw the context.
        """
        plan = prepared.plan
        came = history.storable(lines.spoken_part(reply))
        if plan.pending is None or (plan.instead_of and not whole and not came):
            return
        if plan.instead_of:
            prepared.mind.rewind(*plan.instead_of)
        begun, told = plan.pending.said.reply or "", lines.spoken_part(reply)
        told = told if told.startswith(begun) else f"{begun}{told}"  # some endpoints repeat a prescribed beginning
        kept = replace(plan.pending, said=replace(plan.pending.said, reply=history.storable(told)))
        context = prepared.context if remembering else None
        turn = _observe(prepared.mind, prepared.session, kept, context=context, cut_off=not whole)
        if self._follows:
            self._sessions.grown(prepared.place, turn)

    def _taken(self, place: history.Place, said: history.ClientHistory) -> tuple[str | None, history.Plan | None]:
        """Lock the session that `said` continues, and return its plan; None: another request holds the lock."""
        while True:
            known = self._sessions.read(place) if self._follows else None
            session, plan = self._planned(place, said, known)
            key: history.Place = (place[0], session)
            if not self.locks.acquire(key):
                return session, None
            if known is None or self._sessions.read(place) is known:
                self._beginning[key] = said.first
                return session, plan
            self.release(key)  # another request has just stored a turn

    def _planned(
        self, place: history.Place, said: history.ClientHistory, known: history.SessionLog | None
    ) -> tuple[str | None, history.Plan]:
        """Return the session and the plan; what was erased is not taken for new only because the client shows it."""
        shown = len(said.exchanges)
        if known is not None:
            with self._bank.store.view(place[0]) as view:
                said = history.without_erased(said, known.turns, view.recognised)
        session, plan = self._chosen(place, said, known)
        return session, replace(plan, held_back=shown - len(said.exchanges))

    def _chosen(
        self, place: history.Place, said: history.ClientHistory, known: history.SessionLog | None
    ) -> tuple[str | None, history.Plan]:
        session = place[1]
        if known is None:  # a client without a history: its last message is new, and nothing else counts
            return session, history.Plan(pending=history.Observation(said=said.pending) if said.pending else None)
        if session is not None:
            log = [turn for turn in known.turns if not turn.is_blank]
            return session, history.reconcile(log, said, goes_back=known.goes_back)
        found = history.choose_session(known.sessions, said, goes_back=known.goes_back)
        if found is not None:
            return found
        # A client that stops a first reply and asks again may be faster than storing the first.
        under_way = (
            label
            for (scope, label), first in list(self._beginning.items())
            if scope == place[0] and label not in known.sessions and history.begins_alike(first, said)
        )
        return next(under_way, f"{history.CHANNEL}-{uuid4().hex[:12]}"), history.reconcile((), said)

    def _brought_in_line(
        self, mind: Mind, place: history.Place, session: str | None, plan: history.Plan
    ) -> tuple[str, ...] | None:
        """Carry out the plan; return the ids of what the client shows, None: it shows nothing of its session."""
        if plan.take_back:
            mind.rewind(*plan.take_back)
        new = [_observe(mind, session, each) for each in plan.observe]
        if plan.take_back or plan.observe:
            self._sessions.read(place)
        shown = (*plan.shown, *(each.id for turn in new for each in turn.utterances))
        return shown or (None if place[1] is not None or not self._follows else ())

    def _context(
        self,
        mind: Mind,
        budget: int,
        said: history.ClientHistory,
        plan: history.Plan,
        shown: tuple[str, ...] | None,
    ) -> Context | None:
        last = said.exchanges[-1] if said.exchanges else history.Exchange()
        query = said.pending.text if said.pending is not None else last.text or last.reply
        if query is None or budget < _SMALLEST:
            return None
        as_of = plan.as_of - _MOMENT if plan.as_of is not None else None
        return mind.context(query, budget=budget, at=as_of, shown=shown)

    def _added(
        self,
        mind: Mind,
        place: history.Place,
        key: history.Place,
        asked: CompletionRequest,
        context: Context | None,
        plan: history.Plan,
        shown: tuple[str, ...] | None,
        *,
        language: Language,
        room: int,
    ) -> prompt.Placement:
        """Return what is added to the messages of a request."""
        if context is None:
            return prompt.Placement()
        # What is told of people names no items: it cannot be checked after something was taken back or forgotten.
        with self._bank.store.view(mind.key) as view:
            forgotten = len(view.forgotten_words())
        return self._told.placement(
            (key, forgotten),
            asked.messages,
            prompt.told_by(context),
            stage=len(self._turns_of(place, key[1])) // _RENEWED if self._follows else 0,
            room=room,
            shown=frozenset(shown or ()),
            items=mind.items,
            fence=words_in(language)("context.fenced"),
            anew=bool(plan.take_back),
        )

    def _turns_of(self, place: history.Place, session: str | None) -> Sequence[history.LoggedTurn]:
        known = self._sessions.read(place)
        return known.turns if place[1] is not None else known.sessions.get(session or "", ())

    def _speaking(self, mind: Mind, language: Language) -> Mind:
        """Return `mind` as it puts its memories in the language of the conversation."""
        settings = self._bank.settings
        return mind if language == settings.language else mind.under(replace(settings, language=language))

    def shown(self, text: str) -> str:
        return self._masked(text)


def _cached(masked: Callable[[str], str]) -> Callable[[str], str]:
    """Return `masked` with a memory for short texts."""
    known = lru_cache(maxsize=_MASKED)(masked)
    return lambda text: known(text) if len(text) <= _SHORT else masked(text)


def _observe(mind: Mind, session: str | None, what: history.Observation, **more: Any) -> Turn:
    said = {"reply": what.said.reply, "at": what.at, "turn_id": what.turn_id, **more}
    speaker = what.said.speaker
    return mind.observe(what.said.text, speaker=speaker, session=session, channel=history.CHANNEL, **said).turn


Result = TypeVar("Result")


_PATIENCE: Final = 2.5  #: seconds that memory may take; then the model is asked without it
_KEEPING: Final = 10.0  #: seconds that the end of a reply waits until it is stored
_KEEPING_LATE: Final = 1.0  #: … where memory is late: another request may hold the lock for long
_LINGERING: Final = 0.5  #: seconds to wait for the end of a stream after its last event
_TRAILING: Final = 65_536  #: bytes that may follow it
LARGE: Final = 256 * 1024  #: bytes whose parsing would delay other requests
_LARGEST: Final = 50_000_000  #: bytes of an answer that is not streamed
_DONE: Final = b"data: [DONE]"


class ChatRelay(Response):
    """Answers a chat with the model's answer, byte for byte; `model` replaces the name of a character."""

    def __init__(
        self,
        proxy: Proxy,
        upstream: Upstream,
        target: history.ChatTarget,
        asked: CompletionRequest,
        model: str | None,
        scope: Scope | None,
    ) -> None:
        """`scope` is what is remembered; None: nothing, and nothing is kept."""
        super().__init__()
        self._proxy = proxy
        self._upstream, self._target, self._asked, self._model = upstream, target, asked, model
        self._scope = scope
        self._memory: asyncio.Future[PreparedChat | None] | None = None
        self._late = False
        self._remembering = False
        self._kept = False

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        async def disconnected() -> None:
            while (await receive())["type"] != "http.disconnect":
                pass

        work = asyncio.ensure_future(self._pass_on(scope["headers"], send))
        gone = asyncio.ensure_future(disconnected())
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            if not work.done():
                work.cancel()
            await asyncio.wait({work, gone})
        if not work.cancelled() and (error := work.exception()) is not None:
            raise error

    async def _pass_on(self, sent: Headers, send: Send) -> None:
        proxy = self._proxy
        reader = history.ReplyReader(events=False)
        try:
            prepared = await self._remembered(self._scope) if self._scope is not None else None
            placed = partial(prompt.placed, added=prepared.added if prepared else prompt.Placement())
            passed_on = partial(self._asked.passed_on, model=self._model, placed=placed, shown=proxy.memory.shown)
            body = await asyncio.to_thread(passed_on)  # masking long messages would hold up the event loop
            self._remembering = prepared is not None
            response = await proxy.client.send(self._upstream, body, sent)
            try:
                encoding = response.headers.get("content-encoding", "")
                events = "json" not in response.headers.get("content-type", "")
                reader = history.ReplyReader(events=events, encoding=encoding)
                headers = [*returned(response), *self._about(prepared)]
                if events and response.is_success:
                    await self._stream(send, response, headers, reader)
                else:
                    await self._whole(send, response, headers, reader)
            finally:
                await response.aclose()
        except ProxyError as fault:
            await self._keep(reader)
            await _send(send, fault.status, [(b"content-type", b"application/json")], fault.body)
        finally:  # also where the client is gone: what was said so far is stored
            await self._keep(reader)

    def _about(self, prepared: PreparedChat | None) -> list[tuple[bytes, bytes]]:
        if self._scope is not None:
            return _about(prepared)
        why = b"no character is named" if self._target.scope is None else b"the client asks for itself"
        return [(b"x-gieok-context", b"none; " + why)]

    async def _remembered(self, scope: Scope) -> PreparedChat | None:
        """Return the prepared chat, unless that takes too long or fails: then the model is asked without memory."""
        self._memory = self._begun(self._prepared(scope))
        await asyncio.wait({self._memory}, timeout=_PATIENCE)
        if self._memory.done():
            return self._memory.result()
        self._late = True
        log.warning("memory is late; the model is asked without it")
        return None

    async def _prepared(self, scope: Scope) -> PreparedChat | None:
        memory = self._proxy.memory

        def prepare() -> PreparedChat | history.Place | None:
            # It would be outdated by then; the next request shows what is missing.
            return None if self._late else memory.prepared(scope, self._target, self._asked)

        try:
            while not isinstance(found := await asyncio.to_thread(prepare), PreparedChat):
                if found is None:
                    return None
                await memory.locks.wait(found)
        except Exception:  # the edge of memory: the client gets its reply in any case
            log.exception("a chat is passed on without memory")
            return None
        return found

    async def _whole(
        self, send: Send, response: httpx2.Response, headers: list[tuple[bytes, bytes]], reader: history.ReplyReader
    ) -> None:
        data = bytearray()
        async for piece in self._pieces(response):
            data += piece
            if len(data) > _LARGEST:
                raise ProxyError(502, "the model's answer is too large", kind="upstream_error", code="too_large")
        if response.is_success and len(data) < LARGE:
            reader.whole(bytes(data))
        elif response.is_success:
            await asyncio.to_thread(reader.whole, bytes(data))
        await self._keep(reader)
        await _send(send, response.status_code, [*headers, (b"content-length", b"%d" % len(data))], bytes(data))

    async def _stream(
        self, send: Send, response: httpx2.Response, headers: list[tuple[bytes, bytes]], reader: history.ReplyReader
    ) -> None:
        await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
        rest = b""
        try:
            async with asyncio.timeout(None) as lingering, aclosing(self._pieces(response)) as pieces:
                async for piece in pieces:
                    held = reader.ended
                    before = reader.feed(piece)
                    place = 0 if held else max(piece.rfind(_DONE), 0) if reader.ended else len(piece)
                    if ready := before + piece[:place]:
                        await send({"type": "http.response.body", "body": ready, "more_body": True})
                    rest += piece[place:]
                    if len(rest) > _TRAILING:
                        break
                    if reader.ended and not held:
                        lingering.reschedule(asyncio.get_running_loop().time() + _LINGERING)
        except TimeoutError:  # the reply is complete: some endpoints keep the connection open
            log.debug("the model keeps the connection open after its reply")
        except ProxyError as fault:  # too late for a status: OpenAI clients also look for errors in a stream
            rest += b"data: %s\n\n" % fault.body
        reader.end()
        await self._keep(reader)
        await send({"type": "http.response.body", "body": rest, "more_body": False})

    async def _pieces(self, response: httpx2.Response) -> AsyncGenerator[bytes, None]:
        try:
            async for piece in response.aiter_raw():
                yield piece
        except httpx2.HTTPError as cause:
            raise self._proxy.client.connection_error(self._upstream, cause) from cause

    async def _keep(self, reader: history.ReplyReader) -> None:
        """Store what was said, once; the lock is released in any case."""
        if self._kept or self._memory is None:
            return
        self._kept = True
        keeping = self._begun(self._keeping(self._memory, reader))
        late = self._late and not self._memory.done()
        done, _ = await asyncio.wait({keeping}, timeout=_KEEPING_LATE if late else _KEEPING)
        if not done:
            log.warning("a turn takes long to be stored; the client gets the end of the reply before that")

    def _begun(self, work: Coroutine[Any, Any, Result]) -> asyncio.Future[Result]:
        """Start `work`, which continues even if this request ends."""
        begun = asyncio.ensure_future(work)
        self._proxy.unfinished.add(begun)
        begun.add_done_callback(self._proxy.unfinished.discard)
        return begun

    async def _keeping(self, memory: asyncio.Future[PreparedChat | None], reader: history.ReplyReader) -> None:
        prepared = await memory
        if prepared is None:
            return

        kept = partial(self._proxy.memory.keep, whole=reader.done, remembering=self._remembering)
        try:
            await asyncio.to_thread(kept, prepared, reader.text)
        except Exception:  # the edge of memory: the reply was sent, and the next request shows what was not stored
            log.exception("a turn could not be stored")
        finally:
            self._proxy.memory.release(prepared.lock_key)


async def _send(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _about(prepared: PreparedChat | None) -> list[tuple[bytes, bytes]]:
    if prepared is None:
        return [(b"x-gieok-context", b"none; memory was not there in time")]
    context = prepared.context
    told = "none; nothing is known" if context is not None else "none; the request leaves no room for it"
    if context is not None and prepared.added:
        told = f"{context.tokens} tokens; {len(context.items)} items"
    session = [(b"x-gieok-session", quote(prepared.session).encode())] if prepared.session is not None else []
    held = [(b"x-gieok-held-back", b"%d; erased before" % n)] if (n := prepared.plan.held_back) else []
    return [(b"x-gieok-context", told.encode()), *session, *held]


log = logging.getLogger(__name__)

_FAREWELL: Final = 30.0  #: seconds that a stop waits for what is being stored


class Proxy:
    """The proxy of one bank."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self.client = UpstreamClient(bank)
        self.memory = ChatMemory(bank)
        self.unfinished: set[asyncio.Future[Any]] = set()  #: work that continues after a client is gone

    async def chat(self, request: Request) -> Response:
        """Pass a chat on. Raises `ProxyError` and `GieokError` for what is wrong before that."""
        data = await request.body()
        caller = caller_in(request.scope)
        try:
            asked = await _read(data)
        except Unreadable as cause:
            raise known_error("invalid_json") from cause
        target = history.chat_target(
            request.headers, asked.fields, home=caller.home, user=self._bank.settings.proxy_user
        )
        caller.check("writer", target.scope or _anywhere(caller))
        upstream = await self._upstream()
        model = (target.model or upstream.model) if target.ours else None
        if target.ours and model is None:
            raise known_error("no_model")
        scope = None if lines.is_task(asked.messages) else target.scope
        return ChatRelay(self, upstream, target, asked, model, scope)

    async def pass_on(self, request: Request, path: str) -> Response:
        """Ask the endpoint for something that has to do with no character, and return its answer as it comes."""
        data = await request.body()
        caller = caller_in(request.scope)
        caller.check("writer", _anywhere(caller))
        if "json" in request.headers.get("content-type", "json"):
            with suppress(Unreadable):  # whether that is wrong is for the endpoint to say
                if history.model_parts((await _read(data)).fields.get("model"))[0]:
                    raise known_error("no_memory_here")
        upstream = await self._upstream()
        response = await self.client.send(upstream, data, request.scope["headers"], path=path)
        return _Passed(response)

    async def models(self, request: Request) -> Response:
        """Return the characters that the caller may talk to, and the models of the endpoint."""
        caller = caller_in(request.scope)
        caller.check("reader", _anywhere(caller))
        characters = await asyncio.to_thread(self._characters, caller)
        listed: list[Any] = [_listed(name) for name in characters]
        with suppress(ProxyError, GieokError):  # the characters are listed all the same; a chat tells what is missing
            listed += await self.client.models(await self._upstream())
        # In ASCII: what an endpoint lists may hold lone surrogates.
        return Response(json.dumps({"object": "list", "data": listed}), media_type="application/json")

    async def model(self, request: Request, name: str) -> Response:
        """Return one model: a character, known or not, or a model of the endpoint. Raises `ProxyError`."""
        caller = caller_in(request.scope)
        ours, world, character, _ = history.model_parts(name)
        if ours and character is not None:
            home, user = caller.home, self._bank.settings.proxy_user
            caller.check("reader", Scope(user=home.user or user, character=character, world=world or home.world))
            return Response(json.dumps(_listed(name)), media_type="application/json")
        caller.check("reader", _anywhere(caller))
        known = await self.client.models(await self._upstream())
        found = next((each for each in known if isinstance(each, Mapping) and each.get("id") == name), None)
        if found is None:
            raise known_error("model_not_found")
        return Response(json.dumps(found), media_type="application/json")

    async def aclose(self) -> None:
        """Wait until everything is stored, and close the connections."""
        if self.unfinished:
            await asyncio.wait({*self.unfinished}, timeout=_FAREWELL)
        await self.client.close()

    async def _upstream(self) -> Upstream:
        known = self.client.known
        return known if known is not None else await asyncio.to_thread(self.client.found)

    def _characters(self, caller: Caller) -> list[str]:
        home, user = caller.home, self._bank.settings.proxy_user
        scopes = [scope for scope in self._known(caller) if scope.character is not None]
        if home.character is not None:
            scopes.append(Scope(user=home.user or user, character=home.character, world=home.world))
        own = [replace(scope, user=home.user or user) if scope.is_canon else scope for scope in scopes]
        return sorted({history.model_name(scope) for scope in own if caller.opens(scope)})

    def _known(self, caller: Caller) -> Iterator[Scope]:
        """Yield the scopes, or canon in their place, whose characters the caller may see, by the bounds of the key.

        Where bounds name a user, the characters of other users are not listed.
        """
        store, bounds = self._bank.store, caller.bounds
        anybodys = [each for each in bounds if each.user is None]
        if anybodys or not bounds:
            yield from (
                each for each in store.characters() if not bounds or any(bound.hold(each) for bound in anybodys)
            )
        if own := [each for each in bounds if each.user is not None]:
            yield from iter_scopes(store, own)
            yield from takewhile(lambda scope: scope.is_canon, iter_scopes(store))


def _anywhere(caller: Caller) -> Scope | None:
    """Return some scope that the caller's key opens, to check its role; None: it opens all."""
    if caller.key is None or not caller.key.bounds:
        return None
    bound = caller.key.bounds[0]
    return Scope(user=bound.user or "user", character=bound.character, world=bound.world)


def _listed(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": "gieok"}


async def _read(data: bytes) -> CompletionRequest:
    return read(data) if len(data) < LARGE else await asyncio.to_thread(read, data)


class _Passed(StreamingResponse):
    """An answer of the endpoint, byte for byte."""

    def __init__(self, answer: httpx2.Response) -> None:
        super().__init__(self._pieces(answer), status_code=answer.status_code)
        self.raw_headers = returned(answer)

    async def _pieces(self, answer: httpx2.Response) -> AsyncGenerator[bytes, None]:
        try:
            async for piece in answer.aiter_raw():
                yield piece
        finally:
            await answer.aclose()


#: What is asked of the endpoint itself, and keeps nothing there that another key could read.
PASSED_ON: Final = (
    "completions", "embeddings", "moderations", "responses", "rerank", "audio/speech", "audio/transcriptions",
    "audio/translations", "images/generations", "images/edits", "images/variations",
)  # fmt: skip


def proxy_routes() -> APIRouter:
    """Return the routes; the application that takes them in has its proxy in `state.proxy`, and closes it.

    Clients whose address lacks "/v1" are answered, too.
    """
    # OpenAI documents them: they are not in the document of this API.
    router = APIRouter(include_in_schema=False)

    async def chat(request: Request) -> Response:
        return await _answered(request.app.state.proxy.chat(request))

    async def models(request: Request) -> Response:
        return await _answered(request.app.state.proxy.models(request))

    async def model(request: Request, name: str) -> Response:
        return await _answered(request.app.state.proxy.model(request, name))

    async def pass_on(request: Request) -> Response:
        path = request.scope["path"].removeprefix("/v1").strip("/")
        return await _answered(request.app.state.proxy.pass_on(request, path))

    for base in ("/v1", ""):
        router.add_api_route(f"{base}/chat/completions", chat, methods=["POST"])
        router.add_api_route(f"{base}/models", models)
        router.add_api_route(f"{base}/models/{{name:path}}", model)
        for each in PASSED_ON:
            router.add_api_route(f"{base}/{each}", pass_on, methods=["POST"])
    return router


async def _answered(work: Coroutine[Any, Any, Response]) -> Response:
    try:
        return await work
    except (ProxyError, GieokError) as error:
        return _failed(error)


def _failed(error: ProxyError | GieokError) -> Response:
    if isinstance(error, BankError):  # the answer does not repeat its text
        log.warning("the bank cannot be used: %s", error)
    fault = error if isinstance(error, ProxyError) else ProxyError.of(error)
    return Response(fault.body, status_code=fault.status, media_type="application/json")
