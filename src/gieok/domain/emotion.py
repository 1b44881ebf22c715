"""What somebody feels, as a screen can show it: one of four, how strongly, and how pleasant it is.

To a screen it goes as the contract's JSON, in which exactly one of the four is 1. Of several that are as strong as
each other one is shown: anger before sadness, sadness before joy, and any of them before calm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

Emotion = Literal["neutral", "sad", "happy", "angry"]
EMOTIONS: Final[tuple[Emotion, ...]] = ("neutral", "sad", "happy", "angry")
PRIORITY: Final[tuple[Emotion, ...]] = ("angry", "sad", "happy", "neutral")

_PLEASANT: Final[Mapping[Emotion, float]] = {"neutral": 0.0, "sad": -1.0, "happy": 1.0, "angry": -1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """What one speaker felt in one turn."""

    speaker: str  #: "user", "character", or a name
    emotion: Emotion
    intensity: float = 0.0  #: 0–1
    valence: float = 0.0  #: -1 (bad) to 1 (good)
    by: str = "keywords"  #: what told it: "classifier/1", "keywords/1", or a prompt with its version
    raw: str = field(default="", compare=False)  #: what a model answered; kept in the turn's trace alone


def one_hot(emotion: Emotion) -> dict[str, int]:
    """Return the contract's JSON object for `emotion`: four keys, one of them 1."""
    return {each: int(each == emotion) for each in EMOTIONS}


def valence(emotion: Emotion, intensity: float = 1.0) -> float:
    """Return how good or bad it is to feel `emotion` that strongly, -1 to 1."""
    return round(_PLEASANT[emotion] * min(max(intensity, 0.0), 1.0), 3)


def strongest(shares: Mapping[Emotion, float]) -> Emotion | None:
    """Return the emotion with the largest share above 0; of equal ones the first of `PRIORITY`."""
    most = max(PRIORITY, key=lambda emotion: shares.get(emotion, 0.0))
    return most if shares.get(most, 0.0) > 0 else None
