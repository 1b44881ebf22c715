"""How far each pass is from being due, as it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gieok.domain.upkeep import Measured, Outlook, PassName
from gieok.web.wording import Words

_DAY: Final = 24
_DAYS_FROM: Final = 48  #: hours from which on days are told


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One pass: its name, what it does, and how far it is."""

    pass_name: PassName
    name: str
    does: str
    due: bool
    far: str
    share: float  #: 0 to 1
    ran_at: datetime | None


def waiting(outlooks: Iterable[Outlook], words: Words) -> list[Waiting]:
    return [
        Waiting(
            pass_name=each.name,
            name=words(f"upkeep.passes.{each.name}"),
            does=words(f"upkeep.does.{each.name}"),
            due=each.due,
            far=far(each.measured, words),
            share=each.measured.share if each.measured is not None else 0.0,
            ran_at=each.ran.at if each.ran is not None else None,
        )
        for each in outlooks
    ]


def far(measured: Measured | None, words: Words) -> str:
    """Tell what a pass waits for, and how much of it there is."""
    if measured is None:
        return words("upkeep.waits.off")
    if measured.by == "stale":
        return words("upkeep.waits.stale")
    have, need = measured.have, measured.need
    if measured.by == "hours":
        return words("upkeep.waits.hours", have=_lasting(have, words), need=_lasting(need, words))
    return words(f"upkeep.waits.{measured.by}", have=round(have), need=round(need))


def named(passes: Iterable[PassName], words: Words) -> str:
    return ", ".join(words(f"upkeep.passes.{name}") for name in passes)


def _lasting(hours: float, words: Words) -> str:
    if hours >= _DAYS_FROM:
        return words("upkeep.waits.a_day", n=int(hours // _DAY))
    return words("upkeep.waits.an_hour", n=int(hours))
