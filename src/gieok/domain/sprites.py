"""Which picture of a character shows what it feels.

By default four files (`ASSETS`); chat front-ends such as SillyTavern know 28 labels instead, those of GoEmotions, of
which an emotion picks one by its strength. Both tables can be handed in changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Final

from gieok.domain.emotion import Emotion

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
