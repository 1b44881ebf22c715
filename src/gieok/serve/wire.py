"""HTTP as it is spoken by hand: `curl '…/v1/facts?user=민수'` sends its letters as they are."""

from __future__ import annotations

import json
import re
from typing import Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from gieok.http.problems import MEDIA_TYPE, Problem

LONGEST_HEAD: Final = 65_536  #: bytes of an address and its headers
_LETTERS: Final = re.compile(rb"[\x80-\xff]")
_UNREADABLE: Final = Problem(
    status=400,
    title="Not HTTP",
    detail="this cannot be read as HTTP/1.1; check the request line and the headers, and whether it should be https://",
)
_TOO_LONG: Final = Problem(
    status=431,
    title="Request header fields too large",
    detail=f"the address and the headers of a request hold at most {LONGEST_HEAD:,} bytes here; "
    "send what is long in its body",
)


class Wire(HttpToolsProtocol):
    """A connection. Letters beyond ASCII in an address, which the parser would refuse, are percent-encoded first.

    The parser takes in an address and headers without end, before anybody asks for a key: here they have one.
    """

    _addressing = True  #: the first line of a request is not over
    _in_head = True
    _in_vain = 0  #: bytes that came since a request was whole, or a piece of a body was

    def data_received(self, data: bytes) -> None:
        self._in_vain += len(data)
        super().data_received(self._addressed(data) if self._addressing else data)
        if self._in_vain > LONGEST_HEAD and not self.transport.is_closing():
            self._hang_up()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = True

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # what follows a body is no header: whoever checks those has looked already
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        self._in_head = False
        if not self.url.startswith((b"/", b"*")):
            raise ValueError("a target with a host of its own")  # uvicorn would drop that host, unchecked
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._in_vain = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_vain = 0
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
        self._tell(_UNREADABLE, "400 Bad Request")

    def _hang_up(self) -> None:
        """End a connection on which nothing comes to an end; say why, unless an answer is being given."""
        # Before the first request there is none, whatever uvicorn's types say.
        answering = self.cycle is not None and not self.cycle.response_complete  # type: ignore[redundant-expr]  # its types say never None; before the first request it is
        if answering or not self._in_head:
            self.transport.close()
        else:
            self._tell(_TOO_LONG, "431 Request Header Fields Too Large")

    def _tell(self, problem: Problem, status: str) -> None:
        body = json.dumps(problem.record()).encode()
        head = f"HTTP/1.1 {status}\r\ncontent-type: {MEDIA_TYPE}\r\ncontent-length: {len(body)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + body)
        self.transport.close()
