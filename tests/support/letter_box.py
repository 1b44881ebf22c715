"""A real receiver of webhooks on loopback, which answers as it is told."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Condition, Event, Thread
from typing import Any, Self

import httpx2

from gieok.http.webhooks import RetryPolicy

SCOPE = {"user": "민수", "character": "레티아"}
SOON = RetryPolicy(first=0.02, factor=1.5, longest=0.2, tries=4, pause=0.05)


class LetterBox:
    """Keeps what comes; `answers` are the next statuses (or what makes one), then 200."""

    def __init__(self) -> None:
        self.letters: list[tuple[dict[str, str], dict[str, Any], str]] = []  #: headers, body, raw body
        self.answers: deque[int | Callable[[], int]] = deque()
        self.headers: dict[str, str] = {}  #: sent along
        self._come = Condition()

    def __enter__(self) -> Self:
        box = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                raw = self.rfile.read(int(self.headers["Content-Length"])).decode()
                answer = box.answers.popleft() if box.answers else 200
                status = answer() if callable(answer) else answer
                with box._come:
                    box.letters.append(({k.lower(): v for k, v in self.headers.items()}, json.loads(raw), raw))
                    box._come.notify_all()
                self.send_response(status)
                for name, value in box.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/gieok"
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def wait(self, count: int, seconds: float = 30) -> None:
        """Wait until so many have come."""
        with self._come:
            if not self._come.wait_for(lambda: len(self.letters) >= count, seconds):
                raise AssertionError(f"{len(self.letters)} letters came, not {count}")


def hook(client: httpx2.Client, url: str, **more: Any) -> Any:
    return client.post("/v1/webhooks", json={"url": url, **more}).raise_for_status().json()


def tell(client: httpx2.Client, text: str) -> None:
    client.post("/v1/turns", params=SCOPE, json={"text": text}).raise_for_status()


def wait_until(found: Callable[[], object]) -> None:
    for _ in range(3_000):
        if found():
            return
        Event().wait(0.01)
    raise AssertionError("it did not come to that")


def figure(client: httpx2.Client, name: str) -> float:
    found = re.search(rf"^{re.escape(name)} (\S+)$", client.get("/metrics").text, re.MULTILINE)
    return float(found[1]) if found else 0.0
