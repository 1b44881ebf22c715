"""Routes of webhooks: /v1/webhooks."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Annotated

from anyio.to_thread import run_sync
from fastapi import Path, Request, Response

from gieok.domain.server_state import Webhook
from gieok.http.bodies import NewWebhook
from gieok.http.dependencies import WholeBank
from gieok.http.idempotency import IDEMPOTENT
from gieok.http.problems import HTTPProblem
from gieok.http.router import problems, router
from gieok.http.schemas import answer
from gieok.http.webhook_delivery import checked_url
from gieok.http.webhook_dispatcher import WebhookDispatcher

routes = router("webhooks")


@answer
@dataclass(frozen=True, slots=True)
class Webhooks:
    """All webhooks, oldest first."""

    webhooks: list[Webhook]


@dataclass(frozen=True, slots=True)
class WebhookWithSecret:
    """A webhook with its secret."""

    webhook: Webhook
    secret: str


answer(WebhookWithSecret, "**webhook secret", name="MadeWebhook")


@routes.post(
    "/webhooks",
    status_code=201,
    summary="Create a webhook",
    dependencies=IDEMPOTENT,
    responses=problems(400, 409),
)
async def create_webhook(wanted: NewWebhook, request: Request, bank: WholeBank) -> WebhookWithSecret:
    """Post events to a URL from now on, signed with a secret that is shown only this once."""
    dispatcher = _dispatcher(request)
    webhook = Webhook(
        id=secrets.token_hex(8),
        url=await checked_url(wanted.url, dispatcher.lookups),
        events=tuple(dict.fromkeys(wanted.events)),
        secret=wanted.secret or f"whsec_{secrets.token_urlsafe(32)}",
        include_text=wanted.include_text,
        created_at=bank.clock.now(),
    )
    await run_sync(dispatcher.add, webhook)
    return WebhookWithSecret(webhook, webhook.secret)


@routes.get("/webhooks", summary="List the webhooks")
def list_webhooks(bank: WholeBank) -> Webhooks:
    """List all webhooks, without their secrets."""
    return Webhooks(list(bank.store.server.webhooks()))


@routes.delete(
    "/webhooks/{webhook_id}",
    status_code=204,
    summary="Delete a webhook",
    dependencies=IDEMPOTENT,
    response_class=Response,
    responses=problems(404),
)
def delete_webhook(webhook_id: Annotated[str, Path(max_length=100)], request: Request, bank: WholeBank) -> Response:
    """Stop posting to it. Deliveries that are still waiting are dropped."""
    if not _dispatcher(request).remove(webhook_id):
        detail = "no webhook has that id; GET /v1/webhooks lists those there are"
        raise HTTPProblem(404, "unknown-webhook", detail)
    return Response(status_code=204)


def _dispatcher(request: Request) -> WebhookDispatcher:
    dispatcher = request.app.state.webhook_dispatcher
    assert isinstance(dispatcher, WebhookDispatcher)
    return dispatcher
