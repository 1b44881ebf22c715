"""A scene in words: when it was, where, what was talked about and in which mood. Nothing that is not in the scene."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, tzinfo
from typing import Final

from gieok.domain.emotion import Emotion
from gieok.domain.scene import Scene
from gieok.domain.turn import CHARACTER, USER
from gieok.language.particles import josa

_MOST_TOPICS: Final = 3
_HOURS: Final = ((6, "새벽"), (11, "아침"), (17, "낮"), (21, "저녁"), (24, "밤"))
_MOODS: Final[dict[Emotion, str]] = {
    "happy": "즐거운 시간을 보냈다",
    "sad": "슬픈 시간을 보냈다",
    "angry": "화가 나는 일도 있었다",
}
_IN_ENGLISH: Final = {"dawn": "새벽", "morning": "아침", "noon": "낮", "afternoon": "낮", "evening": "저녁"}
_NIGHTS: Final = frozenset({"night", "midnight"})


def last_time_words(
    scene: Scene,
    *,
    zone: tzinfo | None = None,
    today: datetime | None = None,
    parties: Collection[str] = (USER, CHARACTER),
) -> str:
    """Return what was done in `scene` as one sentence: 지난번(3월 2일 저녁)에는 공원에서 고양이 얘기를 하며 ….

    Dates are told in `zone`, by default the scene's own, and with the year if it is not the year of `today`.
    `parties` are the two who talk; others who were there are named.
    """
    return f"지난번({_when(scene, zone, today)})에는 {_told(scene, parties)}."


def _when(scene: Scene, zone: tzinfo | None, today: datetime | None) -> str:
    at = scene.started_at.astimezone(zone) if zone is not None else scene.started_at
    year = f"{at.year}년 " if today is not None and today.year != at.year else ""
    return f"{year}{at.month}월 {at.day}일 {_daytime(scene, at)}"


def _daytime(scene: Scene, at: datetime) -> str:
    if scene.daytime in _NIGHTS:
        return "밤"
    if scene.daytime:
        return _IN_ENGLISH.get(scene.daytime, scene.daytime)
    return next(name for until, name in _HOURS if at.hour < until)


def _told(scene: Scene, parties: Collection[str]) -> str:
    others = [name for name in scene.participants if name not in parties]
    company = f"{josa(_listed(others), '과/와')} 함께 " if others else ""
    place = f"{scene.place}에서 " if scene.place else ""
    return f"{company}{place}{_doing(scene)}"


def _doing(scene: Scene) -> str:
    topics = _listed(scene.topics[:_MOST_TOPICS])
    mood = _MOODS.get(scene.tone)
    if mood is None:
        return f"{topics} 얘기를 했다" if topics else "이야기를 나눴다"
    if scene.tone == "angry":
        return f"{topics} 얘기를 하다가 {mood}" if topics else f"이야기를 나누다가 {mood}"
    return f"{topics} 얘기를 하며 {mood}" if topics else mood


def _listed(words: Collection[str]) -> str:
    """고양이 / 고양이와 산책 / 고양이, 산책, 날씨."""
    listed = list(words)
    if len(listed) == 2:
        return f"{josa(listed[0], '과/와')} {listed[1]}"
    return ", ".join(listed)
