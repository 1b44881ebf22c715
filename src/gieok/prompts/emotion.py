"""Asking what somebody feels: one of four, and how strongly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from gieok.domain.answer import Prompt
from gieok.domain.emotion import EMOTIONS, Emotion, told
from gieok.prompts.quoting import Language, Line, named, rendered, said, seen
from gieok.prompts.reading import NUMBER, object_in, schema_of, share

VERSION: Final = "emotion/1"
_KEPT: Final = 1_000  #: letters of an answer
_MARK: Final[Mapping[str, Any]] = {"type": "integer", "enum": [0, 1]}
_SCHEMA: Final[Mapping[str, Any]] = schema_of(**dict.fromkeys(EMOTIONS, _MARK), intensity=NUMBER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Mood:
    """What somebody feels."""

    emotion: Emotion
    intensity: float  #: 0–1; 0 when neutral
    raw: str = field(default="", compare=False)  #: the answer as it stood, cut where it is endless


def emotion_prompt(*, lines: Sequence[Line], speaker: str, language: Language) -> Prompt[Mood]:
    """Ask what `speaker` feels at the end of `lines`. Whatever names an emotion gives one mood."""
    return Prompt(
        task="emotion",
        version=VERSION,
        messages=rendered("emotion", language, speaker=named(speaker), lines=said(lines)),
        schema=_SCHEMA,
        read=_read,
        most_tokens=96,
    )


def _read(answer: str) -> Mood:
    emotion = told(answer)
    if emotion is None:
        raise ValueError("the answer names no emotion")
    return Mood(
        emotion=emotion, intensity=0.0 if emotion == "neutral" else _intensity(answer), raw=seen(answer)[:_KEPT]
    )


def _intensity(answer: str) -> float:
    try:
        return share(object_in(answer).get("intensity"))
    except ValueError:
        return share(None)
