"""What a server keeps in a bank beside memories: who may do what, answers to repeat, webhooks, documents."""

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
        return ROLES.index(self.role) >= ROLES.index(role)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """What a request was answered, to be answered again when it is sent again."""

    fingerprint: str  #: of the request; another one under the same name is a mistake of the caller
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    scope: Scope | None = None  #: whose it is


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """Somebody who wants to hear of events."""

    id: str
    url: str
    secret: str = field(repr=False)  #: that letters are signed with
    events: tuple[str, ...] = ("*",)
    include_text: bool = False  #: letters say what memories say, not only which they are
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDelivery:
    """An event on its way to a webhook."""

    number: int = 0  #: given by the store; later ones have higher ones
    webhook_id: str
    event_id: str  #: the same in every try
    body: str
    scope: Scope
    tries: int = 0
    due_at: datetime  #: when it is tried next


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A record that somebody keeps under a name of their own; `memory_id` is what can be recalled of it."""

    namespace: tuple[str, ...]
    key: str
    value: str  #: JSON
    scope: Scope
    memory_id: str | None = None
    created_at: datetime
    updated_at: datetime
    until: datetime | None = None  #: when it is gone
    ttl: float | None = None  #: minutes that it stays after it was last used; None: for good
