"""The whole server as one ASGI application, and running it, from the open socket to a clean stop.

It stops on SIGTERM and SIGINT: it takes no more requests, finishes the running ones and stops its services. A second
signal stops it at once; what was acknowledged is in the bank by then.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import os
import pickle
import shlex
import signal
import socket
import sys
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Final

import uvicorn
from fastapi import APIRouter, FastAPI, Request, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import Receive, Send
from starlette.types import Scope as AsgiScope

from gieok import mcp, web
from gieok.access.guard import Guard
from gieok.access.hosts import rules_of
from gieok.access.keys import RateLimiter
from gieok.bank import MemoryBank
from gieok.errors import CannotListen, EmbedderFailed, ErrorText, InvalidSetting
from gieok.http.bank import exported
from gieok.http.openapi import add_api_state, api_routes, reference_routes
from gieok.http.problems import Problem
from gieok.http.router import WholeBank
from gieok.http.webhooks import RetryPolicy, WebhookDispatcher
from gieok.proxy.routes import Proxy, proxy_routes
from gieok.proxy.upstream import ProxyError
from gieok.serve.front import RequestLog, RouteProbe, StrictHttpProtocol
from gieok.serve.metrics import MEDIA_TYPE, Metrics, of_workers
from gieok.serve.runtime import Late, Readiness, bound_threads, collecting_garbage, heartbeat, running, tune_interpreter
from gieok.serve.siblings import SiblingHttpProtocol, Siblings
from gieok.settings import Settings

if TYPE_CHECKING:
    from gieok.mcp.http import HttpDoor
    from gieok.web.routes import Pages


def operator_routes() -> APIRouter:
    routes = APIRouter(tags=["operations"])

    @routes.get("/healthz", summary="Is the process up?")
    async def healthz() -> dict[str, str]:
        """Return that the process is up. The bank is not asked."""
        return {"status": "up"}

    @routes.get(
        "/readyz",
        summary="Can it answer?",
        responses={503: {"description": "Not ready; the reasons are in `reasons`."}},
    )
    async def readyz(request: Request) -> Response:
        """Return whether requests can be answered: the bank answers and can be written to, and everything is loaded."""
        readiness: Readiness = request.app.state.readiness
        reasons = await readiness.reasons()
        if reasons:
            problem = Problem(status=503, title="Not ready", detail="; ".join(reasons), more={"reasons": reasons})
            return problem.response({"Retry-After": "2"})
        return Response('{"status":"ready"}', media_type="application/json")

    @routes.get("/metrics", summary="Get the metrics", response_class=Response)
    def metrics(request: Request, bank: WholeBank) -> Response:
        """Return the metrics of this server in the text format of Prometheus; of several workers, by `worker`."""
        known: Metrics = request.app.state.metrics
        siblings: Siblings | None = request.app.state.siblings
        if siblings is None:
            return Response(known.text(), media_type=MEDIA_TYPE)
        texts = {siblings.index: known.text(), **dict(siblings.ask("metrics"))}
        return Response(of_workers(texts), media_type=MEDIA_TYPE)

    return routes


def create_app(
    bank: MemoryBank,
    *,
    webhook_retry: RetryPolicy | None = None,
    pages: bool = False,
    siblings: Siblings | None = None,
) -> FastAPI:
    """Return the application that serves `bank`, without its guard; the caller closes the bank.

    The bank's own metrics are shown if its `watch` is a `Metrics`. `webhook_retry` is when failed deliveries
    are tried again. With `pages` it has the inspector, too, where that is installed; only one application in a process
    can. `siblings` are the other workers of the same server.
    """
    # FastAPI's own documentation pages load their scripts from the internet.
    app = FastAPI(
        title="gieok",
        summary="Long-term memory for AI characters. 기억.",
        version="1",
        docs_url=None,
        redoc_url=None,
        lifespan=_lifespan,
    )
    app.state.metrics = bank.watch if isinstance(bank.watch, Metrics) else Metrics()
    app.state.readiness = Readiness(bank)
    app.state.webhook_dispatcher = WebhookDispatcher(bank, webhook_retry)
    #: context managers that are entered while the server runs
    app.state.proxy = Proxy(bank)
    app.state.services = [aclosing(app.state.proxy), app.state.webhook_dispatcher.run()]
    add_api_state(app, bank)
    app.state.siblings = siblings
    if siblings is not None:
        _acquaint(app, siblings)

    app.router.routes.extend(_routes())
    # Both load half a second of libraries, which not every server is asked for.
    if mcp.is_installed():
        late = Late(lambda: _mcp_door(bank), lambda door: door.open())
        app.router.routes.append(Route(mcp.PATH, _Behind(late)))
        app.state.services.append(late.awaited("gieok-mcp"))
    if pages and web.is_installed():
        app.state.pages = _Pages(bank)
        app.router.routes.insert(0, app.state.pages)  # before the redirect from / to the reference
        app.state.services.append(app.state.pages.late.awaited("gieok-pages"))
        app.state.metrics.gauge("gieok_pages_open", "Pages of the inspector that are open", app.state.pages.count)

    app.add_middleware(RouteProbe)
    return app


def _mcp_door(bank: MemoryBank) -> HttpDoor:
    from gieok.mcp.http import HttpDoor

    return HttpDoor(bank)


class _Behind:
    """An application that is made at the first request."""

    def __init__(self, late: Late[HttpDoor]) -> None:
        self._late = late

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        await (await self._late.get())(scope, receive, send)


class _Pages(BaseRoute):
    """The route to the inspector, which is loaded when the first page is asked for."""

    def __init__(self, bank: MemoryBank) -> None:
        self.guard: Guard | None = None  #: set as soon as there is one
        self.late: Late[Pages] = Late(lambda: self._made(bank), lambda pages: pages.open())

    def _made(self, bank: MemoryBank) -> Pages:
        from gieok.web.routes import Pages

        assert self.guard is not None, "pages are never served without a guard"
        return Pages(bank, exported, self.guard)

    def matches(self, scope: AsgiScope) -> tuple[Match, AsgiScope]:
        if scope["type"] in ("http", "websocket") and web.is_page(scope["path"]):
            return Match.FULL, {"route": _PathTemplate(web.page_template(scope["path"]))}
        return Match.NONE, {}

    async def handle(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        await (await self.late.get())(scope, receive, send)

    def count(self) -> int:
        """Return how many pages are open."""
        if self.late.made is None:
            return 0
        from gieok.web.viewer import open_pages

        return open_pages()

    async def end_replies(self) -> None:
        if self.late.made is not None:
            await self.late.made.end_replies()


@dataclass(frozen=True, slots=True)
class _PathTemplate:
    path: str


def _acquaint(app: FastAPI, siblings: Siblings) -> None:
    """Have what one process alone would know asked of the other workers, too, and answer them."""
    state = app.state
    state.idempotency_locks.elsewhere = siblings.exclusively
    state.contexts.elsewhere = lambda context_id: next(
        (pickle.loads(found) for _, found in siblings.ask("context", context_id)),  # of our own process
        None,
    )
    state.webhook_dispatcher.tell_others = lambda: deque(siblings.ask("webhooks"), maxlen=0)

    async def metrics(_: str) -> bytes:
        text: bytes = state.metrics.text()
        return text

    async def context(context_id: str) -> bytes:
        known = state.contexts.known(context_id)
        return b"" if known is None else pickle.dumps(known)

    async def webhooks(_: str) -> bytes:
        await asyncio.to_thread(state.webhook_dispatcher.refresh)
        return b"known"

    siblings.answers.update(metrics=metrics, context=context, webhooks=webhooks)


#: FastAPI prepares a route when it is first matched: at the first request that would take a tenth of a second.
_NOWHERE: Final = {
    "type": "http", "method": "GET", "path": "/nowhere", "root_path": "", "headers": [], "query_string": b"",
}  # fmt: skip


@cache
def _routes() -> Sequence[BaseRoute]:
    """Return the routes of all rooms, made once: they hold nothing of the application that includes them."""
    # Not as routers in a router: FastAPI would look for every route twice. They are tried in this order.
    chats, *passed_on = proxy_routes().routes
    return (chats, *api_routes(), *passed_on, *operator_routes().routes, *reference_routes().routes)


def prepare() -> None:
    """Make what all applications share, so that workers need not."""
    for route in _routes():
        route.matches(_NOWHERE)


def guarded_app(app: FastAPI) -> RequestLog:
    """Return `app` as it is served: behind the guard, with a log line for every request, refused ones too."""
    bank: MemoryBank = app.state.bank
    settings = bank.settings
    pages: _Pages | None = getattr(app.state, "pages", None)
    siblings: Siblings | None = app.state.siblings
    guard = Guard(
        app,
        bank.store.server,
        settings=settings,
        address=settings.serve_host,
        refused=lambda no: Problem(status=no.status, title=no.title, detail=no.detail).response(no.headers),
        openai_refused=lambda no: Response(
            ProxyError(
                no.status, no.detail, kind="invalid_request_error", code=no.title.lower().replace(" ", "_")
            ).body,
            status_code=no.status,
            headers=no.headers,
            media_type="application/json",
        ),
        is_page=web.is_page if pages is not None else lambda path: False,
        pace=None if siblings is None else RateLimiter(buckets=siblings.buckets, alone=siblings.counting),
    )
    if pages is not None:
        pages.guard = guard
    return RequestLog(guard, metrics=app.state.metrics, log_text=settings.serve_log_text)


behind_the_guard = guarded_app  #: its name in 0.1.0


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Run the services of the application; what was started last is stopped first."""
    state = app.state
    for route in app.routes:
        route.matches(_NOWHERE)
    bound_threads(state.bank.settings.serve_threads, state.metrics)
    state.metrics.gauge(
        "gieok_webhook_letters_waiting", "Deliveries that wait", lambda: state.webhook_dispatcher.waiting
    )
    async with AsyncExitStack() as opened:
        opened.callback(state.readiness.close)
        await opened.enter_async_context(running(heartbeat(state.metrics.beat), "gieok-heartbeat"))
        for each in state.services:
            await opened.enter_async_context(each)
        await opened.enter_async_context(_warming(state.bank, state.readiness))
        yield
        state.readiness.stopping = True


@asynccontextmanager
async def _warming(bank: MemoryBank, readiness: Readiness) -> AsyncIterator[None]:
    """Load morphology and encoder; the server is not ready before."""

    def warm() -> None:
        with suppress(EmbedderFailed):  # until it answers, keyword search alone is used
            bank.warm()
        readiness.warmed = True

    warming = asyncio.create_task(asyncio.to_thread(warm))
    try:
        yield
    finally:
        await warming


_STOP_SECONDS: Final = 10  #: that streams have to end
_THREAD_SECONDS: Final = 2.0  #: that threads have to end
_LONGEST_MESSAGE: Final = 1_048_576  #: bytes of a websocket message
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def open_socket(host: str, port: int, *, command: str) -> socket.socket:
    """Return a socket that is bound to an address, but does not accept connections yet.

    Raises `CannotListen`; its text suggests `command` with another port ("gieok serve --port").
    """
    try:
        family, kind, number, _, address = socket.getaddrinfo(
            host.strip("[]"), port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, kind, number)
        try:
            if os.name == "posix":
                opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            opened.bind(address)
        except OSError:
            opened.close()
            raise
    except OSError as cause:
        raise CannotListen(_bind_error_text(cause, host, port, command)) from cause
    return opened


def sockets_of_workers(door: socket.socket, count: int) -> list[socket.socket]:
    """Return a socket for each worker, all bound to the address of `door`, which is closed.

    Linux spreads connections over them. If the workers shared one, the first that woke up would take all that wait.
    Elsewhere the workers share `door`. Raises `CannotListen` if another process takes the address in between.
    """
    if sys.platform != "linux":
        return [door] * count
    address = door.getsockname()
    door.close()
    found = []
    for _ in range(count):
        found.append(socket.socket(door.family, door.type, door.proto))
        found[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found[-1].setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        try:
            found[-1].bind(address)
        except OSError as cause:
            for each in found:
                each.close()
            raise CannotListen(_bind_error_text(cause, address[0], address[1], "gieok serve --port")) from cause
    return found


def _bind_error_text(error: OSError, host: str, port: int, command: str) -> str:
    if error.errno == errno.EADDRINUSE:
        other = f"{command} {port + 1 if port < 65_535 else 8420}"
        return ErrorText("serve.port_in_use", port=port, other=other)
    if error.errno == errno.EACCES:
        return ErrorText("serve.port_rights", port=port, command=command)
    return ErrorText("serve.address", host=host, cause=error.strerror or error)


def keys_required(settings: Settings) -> bool:
    """Whether callers need a key: they do when other machines can reach the server. Raises `InvalidSetting`."""
    return rules_of(settings, settings.serve_host).keys_required


def check_keys(bank: MemoryBank) -> None:
    """Raise `CannotListen` where callers need a key and none exists."""
    if keys_required(bank.settings) and all(key.revoked_at is not None for key in bank.store.server.access_keys()):
        raise CannotListen(ErrorText("serve.no_keys", bank=shlex.quote(bank.settings.bank_shown)))


def check_tls(settings: Settings) -> None:
    """Raise `InvalidSetting` where certificate and key do not go together."""
    if (settings.serve_tls_cert is None) != (settings.serve_tls_key is None):
        raise InvalidSetting(ErrorText("serve.tls_pair"))
    if settings.serve_tls_cert is None:
        return
    import ssl

    files = settings.serve_tls_cert, settings.serve_tls_key
    for file in filter(None, files):
        if not os.access(file, os.R_OK):
            raise InvalidSetting(ErrorText("serve.tls_unreadable", file=file))
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.serve_tls_cert, settings.serve_tls_key)
    except (OSError, ValueError) as cause:
        named = ", ".join(filter(None, files))
        raise InvalidSetting(ErrorText("serve.tls_failed", named=named, cause=cause)) from cause


def serve(
    bank: MemoryBank,
    listener: socket.socket,
    *,
    opened: Callable[[], None],
    closing: Callable[[], None],
    siblings: Siblings | None = None,
    parent: int | None = None,
) -> None:
    """Serve `bank` until a signal comes; the caller closes the bank.

    `opened` is called once requests are accepted, `closing` when no more are, while the last ones are answered. Among
    `siblings` it also stops when the descriptor `parent` ends, and the first one alone has pages.
    """
    first = siblings is None or siblings.index == 0
    app = create_app(bank, pages=first, siblings=siblings)
    settings = bank.settings
    front = guarded_app(app)
    app.state.services.append(collecting_garbage(lambda: front.running))
    StrictHttpProtocol.most_connections = settings.serve_connections
    http = type("HttpProtocol", (SiblingHttpProtocol,), {"siblings": siblings}) if siblings else StrictHttpProtocol
    config = uvicorn.Config(
        front,
        http=http,
        access_log=False,
        log_config=None,
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        ws_max_size=_LONGEST_MESSAGE,
        timeout_graceful_shutdown=_STOP_SECONDS,
        ssl_certfile=settings.serve_tls_cert,
        ssl_keyfile=settings.serve_tls_key,
    )
    tune_interpreter()
    _Server(config, app, opened=opened, closing=closing, parent=parent).run(sockets=[listener])


def exit_process() -> None:
    """End the process, even if a thread hangs: the bank is closed, so nothing can be lost."""
    until = time.monotonic() + _THREAD_SECONDS
    others = [each for each in threading.enumerate() if each is not threading.current_thread() and not each.daemon]
    for thread in others:
        thread.join(max(until - time.monotonic(), 0.0))
    if any(thread.is_alive() for thread in others):
        logging.shutdown()
        os._exit(0)


class _Server(uvicorn.Server):
    def __init__(
        self,
        config: uvicorn.Config,
        app: FastAPI,
        *,
        opened: Callable[[], None],
        closing: Callable[[], None],
        parent: int | None,
    ) -> None:
        super().__init__(config)
        self._app, self._opened, self._closing, self._parent = app, opened, closing, parent

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        siblings: Siblings | None = self._app.state.siblings
        if siblings is not None:
            self.servers.append(await siblings.listen(self._connection))
        if self._parent is not None:
            asyncio.get_running_loop().add_reader(self._parent, self._orphaned, self._parent)
        await asyncio.to_thread(self._opened)

    def _connection(self) -> StrictHttpProtocol:
        """Return what serves a connection that another worker accepted."""
        return StrictHttpProtocol(self.config, self.server_state, self.lifespan.state)

    def _orphaned(self, parent: int) -> None:
        asyncio.get_running_loop().remove_reader(parent)
        self._app.state.readiness.stopping = self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await asyncio.to_thread(self._closing)
        await self._app.state.replies.close()  # connections stay open as long as a reply runs
        if (pages := getattr(self._app.state, "pages", None)) is not None:
            await pages.end_replies()
        await super().shutdown(sockets)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        if self.should_exit and self._parent is None:  # a worker is ended by its parent
            os._exit(128 + sig)
        self._app.state.readiness.stopping = True
        self.should_exit = True

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Handle signals meanwhile. They are not raised again afterwards: a requested stop is no failure."""
        signals = _SIGNALS if self._parent is None else (signal.SIGTERM,)
        before = {each: signal.signal(each, self.handle_exit) for each in signals}
        try:
            yield
        finally:
            for each, handler in before.items():
                signal.signal(each, handler)
