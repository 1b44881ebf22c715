"""The two routes that OpenAI's clients know: chats that remember, and the characters to chat with."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Coroutine, Iterator, Mapping, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from itertools import takewhile
from threading import Lock
from typing import Any, Final, TypeVar
from urllib.parse import quote
from uuid import uuid4

import httpx2
from anyio import CapacityLimiter, to_thread
from fastapi import APIRouter, FastAPI, Request, Response
from starlette.responses import Response as Response__responses
from starlette.types import Receive, Send
from starlette.types import Scope as Scope__types

from gieok.access.caller import Caller, caller_in
from gieok.bank import MemoryBank, Mind, iter_scopes
from gieok.bank.models import Upstream
from gieok.domain.answer import Context
from gieok.domain.scope import Scope
from gieok.domain.turn import Turn
from gieok.errors import BankError, GieokError
from gieok.proxy import upstream as proxy_upstream
from gieok.proxy.history import (
    CHANNEL,
    Exchange,
    Floor,
    Hearing,
    Known,
    Observation,
    Place,
    Plan,
    Sessions,
    Told,
    aloud,
    appended,
    chosen,
    fit,
    followed,
    is_alike_in_its_beginning,
    model_name,
    named,
    told,
    words_of,
)
from gieok.proxy.upstream import Asked, Fault, Headers, Way, no_model, returned, unreadable

_OVERHEAD: Final = 4  #: tokens of a message beside its words
_PER_TOKEN: Final = 3  #: characters of names, brackets and tools
_AT_MOST: Final = 2  #: tokens of a character
_FOR_THE_REPLY: Final = 10  #: a tenth, where the client does not say
_MOMENT: Final = timedelta(microseconds=1)
_LOCKS: Final = 64  #: scopes share them
_SMALLEST: Final = 64  #: tokens; in less, there is nothing to say


def room_left(messages: Sequence[Any], beside: int, reply_tokens: int | None, bank: MemoryBank) -> int:
    """Return how many tokens a context may take, at most `context_budget`; below 0: the request is too long as it is.

    What a request costs is counted only where a rough guess does not do.
    """
    window, most = bank.settings.proxy_window, bank.settings.context_budget
    room = window - (window // _FOR_THE_REPLY if reply_tokens is None else reply_tokens)
    said = [each for each in messages if isinstance(each, Mapping)]
    words = [words_of(each) for each in said]
    calls = sum(len(str(each["tool_calls"])) for each in said if each.get("tool_calls"))
    room -= (beside + calls) // _PER_TOKEN + _OVERHEAD * len(said)
    if room - _AT_MOST * sum(map(len, words)) >= most:
        return most
    count = bank.services.recaller.count
    return min(room - sum(map(count, words)), most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chat:
    """What a client asks for, as far as memory is concerned."""

    scope: Scope
    session: str | None  #: as the client names it
    messages: tuple[Any, ...]
    beside: int = 0  #: characters of the request that are no messages
    reply_tokens: int | None = None  #: how long the reply may get


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """A chat that has the floor: what is known for it, and what is to be kept of it."""

    mind: Mind
    place: Place  #: where its turns are looked up
    session: str | None
    plan: Plan
    context: Context | None

    @property
    def floor(self) -> Place:
        return (self.mind.key, self.session)

    @property
    def memory(self) -> str | None:
        """What the model is told; None: nothing is known, or there is no room for it."""
        blocks = self.context.blocks if self.context is not None else ()
        return "\n\n".join(block.text for block in blocks if block.text and block.name != "message") or None


class Listener:
    """Prepares and keeps what is said over the proxy. Its methods block: they belong into a thread."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self._sessions = Sessions(bank)
        self._follows = bank.settings.proxy_history == "follow"
        self.floor = Floor()  #: who has which sitting
        self._planning = tuple(Lock() for _ in range(_LOCKS))
        self._beginning: dict[Place, str | None] = {}  #: sittings that are under way and not in the log, by first words

    def prepared(self, chat: Chat) -> Sitting | Place:
        """Take the floor, bring the log in line with what the client shows, and return what is known for the reply.

        A place comes back where somebody else has the floor: wait for it, and prepare again.
        """
        said = told(chat.messages, self._as_kept)
        place: Place = (chat.scope, chat.session)
        with self._planning[hash(chat.scope) % _LOCKS]:  # two first requests of one chat must see each other
            session, plan = self._taken(place, said)
        floor: Place = (chat.scope, session)
        if plan is None:
            return floor
        mind = self._bank.mind(chat.scope)
        try:
            shown = self._brought_in_line(mind, place, session, plan)
            context = self._context(mind, chat, said, plan, shown)
        except BaseException:  # whatever ended it: nobody else would leave the floor; it is raised again
            self.leave(floor)
            raise
        return Sitting(mind=mind, place=place, session=session, plan=plan, context=context)

    def leave(self, floor: Place) -> None:
        """Let others have a sitting."""
        self._beginning.pop(floor, None)
        self.floor.leave(floor)

    def keep(self, sitting: Sitting, reply: str, *, whole: bool, remembering: bool = True) -> None:
        """Keep the user's words with the reply, as far as it came; `whole`: to its end.

        A turn that was to be answered once more stays as it is when nothing came. `remembering`: the model was told
        what is known.
        """
        plan = sitting.plan
        came = fit(aloud(reply))
        if plan.pending is None or (plan.instead_of and not whole and not came):
            return
        if plan.instead_of:
            sitting.mind.rewind(*plan.instead_of)
        said = Exchange(text=plan.pending.said.text, reply=fit(_gone_on(plan.pending.said.reply or "", aloud(reply))))
        kept = Observation(said=said, turn_id=plan.pending.turn_id, at=plan.pending.at)
        context = sitting.context if remembering else None
        turn = self._observed(sitting.mind, sitting.session, kept, context=context, cut_off=not whole)
        if self._follows:
            self._sessions.grown(sitting.place, turn)

    def _taken(self, place: Place, said: Told) -> tuple[str | None, Plan | None]:
        """Take the floor of the sitting that `said` goes on with; return how it does, None: somebody else has it."""
        while True:
            known = self._sessions.read(place) if self._follows else None
            session, plan = self._planned(place, said, known)
            floor: Place = (place[0], session)
            if not self.floor.take(floor):
                return session, None
            if known is None or self._sessions.read(place) is known:
                self._beginning[floor] = said.first
                return session, plan
            self.leave(floor)  # somebody has just left it, and kept a turn

    def _planned(self, place: Place, said: Told, known: Known | None) -> tuple[str | None, Plan]:
        session = place[1]
        if known is None:
            return session, appended(said)
        if session is not None:
            return session, followed(known.turns, said, goes_back=known.goes_back)
        found = chosen(known.sessions, said, goes_back=known.goes_back)
        if found is not None:
            return found
        # Who stops a first reply and asks again is faster than what is being kept of it.
        under_way = (
            label
            for (scope, label), first in list(self._beginning.items())
            if scope == place[0] and label not in known.sessions and is_alike_in_its_beginning(first, said)
        )
        return next(under_way, f"{CHANNEL}-{uuid4().hex[:12]}"), followed((), said)

    def _brought_in_line(self, mind: Mind, place: Place, session: str | None, plan: Plan) -> tuple[str, ...] | None:
        """Do what is due; return the ids of what the client shows, None: it shows nothing of a talk that goes on."""
        if plan.take_back:
            mind.rewind(*plan.take_back)
        new = [self._observed(mind, session, each) for each in plan.observe]
        if plan.take_back or plan.observe:
            self._sessions.read(place)
        shown = (*plan.shown, *(each.id for turn in new for each in turn.utterances))
        return shown or (None if place[1] is not None or not self._follows else ())

    def _context(self, mind: Mind, chat: Chat, said: Told, plan: Plan, shown: tuple[str, ...] | None) -> Context | None:
        last = said.exchanges[-1] if said.exchanges else Exchange()
        query = said.pending.text if said.pending is not None else last.text or last.reply
        budget = room_left(chat.messages, chat.beside, chat.reply_tokens, self._bank)
        if query is None or budget < _SMALLEST:
            return None
        as_of = plan.as_of - _MOMENT if plan.as_of is not None else None
        return mind.context(query, budget=budget, at=as_of, shown=shown)

    def _observed(
        self,
        mind: Mind,
        session: str | None,
        what: Observation,
        *,
        context: Context | None = None,
        cut_off: bool = False,
    ) -> Turn:
        observed = mind.observe(
            what.said.text,
            reply=what.said.reply,
            at=what.at,
            session=session,
            turn_id=what.turn_id,
            channel=CHANNEL,
            context=context,
            cut_off=cut_off,
        )
        return observed.turn

    def shown(self, text: str) -> str:
        """Return a text as a model may see it."""
        return self._bank.services.mask(text).text

    def _as_kept(self, text: str) -> str:
        """Return a text as the log has it: what is private may be masked there."""
        services = self._bank.services
        return (services.log_mask or services.mask)(text).text


def _gone_on(begun: str, came: str) -> str:
    """Return a reply that a client had begun; some endpoints say the beginning again."""
    return came if came.startswith(begun) else f"{begun}{came}"


Result = TypeVar("Result")


_PATIENCE: Final = 2.5  #: seconds that memory may take before the model is asked without it
_KEEPING: Final = 10.0  #: seconds that the end of a reply waits until it is kept
_KEEPING_LATE: Final = 1.0  #: … where memory is still not there: somebody else may have the floor for long
_LINGERING: Final = 0.5  #: seconds that the end of a stream is waited for after it was said that no event follows
_TRAILING: Final = 65_536  #: bytes of what follows all the same
LARGE: Final = 256 * 1024  #: bytes that others would have to wait for
_LARGEST: Final = 50_000_000  #: bytes of an answer that is not streamed
_DONE: Final = b"data: [DONE]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """What a chat is passed on with."""

    way: Way
    upstream: Upstream
    listener: Listener
    threads: CapacityLimiter
    chat: Chat
    asked: Asked
    model: str | None  #: the one that is asked instead of a character
    headers: Headers
    unfinished: set[asyncio.Future[Any]]  #: what goes on when the client is gone; a server that stops waits for it


class Relay(Response__responses):
    """Answers a chat with whatever the model answers."""

    def __init__(self, passage: Passage) -> None:
        super().__init__()
        self._passage = passage
        self._memory: asyncio.Future[Sitting | None] | None = None
        self._late = False
        self._remembering = False
        self._kept = False

    async def __call__(self, scope: Scope__types, receive: Receive, send: Send) -> None:
        work = asyncio.ensure_future(self._pass_on(send))
        gone = asyncio.ensure_future(_gone(receive))
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            gone.cancel()
            if not work.done():
                work.cancel()
            await asyncio.wait({work, gone})
        if not work.cancelled() and (error := work.exception()) is not None:
            raise error

    async def _pass_on(self, send: Send) -> None:
        passage = self._passage
        hearing = Hearing(events=False)
        try:
            sitting = await self._remembered()
            memory = sitting.memory if sitting else None
            body = passage.asked.passed_on(model=passage.model, memory=memory, shown=passage.listener.shown)
            self._remembering = sitting is not None
            response = await passage.way.send(passage.upstream, body, passage.headers)
            try:
                encoding = response.headers.get("content-encoding", "")
                events = "json" not in response.headers.get("content-type", "")
                hearing = Hearing(events=events, encoding=encoding)
                headers = [*returned(response), *_about(sitting)]
                if events and response.is_success:
                    await self._stream(send, response, headers, hearing)
                else:
                    await self._whole(send, response, headers, hearing)
            finally:
                await response.aclose()
        except Fault as fault:
            await self._keep(hearing)
            await _tell(send, fault)
        finally:  # also where the client is gone: what was said so far is kept
            await self._keep(hearing)

    async def _remembered(self) -> Sitting | None:
        """Return what is known, unless that takes too long or fails: then the model is asked without."""
        self._memory = self._begun(self._prepared())
        await asyncio.wait({self._memory}, timeout=_PATIENCE)
        if self._memory.done():
            return self._memory.result()
        self._late = True
        log.warning("memory is late; the model is asked without it")
        return None

    async def _prepared(self) -> Sitting | None:
        listener, chat = self._passage.listener, self._passage.chat

        def prepare() -> Sitting | Place | None:
            # What the client shows may be of the past by then: the next request shows what is missing.
            return None if self._late else listener.prepared(chat)

        try:
            while not isinstance(found := await to_thread.run_sync(prepare, limiter=self._passage.threads), Sitting):
                if found is None:
                    return None
                await listener.floor.free(found)
        except Exception:  # the edge of memory: whatever happens there, the client gets its reply
            log.exception("a chat is passed on without memory")
            return None
        return found

    async def _whole(
        self, send: Send, response: httpx2.Response, headers: list[tuple[bytes, bytes]], hearing: Hearing
    ) -> None:
        data = bytearray()
        async for piece in self._pieces(response):
            data += piece
            if len(data) > _LARGEST:
                raise Fault(502, "the model's answer is too large", kind="upstream_error", code="too_large")
        if response.is_success and len(data) < LARGE:
            hearing.whole(bytes(data))
        elif response.is_success:
            await to_thread.run_sync(hearing.whole, bytes(data))
        await self._keep(hearing)
        await _send(send, response.status_code, [*headers, (b"content-length", b"%d" % len(data))], bytes(data))

    async def _stream(
        self, send: Send, response: httpx2.Response, headers: list[tuple[bytes, bytes]], hearing: Hearing
    ) -> None:
        await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
        rest = b""
        try:
            async with asyncio.timeout(None) as lingering, aclosing(self._pieces(response)) as pieces:
                async for piece in pieces:
                    held = hearing.ended
                    hearing.hear(piece)
                    place = 0 if held else max(piece.rfind(_DONE), 0) if hearing.ended else len(piece)
                    rest += piece[place:]
                    if place:
                        await send({"type": "http.response.body", "body": piece[:place], "more_body": True})
                    if len(rest) > _TRAILING:
                        break
                    if hearing.ended and not held:
                        lingering.reschedule(asyncio.get_running_loop().time() + _LINGERING)
        except TimeoutError:  # all was said: some endpoints keep the line open, and the client waits for the end
            log.debug("the model keeps the line open after its reply")
        except Fault as fault:  # too late for a status: OpenAI's clients also look for this in a stream
            rest += b"data: %s\n\n" % fault.body
        hearing.end()
        await self._keep(hearing)
        await send({"type": "http.response.body", "body": rest, "more_body": False})

    async def _pieces(self, response: httpx2.Response) -> AsyncGenerator[bytes, None]:
        try:
            async for piece in response.aiter_raw():
                yield piece
        except httpx2.HTTPError as cause:
            raise self._passage.way.trouble(self._passage.upstream, cause) from cause

    async def _keep(self, hearing: Hearing) -> None:
        """Keep what was said, once; the floor is left, whatever happens."""
        if self._kept or self._memory is None:
            return
        self._kept = True
        keeping = self._begun(self._keeping(self._memory, hearing))
        late = self._late and not self._memory.done()
        done, _ = await asyncio.wait({keeping}, timeout=_KEEPING_LATE if late else _KEEPING)
        if not done:
            log.warning("a turn takes long to be kept; the client gets the end of the reply before that")

    def _begun(self, work: Coroutine[Any, Any, Result]) -> asyncio.Future[Result]:
        """Begin `work`, which goes on whatever becomes of this request."""
        begun = asyncio.ensure_future(work)
        self._passage.unfinished.add(begun)
        begun.add_done_callback(self._passage.unfinished.discard)
        return begun

    async def _keeping(self, memory: asyncio.Future[Sitting | None], hearing: Hearing) -> None:
        sitting = await memory
        if sitting is None:
            return

        def keep() -> None:
            self._passage.listener.keep(sitting, hearing.text, whole=hearing.done, remembering=self._remembering)

        try:
            await to_thread.run_sync(keep, limiter=self._passage.threads)
        except Exception:  # the edge of memory: the reply is there, and the next request shows what was not kept
            log.exception("a turn could not be kept")
        finally:
            self._passage.listener.leave(sitting.floor)


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _tell(send: Send, fault: Fault) -> None:
    await _send(send, fault.status, [(b"content-type", b"application/json")], fault.body)


async def _send(send: Send, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def _about(sitting: Sitting | None) -> list[tuple[bytes, bytes]]:
    """Return headers that tell what memory did."""
    if sitting is None:
        return [(b"x-gieok-context", b"none; memory was not there in time")]
    context = sitting.context
    told = "none; nothing is known" if context is not None else "none; the request leaves no room for it"
    if context is not None and sitting.memory:
        told = f"{context.tokens} tokens; {len(context.items)} items"
    session = [(b"x-gieok-session", quote(sitting.session).encode())] if sitting.session is not None else []
    return [(b"x-gieok-context", told.encode()), *session]


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
            asked = (
                proxy_upstream.read(data) if len(data) < LARGE else await to_thread.run_sync(proxy_upstream.read, data)
            )
        except proxy_upstream.Unreadable as cause:
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
            yield from iter_scopes(store, own)
            yield from takewhile(lambda scope: scope.is_canon, iter_scopes(store))


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
