"""The whole server as one ASGI application."""

from __future__ import annotations

import asyncio
import gc
import os
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, ParamSpec, TypeVar

import anyio.to_thread
from fastapi import APIRouter, FastAPI, Request
from fastapi import Response as Response__fastapi
from fastapi.responses import Response
from starlette.routing import BaseRoute, Route

from gieok import mcp, web
from gieok.access.guard import guarded, no_pages
from gieok.bank import MemoryBank
from gieok.errors import EmbedderFailed, GieokError
from gieok.http.bank import exported
from gieok.http.dependencies import WholeBank
from gieok.http.openapi import add_api_state, api_routes, reference_routes
from gieok.http.problems import Problem
from gieok.http.webhook_dispatcher import RetryPolicy, WebhookDispatcher
from gieok.proxy.routes import proxy_routes, proxying
from gieok.proxy.upstream import Fault
from gieok.serve.front import Front, Inside
from gieok.serve.metrics import MEDIA_TYPE, Metrics

_PATIENCE: Final = 2.0  #: seconds that the bank has to answer
_ROOM: Final = 16 * 1024 * 1024  #: bytes that the disk must have left


@dataclass(slots=True)
class Standing:
    """How a server is."""

    bank: MemoryBank
    warmed: bool = False
    stopping: bool = False
    #: one of its own: a look at the bank neither waits behind requests nor piles up
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "gieok-ready"))
    _look: asyncio.Future[list[str]] | None = None

    async def reasons(self) -> list[str]:
        """Return why it is not ready, in words; nothing: it is."""
        if self.stopping:
            return ["the server is stopping"]
        found = [] if self.warmed else ["morphology and encoder are being loaded"]
        if self._look is None or self._look.done():
            self._look = asyncio.get_running_loop().run_in_executor(self._thread, _troubles, self.bank)
        try:
            return found + await asyncio.wait_for(asyncio.shield(self._look), _PATIENCE)
        except TimeoutError:
            return [*found, f"the bank did not answer within {_PATIENCE:g} s"]

    def stop(self) -> None:
        """Say from now on that it is not ready, so that nobody new is sent here."""
        self.stopping = True

    def close(self) -> None:
        self._thread.shutdown(wait=False)


def _troubles(bank: MemoryBank) -> list[str]:
    try:
        bank.store.desk.webhooks()
        bank.store.desk.count_uses(datetime.now(UTC).date().isoformat(), {})  # writes nothing, but the writer answers
    except GieokError as trouble:
        return [f"the bank cannot be used ({type(trouble).__name__})"]
    return _disk_troubles(Path(bank.settings.bank))


def _disk_troubles(bank: Path) -> list[str]:
    folder = bank.resolve().parent
    if not folder.is_dir():
        return []  # not a file of ours: a server keeps it
    if not os.access(folder, os.W_OK) or (bank.exists() and not os.access(bank, os.W_OK)):
        return ["the bank's folder cannot be written to"]
    if shutil.disk_usage(folder).free < _ROOM:
        return ["the disk is full"]
    return []


def operator_routes() -> APIRouter:
    """Return /healthz and /readyz, which anybody may ask, and /metrics."""
    routes = APIRouter(tags=["operations"])

    @routes.get("/healthz", summary="Is the process up?")
    async def healthz() -> dict[str, str]:
        """Say that the process is up. The bank is not asked."""
        return {"status": "up"}

    @routes.get(
        "/readyz",
        summary="Can it answer?",
        responses={503: {"description": "Not ready; the reasons are in `reasons`."}},
    )
    async def readyz(request: Request) -> Response__fastapi:
        """Say whether requests can be answered: the bank answers and can be written to, and all is loaded."""
        standing = request.app.state.standing
        assert isinstance(standing, Standing)
        reasons = await standing.reasons()
        if reasons:
            told = Problem(status=503, title="Not ready", detail="; ".join(reasons), more={"reasons": reasons})
            return told.response({"Retry-After": "2"})
        return Response__fastapi('{"status":"ready"}', media_type="application/json")

    @routes.get("/metrics", summary="The figures", response_class=Response__fastapi)
    def metrics(request: Request, bank: WholeBank) -> Response__fastapi:
        """Give the figures of this server in the text form of Prometheus."""
        figures = request.app.state.metrics
        assert isinstance(figures, Metrics)
        return Response__fastapi(figures.text(), media_type=MEDIA_TYPE)

    return routes


Given = ParamSpec("Given")
Result = TypeVar("Result")
_BEAT: Final = 0.01  #: seconds
_NEVER: Final = 1_000_000  #: younger collections until the interpreter looks through everything by itself


class Pool(ThreadPoolExecutor):
    """Threads for what the event loop hands on. It is not waited for: the bank, when it closes, hangs up on models."""

    def __init__(self, threads: int) -> None:
        super().__init__(threads, thread_name_prefix="gieok-serve")
        self.waiting = 0

    def submit(self, fn: Callable[Given, Result], /, *args: Given.args, **kwargs: Given.kwargs) -> Future[Result]:
        self.waiting += 1

        def begun() -> Result:
            self.waiting -= 1
            return fn(*args, **kwargs)

        future = super().submit(begun)
        future.add_done_callback(self._given_up)
        return future

    def _given_up(self, future: Future[Any]) -> None:
        if future.cancelled():  # only what has not begun can be
            self.waiting -= 1

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=cancel_futures)


def bound_threads(threads: int, metrics: Metrics) -> None:
    """Have the running event loop use no more than `threads` for requests, and as many for what streams."""
    limiter = anyio.to_thread.current_default_thread_limiter()
    limiter.total_tokens = threads
    pool = Pool(threads)
    asyncio.get_running_loop().set_default_executor(pool)

    def waiting() -> Any:
        return limiter.statistics().tasks_waiting + pool.waiting

    metrics.gauge("gieok_queue_depth", "Work that waits for a thread", waiting)
    metrics.gauge("gieok_threads_busy", "Requests that are worked on", lambda: limiter.borrowed_tokens)


@asynccontextmanager
async def heartbeat(beat: Callable[[float, float], None]) -> AsyncIterator[None]:
    """Call `beat` again and again with how late it was, and for how long of that no processor was free."""
    beating = asyncio.create_task(_beat(beat), name="gieok-heartbeat")
    try:
        yield
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating


async def _beat(beat: Callable[[float, float], None]) -> None:
    loop, queue = asyncio.get_running_loop(), RunQueue()
    try:
        while True:
            begun, waited = loop.time(), queue.waited()
            await asyncio.sleep(_BEAT)
            late = max(loop.time() - begun - _BEAT, 0.0)
            beat(late, min(queue.waited() - waited, late))
    finally:
        queue.close()


class RunQueue:
    """How long this thread has waited for a processor so far; 0 where the system does not tell."""

    def __init__(self) -> None:
        self._file: int | None = None
        with suppress(OSError):
            self._file = os.open(f"/proc/self/task/{threading.get_native_id()}/schedstat", os.O_RDONLY)

    def waited(self) -> float:
        if self._file is None:
            return 0.0
        try:
            return int(os.pread(self._file, 100, 0).split()[1]) / 1e9
        except (OSError, IndexError, ValueError):
            return 0.0

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweeps:
    """How often, in seconds."""

    look: float = 1.0
    idle: float = 30.0  #: … at the most, when nobody is there
    busy: float = 600.0  #: … when somebody always is


@asynccontextmanager
async def sweeping(visitors: Callable[[], int], sweeps: Sweeps | None = None) -> AsyncIterator[None]:
    """Sweep meanwhile; `visitors` says how many wait for an answer."""
    before = gc.get_threshold()
    gc.set_threshold(before[0], before[1], _NEVER)
    task = asyncio.create_task(_sweep(visitors, sweeps or Sweeps()), name="gieok-sweeping")
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
        gc.set_threshold(*before)


async def _sweep(visitors: Callable[[], int], sweeps: Sweeps) -> None:
    loop = asyncio.get_running_loop()
    last = loop.time()
    while True:
        await asyncio.sleep(sweeps.look)
        if loop.time() - last >= (sweeps.busy if visitors() else sweeps.idle):
            gc.collect()
            last = loop.time()


def create_app(bank: MemoryBank, *, webhook_retry: RetryPolicy | None = None, pages: bool = False) -> FastAPI:
    """Return the application that serves `bank`, without its guard; whoever made the bank closes it.

    The bank's own figures are shown if its `watch` is a `Metrics`. `webhook_retry` is when failed deliveries
    are tried again. With `pages` it has the inspector, too, where that is installed; only one application in a process
    can.
    """
    # FastAPI's own pages of documents fetch their scripts from elsewhere.
    app = FastAPI(
        title="gieok",
        summary="Long-term memory for AI characters. 기억.",
        version="1",
        docs_url=None,
        redoc_url=None,
        lifespan=_meanwhile,
    )
    app.state.metrics = bank.watch if isinstance(bank.watch, Metrics) else Metrics()
    app.state.standing = Standing(bank)
    app.state.webhook_dispatcher = WebhookDispatcher(bank, webhook_retry)
    app.state.meanwhile = [proxying(app), app.state.webhook_dispatcher.run()]  #: what is entered while the server runs
    add_api_state(app, bank)

    app.router.routes.extend(_routes())
    if mcp.is_installed():
        _add_mcp(app)
    if pages and web.is_installed():
        _add_pages(app)

    app.add_middleware(Inside)
    return app


@cache
def _routes() -> Sequence[BaseRoute]:
    """Return the routes of all rooms, laid out once: they hold nothing of the application that they stand in."""
    laid_out = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    laid_out.include_router(proxy_routes())  # first: a chat waits, and every route before its own is tried
    laid_out.include_router(api_routes())
    laid_out.include_router(operator_routes())
    laid_out.include_router(reference_routes())
    return tuple(laid_out.routes)


def _add_mcp(app: FastAPI) -> None:
    from gieok.mcp.http import PATH, HttpDoor

    door = HttpDoor(app.state.bank)
    app.router.routes.append(Route(PATH, door))
    app.state.meanwhile.append(door.open())


def _add_pages(app: FastAPI) -> None:
    from gieok.web.mount import Pages

    app.state.pages = Pages(app.state.bank, exported)
    app.router.routes.insert(0, app.state.pages)  # before the way from / to the reference
    app.state.meanwhile.append(app.state.pages.open())


def behind_the_guard(app: FastAPI) -> Front:
    """Return `app` as it is served: behind the guard, whose refusals have their line in the log, too."""
    bank: MemoryBank = app.state.bank
    settings = bank.settings
    pages = getattr(app.state, "pages", None)
    guard = guarded(
        app,
        bank.store.desk,
        settings=settings,
        address=settings.serve_host,
        refused=lambda no: Problem(status=no.status, title=no.title, detail=no.detail).response(no.headers),
        openai_refused=lambda no: Response(
            Fault(no.status, no.detail, kind="invalid_request_error", code=no.title.lower().replace(" ", "_")).body,
            status_code=no.status,
            headers=no.headers,
            media_type="application/json",
        ),
        is_page=pages.is_page if pages is not None else no_pages,
    )
    if pages is not None:
        pages.door = guard
    return Front(guard, metrics=app.state.metrics, log_text=settings.serve_log_text)


@asynccontextmanager
async def _meanwhile(app: FastAPI) -> AsyncIterator[None]:
    """Do what goes on while the server runs; what was opened last is closed first."""
    state = app.state
    _lay_out_routes(app)
    bound_threads(state.bank.settings.serve_threads, state.metrics)
    if (pages := getattr(state, "pages", None)) is not None:
        state.metrics.gauge("gieok_pages_open", "Pages of the inspector that are open", lambda: pages.opened)
    state.metrics.gauge(
        "gieok_webhook_letters_waiting", "Deliveries that wait", lambda: state.webhook_dispatcher.waiting
    )
    async with AsyncExitStack() as opened:
        opened.callback(state.standing.close)
        await opened.enter_async_context(heartbeat(state.metrics.beat))
        for each in state.meanwhile:
            await opened.enter_async_context(each)
        await opened.enter_async_context(_warming(state.bank, state.standing))
        yield
        state.standing.stopping = True


def _lay_out_routes(app: FastAPI) -> None:
    """Have FastAPI work out now what it would at the first request, which takes a tenth of a second for all routes."""
    nowhere = {"type": "http", "method": "GET", "path": "/nowhere", "root_path": "", "headers": [], "query_string": b""}
    for route in app.routes:
        route.matches(nowhere)


@asynccontextmanager
async def _warming(bank: MemoryBank, standing: Standing) -> AsyncIterator[None]:
    """Load what takes long, unless that is done; readiness waits for it."""

    def warm() -> None:
        with suppress(EmbedderFailed):  # words alone are searched until it answers
            bank.warm()
        standing.warmed = True

    warming = asyncio.create_task(asyncio.to_thread(warm))
    try:
        yield
    finally:
        await warming


_LINES: Final = (
    ("나 고양이 좋아해. 이름은 코코야!", "저도 고양이 좋아해요!"),
    ("어제 부산에 다녀왔는데 너무 좋았어 ㅎㅎ", "와, 부산이요? 뭐가 제일 좋았어요?"),
    ("I moved to Seoul last week and I'm allergic to peanuts.", "Noted! No peanuts for you."),
)
#: Seconds after which a thread that computes lets the event loop have the interpreter; Python's own 5 ms add up to
#: lags that callers notice when several threads are at work.
_TURN: Final = 0.001


def rehearse(bank: MemoryBank) -> None:
    """Load everything that serving `bank` takes. Nothing is written to it, and no model is asked."""
    with TemporaryDirectory(prefix="gieok-rehearsal-") as folder:
        stage = str(Path(folder) / "stage.db")
        with MemoryBank(bank.settings.for_a_trial(stage), embedder=bank.embedder) as staged:
            mind = staged.scope(user="관객", character="레티아")
            for text, reply in _LINES:
                mind.observe(text, reply=reply)
            mind.recall("지난주에 내가 뭘 좋아한다고 했지?")
            mind.context("우리 고양이 이름이 뭐였지?")
            mind.maintain()


def settle_interpreter() -> None:
    """Have the interpreter hold up the event loop as little as can be."""
    sys.setswitchinterval(_TURN)
    gc.collect()
    gc.freeze()  # what is loaded stays: looking through it again and again would stop everything for tens of ms
