"""A clock that shows what it was set to."""

from __future__ import annotations

from datetime import datetime, timedelta

from gieok.domain.turn import checked_moment


class FixedClock:
    """Stands still until it is set or advanced: `FixedClock(DAY_1).advance(days=30)`."""

    def __init__(self, moment: datetime) -> None:
        self._moment = checked_moment(moment, "moment")

    def now(self) -> datetime:
        return self._moment

    def set(self, moment: datetime) -> None:
        """Show `moment` from here on; it may lie before what was shown so far."""
        self._moment = checked_moment(moment, "moment")

    def advance(self, **span: float) -> datetime:
        """Move on by what `timedelta(**span)` says, and return the new moment."""
        self._moment += timedelta(**span)
        return self._moment
