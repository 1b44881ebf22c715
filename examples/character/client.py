"""A client of the chat: it says something over HTTP and hears the reply as server-sent events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from typing import Any
from urllib.parse import urlencode


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One event."""

    id: str
    name: str  #: context, delta, emotion, memory_update, relationship, done
    data: dict[str, Any]


class Client:
    """Somebody who talks to one character."""

    def __init__(self, port: int, **scope: str) -> None:
        self._port = port
        self._scope = urlencode(scope)

    def say(self, text: str, *, turn_id: str, last: str | None = None, **more: Any) -> Iterator[Heard]:
        """Say something; sent again with the id of the `last` event that was heard, the rest comes."""
        return _events(self._call("POST", "/v1/chat", {"text": text, "turn_id": turn_id, **more}, last))

    def another(self, turn_id: str, **more: Any) -> Iterator[Heard]:
        """Hear another reply to the same words."""
        return _events(self._call("POST", f"/v1/chat/{turn_id}/regenerate", more))

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """Make any other call of the API."""
        return json.loads(self._call(method, path, body).read())

    def _call(self, method: str, path: str, body: dict[str, Any] | None, last: str | None = None) -> HTTPResponse:
        headers = {"Content-Type": "application/json", "Connection": "close"} | (
            {"Last-Event-ID": last} if last else {}
        )
        connection = HTTPConnection("127.0.0.1", self._port, timeout=60)
        sent = None if body is None else json.dumps(body).encode()
        connection.request(method, f"{path}?{self._scope}", sent, headers)
        answer = connection.getresponse()
        if answer.status >= 400:
            raise RuntimeError(answer.read().decode())
        return answer


def _events(stream: HTTPResponse) -> Iterator[Heard]:
    """Read a stream of events; whoever stops listening hangs up."""
    fields: dict[str, str] = {}
    with stream:
        for line in stream:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if value:
                fields[name] = value
            elif not name and fields.get("data"):
                yield Heard(id=fields["id"], name=fields["event"], data=json.loads(fields["data"]))
                fields = {}
