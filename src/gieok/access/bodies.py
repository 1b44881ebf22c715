"""The body of a request: read whole before anybody acts on it, and never more than is allowed."""

from __future__ import annotations

import asyncio
from typing import Final

from gieok.access.headers import Headers
from gieok.access.refusals import TOO_SLOW, Message, Receive, TurnedAway, too_large

BODY_SECONDS: Final = 60.0  #: that a body may take: who sends a byte now and then would hold its place for ever


class Gone(Exception):
    """Whoever asked hung up before they had sent everything."""


async def read_whole(headers: Headers, receive: Receive, *, limit: int, seconds: float = BODY_SECONDS) -> bytes:
    """Return the body. Raises `TurnedAway` as soon as it must be larger than `limit`, and `Gone` where it breaks off.

    A length that is announced counts at once; one that is not is found out by counting. After `seconds` it must be
    there.
    """
    if any(_announced(value) > limit for value in headers.every("content-length")):
        raise TurnedAway(too_large(limit))
    try:
        async with asyncio.timeout(seconds):
            return await _read(receive, limit)
    except TimeoutError as cause:
        raise TurnedAway(TOO_SLOW) from cause


async def _read(receive: Receive, limit: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Gone
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            raise TurnedAway(too_large(limit))
        if not message.get("more_body", False):
            return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Return a way to receive `body`, and then what else may come."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


def _announced(value: str) -> float:
    """Return a length; what is none counts as without end."""
    return int(value) if value.isascii() and value.isdigit() and len(value) < 20 else float("inf")
