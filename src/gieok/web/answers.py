"""What every answer of the pages carries: what may run in it, who may frame it, who may keep it.

NiceGUI starts a page by scripts in it. Each gets a mark that is new with every answer, and nothing without it runs:
not a script, a handler or a `javascript:` link that somebody might get in there. Vue builds what it draws in the
page, which takes "unsafe-eval". Nothing can be fetched from, or sent, elsewhere.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final

from starlette.datastructures import MutableHeaders

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]

_POLICY: Final = (
    "default-src 'self'; script-src 'self' 'nonce-{mark}' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data:; font-src 'self' data:; connect-src 'self'; form-action 'self'; frame-src 'none'; "
    "frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
)
_HEADERS: Final = {
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "same-origin",  #: with "no-referrer", browsers would not say where a form comes from
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
_SCRIPT: Final = re.compile(rb"<script(?=[\s>])")
_NO_STORE: Final = "no-store"
_ASK_AGAIN: Final = "no-cache"  #: style sheets of ours: kept, but not without asking whether they still hold


class Answering:
    """Sends one answer on. A page is held back until it is whole, and its scripts are marked."""

    def __init__(self, send: Send, *, path: str, cookies: tuple[str, ...] = ()) -> None:
        self._send = send
        self._path = path
        self._cookies = cookies
        self._mark = secrets.token_urlsafe(16)
        self._start: Message | None = None
        self._page = bytearray()

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._furnish(MutableHeaders(scope=message))
            if _is_page(message["headers"]):
                self._start = message
                return
        elif self._start is not None and message["type"] == "http.response.body":
            await self._hold_back(self._start, message)
            return
        await self._send(message)

    def _furnish(self, headers: MutableHeaders) -> None:
        for name, value in _HEADERS.items():
            headers[name] = value
        headers.setdefault("Content-Security-Policy", _POLICY.format(mark=self._mark))
        headers.setdefault("Cache-Control", _ASK_AGAIN if self._path.startswith("/look/") else _NO_STORE)
        for cookie in self._cookies:
            headers.append("Set-Cookie", cookie)

    async def _hold_back(self, start: Message, message: Message) -> None:
        self._page += message.get("body", b"")
        if message.get("more_body", False):
            return
        # What was written by anybody stands there with &lt; for <: only scripts of NiceGUI's and ours are found.
        marked = _SCRIPT.sub(f'<script nonce="{self._mark}"'.encode(), bytes(self._page))
        MutableHeaders(scope=start)["Content-Length"] = str(len(marked))
        self._start = None
        await self._send(start)
        await self._send({"type": "http.response.body", "body": marked})


def _is_page(headers: Any) -> bool:
    told: Mapping[bytes, bytes] = {name.lower(): value for name, value in headers}
    return told.get(b"content-type", b"").startswith(b"text/html") and b"content-encoding" not in told
