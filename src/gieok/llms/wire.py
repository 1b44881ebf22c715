"""The `openai` client, held to bounds: nothing that comes back is later or larger than allowed."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit
from weakref import WeakSet

from gieok.llms.failing import Refusal, Unusable
from gieok.ports.endpoints import login_in, without_secrets

_DICE: Final = Random()  # its own: those of the program that uses this are not thrown
_LONGEST_PAUSE: Final = 8.0
_LARGEST: Final = 10_000_000  #: bytes of a whole answer
_OF_AN_ERROR: Final = 4_000  #: bytes that are read of an error's body
_LONGEST_WAIT: Final = 86_400.0  #: seconds; sockets know no endless ones
_NO_KEY: Final = "none"  #: the client insists on one; servers without keys do not look at it
_LOOPBACK: Final = frozenset({"127.0.0.1", "localhost", "::1"})
_CONNECTED: Final = frozenset({"connection.connect_tcp.complete", "connection.start_tls.complete"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds and counts; every bound holds at once."""

    seconds: float = 30.0  #: for a whole answer, or for the beginning of a stream; with all retries
    connect: float = 5.0
    stall: float = 10.0  #: between two pieces of an answer
    stream: float = 300.0  #: for a whole stream, however steadily its bits come
    retries: int = 2  #: after a failure that may pass
    pause: float = 0.5  #: before the first retry; it doubles

    def pause_before(self, retry: int) -> float:
        """Return how long to wait before the `retry`-th retry (from 0), with jitter."""
        # Callers that failed together should not come back together.
        return min(self.pause * 2.0**retry, _LONGEST_PAUSE) * _DICE.uniform(0.5, 1.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Arriving:
    """An answer that begins to come in."""

    events: bool  #: a stream of events, else one body
    pieces: Iterator[bytes]

    def body(self) -> bytes:
        """Return all of it; more than any answer could be is not waited for."""
        data = bytearray()
        for piece in self.pieces:
            data += piece
            if len(data) > _LARGEST:
                raise Unusable("too_long", f"a body of more than {_LARGEST:,} bytes")
        return bytes(data)


class Wire:
    """One endpoint. The client is made at the first request, which takes most of a second."""

    def __init__(self, *, url: str, key: str | None, patience: Patience) -> None:
        self._url, self._login = login_in(url)
        self._key = key
        self._patience = patience
        self._client: Any = None
        self._closed = False
        self._lock = threading.Lock()
        self._sockets: WeakSet[socket.socket] = WeakSet()

    def ready(self) -> None:
        """Load the client; that takes a second once, which is none of the endpoint's."""
        self._opened()

    @contextmanager
    def send(self, body: dict[str, Any], *, until: float, lasting: float) -> Iterator[Arriving]:
        """Send a request and give what arrives; leaving the block hangs up.

        The answer must begin `until` then and end `lasting` then, both by `time.monotonic`.
        """
        client = self._opened()
        patience = self._patience
        left = min(max(until - time.monotonic(), 0.001), _LONGEST_WAIT)
        wait = _timeout(connect=min(patience.connect, left), read=left)
        with client.chat.completions.with_streaming_response.create(**body, timeout=wait) as response:
            events = "event-stream" in response.headers.get("content-type", "")
            yield Arriving(events=events, pieces=_in_time(response.iter_bytes(), lasting))

    def without_secrets(self, text: str) -> str:
        """Return `text` without the key, which endpoints like to quote."""
        return without_secrets(text, self._key)

    def close(self) -> None:
        """Hang up, also on answers that are waited for: whoever waits is told at once, and so is the other end."""
        with self._lock:
            client, self._client, self._closed = self._client, None, True
            sockets = list(self._sockets)
        for each in sockets:  # closing one that another thread reads from would not even be noticed at the other end
            with suppress(OSError):  # it is closed already
                each.shutdown(socket.SHUT_RDWR)
        if client is not None:
            client.close()

    def _opened(self) -> Any:
        with self._lock:
            if self._closed:
                raise Unusable("unreachable", "it was closed")
            if self._client is None:
                self._client = self._open()
            return self._client

    def _open(self) -> Any:
        import openai

        http = openai.DefaultHttpxClient(
            auth=self._login,
            event_hooks={"request": [self._follow], "response": [self._look_at]},
            # What runs on this machine is not behind the proxy that the environment names.
            trust_env=urlsplit(self._url).hostname not in _LOOPBACK,
            headers={"Accept-Encoding": "identity"},  # a few bytes may unpack to gigabytes
        )
        return openai.OpenAI(base_url=self._url, api_key=self._key or _NO_KEY, max_retries=0, http_client=http)

    def _follow(self, request: Any) -> None:
        request.extensions = {**request.extensions, "trace": self._connected}

    def _connected(self, event: str, info: dict[str, Any]) -> None:
        found = info["return_value"].get_extra_info("socket") if event in _CONNECTED else None
        if isinstance(found, socket.socket):
            with self._lock:
                self._sockets.add(found)

    def _look_at(self, response: Any) -> None:
        """Meet an answer whose headers have come: refuse errors here, before the client reads all of their bodies."""
        waits = response.request.extensions["timeout"]
        waits["read"] = min(waits["read"], self._patience.stall)
        if response.status_code < 400:
            return
        text, enough = b"", time.monotonic() + self._patience.stall
        for piece in response.iter_bytes():
            text += piece[:_OF_AN_ERROR]
            if len(text) >= _OF_AN_ERROR or time.monotonic() > enough:
                break
        response.close()
        raise Refusal(response.status_code, _told(text), response.headers.get("retry-after"))


def _timeout(*, connect: float, read: float) -> Any:
    import openai

    return openai.Timeout(read, connect=connect)


def _in_time(pieces: Iterator[bytes], lasting: float) -> Iterator[bytes]:
    for piece in pieces:
        if time.monotonic() > lasting:
            raise Unusable("timeout", "it did not come to an end")
        yield piece


def _told(body: bytes) -> str:
    """Return what the body of an error says."""
    text = body.decode(errors="replace")
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    error = value.get("error", value) if isinstance(value, dict) else value
    return str(error.get("message", error) if isinstance(error, dict) else error)
