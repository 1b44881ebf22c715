"""What somebody feels, as a screen can show it: one of four, how strongly, how pleasant, and in which picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final, Literal

Emotion = Literal["neutral", "sad", "happy", "angry"]
EMOTIONS: Final[tuple[Emotion, ...]] = ("neutral", "sad", "happy", "angry")
PRIORITY: Final[tuple[Emotion, ...]] = ("angry", "sad", "happy", "neutral")
_PLEASANT: Final[Mapping[Emotion, float]] = {"neutral": 0.0, "sad": -1.0, "happy": 1.0, "angry": -1.0}
ASSETS: Final[Mapping[Emotion, str]] = {
    "neutral": "neutral_full.png",
    "sad": "crying_full.png",
    "happy": "smile_full.png",
    "angry": "annoyed_full.png",
}
#: which of the four each of the 28 labels is
LABELS: Final[Mapping[str, Emotion]] = {
    "admiration": "happy",
    "amusement": "happy",
    "anger": "angry",
    "annoyance": "angry",
    "approval": "happy",
    "caring": "happy",
    "confusion": "neutral",
    "curiosity": "neutral",
    "desire": "happy",
    "disappointment": "sad",
    "disapproval": "angry",
    "disgust": "angry",
    "embarrassment": "sad",
    "excitement": "happy",
    "fear": "sad",
    "gratitude": "happy",
    "grief": "sad",
    "joy": "happy",
    "love": "happy",
    "nervousness": "sad",
    "optimism": "happy",
    "pride": "happy",
    "realization": "neutral",
    "relief": "happy",
    "remorse": "sad",
    "sadness": "sad",
    "surprise": "neutral",
    "neutral": "neutral",
}
Steps = Sequence[tuple[float, str]]  # (from this intensity on, label), rising
#: which label each of the four is, by how strongly it is felt
LADDERS: Final[Mapping[Emotion, Steps]] = {
    "neutral": ((0.0, "neutral"),),
    "sad": ((0.0, "disappointment"), (0.35, "sadness"), (0.8, "grief")),
    "happy": ((0.0, "approval"), (0.35, "joy"), (0.8, "excitement")),
    "angry": ((0.0, "annoyance"), (0.5, "anger")),
}


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


def asset(emotion: Emotion, assets: Mapping[Emotion, str] = ASSETS) -> str:
    """Return the name of the picture for `emotion`; what `assets` leaves out is called as in `ASSETS`."""
    return {**ASSETS, **assets}[emotion]


def sprite_label(emotion: Emotion, intensity: float, ladders: Mapping[Emotion, Steps] = LADDERS) -> str:
    """Return which of the 28 labels shows `emotion` felt that strongly."""
    steps = {**LADDERS, **ladders}[emotion]
    reached = (label for least, label in steps if intensity >= least)
    return list(chain([steps[0][1]], reached))[-1]


def emotion_of(label: str) -> Emotion:
    """Return which of the four one of the 28 labels is; an unknown one is neutral."""
    return LABELS.get(label.strip().casefold(), "neutral")
