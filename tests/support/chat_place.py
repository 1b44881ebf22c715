"""A bank with a model, and servers over it that people chat through."""

from __future__ import annotations

from contextlib import ExitStack
from threading import Event
from typing import Any

from fastapi import FastAPI

import gieok
from gieok.access.caller import Caller, let_in
from gieok.domain.server_state import AccessKey, Bounds
from gieok.http.chat import Replies
from gieok.serve.app import create_app
from gieok.testing import day
from support.chatting import Chatter
from support.serving import served

KEYS = {
    name: AccessKey(id=name, name=name, role=role, digest="", bounds=bounds, created_at=day(1))
    for name, role, bounds in (
        ("mine", "writer", ()),
        ("other", "writer", ()),
        ("reading", "reader", ()),
        ("letia-only", "writer", (Bounds(character="letia"),)),
        ("noa-only", "reader", (Bounds(character="noa"),)),
    )
}


def guarded(app: FastAPI) -> Any:
    """Let everybody in, by the key that they name, as the guard does with keys it has checked."""

    async def guard(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            named = dict(scope["headers"]).get(b"x-key", b"").decode()
            let_in(scope, Caller(key=KEYS.get(named)))
        await app(scope, receive, send)

    return guard


class Place:
    """A bank with a model, and servers over it."""

    def __init__(self, bank: gieok.MemoryBank, rooms: ExitStack) -> None:
        self.bank = bank
        self._rooms = rooms

    def serve(self, **replies: Any) -> Chatter:
        """Start a server of its own; what another one remembers of replies is not known to it."""
        app = create_app(self.bank)
        app.state.replies = Replies(**replies)

        @app.post("/stop")
        async def stop() -> None:
            await app.state.replies.close(0.05)

        url = self._rooms.enter_context(served(guarded(app)))
        return self._rooms.enter_context(Chatter(url))

    @property
    def letia(self) -> gieok.Mind:
        return self.bank.scope(user="minsu", character="letia")

    def lines(self) -> list[str]:
        return [said.text for turn in self.letia.turns() for said in turn.utterances]

    def when_kept(self) -> Event:
        """Return an event that is set as soon as something is remembered."""
        kept = Event()
        self.bank.on("memory.remembered", lambda _: kept.set())
        return kept
