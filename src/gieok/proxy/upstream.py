"""The way to the model: one pool of connections, and what of a request and an answer goes on to the other side."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Mapping, Sequence
from typing import Any, Final, NoReturn

import httpx2

from gieok.bank import MemoryBank
from gieok.bank.models import Upstream
from gieok.proxy.faults import Fault, no_upstream, unreachable

Headers = Sequence[tuple[bytes, bytes]]  #: as they came; names in lower case

log = logging.getLogger(__name__)

_CONNECT: Final = 10.0  #: seconds
_LISTING: Final = 2.0  #: seconds that a list of models is waited for
_LONGEST_LIST: Final = 4_000_000  #: bytes
_SILENCE: Final = 10  #: times `llm_seconds`: a model may think for long before it says a word
_AT_ONCE: Final = 200  #: connections
_KEPT: Final = 20
_IDLE: Final = 60.0
_HOP_BY_HOP: Final = frozenset(
    (b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te",
     b"trailer", b"transfer-encoding", b"upgrade")
)  # fmt: skip
#: A client's key is gieok's, and what it says of itself is for gieok.
_NOT_SENT: Final = _HOP_BY_HOP | frozenset(
    (b"authorization", b"api-key", b"x-api-key", b"cookie", b"host", b"content-length", b"content-encoding",
     b"accept-encoding", b"expect", b"forwarded", b"origin", b"referer", b"via")
)  # fmt: skip
_NOT_SENT_FAMILIES: Final = (
    b"x-gieok-", b"x-openwebui-", b"x-forwarded-", b"x-real-", b"sec-", b"cf-", b"access-control-"
)  # fmt: skip
#: The server writes its own, and cookies and the like are for the endpoint's address.
_NOT_RETURNED: Final = _HOP_BY_HOP | frozenset(
    (b"content-length", b"date", b"server", b"set-cookie", b"alt-svc", b"strict-transport-security")
)


class Way:
    """The endpoint that the settings name. Nothing is looked up before the first request."""

    def __init__(self, bank: MemoryBank) -> None:
        self._bank = bank
        self.known: Upstream | None = None  #: once it was found
        self._client: httpx2.AsyncClient | None = None

    def found(self) -> Upstream:
        """Return where chats go. Raises `Fault`.

        It blocks, the first time: certificates are read, and a model file may have to be loaded.
        """
        found = self.known or self._bank.upstream()
        if found is None:
            raise no_upstream()
        self._client = self._client or self._connecting(found)
        self.known = found
        return found

    async def send(self, upstream: Upstream, body: bytes, headers: Headers) -> httpx2.Response:
        """Send a chat and return the answer as soon as it begins; whoever reads it closes it. Raises `Fault`."""
        request = self._opened.build_request(
            "POST", upstream.at("chat/completions"), content=body, headers=_sent(headers, upstream)
        )
        try:
            return await self._opened.send(request, auth=upstream.login, stream=True)
        except httpx2.HTTPError as cause:
            raise self.trouble(upstream, cause) from cause

    async def models(self, upstream: Upstream) -> list[Any]:
        """Return what the endpoint lists, as it does; nothing if it does not do so at once, or lists without end."""
        try:
            async with asyncio.timeout(_LISTING):
                told = json.loads(await self._listed(upstream), parse_constant=_not_json)
        except (httpx2.HTTPError, TimeoutError, ValueError, RecursionError):
            return []
        listed = told.get("data") if isinstance(told, Mapping) else None
        return listed if isinstance(listed, list) else []

    async def _listed(self, upstream: Upstream) -> bytes:
        """Return what the endpoint says when it is asked for its models. Raises `ValueError` where that is no list."""
        request = self._opened.build_request("GET", upstream.at("models"), headers=_sent((), upstream))
        response = await self._opened.send(request, auth=upstream.login, stream=True)
        try:
            told = bytearray()
            async for piece in response.aiter_bytes():
                told += piece
                if len(told) > _LONGEST_LIST:
                    raise ValueError("it has no end")
        finally:
            await response.aclose()
        if not response.is_success:
            raise ValueError("it was refused")
        return bytes(told)

    def trouble(self, upstream: Upstream, cause: httpx2.HTTPError) -> Fault:
        """Return what to tell of a connection that failed: nothing that is secret."""
        log.warning("the model at %s cannot be asked: %s", upstream.shown, type(cause).__name__)
        if isinstance(cause, httpx2.ConnectError | httpx2.ConnectTimeout):
            return unreachable(upstream.shown, "cannot be reached")
        if isinstance(cause, httpx2.TimeoutException):
            return unreachable(upstream.shown, "fell silent")
        return unreachable(upstream.shown, "hung up")

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    @property
    def _opened(self) -> httpx2.AsyncClient:
        assert self._client is not None, "an endpoint is found before it is asked"
        return self._client

    def _connecting(self, upstream: Upstream) -> httpx2.AsyncClient:
        silence = _SILENCE * self._bank.settings.llm_seconds
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(silence, connect=min(_CONNECT, silence), pool=None),
            limits=httpx2.Limits(max_connections=_AT_ONCE, max_keepalive_connections=_KEPT, keepalive_expiry=_IDLE),
            trust_env=not upstream.here,
        )


def _not_json(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON")


def _sent(headers: Headers, upstream: Upstream) -> list[tuple[bytes, bytes]]:
    named = {each.strip().lower() for name, value in headers if name == b"connection" for each in value.split(b",")}
    passed = [
        (name, value)
        for name, value in headers
        if name not in _NOT_SENT and name not in named and not name.startswith(_NOT_SENT_FAMILIES)
    ]
    key = [(b"authorization", f"Bearer {upstream.key}".encode())] if upstream.key else []
    return [*passed, *key, (b"accept-encoding", b"identity")]


def returned(response: httpx2.Response) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer that are for the client."""
    return [(name.lower(), value) for name, value in response.headers.raw if name.lower() not in _NOT_RETURNED]
