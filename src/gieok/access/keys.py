"""API keys: creating, checking and revoking them, and their limits.

A key is `gk_<id>_<secret>`. Only a SHA-256 digest of the secret, which is 256 random bits, is stored. A slow hash would
protect passwords, which can be guessed; 256 bits cannot, and every request would wait for it.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import logging
import re
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from math import ceil
from time import monotonic
from typing import Final, Protocol

from gieok.access.caller import TurnedAway
from gieok.domain.server_state import AccessKey, Bounds, Role
from gieok.errors import ErrorText, GieokError, InvalidInput, InvalidQuery
from gieok.ports import ServerStore

PREFIX: Final = "gk_"
LONGEST_NAME: Final = 200
FRESH_SECONDS: Final = 1.0  #: that a key may still work after another process revoked it
_ID_LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"  #: no letter looks like a digit
_ID_LENGTH: Final = 12
_LETTERS: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"  #: a double click selects all of it
_SECRET_LENGTH: Final = 43  #: 62⁴³ > 2²⁵⁶
_SHAPE: Final = re.compile(rf"gk_([{_ID_LETTERS}]{{{_ID_LENGTH}}})_([0-9A-Za-z]{{{_SECRET_LENGTH}}})")
_WRITTEN: Final = re.compile(rf"(gk_[{_ID_LETTERS}]{{{_ID_LENGTH}}}_)[0-9A-Za-z%_]{{8,}}")
_NO_DIGEST: Final = "0" * 64  #: compared with where there is no key; no secret has this digest


def create_key(
    name: str,
    role: Role,
    *,
    now: datetime,
    bounds: Iterable[Bounds] = (),
    home: Bounds | None = None,
    per_minute: int | None = None,
    per_day: int | None = None,
) -> tuple[str, AccessKey]:
    """Create a key; return what its holder sends, which is not stored, and what is stored."""
    called = name.strip()
    if not called or len(called) > LONGEST_NAME or not called.isprintable():
        raise InvalidInput(ErrorText("access.key_name", longest_name=LONGEST_NAME))
    id = "".join(secrets.choice(_ID_LETTERS) for _ in range(_ID_LENGTH))
    secret = "".join(secrets.choice(_LETTERS) for _ in range(_SECRET_LENGTH))
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


def redact_keys(text: str) -> str:
    """Return a text without the secrets of keys that were put where they do not belong."""
    return _WRITTEN.sub(r"\1…", text)


def revoke(server: ServerStore, key_id: str, *, now: datetime) -> AccessKey:
    """Revoke a key permanently; a revoked one stays as it is. A whole token counts as its id."""
    shape = _SHAPE.fullmatch(key_id)
    wanted = shape[1] if shape else key_id
    key = next((each for each in server.access_keys() if each.id == wanted), None)
    if key is None:
        raise InvalidQuery(ErrorText("access.unknown_key"))
    if key.revoked_at is None:
        key = replace(key, revoked_at=now)
        server.keep_key(key)
    return key


@dataclass(slots=True)
class Keyring:
    """The keys of a bank, cached for a moment: every request looks one up."""

    server: ServerStore
    fresh_seconds: float = FRESH_SECONDS
    ticks: Callable[[], float] = monotonic
    _reading: threading.Lock = field(default_factory=threading.Lock)
    _read_at: float | None = None
    _keys: dict[str, AccessKey] = field(default_factory=dict)

    @property
    def is_stale(self) -> bool:
        return self._read_at is None or self.ticks() - self._read_at >= self.fresh_seconds

    def refresh(self) -> None:
        """Read the keys again if that is due. It blocks: not for an event loop."""
        with self._reading:
            if self.is_stale:
                began = self.ticks()
                self._keys = {key.id: key for key in self.server.access_keys()}
                self._read_at = began

    def by_id(self, key_id: str) -> AccessKey | None:
        """Return the key with this id; None: there is none, or it was revoked."""
        key = self._keys.get(key_id)
        return key if key is not None and key.revoked_at is None else None

    def find(self, token: str) -> AccessKey | None:
        """Return the key of `token`; None: it is not valid, for whatever reason.

        An invalid, unknown or revoked token takes the same work as a valid one.
        """
        shape = _SHAPE.fullmatch(token)
        id, secret = shape.groups() if shape else ("", token)
        key = self._keys.get(id)
        same = hmac.compare_digest(digest(secret), key.digest if key is not None else _NO_DIGEST)
        return key if same and key is not None and key.revoked_at is None else None


_MINUTE: Final = 60.0
FLUSH_SECONDS: Final = 3.0
_log: Final = logging.getLogger("gieok.access")


class Buckets(Protocol):
    """How much is left in each bucket, and since when; perhaps in memory that several processes share."""

    def get(self, key_id: str, /) -> tuple[float, float] | None: ...
    def __setitem__(self, key_id: str, value: tuple[float, float], /) -> None: ...


@dataclass(slots=True, kw_only=True)
class RateLimiter:
    """Requests a minute: a token bucket for each key, which holds a minute's worth and fills up evenly."""

    ticks: Callable[[], float] = monotonic
    buckets: Buckets = field(default_factory=dict[str, tuple[float, float]])
    alone: Callable[[], AbstractContextManager[object]] = nullcontext  #: keeps others away from the buckets

    def wait(self, key_id: str, per_minute: int) -> float:
        """Count a request and return 0, or return the seconds until one is allowed."""
        now = self.ticks()
        with self.alone():
            left, since = self.buckets.get(key_id) or (float(per_minute), now)
            left = min(left + max(now - since, 0.0) * per_minute / _MINUTE, per_minute)
            may = left >= 1
            self.buckets[key_id] = (left - 1 if may else left, now)
        return 0.0 if may else (1 - left) * _MINUTE / per_minute


@dataclass(slots=True)
class UsageCounter:
    """Requests a day (UTC) by key: counted here, and stored every few seconds.

    A process that is killed loses the last few seconds of counts, in favour of the key.
    """

    server: ServerStore
    now: Callable[[], datetime] = lambda: datetime.now(UTC)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _flushing: threading.Lock = field(default_factory=threading.Lock)
    _day: str | None = None  #: of `_known`
    _known: Counter[str] = field(default_factory=Counter)  #: what is stored
    _new: Counter[tuple[str, str]] = field(default_factory=Counter)  #: by day and key: what is not stored yet

    @property
    def today(self) -> str:
        return self.now().astimezone(UTC).date().isoformat()

    @property
    def is_ready(self) -> bool:
        return self._day == self.today

    @property
    def has_news(self) -> bool:
        return bool(self._new)

    def read(self) -> None:
        """Read the stored counts of today. It blocks: not for an event loop."""
        day = self.today
        known = Counter(self.server.uses(day))
        with self._lock:
            self._day, self._known = day, known

    def used(self, key_id: str) -> int:
        with self._lock:
            return self._known[key_id] + self._new[self.today, key_id]

    def count(self, key_id: str) -> None:
        with self._lock:
            self._new[self.today, key_id] += 1

    def seconds_left(self) -> float:
        now = self.now().astimezone(UTC)
        tomorrow = (now + timedelta(days=1)).replace(hour=0, minute=0, second=0, microsecond=0)
        return (tomorrow - now).total_seconds()

    def flush(self) -> None:
        """Store the counts, and read those of other processes. What fails is tried again next time."""
        with self._flushing:
            with self._lock:
                taken = Counter(self._new)
            for day in sorted({day for day, _ in taken}):
                counted = {key_id: count for (of, key_id), count in taken.items() if of == day}
                self.server.count_uses(day, counted)
                with self._lock:
                    self._new -= Counter({(day, key_id): count for key_id, count in counted.items()})
                    if day == self._day:
                        self._known.update(counted)
            self.read()


@dataclass(slots=True)
class KeyAdmission:
    """Checks keys and their limits for one event loop, which never waits for the bank."""

    keys: Keyring
    tally: UsageCounter
    pace: RateLimiter
    per_minute: int  #: for keys without a limit of their own; 0: unlimited
    _reading: asyncio.Lock = field(default_factory=asyncio.Lock)
    #: its own: every request waits for the keys to be read, so that must not wait behind other work
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "gieok-keys"))
    _flush_due: asyncio.Task[None] | None = None

    async def admit(self, token: str) -> AccessKey:
        """Return the key of `token`, and count a use of it. Raises `TurnedAway`."""
        await self._refresh()
        key = self.keys.find(token)
        if key is None:
            raise TurnedAway("wrong_key")
        self._count(key)
        return key

    async def known(self, key_id: str, *, counts: bool) -> AccessKey | None:
        """Return the key with this id as it is now; None: it is no longer valid. Raises `TurnedAway`."""
        await self._refresh()
        key = self.keys.by_id(key_id)
        if key is not None and counts:
            self._count(key)
        return key

    async def close(self) -> None:
        if self.tally.has_news:
            await self._flush()

    def shut(self) -> None:
        self._thread.shutdown(wait=False)

    async def _refresh(self) -> None:
        if not self.keys.is_stale and self.tally.is_ready:
            return
        loop = asyncio.get_running_loop()
        try:
            async with self._reading:  # one reads for all who wait
                if self.keys.is_stale:
                    await loop.run_in_executor(self._thread, self.keys.refresh)
                if not self.tally.is_ready:
                    await loop.run_in_executor(self._thread, self.tally.read)
        except GieokError as cause:
            _log.warning("keys cannot be read: %s", cause)
            raise TurnedAway("no_bank") from cause

    def _count(self, key: AccessKey) -> None:
        """Count a use of `key`. Raises `TurnedAway` where it is one too many."""
        if key.per_day is not None and self.tally.used(key.id) >= key.per_day:
            raise TurnedAway("used_up", limit=key.per_day, seconds=ceil(self.tally.seconds_left()))
        per_minute = self.per_minute if key.per_minute is None else key.per_minute
        wait = self.pace.wait(key.id, per_minute) if per_minute > 0 else 0.0
        if wait > 0:
            raise TurnedAway("too_fast", limit=per_minute, seconds=ceil(wait))
        self.tally.count(key.id)
        if self._flush_due is None or self._flush_due.done():
            self._flush_due = asyncio.create_task(self._flush_regularly())

    async def _flush_regularly(self) -> None:
        stored = True
        while stored and self.tally.has_news:  # after a failure the next request tries again
            await asyncio.sleep(FLUSH_SECONDS)
            stored = await self._flush()

    async def _flush(self) -> bool:
        try:
            await asyncio.to_thread(self.tally.flush)
        except GieokError as cause:
            _log.warning("uses of keys cannot be stored yet: %s", cause)
            return False
        return True
