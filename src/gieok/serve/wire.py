"""HTTP as it is spoken by hand: `curl '…/v1/facts?user=민수'` sends its letters as they are."""

from __future__ import annotations

import json
import re
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gieok.http.problems import MEDIA_TYPE, Problem

_LETTERS: Final = re.compile(rb"[\x80-\xff]")
_UNREADABLE: Final = Problem(
    status=400,
    title="Not HTTP",
    detail="this cannot be read as HTTP/1.1; check the request line and the headers, and whether it should be https://",
)


class Wire(HttpToolsProtocol):
    """A connection. Letters beyond ASCII in an address, which the parser would refuse, are percent-encoded first."""

    _addressing = True  #: the first line of a request is not over

    def data_received(self, data: bytes) -> None:
        super().data_received(self._addressed(data) if self._addressing else data)

    def on_headers_complete(self) -> None:
        if not self.url.startswith((b"/", b"*")):
            raise ValueError("a target with a host of its own")  # uvicorn would drop that host, unchecked
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._addressing = True

    def _addressed(self, data: bytes) -> bytes:
        end = data.find(b"\n")
        self._addressing = end < 0
        line = data if end < 0 else data[:end]
        if line.isascii():
            return data
        return _LETTERS.sub(lambda letter: b"%%%02X" % ord(letter[0]), line) + data[len(line) :]

    def send_400_response(self, msg: str) -> None:
        body = json.dumps(_UNREADABLE.record()).encode()
        head = f"HTTP/1.1 400 Bad Request\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()
