"""When things were said that a source gives no time for: right after the one before."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from gieok.domain.scope import Scope
from gieok.interop.arriving.shape import Exchange

_STEP: Final = timedelta(seconds=1)


class Timing:
    """Learned from a first walk over a source (`survey`), used in a second one (`moment`), in the same order."""

    def __init__(self, written_at: datetime) -> None:
        """`written_at` is when the source itself was written: where nothing has a time, all was before that."""
        self._written_at = written_at
        self._undated: dict[Scope, int] = {}  #: exchanges before the first that has a time
        self._first: dict[Scope, datetime] = {}
        self._last: dict[Scope, datetime] = {}

    def survey(self, item: Exchange) -> None:
        if item.scope in self._first:
            return
        if item.at is None:
            self._undated[item.scope] = self._undated.get(item.scope, 0) + 1
        else:
            self._first[item.scope] = item.at

    def moment(self, item: Exchange) -> datetime:
        if item.at is not None:
            moment = item.at
        elif item.scope in self._last:
            moment = self._last[item.scope] + _STEP
        else:
            until = self._first.get(item.scope, self._written_at)
            moment = until - _STEP * self._undated.get(item.scope, 1)
        self._last[item.scope] = moment
        return moment
