"""The refusals of the guard: what is wrong, and what a client can do about it.

No text repeats what was sent, so that no part of a key gets into an answer or a log. Unknown, wrong and revoked keys
get the same answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from math import ceil
from typing import Any, Final

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """One answer of the guard."""

    status: int
    title: str
    detail: str
    headers: dict[str, str] = field(default_factory=dict)


Refused = Callable[[Refusal], App]  #: makes the answer; a Starlette response is an `App`


class TurnedAway(Exception):
    """A request that the guard refuses."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal.title)
        self.refusal = refusal


BAD_TARGET: Final = Refusal(
    status=400, title="Bad request target", detail="ask for a path like /v1/facts; this server is no proxy for others"
)
BAD_HOST: Final = Refusal(
    status=400, title="Bad Host", detail="send one Host header with the name and port of this server"
)
WRONG_HOST: Final = Refusal(
    status=421,
    title="Unknown host name",
    detail="this server is not known by that name; use 127.0.0.1 or localhost, "
    'or let its operator set serve_hosts = "the.name"',
)
WRONG_ORIGIN: Final = Refusal(
    status=403,
    title="Unknown origin",
    detail="web pages of that origin may not call this server; "
    'its operator can allow one: serve_origins = "https://app.example"',
)
NO_KEY: Final = Refusal(
    status=401,
    title="Key required",
    detail="send a key: `Authorization: Bearer gk_…` or `X-API-Key: gk_…`; "
    "whoever runs this server makes one with `gieok keys create`",
    headers={"WWW-Authenticate": 'Bearer realm="gieok"'},
)
WRONG_KEY: Final = Refusal(
    status=401,
    title="Key not valid",
    detail="this key is not valid here; it may be misspelt or revoked. "
    "Ask whoever runs this server for another (`gieok keys create`)",
    headers={"WWW-Authenticate": 'Bearer realm="gieok", error="invalid_token"'},
)
SEVERAL_KEYS: Final = Refusal(status=400, title="Several keys", detail="send one key, in one place")
TOO_SLOW: Final = Refusal(
    status=408,
    title="Request too slow",
    detail="the rest of this request did not arrive in time; send it again without pauses",
    headers={"Connection": "close"},
)
NO_BANK: Final = Refusal(
    status=503,
    title="The bank cannot be used",
    detail="keys cannot be read at the moment; try again. Whoever runs this server finds the reason in its log",
    headers={"Retry-After": "2"},
)


def login_first(place: str) -> Refusal:
    """Redirect a browser to the login."""
    return Refusal(
        status=303,
        title="Key required",
        detail="log in with your key first, at the address in Location",
        headers={"Location": place, "Cache-Control": "no-store"},
    )


def too_large(limit: int) -> Refusal:
    return Refusal(
        status=413,
        title="Request too large",
        detail=f"a request holds at most {limit:,} bytes here (serve_body_kb); send it in several parts",
        headers={"Connection": "close"},
    )


def too_fast(per_minute: int, seconds: float) -> Refusal:
    return Refusal(
        status=429,
        title="Too many requests",
        detail=f"this key may send {per_minute:,} requests a minute; wait as long as Retry-After says",
        headers={"Retry-After": str(max(1, ceil(seconds)))},
    )


def used_up(per_day: int, seconds: float) -> Refusal:
    return Refusal(
        status=429,
        title="Daily quota used up",
        detail=f"this key may send {per_day:,} requests a day; the next day begins at 00:00 UTC",
        headers={"Retry-After": str(max(1, ceil(seconds)))},
    )
