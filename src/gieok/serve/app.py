"""The whole server as one ASGI application."""

from __future__ import annotations

from fastapi import FastAPI

from gieok.bank import MemoryBank
from gieok.errors import GieokError
from gieok.http import chat, problems, trace


def create_app(bank: MemoryBank) -> FastAPI:
    """Return the application that serves `bank`; whoever made the bank closes it."""
    app = FastAPI(title="gieok", summary="Long-term memory for AI characters. 기억.", version="1")
    app.state.bank = bank
    app.add_exception_handler(GieokError, problems.told)
    app.include_router(chat.router)
    app.include_router(trace.router)
    return app
