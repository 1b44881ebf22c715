"""What a server keeps in a bank beside memories: answers to repeat, webhooks with their letters, documents."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from gieok.domain.scope import Scope


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
class Letter:
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
