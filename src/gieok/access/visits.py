"""Browsers that showed a key once, and are known again by a cookie: pages cannot send a key with every click.

A cookie's value is 256 random bits; of it only a digest is kept, in this process alone, beside the id of the key. It
opens pages, never the API. A key that is taken back ends its visits; a restart ends all.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from gieok.access.keys import digest

COOKIE: Final = "gieok_visit"
LOGIN: Final = "/login"
IDLE_SECONDS: Final = 12 * 3600.0  #: a visit ends so long after its last sign of life
_MOST: Final = 10_000  #: visits at a time; the one that was idle the longest goes first
_LOOK: Final = "/look/"  #: style sheets and pictures: nothing in them is anybody's


def opens_without_key(path: str) -> bool:
    """Whether a page may be asked for by whoever has shown no key yet: to show one."""
    return path == LOGIN or path.startswith(_LOOK)


def cookie_in(header: str | None, name: str = COOKIE) -> str | None:
    """Return a cookie's value by the header that browsers send; cookies of other servers on this machine are in it."""
    pairs = (part.strip().partition("=") for part in (header or "").split(";"))
    return next((value for key, _, value in pairs if key == name), None)


@dataclass(slots=True)
class _Visit:
    key_id: str
    seen: float


class Visits:
    """Who is visiting. Safe to use from many threads."""

    def __init__(self, *, ticks: Callable[[], float] = monotonic) -> None:
        self._ticks = ticks
        self._lock = threading.Lock()
        self._known: dict[str, _Visit] = {}  #: by digest, the longest idle first

    def begin(self, key_id: str) -> str:
        """Return what the browser is known by from now on."""
        secret = secrets.token_urlsafe(32)
        with self._lock:
            self._known[digest(secret)] = _Visit(key_id, self._ticks())
            while len(self._known) > _MOST:
                del self._known[next(iter(self._known))]
        return secret

    def key_id(self, secret: str) -> str | None:
        """Return the id of the key that was shown; None: nobody is known by `secret`."""
        name = digest(secret)
        with self._lock:
            visit = self._known.pop(name, None)
            if visit is None or self._ticks() - visit.seen > IDLE_SECONDS:
                return None
            visit.seen = self._ticks()
            self._known[name] = visit
            return visit.key_id

    def end(self, secret: str) -> None:
        with self._lock:
            self._known.pop(digest(secret), None)
