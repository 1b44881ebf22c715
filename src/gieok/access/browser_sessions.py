"""Browser sessions: a browser logs in with a key once and is recognised by a cookie, since pages cannot send a key.

A cookie's value is 256 random bits; only its digest is kept, in this process alone, with the id of the key. It opens
pages, never the API. Revoking a key ends its sessions; a restart ends all.
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
IDLE_SECONDS: Final = 12 * 3600.0  #: a session ends so long after its last activity
LONGEST_SECONDS: Final = 7 * 24 * 3600.0  #: … and so long after it began
_MOST: Final = 10_000  #: sessions at a time; the one that was idle the longest ends first
_MOST_OF_A_KEY: Final = 100  #: so that one key cannot end the sessions of others
_LOOK: Final = "/look/"  #: style sheets and pictures: they hold nobody's data
_PARTS: Final = ("/_nicegui/", "/_nicegui_ws/", _LOOK, "/favicon.ico")  #: what an open page loads


def needs_no_key(path: str) -> bool:
    """Whether a page opens before the login: the login itself, and what it shows."""
    return path in (LOGIN, LOGOUT) or path.startswith(_LOOK)


def is_page_asset(path: str) -> bool:
    """Whether a path is a part of a page: it does not count as a use of a key, and the login does not lead there."""
    return path.startswith(_PARTS)


def cookie_name(kind: str, scope: Mapping[str, Any]) -> str:
    """Return the name of a cookie of this server: browsers send the cookies of all ports of a host to each."""
    server = scope.get("server")
    return f"gieok_{kind}_{server[1]}" if server and server[1] else f"gieok_{kind}"


def cookie_in(scope: Mapping[str, Any], kind: str = "visit") -> str | None:
    """Return the value of a cookie of this server; None: it was not sent, or is empty."""
    name = cookie_name(kind, scope)
    sent = ";".join(value.decode("latin-1") for key, value in scope["headers"] if key.lower() == b"cookie")
    pairs = (part.strip().partition("=") for part in sent.split(";"))
    return next((value for key, _, value in pairs if key == name and value), None)


@dataclass(slots=True)
class _Session:
    key_id: str
    begun: float
    seen: float


class BrowserSessions:
    """The sessions of a server. Safe to use from many threads."""

    def __init__(self, *, ticks: Callable[[], float] = monotonic) -> None:
        self._ticks = ticks
        self._lock = threading.Lock()
        self._known: dict[str, _Session] = {}  #: by digest, the longest idle first

    def __len__(self) -> int:
        return len(self._known)

    def begin(self, key_id: str) -> str:
        """Start a session; return the value of its cookie."""
        secret = secrets.token_urlsafe(32)
        now = self._ticks()
        with self._lock:
            self._known[digest(secret)] = _Session(key_id, now, now)
            same = [name for name, session in self._known.items() if session.key_id == key_id]
            for name in same[:-_MOST_OF_A_KEY]:
                del self._known[name]
            while len(self._known) > _MOST:
                del self._known[next(iter(self._known))]
        return secret

    def key_id(self, secret: str, *, lives: bool = False) -> str | None:
        """Return the id of the key that a session began with; None: there is no such session.

        `lives`: it counts as activity of the browser.
        """
        name, now = digest(secret), self._ticks()
        with self._lock:
            session = self._known.get(name)
            if session is None:
                return None
            if now - session.seen > IDLE_SECONDS or now - session.begun > LONGEST_SECONDS:
                del self._known[name]
                return None
            if lives:
                session.seen = now
                self._known[name] = self._known.pop(name)
            return session.key_id

    def end(self, secret: str) -> None:
        with self._lock:
            self._known.pop(digest(secret), None)
