"""How much what is said matters to the speaker, and with which feeling it is said: by words and marks alone.

One feeling is given; of several, anger outweighs sadness and sadness joy. "안 슬퍼" is no sadness.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final, Literal

from gieok.language.morphemes import Morpheme, analyse

Emotion = Literal["neutral", "sad", "happy", "angry"]

_ORDER: Final[tuple[Emotion, ...]] = ("angry", "sad", "happy")
_FELT: Final = 0.5  #: of a word
_MARKED: Final = 0.3  #: of a mark alone
_MORE: Final = 0.2
_DRAWN_OUT: Final = 0.1
_STEPS: Final = {"must": 0.15, "much": 0.05, "little": -0.15}
_WORDS: Final = frozenset({"NNG", "XR", "VA", "VV", "MAG", "IC", "NNP"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Feeling:
    """The feeling of an utterance and what it adds to the importance of what it tells."""

    emotion: Emotion
    intensity: float  #: 0–1
    weight: float  #: to be added to an importance

    def importance(self, base: float) -> float:
        return round(min(max(base + self.weight, 0.0), 1.0), 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cues:
    words: Mapping[str, Emotion]
    marks: Mapping[Emotion, re.Pattern[str]]
    more: frozenset[str]
    importance: Mapping[str, re.Pattern[str]]


@cache
def _cues() -> _Cues:
    raw = tomllib.loads(files(__package__).joinpath("feeling.ko.toml").read_text(encoding="utf-8"))
    return _Cues(
        words={word: emotion for emotion in reversed(_ORDER) for word in raw["words"][emotion].split()},
        marks={emotion: _any_of(raw["marks"][emotion].split()) for emotion in _ORDER},
        more=frozenset(raw["strength"]["more"].split()),
        importance={name: _any_of(raw["importance"][name]) for name in _STEPS},
    )


def _any_of(words: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(word) for word in words))


@lru_cache(maxsize=16)
def feeling(text: str) -> Feeling:
    """Read the feeling of `text` and how much it is made to matter."""
    known = _cues()
    parts = analyse(text)
    felt = {known.words[part.form] for at, part in enumerate(parts) if _is_felt(parts, at, known)}
    marked = {emotion for emotion in _ORDER if known.marks[emotion].search(text)}
    emotion: Emotion = next((each for each in _ORDER if each in (felt or marked)), "neutral")
    return Feeling(
        emotion=emotion, intensity=_intensity(text, parts, emotion, felt, known), weight=_weight(text, known)
    )


def _is_felt(parts: Sequence[Morpheme], at: int, known: _Cues) -> bool:
    part = parts[at]
    return part.form in known.words and part.tag in _WORDS and not _denied(parts, at)


def _denied(parts: Sequence[Morpheme], at: int) -> bool:
    """안 슬퍼, 슬프지 않아, 걱정 없어, 걱정하지 마."""
    if any(part.form in ("안", "못") and part.tag == "MAG" for part in parts[max(0, at - 1) : at]):
        return True
    after = parts[at + 1 : at + 5]
    return any(part.lemma in ("않다", "말다", "없다", "아니다") for part in after if part.tag in ("VX", "VA", "VCN"))


def _intensity(text: str, parts: Sequence[Morpheme], emotion: Emotion, felt: set[Emotion], known: _Cues) -> float:
    if emotion == "neutral":
        return 0.0
    strength = _FELT if emotion in felt else _MARKED
    if emotion in felt and any(part.form in known.more for part in parts):
        strength += _MORE
    drawn_out = re.search(r"([ㅠㅜㅋㅎ!~])\1{2}", text) is not None
    return round(min(strength + (_DRAWN_OUT if drawn_out else 0.0), 1.0), 3)


def _weight(text: str, known: _Cues) -> float:
    if known.importance["little"].search(text):
        return _STEPS["little"]
    return sum(_STEPS[name] for name in ("must", "much") if known.importance[name].search(text))
