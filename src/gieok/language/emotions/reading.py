"""What somebody feels, and how strongly, by what they say, or by what a reply says and shows of them.

The classifier gives each emotion a share. Words that tell a feeling add to it, the more the shorter the text is; what
is only denied ("안 슬퍼") is not felt. How strong a feeling is told by words of degree and drawn-out marks as well.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import exp, log, sqrt
from typing import Final

from gieok.domain.emotion import EMOTIONS, Emotion, Felt, strongest, valence
from gieok.language.emotions.classifier import Classifier, classifier
from gieok.language.emotions.cues import Cues, cues, shortened
from gieok.language.lately import remembered
from gieok.language.morphemes import analyse
from gieok.language.text import has_hangul

BY_CLASSIFIER: Final = "classifier/1"
BY_WORDS: Final = "keywords/1"

_TOLD: Final = 5.0  #: what a word that tells a feeling adds to the logarithm of its share, over the root of the length
_HINTED: Final = 2.0  #: … and what a mark adds
_FELT, _MARKED, _SENSED = 0.5, 0.3, 0.4  #: intensity by a word, by a mark alone, by the classifier alone
_MORE, _LESS, _DRAWN_OUT = 0.2, -0.15, 0.1
_LEAST: Final = 0.05
_SURE: Final = 0.5  #: the share that changes no intensity
_BY_SHARE: Final = 0.2
_STAGE: Final = re.compile(r"\*([^*\n]{1,500})\*|\(([^()\n]{1,200})\)")
_SPOKEN: Final = re.compile(r'"([^"\n]{1,500}[.!?…~])"|“([^“”\n]{1,500}[.!?…~])”')
_SHORT: Final = 16  #: morphemes
_UNMOVED: Final = 1.0
_SEEN: Final = 1.25  #: what is seen of somebody counts beside what they say
_AGREED: Final = 0.1


def feel(text: str, *, speaker: str) -> Felt:
    """Return what `speaker` feels by what they say; any string is answered."""
    if not has_hangul(text) or classifier() is None:
        return by_words(text, speaker=speaker)
    emotion, intensity = _sensed(text)
    return _felt(speaker, emotion, intensity, BY_CLASSIFIER)


@remembered
def _sensed(text: str) -> tuple[Emotion, float]:
    learned = classifier()
    assert learned is not None, "without it words alone are read"
    shares = shared_out(text, learned)
    emotion = strongest(shares) or "neutral"
    return emotion, _intensity(emotion, cues(text), shares[emotion])


def by_words(text: str, *, speaker: str, seen: bool = False) -> Felt:
    """Return what words and marks alone tell; `seen`: the text is a stage direction."""
    found = cues(text, seen=seen)
    told: Mapping[Emotion, float] = dict.fromkeys(found.words or found.marks - found.denied, 1.0)
    emotion = strongest(told) or "neutral"
    return _felt(speaker, emotion, _intensity(emotion, found, _SURE), BY_WORDS)


def feel_reply(reply: str, *, speaker: str = "character") -> Felt:
    """Return what `speaker` feels by a reply, its narration (`*웃으며*`, `(한숨)`) and its dialogue."""
    narration, dialogue = staged(reply)
    said = feel(dialogue, speaker=speaker)
    shown = by_words(narration, speaker=speaker, seen=True)
    if shown.emotion == "neutral":
        return said
    if said.emotion == shown.emotion:
        return _felt(speaker, said.emotion, max(said.intensity, shown.intensity) + _AGREED, said.by)
    return shown if shown.intensity * _SEEN >= said.intensity else said


def staged(reply: str) -> tuple[str, str]:
    """Return the narration and the dialogue of `reply`; in a novel's, all outside of quotes narrates."""
    directions = [one or other for one, other in _STAGE.findall(reply)]
    dialogue = _STAGE.sub(" ", reply) if directions else reply
    spoken = [one or other for one, other in _SPOKEN.findall(dialogue)]
    if spoken:
        directions.append(_SPOKEN.sub(" ", dialogue))
        dialogue = "\n".join(spoken)
    return "\n".join(directions), dialogue


def shared_out(text: str, learned: Classifier) -> dict[Emotion, float]:
    """Return how likely each emotion is by the classifier and the words of `text` together."""
    found = cues(text)
    length = sqrt(max(1, len(analyse(shortened(text)))))
    looks = {
        emotion: log(max(share, 1e-9))
        + (_TOLD * found.words.get(emotion, 0) + _HINTED * (emotion in found.marks)) / length
        for emotion, share in learned.shares(text).items()
    }
    for emotion in found.denied - found.words.keys():
        looks[emotion] = min(looks[emotion], looks["neutral"] - 1)
    if length**2 <= _SHORT:
        _weigh_short(looks, found)
    most = max(looks.values())
    raised = {emotion: exp(looks[emotion] - most) for emotion in EMOTIONS}
    total = sum(raised.values())
    return {emotion: share / total for emotion, share in raised.items()}


def _weigh_short(looks: dict[Emotion, float], found: Cues) -> None:
    """Who says little, and in it a word of feeling, is not unmoved; without any sign of feeling they mostly are."""
    if found.words:
        looks["neutral"] = min(looks["neutral"], max(looks[emotion] for emotion in found.words) - 1)
    elif not found.marks:
        looks["neutral"] += _UNMOVED


def _intensity(emotion: Emotion, found: Cues, share: float) -> float:
    if emotion == "neutral":
        return 0.0
    told = emotion in found.words
    base = _FELT if told else _MARKED if emotion in found.marks else _SENSED
    degree = _MORE * found.more + _LESS * found.less if told else 0.0
    return base + degree + _DRAWN_OUT * found.drawn_out + _BY_SHARE * (share - _SURE)


def _felt(speaker: str, emotion: Emotion, intensity: float, by: str) -> Felt:
    if emotion != "neutral":
        intensity = round(min(max(intensity, _LEAST), 1.0), 3)
    return Felt(speaker=speaker, emotion=emotion, intensity=intensity, valence=valence(emotion, intensity), by=by)
