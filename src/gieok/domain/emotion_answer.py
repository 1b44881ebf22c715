"""Whatever a model answers when asked for an emotion, forced into the contract: one of four.

Asked for `{"neutral": 0, "sad": 1, "happy": 0, "angry": 0}`, models answer with prose around it, code fences, two 1s,
probabilities, labels of their own, Korean keys, or half an object. Every weight that is given to an emotion is taken
up; the largest counts, and of equal ones the first of `PRIORITY`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Final

from gieok.domain.emotion import EMOTIONS, LABELS, PRIORITY, Emotion, strongest
from gieok.domain.json_text import values_in

Mark = tuple[Emotion, float]  # an emotion and the weight it is given

_LONGEST: Final = 16_000  #: of a longer text the beginning and the end are read
_MOST_ITEMS: Final = 256  #: of a list or an object
_DEEPEST: Final = 6
_WORDS_FOR: Final[Mapping[Emotion, tuple[str, ...]]] = {
    "angry": (
        *"angry mad furious irritated annoyed anger rage hate".split(),
        *"화남 화난 화가 분노 짜증 불쾌 혐오 격분".split(),
    ),
    "sad": (
        *"sad unhappy crying depressed afraid scared anxious worried sorrow".split(),
        *"슬픔 슬픈 슬퍼 우울 눈물 불안 걱정 두려움 공포 실망 외로움 후회 속상".split(),
    ),
    "happy": (
        *"happy glad joyful excited smiling delighted happiness".split(),
        *"행복 기쁨 기쁜 기뻐 즐거움 즐거운 신남 설렘 사랑 감사 만족 웃음".split(),
    ),
    "neutral": (
        *"neutral calm normal none plain".split(),
        *"중립 평온 평범 무감정 무표정 보통 없음 차분".split(),
    ),
}
_NAMES: Final[Mapping[str, Emotion]] = {
    **LABELS,
    **{word: emotion for emotion, words in _WORDS_FOR.items() for word in words},
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
    """Return the one emotion that `answer` tells, or `otherwise` if it tells none. It never fails."""
    return told(answer) or otherwise


def told(answer: object) -> Emotion | None:
    """Return the one emotion that `answer` tells; None where it tells none, so that something else may."""
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
    """Return how much of an emotion `value` says there is: 1, "1", true, 0.7, "70 %", {"value": 1}; 0 for nothing."""
    if deep <= 0:
        return 0.0
    if isinstance(value, str):
        return _spelled(value)
    if isinstance(value, int | float):
        return _counted(value)
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        return max((_weight(each, deep - 1) for each in value[:_MOST_ITEMS]), default=0.0)
    return 0.0


def _spelled(value: str) -> float:
    word = value[:40].strip().casefold().removesuffix("%").strip()
    if word in _YES:
        return 1.0
    try:
        return _counted(float(word))
    except ValueError:
        return 0.0


def _counted(value: float) -> float:
    try:
        number = float(value)
    except OverflowError:
        return 0.0
    return max(number, 0.0) if isfinite(number) else 0.0


def _in_text(text: str, deep: int) -> Iterator[Mark]:
    """Read the last object that tells something; failing that pairs that look like its pieces, then words."""
    name = _NAMES.get(_key(text))
    if name is not None:
        yield name, 1.0
        return
    if len(text) > _LONGEST:
        text = f"{text[: _LONGEST // 2]}\n{text[-_LONGEST // 2 :]}"
    text = text.rpartition("</think>")[2] or text
    pairs = ((match["key"].casefold(), match["value"]) for match in _PAIR.finditer(text))
    by_pairs = [(_NAMES[key], _spelled(value)) for key, value in pairs if key in _NAMES]
    for marks in (*(list(_marks(each, deep - 1)) for each in reversed(list(values_in(text)))), by_pairs, _words(text)):
        if any(weight > 0 for _, weight in marks):
            yield from marks
            return


def _words(text: str) -> list[Mark]:
    """Return the emotions that `text` names without denying them; who names all four only repeats the question."""
    words = _WORD.findall(text.casefold())
    named = {
        emotion
        for before, word in zip(["", *words], words, strict=False)
        if (emotion := _named(word)) is not None and before not in _DENYING
    }
    return [] if len(named) == len(PRIORITY) else [(emotion, 1.0) for emotion in named]


def _named(word: str) -> Emotion | None:
    return _NAMES.get(word) or next((_NAMES[name] for name in _KOREAN_NAMES if word.startswith(name)), None)
