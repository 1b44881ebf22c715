"""MCP over streamable HTTP, as one path of a server or as a local application."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from typing import Final

from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import Receive, Send
from starlette.types import Scope as Connection

from gieok.access.caller import Caller, let_in
from gieok.bank import MemoryBank
from gieok.mcp import PATH as PATH
from gieok.mcp.server import mcp_server
from gieok.mcp.tools import Place, guarded_caller

_LOOPBACK: Final = ("127.0.0.1", "localhost", "[::1]")
#: accept loopback host names only, and reject web pages of other origins
_LOOPBACK_ONLY: Final = TransportSecuritySettings(
    allowed_hosts=[f"{name}:*" for name in _LOOPBACK], allowed_origins=[f"http://{name}:*" for name in _LOOPBACK]
)
_CHECKED_BEFORE: Final = TransportSecuritySettings(enable_dns_rebinding_protection=False)


class HttpDoor:
    """An ASGI application for one path. It works while `open` is entered.

        door = HttpDoor(bank)
        app.router.routes.append(Route(PATH, door))   # a mount would redirect /mcp
        async with door.open(): ...                    # in the lifespan of `app`

    No session is kept: every request has the rights of its own key. The application in front of it has checked host
    and origin and stored the caller (`let_in`); without a caller, nothing is answered.
    """

    def __init__(self, bank: MemoryBank, place: Place | None = None, *, local: bool = False) -> None:
        """`local`: nothing is in front of it; only programs on this machine are served, as a local caller."""
        self._local = local
        server = mcp_server(bank, place, caller_of=guarded_caller, warm=local)
        server.streamable_http_app(
            stateless_http=True,
            json_response=True,
            max_request_body_size=bank.settings.serve_body_kb * 1024,
            transport_security=_LOOPBACK_ONLY if local else _CHECKED_BEFORE,
        )
        self._sessions = server.session_manager

    def open(self) -> AbstractAsyncContextManager[None]:
        """Return the context in which requests are answered. It can be entered once."""
        return self._sessions.run()

    async def __call__(self, scope: Connection, receive: Receive, send: Send) -> None:
        if self._local:
            let_in(scope, Caller())
        await self._sessions.handle_request(scope, receive, send)


def local_app(bank: MemoryBank, place: Place | None = None) -> Starlette:
    """Return an application that serves MCP at /mcp to local programs."""
    door = HttpDoor(bank, place, local=True)
    return Starlette(routes=[Route(PATH, door)], lifespan=lambda _: door.open())
