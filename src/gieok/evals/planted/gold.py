"""What is true of the user at a point of the script, by what was said so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gieok.domain.attributes import attribute
from gieok.evals.planted.language import Value
from gieok.evals.planted.script import Change, Line, Planted
from gieok.evals.statement import fold


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotGold:
    """The truth about one slot."""

    current: tuple[Planted, ...] = ()
    stale: tuple[Value, ...] = ()  #: no longer true, or never
    unsettled: tuple[Value, ...] = ()  #: nobody said whether it still is
    changed_by: tuple[int, ...] = ()  #: numbers of the lines that changed it

    @property
    def values(self) -> tuple[Value, ...]:
        return tuple(planted.value for planted in self.current)


def gold(lines: Iterable[Line]) -> dict[str, SlotGold]:
    """Return the truth of every slot that `lines` of one conversation speak of."""
    truth: dict[str, SlotGold] = {}
    for line in lines:
        for planted in line.facts:
            if line.change is None:
                truth[planted.slot] = _stated(truth.get(planted.slot, SlotGold()), planted)
        if line.change is not None:
            slot = line.change.slot
            after = _changed(truth.get(slot, SlotGold()), line.change)
            truth[slot] = replace(after, changed_by=(*after.changed_by, line.number))
    return truth


def _stated(before: SlotGold, planted: Planted) -> SlotGold:
    if attribute(planted.slot).single:
        gone = tuple(value for value in before.values if not same(value, planted.value))
        return replace(before, current=(planted,), stale=(*before.stale, *gone))
    return replace(before, current=(*before.current, planted))


def _changed(before: SlotGold, change: Change) -> SlotGold:
    """Return the slot after `change`: the old value goes, or nobody knows, and the new one comes."""
    kept = tuple(planted for planted in before.current if not same(planted.value, change.old))
    open_end = change.kind == "update" and not change.names_old and not attribute(change.slot).single
    stale = before.stale if open_end else (*before.stale, change.old)
    if change.new is not None:
        new = change.new
        stale = tuple(value for value in stale if not same(value, new.value))  # it is true again
        kept = (*kept, new)
    return replace(
        before,
        current=kept,
        stale=stale,
        unsettled=(*before.unsettled, change.old) if open_end else before.unsettled,
    )


def same(one: Value, other: Value) -> bool:
    return fold(one.gold) == fold(other.gold)
