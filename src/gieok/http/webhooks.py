"""Webhooks: who wants to hear of events, over HTTP."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Annotated, Literal, Self

from anyio.to_thread import run_sync
from fastapi import Depends, Path, Request, Response
from pydantic import ConfigDict, Field

from gieok.bank import MemoryBank
from gieok.bank.events import EventName
from gieok.domain.server_state import Webhook
from gieok.http.problems import TEXT, Refused
from gieok.http.requests import HEEDED, failing, router, whole_bank_for
from gieok.http.shapes import Body, Shape
from gieok.http.webhook_dispatcher import PostOffice, checked_url

routes = router("webhooks")

_Admin = Annotated[MemoryBank, Depends(whole_bank_for("admin"))]


class NewWebhook(Body):
    """Somebody who wants to hear of events."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        json_schema_extra={"examples": [{"url": "http://127.0.0.1:9000/gieok", "events": ["memory.remembered"]}]},
    )

    url: str = Field(min_length=1, max_length=2_000, description="Where letters are posted to.")
    events: list[EventName | Literal["*"]] = Field(
        default=["*"], min_length=1, max_length=50, description="What it wants to hear of; * for all."
    )
    secret: str | None = Field(
        default=None,
        min_length=16,
        max_length=200,
        pattern=TEXT,
        description="What letters are signed with; made if not given.",
    )
    include_text: bool = Field(default=False, description="Letters also say what memories say.")


class KnownWebhook(Shape):
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


class Webhooks(Shape):
    """All webhooks, oldest first."""

    webhooks: list[KnownWebhook]


@routes.post(
    "/webhooks",
    status_code=201,
    summary="Have events posted to a URL",
    dependencies=HEEDED,
    responses=failing(400, 409),
)
async def create_webhook(wanted: NewWebhook, request: Request, bank: _Admin) -> MadeWebhook:
    """Have events posted to a URL from now on, signed with a secret that is shown this once."""
    office = _office(request)
    webhook = Webhook(
        id=secrets.token_hex(8),
        url=await checked_url(wanted.url, office.lookups),
        events=tuple(dict.fromkeys(wanted.events)),
        secret=wanted.secret or f"whsec_{secrets.token_urlsafe(32)}",
        include_text=wanted.include_text,
        created_at=bank.clock.now(),
    )
    await run_sync(office.add, webhook)
    return MadeWebhook.of(webhook, secret=webhook.secret)


@routes.get("/webhooks", summary="List the webhooks")
def list_webhooks(bank: _Admin) -> Webhooks:
    """List all webhooks, without their secrets."""
    return Webhooks(webhooks=[KnownWebhook.of(each) for each in bank.store.desk.webhooks()])


@routes.delete(
    "/webhooks/{webhook_id}",
    status_code=204,
    summary="Remove a webhook",
    dependencies=HEEDED,
    response_class=Response,
    responses=failing(404),
)
def delete_webhook(webhook_id: Annotated[str, Path(max_length=100)], request: Request, bank: _Admin) -> Response:
    """Post no more there. Letters that are still on their way are dropped."""
    if not _office(request).remove(webhook_id):
        detail = "no webhook has that id; GET /v1/webhooks lists those there are"
        raise Refused(404, "unknown-webhook", detail)
    return Response(status_code=204)


def _office(request: Request) -> PostOffice:
    office = request.app.state.post_office
    assert isinstance(office, PostOffice)
    return office
