"""Keys: how one is made, how it is known again, how it is taken back.

A key is `gk_<id>_<secret>`. Of the secret, which is 256 random bits, only a SHA-256 digest is kept. A slow hash guards
words that people think up and that can be guessed; nobody guesses 256 bits, and every request would wait for it.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import Final

from gieok.domain.desk import AccessKey, Bounds, Role
from gieok.errors import InvalidInput, InvalidQuery
from gieok.ports import Desk

PREFIX: Final = "gk_"
LONGEST_NAME: Final = 200
FRESH_SECONDS: Final = 1.0  #: so long a key may open after another process took it back
_ID_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"  #: no letter is mistaken for a digit
_ID_LENGTH: Final = 12
_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  #: a click marks all of them
_SECRET_LENGTH: Final = 43  #: 62⁴³ > 2²⁵⁶
_SHAPE: Final = re.compile(rf"gk_([{_ID_LETTERS}]{{{_ID_LENGTH}}})_([0-9A-Za-z]{{{_SECRET_LENGTH}}})")
_WRITTEN: Final = re.compile(rf"(gk_[{_ID_LETTERS}]{{{_ID_LENGTH}}}_)[0-9A-Za-z%_]{{8,}}")
_NO_DIGEST: Final = "0" * 64  #: what a secret is compared with where there is no key; no secret has it


def issued(
    name: str,
    role: Role,
    *,
    now: datetime,
    bounds: Iterable[Bounds] = (),
    home: Bounds | None = None,
    per_minute: int | None = None,
    per_day: int | None = None,
) -> tuple[str, AccessKey]:
    """Return a new key: what its holder sends, which can be had nowhere else, and what is kept of it."""
    called = name.strip()
    if not called or len(called) > LONGEST_NAME or not called.isprintable():
        raise InvalidInput(f"a key needs a name of at most {LONGEST_NAME} letters, by which you will know it again")
    id, secret = _drawn(_ID_LETTERS, _ID_LENGTH), _drawn(_LETTERS, _SECRET_LENGTH)
    key = AccessKey(
        id=id,
        name=called,
        role=role,
        digest=digest(secret),
        bounds=tuple(bounds),
        home=home or Bounds(),
        per_minute=per_minute,
        per_day=per_day,
        created_at=now,
    )
    return f"{PREFIX}{id}_{secret}", key


def digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).hexdigest()


def unsaid(text: str) -> str:
    """Return a text without the secrets of the keys in it: somebody put one where it does not belong."""
    return _WRITTEN.sub(r"\1…", text)


def revoke(desk: Desk, key_id: str, *, now: datetime) -> AccessKey:
    """Take a key back, for good; one that is taken back already stays as it is. A whole token is taken for its id."""
    shape = _SHAPE.fullmatch(key_id)
    wanted = shape[1] if shape else key_id
    key = next((each for each in desk.access_keys() if each.id == wanted), None)
    if key is None:
        raise InvalidQuery("there is no key of that id; `gieok keys list` shows those there are")
    if key.revoked_at is None:
        key = replace(key, revoked_at=now)
        desk.keep_key(key)
    return key


class Keyring:
    """The keys of a bank, looked up as often as requests come, and read again when they may be out of date."""

    def __init__(self, desk: Desk, *, fresh_seconds: float = FRESH_SECONDS, ticks: Callable[[], float] = monotonic):
        self._desk = desk
        self._fresh_seconds = fresh_seconds
        self._ticks = ticks
        self._reading = threading.Lock()
        self._read_at: float | None = None
        self._keys: dict[str, AccessKey] = {}

    @property
    def is_stale(self) -> bool:
        return self._read_at is None or self._ticks() - self._read_at >= self._fresh_seconds

    def refresh(self) -> None:
        """Read the keys again if that is due. It waits for the bank: not for an event loop."""
        with self._reading:
            if self.is_stale:
                began = self._ticks()
                self._keys = {key.id: key for key in self._desk.access_keys()}
                self._read_at = began

    def by_id(self, key_id: str) -> AccessKey | None:
        """Return the key with this id; None: there is none, or it is taken back."""
        key = self._keys.get(key_id)
        return key if key is not None and key.revoked_at is None else None

    def find(self, token: str) -> AccessKey | None:
        """Return the key that `token` is; None: it opens nothing, whatever the reason.

        A token that is garbled, unknown, wrong or taken back costs the same work as one that opens.
        """
        shape = _SHAPE.fullmatch(token)
        id, secret = shape.groups() if shape else ("", token)
        key = self._keys.get(id)
        same = hmac.compare_digest(digest(secret), key.digest if key is not None else _NO_DIGEST)
        return key if same and key is not None and key.revoked_at is None else None


def _drawn(letters: str, count: int) -> str:
    return "".join(secrets.choice(letters) for _ in range(count))
