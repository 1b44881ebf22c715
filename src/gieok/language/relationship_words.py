"""How close two are, in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gieok.domain.relationship import Level, Relationship, score

_LEVELS: Final[Mapping[str, Mapping[Level, str]]] = {
    "ko": {
        "stranger": "아직 낯선 사이",
        "acquaintance": "얼굴을 아는 사이",
        "friend": "친구 사이",
        "close_friend": "친한 친구 사이",
        "intimate": "아주 가까운 사이",
    },
    "en": {
        "stranger": "still strangers",
        "acquaintance": "acquaintances",
        "friend": "friends",
        "close_friend": "close friends",
        "intimate": "very close",
    },
}
_CLOSENESS: Final[Mapping[str, str]] = {
    "ko": "{level} (친밀도 {score:.0f}/100)",
    "en": "{level} (closeness {score:.0f}/100)",
}


def closeness(relationship: Relationship, language: str) -> str:
    """Return the level and the score: 친구 사이 (친밀도 41/100)."""
    level = _LEVELS[language][relationship.level]
    return _CLOSENESS[language].format(level=level, score=score(relationship))
