"""The id of the request that is being answered: in its answer, in every line of the log, in what went wrong."""

from __future__ import annotations

import random
import re
from contextvars import ContextVar
from typing import Final

HEADER: Final = "X-Request-Id"
_SANE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,63}")

current: ContextVar[str | None] = ContextVar("request_id", default=None)


def request_id(sent: str | None) -> str:
    """Return the id that a caller sent, if it is fit for a log, or else a new one, which is no secret."""
    return sent if sent is not None and _SANE.fullmatch(sent) else f"{random.getrandbits(64):016x}"
