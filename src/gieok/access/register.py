"""Keys as they are used: known again, held to what they may ask for, counted."""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from gieok.access import refusals
from gieok.access.keys import Keyring
from gieok.access.limits import Pace, Tally
from gieok.access.refusals import TurnedAway
from gieok.domain.desk import AccessKey
from gieok.errors import GieokError

FLUSH_SECONDS: Final = 3.0
_log: Final = logging.getLogger("gieok.access")


class Register:
    """Admits those whose key opens, as often as it may be used. For one event loop, which never waits for the bank."""

    def __init__(self, keys: Keyring, tally: Tally, pace: Pace, *, per_minute: int) -> None:
        """Requests a minute count for keys that say nothing of their own; 0: as many as they like."""
        self._keys = keys
        self._tally = tally
        self._pace = pace
        self._per_minute = per_minute
        self._looking = asyncio.Lock()
        self._flush_due: asyncio.Task[None] | None = None

    async def admit(self, token: str) -> AccessKey:
        """Return the key that `token` is, and count a use of it. Raises `TurnedAway`."""
        try:
            if self._is_out_of_date:
                await self._look()
        except GieokError as cause:
            _log.warning("keys cannot be read: %s", cause)
            raise TurnedAway(refusals.NO_BANK) from cause
        key = self._keys.find(token)
        if key is None:
            raise TurnedAway(refusals.WRONG_KEY)
        self._hold_to_its_limits(key)
        self._count(key)
        return key

    async def close(self) -> None:
        """Keep what was counted."""
        if self._tally.has_news:
            await self._flush()

    @property
    def _is_out_of_date(self) -> bool:
        return self._keys.is_stale or not self._tally.is_ready

    async def _look(self) -> None:
        async with self._looking:  # one looks for all who wait
            if self._keys.is_stale:
                await asyncio.to_thread(self._keys.refresh)
            if not self._tally.is_ready:
                await asyncio.to_thread(self._tally.read)

    def _hold_to_its_limits(self, key: AccessKey) -> None:
        if key.per_day is not None and self._tally.used(key.id) >= key.per_day:
            raise TurnedAway(refusals.used_up(key.per_day, self._tally.seconds_left()))
        per_minute = self._per_minute if key.per_minute is None else key.per_minute
        wait = self._pace.wait(key.id, per_minute) if per_minute > 0 else 0.0
        if wait > 0:
            raise TurnedAway(refusals.too_fast(per_minute, wait))

    def _count(self, key: AccessKey) -> None:
        self._tally.count(key.id)
        if self._flush_due is None or self._flush_due.done():
            self._flush_due = asyncio.create_task(self._flush_now_and_then())

    async def _flush_now_and_then(self) -> None:
        kept = True
        while kept and self._tally.has_news:  # what could not be kept waits for the next request
            await asyncio.sleep(FLUSH_SECONDS)
            kept = await self._flush()

    async def _flush(self) -> bool:
        try:
            await asyncio.to_thread(self._tally.flush)
        except GieokError as cause:
            _log.warning("uses of keys cannot be kept yet: %s", cause)
            return False
        return True
