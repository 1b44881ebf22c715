"""One chat passed on: what comes back goes to the client as it comes, and is kept before the client hears the end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Coroutine
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from urllib.parse import quote

import httpx2
from anyio import CapacityLimiter, to_thread
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from gieok.bank.models import Upstream
from gieok.proxy.body import Asked
from gieok.proxy.faults import Fault
from gieok.proxy.hearing import Hearing
from gieok.proxy.listening import Chat, Listener, Sitting
from gieok.proxy.sessions import Place
from gieok.proxy.upstream import Headers, Way, returned

Result = TypeVar("Result")

log = logging.getLogger(__name__)

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


class Relay(Response):
    """Answers a chat with whatever the model answers."""

    def __init__(self, passage: Passage) -> None:
        super().__init__()
        self._passage = passage
        self._memory: asyncio.Future[Sitting | None] | None = None
        self._late = False
        self._remembering = False
        self._kept = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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
