"""Who may do what in a bank that is served to others: keys, their roles, and the scopes they are bound to."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from gieok.domain.scope import Scope

Role = Literal["reader", "writer", "admin"]
ROLES: Final[tuple[Role, ...]] = ("reader", "writer", "admin")  #: each may do what those before it may


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A part of a bank: all scopes of a user, a character, a world, or of several of them at once. None: any."""

    user: str | None = None
    character: str | None = None
    world: str | None = None

    def hold(self, scope: Scope) -> bool:
        """Whether `scope` lies within; what belongs to nobody (canon) does not lie within a user's bounds."""
        pairs = ((self.user, scope.user), (self.character, scope.character), (self.world, scope.world))
        return all(bound is None or bound == name for bound, name in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """A key, as it is kept: what opens with it, never the key itself."""

    id: str  #: its public part, by which it is found and named
    name: str  #: what a person calls it
    role: Role
    digest: str = field(repr=False)  #: of its secret part
    bounds: tuple[Bounds, ...] = ()  #: where it opens; none: everywhere
    home: Bounds = Bounds()  #: the scope of whoever says none
    per_minute: int | None = None  #: requests; None: as the settings say
    per_day: int | None = None  #: requests; None: as many as it likes
    created_at: datetime
    revoked_at: datetime | None = None

    def opens(self, scope: Scope) -> bool:
        return not self.bounds or any(bound.hold(scope) for bound in self.bounds)

    def may(self, role: Role) -> bool:
        """Whether it may do what `role` may."""
        return ROLES.index(self.role) >= ROLES.index(role)
