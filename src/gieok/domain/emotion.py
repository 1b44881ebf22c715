"""Emotions: one of four, with intensity, valence and a picture for display."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from math import isfinite
from typing import Final, Literal

from gieok.domain.json_text import values_in

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
#: the emotion of each of the 28 labels
LABELS: Final[Mapping[str, Emotion]] = {
    **dict.fromkeys("confusion curiosity realization surprise neutral".split(), "neutral"),
    **dict.fromkeys("disappointment embarrassment fear grief nervousness remorse sadness".split(), "sad"),
    **dict.fromkeys("anger annoyance disapproval disgust".split(), "angry"),
    **dict.fromkeys("admiration amusement approval caring desire excitement gratitude joy love".split(), "happy"),
    **dict.fromkeys("optimism pride relief".split(), "happy"),
}
Steps = Sequence[tuple[float, str]]  # (minimum intensity, label), ascending
#: the label of each emotion, by intensity
LADDERS: Final[Mapping[Emotion, Steps]] = {
    "neutral": ((0.0, "neutral"),),
    "sad": ((0.0, "disappointment"), (0.35, "sadness"), (0.8, "grief")),
    "happy": ((0.0, "approval"), (0.35, "joy"), (0.8, "excitement")),
    "angry": ((0.0, "annoyance"), (0.5, "anger")),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Felt:
    """What one speaker felt in a turn."""

    speaker: str  #: "user", "character", or a name
    emotion: Emotion
    intensity: float = 0.0  #: 0–1
    valence: float = 0.0  #: -1 (bad) to 1 (good)
    by: str = "classifier/2"  #: the reader: "classifier/2", or a prompt with its version
    raw: str = field(default="", compare=False)  #: a model's raw answer; stored in the turn's trace only


def one_hot(emotion: Emotion) -> dict[str, int]:
    """Return the JSON object of the contract for `emotion`: four keys, one of them 1."""
    return {each: int(each == emotion) for each in EMOTIONS}


def valence(emotion: Emotion, intensity: float = 1.0) -> float:
    """Return the valence of `emotion` at that intensity, -1 to 1."""
    return round(_PLEASANT[emotion] * min(max(intensity, 0.0), 1.0), 3)


def strongest(shares: Mapping[Emotion, float]) -> Emotion | None:
    """Return the emotion with the largest share above 0; on a tie, the first of `PRIORITY`."""
    most = max(PRIORITY, key=lambda emotion: shares.get(emotion, 0.0))
    return most if shares.get(most, 0.0) > 0 else None


def asset(emotion: Emotion, assets: Mapping[Emotion, str] = ASSETS) -> str:
    """Return the picture name for `emotion`, from `assets` or else from `ASSETS`."""
    return {**ASSETS, **assets}[emotion]


def sprite_label(emotion: Emotion, intensity: float, ladders: Mapping[Emotion, Steps] = LADDERS) -> str:
    """Return which of the 28 labels shows `emotion` at that intensity."""
    steps = {**LADDERS, **ladders}[emotion]
    reached = (label for least, label in steps if intensity >= least)
    return list(chain([steps[0][1]], reached))[-1]


def emotion_of(label: str) -> Emotion:
    """Return the emotion of one of the 28 labels; neutral for an unknown one."""
    return LABELS.get(label.strip().casefold(), "neutral")


Mark = tuple[Emotion, float]  # an emotion and its weight

_LONGEST: Final = 16_000  #: of a longer text, only the beginning and the end are read
_MOST_ITEMS: Final = 256  #: of a list or an object
_DEEPEST: Final = 6
_NAMES: Final[Mapping[str, Emotion]] = {
    **LABELS,
    **dict.fromkeys("angry mad furious irritated annoyed anger rage hate".split(), "angry"),
    **dict.fromkeys("화남 화난 화가 분노 짜증 불쾌 혐오 격분".split(), "angry"),
    **dict.fromkeys("sad unhappy crying depressed afraid scared anxious worried sorrow".split(), "sad"),
    **dict.fromkeys("슬픔 슬픈 슬퍼 우울 눈물 불안 걱정 두려움 공포 실망 외로움 후회 속상".split(), "sad"),
    **dict.fromkeys("happy glad joyful excited smiling delighted happiness".split(), "happy"),
    **dict.fromkeys("행복 기쁨 기쁜 기뻐 즐거움 즐거운 신남 설렘 사랑 감사 만족 웃음".split(), "happy"),
    **dict.fromkeys("neutral calm normal none plain".split(), "neutral"),
    **dict.fromkeys("중립 평온 평범 무감정 무표정 보통 없음 차분".split(), "neutral"),
}
_KOREAN_NAMES: Final = tuple(name for name in _NAMES if name[0] >= "가")
_YES: Final = frozenset("true yes y on high strong t o 예 네 참 있음 높음 강함".split())
_NAMING: Final = frozenset(
    "emotion emotions label name class category feeling mood result answer 감정 라벨 결과".split()
)
_SCORING: Final = frozenset("score probability prob confidence weight intensity value 점수 확률 강도 확신".split())
_DENYING: Final = frozenset("not no never isn't wasn't neither nor without 안 아닌".split())
_OPENING: Final = re.compile(r"[{\[]")
_PAIR: Final = re.compile(
    r"(?P<key>[a-z]{3,20}|[가-힣]{2,8})[\"'`’”]?[ \t]{0,4}[:=][ \t]{0,4}"
    r"[\"'`‘“]?(?P<value>-?[0-9.]{1,12}%?|[a-z]{1,8})",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[a-z']+|[가-힣]+")


def normalize(answer: object, *, otherwise: Emotion = "neutral") -> Emotion:
    """Return the emotion in `answer`, or `otherwise` if there is none. Never raises."""
    return told(answer) or otherwise


def told(answer: object) -> Emotion | None:
    """Return the emotion in `answer`; None: there is none."""
    shares: dict[Emotion, float] = {}
    for emotion, weight in _marks(answer, _DEEPEST):
        shares[emotion] = max(weight, shares.get(emotion, 0.0))
    return strongest(shares)


def _marks(value: object, deep: int) -> Iterator[Mark]:
    if deep <= 0:
        return
    if isinstance(value, bytes | bytearray):
        value = value[: 2 * _LONGEST].decode("utf-8", errors="replace")
    if isinstance(value, str):
        yield from _in_text(value, deep)
    elif isinstance(value, Mapping):
        yield from _in_object(value, deep)
    elif isinstance(value, Sequence | set | frozenset):
        yield from _in_list(list(value)[:_MOST_ITEMS], deep)


def _in_object(answer: Mapping[object, object], deep: int) -> Iterator[Mark]:
    items = [(_key(key), value) for _, (key, value) in zip(range(_MOST_ITEMS), answer.items(), strict=False)]
    scores = [_weight(value, deep) for key, value in items if key in _SCORING]
    for key, value in items:
        emotion = _NAMES.get(key)
        if emotion is not None:
            yield emotion, _weight(value, deep)
        elif key in _NAMING and isinstance(value, str):
            weight = max(scores, default=1.0)
            yield from ((each, min(given, weight)) for each, given in _marks(value, deep - 1))
        elif not isinstance(value, str) or _OPENING.search(value[:_LONGEST]):
            yield from _marks(value, deep - 1)


def _in_list(items: list[object], deep: int) -> Iterator[Mark]:
    if len(items) == len(EMOTIONS) and all(isinstance(item, int | float) for item in items):
        yield from zip(EMOTIONS, (_weight(item, deep) for item in items), strict=True)
    elif len(items) == 2 and isinstance(items[0], str) and isinstance(items[1], int | float):
        yield from _in_object({items[0]: items[1]}, deep)
    else:
        for item in items:
            yield from _marks(item, deep - 1)


def _key(key: object) -> str:
    return key.strip().casefold() if isinstance(key, str) and len(key) < 40 else ""


def _weight(value: object, deep: int) -> float:
    """Return the weight in `value`: 1, "1", true, 0.7, "70 %", {"value": 1}; 0 for none."""
    if deep <= 0:
        return 0.0
    if isinstance(value, str):
        value = value[:40].strip().casefold().removesuffix("%").strip()
        if value in _YES:
            return 1.0
    if isinstance(value, str | int | float):
        try:
            number = float(value)
        except (ValueError, OverflowError):
            return 0.0
        return max(number, 0.0) if isfinite(number) else 0.0
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return max((_weight(each, deep - 1) for each in value[:_MOST_ITEMS]), default=0.0)
    return 0.0


def _in_text(text: str, deep: int) -> Iterator[Mark]:
    """Read the last object that names an emotion; else fragments of key-value pairs; else words."""
    name = _NAMES.get(_key(text))
    if name is not None:
        yield name, 1.0
        return
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}"
    text = text.rpartition("</think>")[2] or text
    pairs = ((match["key"].casefold(), match["value"]) for match in _PAIR.finditer(text))
    by_pairs = [(_NAMES[key], _weight(value, 1)) for key, value in pairs if key in _NAMES]
    for marks in (*(list(_marks(each, deep - 1)) for each in reversed(list(values_in(text)))), by_pairs, _words(text)):
        if any(weight > 0 for _, weight in marks):
            yield from marks
            return


def _words(text: str) -> list[Mark]:
    """Return the emotions that `text` names without negation; none if it names all four, like the question does."""
    words = _WORD.findall(text.casefold())
    stated = [word for before, word in zip(["", *words], words, strict=False) if before not in _DENYING]
    begun = ((word, next((name for name in _KOREAN_NAMES if word.startswith(name)), "")) for word in stated)
    known = (_NAMES.get(word, _NAMES.get(name)) for word, name in begun)
    named = {emotion for emotion in known if emotion is not None}
    return [] if len(named) == len(PRIORITY) else [(emotion, 1.0) for emotion in named]
