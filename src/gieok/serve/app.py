"""The whole server as one ASGI application."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import cache

from fastapi import FastAPI
from fastapi.responses import Response
from starlette.routing import BaseRoute, Route

from gieok import mcp, web
from gieok.access.guard import guarded, nothing_is_a_page
from gieok.bank import MemoryBank
from gieok.errors import EmbedderFailed
from gieok.http.describing import api_routes, furnish
from gieok.http.exporting import exported
from gieok.http.post_office import PostOffice
from gieok.http.postman import Trying
from gieok.http.problems import Problem
from gieok.http.reference import reference_routes
from gieok.proxy.faults import Fault
from gieok.proxy.routes import proxy_routes, proxying
from gieok.serve.front import Front, Inside
from gieok.serve.metrics import Metrics
from gieok.serve.standing import Standing, operator_routes
from gieok.serve.threads import bound_threads, heartbeat


def create_app(bank: MemoryBank, *, trying: Trying | None = None, pages: bool = False) -> FastAPI:
    """Return the application that serves `bank`, without its guard; whoever made the bank closes it.

    The bank's own figures are shown if its `watch` is a `Metrics`. `trying` is when letters to webhooks are sent again.
    With `pages` there is the inspector, too, where it is installed; only one application in a process can have it.
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
    app.state.post_office = PostOffice(bank, trying)
    app.state.meanwhile = [proxying(app), app.state.post_office.open()]  #: what is entered while the server runs
    furnish(app, bank)

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
    from gieok.mcp.over_http import PATH, HttpDoor

    door = HttpDoor(app.state.bank)
    app.router.routes.append(Route(PATH, door))
    app.state.meanwhile.append(door.open())


def _add_pages(app: FastAPI) -> None:
    from gieok.web.mounting import Pages

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
        is_page=pages.is_page if pages is not None else nothing_is_a_page,
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
    state.metrics.gauge("gieok_webhook_letters_waiting", "Letters on their way", lambda: state.post_office.waiting)
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
