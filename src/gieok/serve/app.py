"""The whole server as one ASGI application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import cache

from fastapi import APIRouter, FastAPI, Request, Response
from starlette.routing import BaseRoute, Route

from gieok import mcp, web
from gieok.access.guard import Guard
from gieok.bank import MemoryBank
from gieok.errors import EmbedderFailed
from gieok.http.bank import exported
from gieok.http.dependencies import WholeBank
from gieok.http.openapi import add_api_state, api_routes, reference_routes
from gieok.http.problems import Problem
from gieok.http.webhook_dispatcher import RetryPolicy, WebhookDispatcher
from gieok.proxy.routes import proxy_routes, proxying
from gieok.proxy.upstream import ProxyError
from gieok.serve.front import RequestLog, RouteProbe
from gieok.serve.metrics import MEDIA_TYPE, Metrics
from gieok.serve.runtime import Readiness, bound_threads, heartbeat


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
        readiness = request.app.state.readiness
        assert isinstance(readiness, Readiness)
        reasons = await readiness.reasons()
        if reasons:
            problem = Problem(status=503, title="Not ready", detail="; ".join(reasons), more={"reasons": reasons})
            return problem.response({"Retry-After": "2"})
        return Response('{"status":"ready"}', media_type="application/json")

    @routes.get("/metrics", summary="Get the metrics", response_class=Response)
    def metrics(request: Request, bank: WholeBank) -> Response:
        """Return the metrics of this server in the text format of Prometheus."""
        known = request.app.state.metrics
        assert isinstance(known, Metrics)
        return Response(known.text(), media_type=MEDIA_TYPE)

    return routes


def create_app(bank: MemoryBank, *, webhook_retry: RetryPolicy | None = None, pages: bool = False) -> FastAPI:
    """Return the application that serves `bank`, without its guard; the caller closes the bank.

    The bank's own metrics are shown if its `watch` is a `Metrics`. `webhook_retry` is when failed deliveries
    are tried again. With `pages` it has the inspector, too, where that is installed; only one application in a process
    can.
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
    app.state.services = [proxying(app), app.state.webhook_dispatcher.run()]
    add_api_state(app, bank)

    app.router.routes.extend(_routes())
    if mcp.is_installed():
        from gieok.mcp.http import PATH, HttpDoor

        endpoint = HttpDoor(bank)
        app.router.routes.append(Route(PATH, endpoint))
        app.state.services.append(endpoint.open())
    if pages and web.is_installed():
        from gieok.web.routes import Pages
        from gieok.web.viewer import open_pages

        app.state.pages = Pages(bank, exported)
        app.router.routes.insert(0, app.state.pages)  # before the redirect from / to the reference
        app.state.services.append(app.state.pages.open())
        app.state.metrics.gauge("gieok_pages_open", "Pages of the inspector that are open", open_pages)

    app.add_middleware(RouteProbe)
    return app


@cache
def _routes() -> Sequence[BaseRoute]:
    """Return the routes of all rooms, made once: they hold nothing of the application that includes them."""
    made = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    made.include_router(proxy_routes())  # first: matching tries the routes in order, and chats should be fast
    made.include_router(api_routes())
    made.include_router(operator_routes())
    made.include_router(reference_routes())
    return tuple(made.routes)


def guarded_app(app: FastAPI) -> RequestLog:
    """Return `app` as it is served: behind the guard, with a log line for every request, refused ones too."""
    bank: MemoryBank = app.state.bank
    settings = bank.settings
    pages = getattr(app.state, "pages", None)
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
        is_page=pages.is_page if pages is not None else lambda path: False,
    )
    if pages is not None:
        pages.guard = guard
    return RequestLog(guard, metrics=app.state.metrics, log_text=settings.serve_log_text)


behind_the_guard = guarded_app  #: its name in 0.1.0


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    """Run the services of the application; what was started last is stopped first."""
    state = app.state
    # FastAPI prepares a route when it is first matched: at the first request that would take a tenth of a second.
    nowhere = {"type": "http", "method": "GET", "path": "/nowhere", "root_path": "", "headers": [], "query_string": b""}
    for route in app.routes:
        route.matches(nowhere)
    bound_threads(state.bank.settings.serve_threads, state.metrics)
    state.metrics.gauge(
        "gieok_webhook_letters_waiting", "Deliveries that wait", lambda: state.webhook_dispatcher.waiting
    )
    async with AsyncExitStack() as opened:
        opened.callback(state.readiness.close)
        await opened.enter_async_context(heartbeat(state.metrics.beat))
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
