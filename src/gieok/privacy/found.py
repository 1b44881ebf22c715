"""One piece of personal data in a text."""

from __future__ import annotations

from dataclasses import dataclass

from gieok.domain.personal import PersonalKind


@dataclass(frozen=True, slots=True)
class Found:
    """Its kind, and where it begins and ends."""

    kind: PersonalKind
    start: int
    end: int
