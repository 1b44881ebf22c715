"""Browsers that showed a key once, and are known again by a cookie: pages cannot send a key with every click.

A cookie's value is 256 random bits; of it only a digest is kept, in this process alone, beside the id of the key. It
opens pages, never the API. A key that is taken back ends its visits; a restart ends all.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, Final

from gieok.access.keys import digest

LOGIN: Final = "/login"
LOGOUT: Final = "/logout"
IDLE_SECONDS: Final = 12 * 3600.0  #: a visit ends so long after its last sign of life
LONGEST_SECONDS: Final = 7 * 24 * 3600.0  #: … and so long after it began, whatever goes on
_MOST: Final = 10_000  #: visits at a time; the one that was idle the longest goes first
_MOST_OF_A_KEY: Final = 100  #: so that nobody drives out the visitors with other keys
_LOOK: Final = "/look/"  #: style sheets and pictures: nothing in them is anybody's
_PARTS: Final = ("/_nicegui/", "/_nicegui_ws/", _LOOK, "/favicon.ico")  #: what a page that is open loads


def opens_without_key(path: str) -> bool:
    """Whether a page may be asked for by whoever has shown no key yet: to show one."""
    return path in (LOGIN, LOGOUT) or path.startswith(_LOOK)


def is_part(path: str) -> bool:
    """Whether a path is no page, but what one is made of: it counts for nothing, and nobody is led there."""
    return path.startswith(_PARTS)


def cookie_name(kind: str, scope: Mapping[str, Any]) -> str:
    """Return what a cookie of this server is called: browsers send those of all ports of a machine to each."""
    server = scope.get("server")
    return f"gieok_{kind}_{server[1]}" if server and server[1] else f"gieok_{kind}"


def cookie_in(scope: Mapping[str, Any], kind: str = "visit") -> str | None:
    """Return the value of a cookie of this server; None: there is none, or a part of it is no cookie at all."""
    name = cookie_name(kind, scope)
    sent = ";".join(value.decode("latin-1") for key, value in scope["headers"] if key.lower() == b"cookie")
    pairs = (part.strip().partition("=") for part in sent.split(";"))
    return next((value for key, _, value in pairs if key == name and value), None)


@dataclass(slots=True)
class _Visit:
    key_id: str
    begun: float
    seen: float


class Visits:
    """Who is visiting. Safe to use from many threads."""

    def __init__(self, *, ticks: Callable[[], float] = monotonic) -> None:
        self._ticks = ticks
        self._lock = threading.Lock()
        self._known: dict[str, _Visit] = {}  #: by digest, the longest idle first

    def __len__(self) -> int:
        return len(self._known)

    def begin(self, key_id: str) -> str:
        """Return what the browser is known by from now on."""
        secret = secrets.token_urlsafe(32)
        now = self._ticks()
        with self._lock:
            self._known[digest(secret)] = _Visit(key_id, now, now)
            self._make_room(key_id)
        return secret

    def key_id(self, secret: str, *, lives: bool = False) -> str | None:
        """Return the id of the key that was shown; None: nobody is known by `secret`.

        `lives`: this is a sign of life of whoever visits, and no look of ours.
        """
        name = digest(secret)
        with self._lock:
            visit = self._known.get(name)
            if visit is None:
                return None
            if self._is_over(visit):
                del self._known[name]
                return None
            if lives:
                visit.seen = self._ticks()
                self._known[name] = self._known.pop(name)
            return visit.key_id

    def end(self, secret: str) -> None:
        with self._lock:
            self._known.pop(digest(secret), None)

    def _is_over(self, visit: _Visit) -> bool:
        now = self._ticks()
        return now - visit.seen > IDLE_SECONDS or now - visit.begun > LONGEST_SECONDS

    def _make_room(self, key_id: str) -> None:
        same = [name for name, visit in self._known.items() if visit.key_id == key_id]
        for name in same[:-_MOST_OF_A_KEY]:
            del self._known[name]
        while len(self._known) > _MOST:
            del self._known[next(iter(self._known))]
