"""The headers of a request as the guard reads them: every one of a name, never just the first."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, MutableMapping
from typing import Any, Final

from gieok.access.keys import PREFIX
from gieok.access.refusals import TOO_SLOW, Message, Receive, TurnedAway, too_large

SOCKET_KEY: Final = "gieok.key."  #: a subprotocol that begins so is a key: pages cannot set headers of a socket
_BEARER: Final = re.compile(r"bearer(?:[ \t]+(.*))?", re.IGNORECASE)
BODY_SECONDS: Final = 60.0  #: that a body may take: who sends a byte now and then would hold its place for ever


class Headers:
    """The headers of an ASGI scope."""

    def __init__(self, scope: Mapping[str, Any]) -> None:
        self._all = [(name.lower(), value.decode("latin-1").strip(" \t")) for name, value in scope["headers"]]

    def every(self, name: str) -> list[str]:
        """Return the values of all headers of that name (in small letters)."""
        wanted = name.encode("ascii")
        return [value for name, value in self._all if name == wanted]

    def get(self, name: str) -> str | None:
        """Return the value of the only header of that name; None: there is none, or there are several."""
        values = self.every(name)
        return values[0] if len(values) == 1 else None

    def keys(self, *, of_socket: bool) -> set[str]:
        """Return whatever was sent as a key. A query is no place for one: it ends up in logs and histories."""
        bearers = (_BEARER.fullmatch(value) for value in self.every("authorization"))
        found = {bearer[1] or "" for bearer in bearers if bearer} | set(self.every("x-api-key"))
        if of_socket:
            found |= {each.removeprefix(SOCKET_KEY) for each in self._protocols() if each.startswith(SOCKET_KEY)}
        return found

    def _protocols(self) -> list[str]:
        return _protocols(",".join(self.every("sec-websocket-protocol")))


def without_key(scope: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return a scope without the key that opened it: nobody behind the guard can log it or send it on."""
    inside = dict(scope)
    inside["headers"] = [pair for pair in map(_cleaned, scope["headers"]) if pair is not None]
    if "subprotocols" in inside:
        inside["subprotocols"] = [each for each in inside["subprotocols"] if not each.startswith(SOCKET_KEY)]
    return inside


def _cleaned(header: tuple[bytes, bytes]) -> tuple[bytes, bytes] | None:
    name, value = header[0].lower(), header[1].decode("latin-1")
    if name in (b"authorization", b"x-api-key"):
        return None if PREFIX in value else header
    if name == b"sec-websocket-protocol":
        offered = [each for each in _protocols(value) if not each.startswith(SOCKET_KEY)]
        return (header[0], ", ".join(offered).encode("latin-1")) if offered else None
    return header


def _protocols(value: str) -> list[str]:
    return [each.strip(" \t") for each in value.split(",")]


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
