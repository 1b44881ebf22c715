"""Webhooks: who wants to hear of events, over HTTP."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Annotated, Self

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from gieok.bank import MemoryBank
from gieok.bank.events import EVENTS
from gieok.domain.desk import Webhook
from gieok.errors import InvalidQuery
from gieok.http.addresses import checked_url
from gieok.http.asking import whole_bank_for
from gieok.http.post_office import PostOffice
from gieok.http.problems import Problem

_Admin = Annotated[MemoryBank, Depends(whole_bank_for("admin"))]


class NewWebhook(BaseModel):
    """Somebody who wants to hear of events."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={"examples": [{"url": "http://127.0.0.1:9000/gieok", "events": ["memory.remembered"]}]},
    )

    url: str = Field(min_length=1, max_length=2_000, description="Where letters are posted to.")
    events: list[str] = Field(
        default=["*"], min_length=1, max_length=50, description=f"Any of {', '.join(EVENTS)}; * for all."
    )
    secret: str | None = Field(
        default=None, min_length=16, max_length=200, description="What letters are signed with; made if not given."
    )
    include_text: bool = Field(default=False, description="Letters also say what memories say.")


class KnownWebhook(BaseModel):
    """A webhook, without its secret."""

    id: str
    url: str
    events: list[str]
    include_text: bool
    created_at: datetime

    @classmethod
    def of(cls, webhook: Webhook, **more: str) -> Self:
        return cls.model_validate({**{name: getattr(webhook, name) for name in KnownWebhook.model_fields}, **more})


class MadeWebhook(KnownWebhook):
    """A webhook that was just made. The secret is shown this once."""

    secret: str


class Webhooks(BaseModel):
    """All webhooks, oldest first."""

    webhooks: list[KnownWebhook]


def webhook_routes() -> APIRouter:
    """Return the routes under /v1/webhooks; they take an admin."""
    routes = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])

    @routes.post("", status_code=201)
    def create_webhook(wanted: NewWebhook, request: Request, bank: _Admin) -> MadeWebhook:
        """Have events posted to a URL, signed with a secret that is shown this once."""
        webhook = Webhook(
            id=secrets.token_hex(8),
            url=checked_url(wanted.url),
            events=_checked_events(wanted.events),
            secret=wanted.secret or f"whsec_{secrets.token_urlsafe(32)}",
            include_text=wanted.include_text,
            created_at=bank.clock.now(),
        )
        _office(request).add(webhook)
        return MadeWebhook.of(webhook, secret=webhook.secret)

    @routes.get("")
    def list_webhooks(request: Request, bank: _Admin) -> Webhooks:
        """List all webhooks, without their secrets."""
        return Webhooks(webhooks=[KnownWebhook.of(each) for each in _office(request).webhooks()])

    @routes.delete("/{webhook_id}", status_code=204, response_class=Response, responses={404: {"description": "None."}})
    def delete_webhook(webhook_id: Annotated[str, Path(max_length=100)], request: Request, bank: _Admin) -> Response:
        """Post no more there. Letters that are still on their way are dropped."""
        if not _office(request).remove(webhook_id):
            detail = "no webhook has that id; GET /v1/webhooks lists those there are"
            return Problem(status=404, title="Unknown webhook", detail=detail).response()
        return Response(status_code=204)

    return routes


def _office(request: Request) -> PostOffice:
    office = request.app.state.post_office
    assert isinstance(office, PostOffice)
    return office


def _checked_events(events: list[str]) -> tuple[str, ...]:
    for name in events:
        if name != "*" and name not in EVENTS:
            raise InvalidQuery(f"unknown event {name!r}; there are {', '.join(EVENTS)}, and * for all")
    return tuple(dict.fromkeys(events))
