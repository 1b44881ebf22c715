"""Sharing out a token budget among the blocks of a context.

Each block has a share that is its own as long as it has use for it. What a block does not need flows to those that
want more, in the order in which they are served; where it does not reach, the last in that order go first.
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


def shared_out(room: int, wants: Mapping[str, int], floors: Mapping[str, int]) -> dict[str, int]:
    """Return how many tokens each block of `wants` gets: never more than it wants, together never over `room`.

    The order of `wants` is the order of serving, those that are sacrificed first last. Everybody is served up to
    their floor before anybody gets more.
    """
    given = dict.fromkeys(wants, 0)
    left = max(room, 0)
    for bound in (floors, wants):
        for name, want in wants.items():
            more = max(min(want, bound.get(name, 0)) - given[name], 0)
            given[name] += min(more, left)
            left -= min(more, left)
    return given
