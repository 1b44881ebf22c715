"""The body of a request: read whole before anybody acts on it, and never more than is allowed."""

from __future__ import annotations

from gieok.access.headers import Headers
from gieok.access.refusals import Message, Receive, TurnedAway, too_large


class Gone(Exception):
    """Whoever asked hung up before they had sent everything."""


async def read_whole(headers: Headers, receive: Receive, *, limit: int) -> bytes:
    """Return the body. Raises `TurnedAway` as soon as it must be larger than `limit`, and `Gone` where it breaks off.

    A length that is announced counts at once; one that is not is found out by counting.
    """
    if any(_announced(value) > limit for value in headers.every("content-length")):
        raise TurnedAway(too_large(limit))
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
