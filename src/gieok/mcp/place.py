"""Whose memory a call is about: the names that it gives, else the caller's own, else those of the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gieok.access.caller import Caller
from gieok.domain.desk import Bounds
from gieok.domain.scope import Scope
from gieok.errors import Forbidden, InvalidScope

NAMES: Final = ("user", "character", "world")


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
