"""Fakes that are real objects, and builders of values.

The contract suite of stores is the package gieok-contract (`gieok_contract.StoreContract`).
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
