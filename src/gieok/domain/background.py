"""What is known before a turn and helps to read it: a name for "I", a value that is about to be given up."""

from __future__ import annotations

from dataclasses import dataclass

from gieok.domain.memory import Memory


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """Handed to extractors with the turn."""

    names: frozenset[str] = frozenset()  #: by which the user is known
    mentioned: tuple[Memory, ...] = ()  #: current facts about the user whose value is said, or asked about just before


NOTHING_KNOWN = Background()
