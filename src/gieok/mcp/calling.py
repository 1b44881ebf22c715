"""Who is calling: noted for every message before a tool or a resource sees it.

The SDK answers a message in a task of its own and runs plain functions in threads. Both inherit the context that the
message is handled in, so what is noted here is seen there, and by no other message.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext

from gieok.access.asgi import caller_in
from gieok.access.caller import Caller

CallerOf = Callable[[ServerRequestContext[Any, Any]], Caller]

_CALLER: Final[ContextVar[Caller]] = ContextVar("caller")  #: no default: who was not noted is nobody


def on_this_machine(_message: ServerRequestContext[Any, Any]) -> Caller:
    """Say who calls over stdio: whoever started the server."""
    return Caller()


def past_the_guard(message: ServerRequestContext[Any, Any]) -> Caller:
    """Say who calls over HTTP: whom the guard let in with the very request that carries this message.

    Not with the one that opened the session: a key that knows somebody else's session has no more rights by it.
    """
    return caller_in(message.request.scope)  # type: ignore[union-attr]  # HTTP messages carry theirs; else nobody calls


def noting(caller_of: CallerOf) -> ServerMiddleware[Any]:
    """Return the middleware that notes the caller of every message."""

    async def note(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        before = _CALLER.set(caller_of(ctx))
        try:
            return await call_next(ctx)
        finally:
            _CALLER.reset(before)

    return note


def calling() -> Caller:
    """Return who sent the message that is being answered."""
    return _CALLER.get()
