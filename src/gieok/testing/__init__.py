"""Fakes that are real objects, builders of values, and the contract that every store keeps.

`gieok.testing.store_contract.StoreContract` is the suite itself; it needs pytest, the rest does not.
"""

from gieok.testing.builders import DAY_1, SEOUL, claim, day, entry_for, memory, note, turn
from gieok.testing.scribe import Scribe
from gieok.testing.stand_ins import FixedClock, HashVectors, ScriptedModel

__all__ = [
    "DAY_1",
    "SEOUL",
    "FixedClock",
    "HashVectors",
    "Scribe",
    "ScriptedModel",
    "claim",
    "day",
    "entry_for",
    "memory",
    "note",
    "turn",
]
