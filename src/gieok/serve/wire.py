"""HTTP as it is spoken by hand: `curl '…/v1/facts?user=민수'` sends its letters as they are."""

from __future__ import annotations

import json
import re
from typing import Final

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from gieok.http.problems import MEDIA_TYPE, Problem

_LETTERS: Final = re.compile(rb"[\x80-\xff]+")
_UNREADABLE: Final = Problem(
    status=400,
    title="Not HTTP",
    detail="this cannot be read as HTTP/1.1; check the request line and the headers, and whether it should be https://",
)


class Wire(H11Protocol):
    """A connection. Letters beyond ASCII in an address, which the parser would refuse, are percent-encoded first."""

    def data_received(self, data: bytes) -> None:
        super().data_received(data if data.isascii() else self._addressed(data))

    def _addressed(self, data: bytes) -> bytes:
        if self.conn.their_state is not h11.IDLE or b"\n" in self.conn.trailing_data[0]:
            return data  # the request line is over
        line, end, rest = data.partition(b"\n")
        return _LETTERS.sub(_percent_encoded, line) + end + rest

    def send_400_response(self, msg: str) -> None:
        body = json.dumps(_UNREADABLE.record()).encode()
        headers = [("content-type", MEDIA_TYPE), ("content-length", str(len(body))), ("connection", "close")]
        for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()


def _percent_encoded(letters: re.Match[bytes]) -> bytes:
    return b"".join(b"%%%02X" % byte for byte in letters[0])
