"""The versioned JSON API, `/v1`, as one router."""

from __future__ import annotations

from fastapi import APIRouter, FastAPI

from gieok.bank import MemoryBank
from gieok.http import banks, chat, journal, living, memories, recalling, trace, turns, upkeep, webhooks
from gieok.http.contexts import Contexts
from gieok.http.describing import describe
from gieok.http.once import UnderWay
from gieok.http.problems import tell_problems


def api_routes() -> APIRouter:
    """Return every route of the API."""
    routes = APIRouter()
    for each in (turns, trace, recalling, memories, living, journal, upkeep, banks, chat, webhooks):
        routes.include_router(each.routes)
    return routes


def furnish(app: FastAPI, bank: MemoryBank) -> None:
    """Put into `app` what the routes of the API need beside it: problems, the document, what is kept for a while."""
    app.state.bank = bank
    app.state.contexts = Contexts(now=bank.clock.now)
    app.state.under_way = UnderWay()
    tell_problems(app)
    describe(app)
