"""A linear look at the morphemes, letters and cues of a Korean text, taught by `tools/train_emotions.py`.

Features are hashed, so that the weights need no list of words. Texts of any length are alike: what each feature
adds is divided by the root of how many there are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Final
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from gieok.domain.emotion import EMOTIONS, Emotion
from gieok.language.emotions.cues import cues, shortened
from gieok.language.morphemes import analyse

BUCKETS: Final = 1 << 16
_SHORTEST_RUN, _LONGEST_RUN = 2, 4  #: letters looked at together
_MARKS: Final = frozenset("SF SP SS SSO SSC SE SO SW SN SB W_URL W_SERIAL W_MENTION W_HASHTAG W_EMAIL".split())
_BLANKS: Final = re.compile(r"\s+")
_DIGITS: Final = re.compile(r"\d+")
_REPEATED: Final = re.compile(r"(.)\1{2,}")

Floats = NDArray[np.float32]


def features(text: str) -> tuple[NDArray[np.intp], float]:
    """Return the buckets of what `text` shows, and what each counts."""
    text = shortened(text)
    shown = {f"m{part.form}/{part.tag[:2]}" for part in analyse(text) if part.tag not in _MARKS}
    letters = _REPEATED.sub(r"\1\1", _BLANKS.sub(" ", _DIGITS.sub("0", f" {text.casefold()} ")))
    for length in range(_SHORTEST_RUN, _LONGEST_RUN + 1):
        shown.update(letters[at : at + length] for at in range(len(letters) - length + 1))
    found = cues(text)
    shown.update(f"w{emotion}" for emotion in found.words)
    shown.update(f"k{emotion}" for emotion in found.marks)
    places = {crc32(each.encode("utf-8", "replace")) % BUCKETS for each in shown}
    return np.fromiter(places, dtype=np.intp, count=len(places)), 1 / sqrt(max(1, len(places)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Classifier:
    """Weights of every bucket for every emotion."""

    weights: NDArray[np.int8]  #: a row for each bucket, in steps of `step`
    step: Floats  #: for each emotion
    bias: Floats

    def shares(self, text: str) -> dict[Emotion, float]:
        """Return how likely each emotion is; they add up to 1."""
        places, value = features(text)
        looks = self.weights[places].sum(axis=0, dtype=np.int32) * self.step * value + self.bias
        looks = np.exp(looks - looks.max())
        return dict(zip(EMOTIONS, (looks / looks.sum()).tolist(), strict=True))


@cache
def classifier() -> Classifier | None:
    """Return what was taught, loaded when first asked for; None where it is not there or not to be read."""
    try:
        with files(__package__).joinpath("weights.npz").open("rb") as opened, np.load(opened) as learned:
            return Classifier(weights=learned["weights"], step=learned["step"], bias=learned["bias"])
    except (OSError, ValueError, KeyError):
        return None
