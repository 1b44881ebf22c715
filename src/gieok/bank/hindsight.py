"""What a mind can tell of a turn afterwards: what became of it, and how it came about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gieok.domain.answer import Observed
from gieok.domain.scope import Scope
from gieok.domain.trace import Trace
from gieok.errors import NoTrace, UnknownTurn

if TYPE_CHECKING:
    from gieok.bank.memory_bank import MemoryBank


class Hindsight:
    """The part of a `Mind` that looks back at turns."""

    _bank: MemoryBank
    key: Scope

    def observed(self, turn_id: str) -> Observed:
        """Return what became of a turn, as it is in force now. Raises `UnknownTurn`."""
        return self._bank.services.observer.observed(self.key, turn_id)

    def trace(self, turn_id: str) -> Trace:
        """Return how a turn came about: what was found, shown to the model and used, what it cost, who read feelings.

        The last `keep_traces` turns have one. Raises `UnknownTurn`, or `NoTrace` for a turn without.
        """
        with self._bank.store.view(self.key) as view:
            trace = view.trace(turn_id)
            known = trace is not None or view.turn(turn_id) is not None
        if not known:
            raise UnknownTurn(turn_id)
        if trace is None:
            raise NoTrace(turn_id, self._bank.settings.keep_traces)
        return trace
