"""Answers that last beyond the next write, and which of them a write upsets.

Few writes concern them, and each takes many rows to find.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from operator import attrgetter
from typing import Final

from gieok.domain.memory import Change
from gieok.ports import Entry

PEOPLE: Final = "people"
NAMEABLE: Final = "nameable facts"  #: no write upsets it: it is brought up to date
FORGOTTEN_WORDS: Final = "forgotten words"
LISTS: Final = "lists"  #: of memories that fit something

#: All that a list of memories goes by: what changes with every use of one is not among it.
_listed_by: Final = attrgetter(
    "subject", "subject_id", "speaker", "attribute", "value", "content_type", "origin", "closed_by", "pinned", "hidden",
    "valid_at", "known_at",
)  # fmt: skip


def read_from(utterance_id: str) -> Hashable:
    """Return the name of the answer to what was read from an utterance."""
    return ("read from", utterance_id)


def turn_named(turn_id: str) -> Hashable:
    return ("turn", turn_id)


def operation_of(turn_id: str) -> Hashable:
    return ("operation of", turn_id)


def upset_by(entry: Entry) -> frozenset[Hashable] | None:
    """Return the names of the answers that are not true any more after `entry`.

    None: after a rewind or an erasure, any may be.
    """
    if entry.revised or entry.gone is not None:
        return None
    names: set[Hashable] = set()
    for turn_id in (entry.turn.id if entry.turn else None, entry.caught_up, entry.deepened, entry.operation.turn_id):
        if turn_id is not None:
            names |= {turn_named(turn_id), operation_of(turn_id)}
    if entry.turn is not None:
        names.update(read_from(utterance.id) for utterance in entry.turn.utterances)
    for change in entry.memories:
        names.update(_upset_by(change))
    return frozenset(names)


def _upset_by(change: Change) -> Iterator[Hashable]:
    before, after = change.before, change.after
    sides = [side for side in (before, after) if side is not None]
    if any(side.forgotten_at is not None for side in sides):
        yield FORGOTTEN_WORDS
    spoken_of = {(side.subject, side.subject_id, side.hidden) for side in sides}
    if any(side.subject == "other" for side in sides) and (len(sides) == 1 or len(spoken_of) == 2):
        yield PEOPLE
    if before is None or after is None or _listed_by(before) != _listed_by(after):
        yield LISTS
    if len(sides) == 1:
        yield from (read_from(change.memory_id[:at]) for at, sign in enumerate(change.memory_id) if sign == "-")
