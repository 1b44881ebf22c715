"""Bringing one letter to its webhook."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Final, Literal

import httpx2

from gieok.domain.desk import Letter, Webhook
from gieok.http.addresses import Unreachable, found_addresses, place_of
from gieok.http.letters import signature

Outcome = Literal["delivered", "gone", "refused", "failed"]

_PATIENCE: Final = 10.0  #: seconds
_PASSING: Final = frozenset({408, 425, 429})  #: a later try may do


async def deliver(client: httpx2.AsyncClient, webhook: Webhook, letter: Letter) -> Outcome:
    """Send a letter once. `refused`: by a receiver who is there; `failed`: there was none, or one in trouble."""
    try:
        async with asyncio.timeout(_PATIENCE):
            status = await _sent(client, webhook, letter)
    except (TimeoutError, Unreachable, httpx2.HTTPError, httpx2.InvalidURL, OSError):
        return "failed"
    if 200 <= status < 300:
        return "delivered"
    if status == 410:
        return "gone"
    return "refused" if 300 <= status < 500 and status not in _PASSING else "failed"


async def _sent(client: httpx2.AsyncClient, webhook: Webhook, letter: Letter) -> int:
    host, port = place_of(webhook.url)
    addresses = await asyncio.to_thread(found_addresses, host, port)
    # The address that was looked at is the one that is called: a name may answer otherwise a moment later.
    url = httpx2.URL(webhook.url).copy_with(host=addresses[0])
    body = letter.body.encode()
    headers = {
        "Host": httpx2.URL(webhook.url).netloc.decode("ascii"),
        "Content-Type": "application/json",
        "User-Agent": "gieok",
        "X-Gieok-Event": json.loads(letter.body)["event"],
        "X-Gieok-Delivery": letter.event_id,
        "X-Gieok-Signature": signature(webhook.secret, letter.body, int(time.time())),
    }
    request = client.build_request("POST", url, content=body, headers=headers, extensions={"sni_hostname": host})
    response = await client.send(request, stream=True)
    await response.aclose()  # what it says is not read: it may have no end
    return response.status_code
