"""What a browser is told about pages of other origins (CORS): nothing, unless their origin is allowed.

No answer ever allows every origin, or credentials: a key is sent by the page itself. What is said here is all that is
said: headers of that kind from further in (a proxy's upstream, say) are dropped.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from gieok.access.headers import Headers

_METHODS: Final = b"GET, HEAD, POST, PUT, PATCH, DELETE"
_EXPOSED: Final = b"ETag, Idempotent-Replayed, Link, Location, Retry-After, X-Request-Id"
_ASKED: Final = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~, -]{1,1000}")
_SECONDS: Final = b"600"  #: for which a browser remembers a preflight

Pairs = list[tuple[bytes, bytes]]


def is_preflight(method: str, headers: Headers) -> bool:
    return method == "OPTIONS" and bool(headers.every("access-control-request-method"))


def preflight_headers(origin: str, headers: Headers) -> Pairs:
    """Return what a page of an allowed origin is told when its browser asks what it may send."""
    told = [
        *allowing(origin),
        (b"access-control-allow-methods", _METHODS),
        (b"access-control-max-age", _SECONDS),
        (b"vary", b"Origin, Access-Control-Request-Method, Access-Control-Request-Headers"),
    ]
    asked = ", ".join(headers.every("access-control-request-headers"))
    if _ASKED.fullmatch(asked):
        told.append((b"access-control-allow-headers", asked.encode("ascii")))
    if headers.get("access-control-request-private-network") == "true":
        told.append((b"access-control-allow-private-network", b"true"))
    return told


def allowing(origin: str) -> Pairs:
    """Return what lets pages of an origin (as they spelt it) read an answer."""
    return [(b"access-control-allow-origin", origin.encode("ascii")), (b"access-control-expose-headers", _EXPOSED)]


def answered(given: Iterable[tuple[bytes, bytes]], *, added: Pairs, vary: bool) -> Pairs:
    """Return the headers of an answer as they leave; `vary`: whether they depend on who asks."""
    kept = [pair for pair in given if not pair[0].lower().startswith(b"access-control-")]
    return [*kept, *added, *([(b"vary", b"Origin")] if vary else [])]
