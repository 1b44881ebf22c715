"""Sharing out a token budget among the blocks of a context.

Each block has a share. What a block does not need flows to those that want more, in proportion to their shares,
until everybody has enough or nothing is left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

SHARES: Final[dict[str, float]] = {
    "system": 0.15,
    "people": 0.10,  #: entity, relationship and emotion
    "memories": 0.20,
    "examples": 0.05,
    "talk": 0.40,  #: summary, recent turns and the new message
    "reply": 0.10,  #: kept free for the answer
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Upper bounds in tokens, whatever the budget."""

    memories: int = 1_200
    memory_item: int = 150
    pinned: int = 400


def allotted(budget: int, wants: Mapping[str, int], shares: Mapping[str, float]) -> dict[str, int]:
    """Return how many tokens each block of `wants` gets: never more than it wants, together never over `budget`.

    A block without a share gets only what the others leave.
    """
    given = dict.fromkeys(wants, 0)
    left = max(budget, 0)
    while left > 0:
        hungry = [name for name, want in wants.items() if given[name] < want]
        if not hungry:
            break
        weight = {name: shares.get(name, 0.0) for name in hungry}
        total = sum(weight.values())
        if total <= 0:
            weight, total = dict.fromkeys(hungry, 1.0), float(len(hungry))
        round_left = left
        for name in hungry:
            portion = min(wants[name] - given[name], int(round_left * weight[name] / total), left)
            given[name] += portion
            left -= portion
        if left == round_left:  # shares too small for a whole token: hand out what is left in order
            for name in (name for name in hungry if weight[name] > 0):
                portion = min(wants[name] - given[name], left)
                given[name] += portion
                left -= portion
    return given
