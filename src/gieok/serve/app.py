"""The whole server as one ASGI application."""

from __future__ import annotations

from fastapi import FastAPI

from gieok.bank import MemoryBank
from gieok.http import chat, trace
from gieok.http.api import api_routes, furnish


def create_app(bank: MemoryBank) -> FastAPI:
    """Return the application that serves `bank`; whoever made the bank closes it."""
    # FastAPI's pages of documents fetch their scripts from elsewhere; /openapi.json is all that is needed.
    app = FastAPI(
        title="gieok", summary="Long-term memory for AI characters. 기억.", version="1", docs_url=None, redoc_url=None
    )
    furnish(app, bank)
    app.include_router(api_routes())
    app.include_router(chat.router)
    app.include_router(trace.router)
    return app
