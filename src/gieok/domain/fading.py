"""How a memory fades.

Strength falls a little at every fading step; strong feeling and importance slow the fall. It is computed when
asked for, from the strength at the last touch and the steps since: nothing is written while time goes by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType

from gieok.domain.memory import Kind, Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class FadingRates:
    """How fast each kind of memory fades, and what holds it."""

    base: Mapping[Kind, float] = field(
        default_factory=lambda: MappingProxyType(
            {"episodic": 0.95, "emotional": 0.97, "semantic": 0.98, "insight": 0.98}
        )
    )
    emotion: float = 0.4  #: how much feeling holds a memory
    importance: float = 0.3  #: how much importance holds it
    ceiling: float = 0.995  #: nothing fades slower
    floor: float = 0.1  #: nothing fades below
    every_turns: int = 5  #: turns in one fading step


def factor(memory: Memory, rates: FadingRates) -> float:
    """Return what one fading step leaves of `memory`'s strength, as a share; 1 for a pinned memory."""
    if memory.pinned:
        return 1.0
    base = rates.base[memory.kind]
    held = memory.emotion_intensity * rates.emotion + memory.importance * rates.importance
    return min(base + (1 - base) * held, rates.ceiling)


def strength_now(memory: Memory, turn_number: int, rates: FadingRates) -> float:
    """Return `memory`'s strength at turn `turn_number`; it stops falling once at or below the floor."""
    steps = turn_number // rates.every_turns - memory.touched_turn // rates.every_turns
    if steps <= 0 or memory.strength <= rates.floor:
        return memory.strength
    share = factor(memory, rates)
    if share >= 1.0:
        return memory.strength
    faded = memory.strength * share**steps
    if faded > rates.floor:
        return faded
    return _first_at_or_below_floor(memory.strength, share, rates.floor)


@lru_cache(maxsize=1024)
def _first_at_or_below_floor(strength: float, share: float, floor: float) -> float:
    while strength > floor:
        strength *= share
    return strength
