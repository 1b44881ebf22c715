"""Server data stored in a bank beside memories: access keys, stored responses, webhooks, documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

from gieok.domain.scope import Scope

Role = Literal["reader", "writer", "admin"]
ROLES: Final[tuple[Role, ...]] = ("reader", "writer", "admin")  #: each includes the rights of the previous ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A part of a bank: all scopes of a user, a character, a world, or a combination. None: any."""

    user: str | None = None
    character: str | None = None
    world: str | None = None

    def hold(self, scope: Scope) -> bool:
        """Return whether `scope` lies within; canon has no user and lies outside a user's bounds."""
        pairs = ((self.user, scope.user), (self.character, scope.character), (self.world, scope.world))
        return all(bound is None or bound == name for bound, name in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class AccessKey:
    """A stored access key: its rights, and a digest of the key instead of the key."""

    id: str  #: the public part of the key
    name: str  #: a label for people
    role: Role
    digest: str = field(repr=False)  #: of the secret part
    bounds: tuple[Bounds, ...] = ()  #: scopes it may access; (): all
    home: Bounds = Bounds()  #: default scope of requests that name none
    per_minute: int | None = None  #: request limit; None: from the settings
    per_day: int | None = None  #: request limit; None: unlimited
    created_at: datetime
    revoked_at: datetime | None = None

    def opens(self, scope: Scope) -> bool:
        return not self.bounds or any(bound.hold(scope) for bound in self.bounds)

    def may(self, role: Role) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptAnswer:
    """A stored response, returned again for a repeated request."""

    fingerprint: str  #: of the request; a different request with the same name is an error
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: str = ""
    scope: Scope | None = None  #: the scope it belongs to


@dataclass(frozen=True, slots=True, kw_only=True)
class Webhook:
    """A webhook subscriber."""

    id: str
    url: str
    secret: str = field(repr=False)  #: signing key of deliveries
    events: tuple[str, ...] = ("*",)
    include_text: bool = False  #: deliveries include the text of memories, not only their ids
    created_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDelivery:
    """An event to be delivered to a webhook."""

    number: int = 0  #: set by the store, ascending
    webhook_id: str
    event_id: str  #: the same in every attempt
    body: str
    scope: Scope
    tries: int = 0
    due_at: datetime  #: time of the next attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A record stored under a name chosen by the caller; `memory_id` is the memory that makes it searchable."""

    namespace: tuple[str, ...]
    key: str
    value: str  #: JSON
    scope: Scope
    memory_id: str | None = None
    created_at: datetime
    updated_at: datetime
    until: datetime | None = None  #: expiry time
    ttl: float | None = None  #: minutes it is kept after its last use; None: forever
