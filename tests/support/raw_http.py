"""HTTP by hand: a request goes out byte for byte as it is written, however wrong it is."""

import json
import socket
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def every(self, name: str) -> list[str]:
        return [value for key, value in self.headers if key.lower() == name.lower()]

    def get(self, name: str) -> str | None:
        return next(iter(self.every(name)), None)

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Line:
    """A way to one server."""

    port: int

    def ask(
        self, target: str = "/v1/things", *headers: str, method: str = "GET", body: bytes = b"", **given: str
    ) -> Answer:
        """Send a request with these header lines; `host` is the server's own unless it is given ("": none at all)."""
        lines = [f"{method} {target} HTTP/1.1", *_host(given.get("host", f"127.0.0.1:{self.port}")), *headers]
        if body and not any(each.lower().startswith(("content-length", "transfer-encoding")) for each in headers):
            lines.append(f"Content-Length: {len(body)}")
        return self.send("\r\n".join([*lines, "Connection: close", "", ""]).encode("latin-1") + body)

    def knock(self, *headers: str, target: str = "/socket", **given: str) -> Answer:
        """Ask for a websocket; status 101 is the door open."""
        upgrade = (
            f"GET {target} HTTP/1.1",
            *_host(given.get("host", f"127.0.0.1:{self.port}")),
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            *headers,
        )
        return self.send("\r\n".join([*upgrade, "", ""]).encode("latin-1"), wait_for_end=False)

    def send(self, request: bytes, *, wait_for_end: bool = True) -> Answer:
        with socket.create_connection(("127.0.0.1", self.port), timeout=20) as line:
            line.sendall(request)
            came = b""
            while wait_for_end or b"\r\n\r\n" not in came:
                try:
                    more = line.recv(65_536)
                except ConnectionResetError:  # what is left of a body that nobody read was thrown away
                    break
                if not more:
                    break
                came += more
        return _read(came)


def chunked(*parts: bytes) -> bytes:
    """Return a body in chunks, of which nobody knows the length before its end."""
    return b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in parts) + b"0\r\n\r\n"


def _host(name: str) -> list[str]:
    return [f"Host: {name}"] if name else []


def _read(came: bytes) -> Answer:
    head, _, body = came.partition(b"\r\n\r\n")
    first, *lines = head.decode("latin-1").split("\r\n")
    headers = [(name, value.strip()) for name, _, value in (line.partition(":") for line in lines)]
    return Answer(int(first.split(" ")[1]), headers, body)
