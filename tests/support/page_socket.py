"""The socket of a page, spoken by hand: engine.io and socket.io, as little of them as a page needs."""

import html
import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from support.browsing import Visit

SOCKETS = "/_nicegui_ws/socket.io/"


class Drawn:
    """A page as the server sent it: its id, and what is on it."""

    def __init__(self, text: str) -> None:
        found = re.search(r"parseElements\(String\.raw`(.*?)`\)", text, re.DOTALL)
        known = re.search(r"'client_id': '([0-9a-f-]{36})'", text)
        assert found is not None
        assert known is not None
        self.id = known[1]
        self.elements: dict[str, Any] = json.loads(html.unescape(found[1]))

    def listener(self, text: str) -> dict[str, Any]:
        """Return what a browser sends when the button with this text is clicked."""
        for id, element in self.elements.items():
            if element.get("props", {}).get("label") == text:
                [event] = [each for each in element["events"] if each["type"] == "click"]
                return {"id": int(id), "client_id": self.id, "listener_id": event["listener_id"], "args": ["{}"]}
        raise AssertionError(f"there is no button {text!r}")


class Socket:
    """An open socket."""

    def __init__(self, line: ClientConnection) -> None:
        self._line = line

    def send(self, name: str, message: Any) -> None:
        self._line.send(f"42{json.dumps([name, message])}")

    def greeted(self) -> str:
        """Say hello; return what comes back: "40…" is a welcome, "44…" is none."""
        self._line.send("40")
        return self.heard("4")

    def heard(self, start: str, seconds: float = 20) -> str:
        """Return the next message that begins so; nothing: the socket was closed before."""
        try:
            while True:
                message = self._line.recv(seconds)
                assert isinstance(message, str)
                if message == "2":
                    self._line.send("3")
                elif message.startswith(start):
                    return message
        except ConnectionClosed:
            return ""


@contextmanager
def socket_of(visit: Visit, page: Drawn | None = None) -> Iterator[Socket]:
    """Open a socket as this visitor; for a page, as its script does."""
    asked: dict[str, str] = {"EIO": "4", "transport": "websocket"}
    if page is not None:
        asked |= {"client_id": page.id, "document_id": "d", "tab_id": "t", "next_message_id": "0"}
        asked["implicit_handshake"] = "true"
    address = f"ws{visit.url.removeprefix('http')}{SOCKETS}?{urlencode(asked)}"
    headers = {"Cookie": visit.cookie}
    with connect(address, additional_headers=headers, origin=visit.url, proxy=None) as line:  # type: ignore[arg-type]  # a plain str is what a browser sends
        socket = Socket(line)
        assert socket.heard("0")
        yield socket
