"""Who is calling: noted for every message before a tool or a resource sees it.

The SDK answers a message in a task of its own and runs plain functions in threads. Both inherit the context that the
message is handled in, so what is noted here is seen there, and by no other message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Final

from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext

from gieok.access.caller import Caller, caller_in
from gieok.domain.desk import Bounds
from gieok.domain.scope import Scope
from gieok.errors import Forbidden, InvalidScope

CallerOf = Callable[[ServerRequestContext[Any, Any]], Caller]
_CALLER: Final[ContextVar[Caller]] = ContextVar("caller")  #: no default: who was not noted is nobody
NAMES: Final = ("user", "character", "world")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The scope of those who say none; where it is `fixed`, nobody may say another."""

    default: Bounds = field(default_factory=Bounds)
    fixed: bool = False

    def __post_init__(self) -> None:
        if self.fixed and self.default == Bounds():
            raise InvalidScope("a fixed scope needs a name; give at least one of user, character and world")

    def scope(self, caller: Caller, named: Mapping[str, str | None]) -> Scope:
        """Return the scope that a call means; an empty name leaves out what would stand there otherwise."""
        if self.fixed:
            return Scope(user=self.default.user, character=self.default.character, world=self.default.world)
        found = {name: self._name(name, caller, named.get(name)) for name in NAMES}
        if not any(found.values()):
            raise InvalidScope(
                "whose memory? give user, character or world; the resource gieok://scopes lists whose there are"
            )
        return Scope(**found)

    def check(self, scope: Scope) -> None:
        """Raise `Forbidden` where another scope is fixed."""
        if self.fixed and not self.holds(scope):
            raise Forbidden(f"this server speaks of [{self.scope(Caller(), {})}] alone")

    def holds(self, scope: Scope) -> bool:
        return not self.fixed or scope == self.scope(Caller(), {})

    def _name(self, name: str, caller: Caller, given: str | None) -> str | None:
        if given is not None:
            return given or None
        own: str | None = getattr(caller.home, name)
        default: str | None = getattr(self.default, name)
        return own if own is not None else default
