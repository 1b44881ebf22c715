"""A change of manners as one sentence that can be remembered: from July 3 on they speak casually."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from gieok.domain.manners import MannerChange
from gieok.language.particles import josa

_OTHER: Final = {"user": "character", "character": "user"}
_KOREAN_HABIT: Final = {
    "formal": "존댓말을 쓴다",
    "casual": "반말을 쓴다",
    "intimate": "애칭을 섞어 가며 다정하게 말한다",
}
_KOREAN_TURN: Final = {
    "formal": "존댓말을 쓰기 시작했다",
    "casual": "말을 놓았다",
    "intimate": "애칭을 섞어 가며 다정하게 말하기 시작했다",
}
_KOREAN_COOLED: Final = "애칭 없이 편한 반말로 말하기 시작했다"
_ENGLISH: Final = {"formal": "politely", "casual": "casually", "intimate": "intimately, with endearments"}
_MONTHS: Final = "January February March April May June July August September October November December".split()


def change_sentence(change: MannerChange, names: Mapping[str, str], language: Literal["ko", "en"] = "ko") -> str:
    """Return what `change` says, in one sentence; `names` gives the user's and the character's.

    The day is that of the change in its own time zone.
    """
    return _korean(change, names) if language == "ko" else _english(change, names)


def _korean(change: MannerChange, names: Mapping[str, str]) -> str:
    speaker, other = names[change.speaker], names[_OTHER[change.speaker]]
    if change.before is None and change.asked_by is None:
        return f"{josa(speaker, '은/는')} {_korean_deed(change, other, habit=True)}."
    day = f"{change.at.month}월 {change.at.day}일부터"
    request = f"{names[change.asked_by]}의 부탁으로 " if change.asked_by else ""
    who = "서로" if change.mutual else josa(speaker, "이/가")
    return f"{request}{day} {who} {_korean_deed(change, other, habit=False)}."


def _korean_deed(change: MannerChange, other: str, *, habit: bool) -> str:
    if change.what == "address":
        instead = f"'{change.before}' 대신 " if change.before else ""
        called = f"'{change.after}'{josa(change.after, '이라고/라고')[len(change.after) :]}"
        return f"{josa(other, '을/를')} {instead}{called} {'부른다' if habit else '부르기 시작했다'}"
    towards = "" if change.mutual else f"{other}에게 "
    if habit:
        return towards + _KOREAN_HABIT[change.after]
    cooled = (change.before, change.after) == ("intimate", "casual")
    return towards + (_KOREAN_COOLED if cooled else _KOREAN_TURN[change.after])


def _english(change: MannerChange, names: Mapping[str, str]) -> str:
    speaker, other = names[change.speaker], names[_OTHER[change.speaker]]
    deed = _english_deed(change, other)
    if change.before is None and change.asked_by is None:
        return f"{speaker} is {deed}."
    day = f"Since {_MONTHS[change.at.month - 1]} {change.at.day}"
    request = f", at {names[change.asked_by]}'s request" if change.asked_by else ""
    who = f"{speaker} and {other} have" if change.mutual else f"{speaker} has"
    return f"{day}{request}, {who} been {deed}."


def _english_deed(change: MannerChange, other: str) -> str:
    if change.what == "address":
        instead = f" instead of '{change.before}'" if change.before else ""
        return f"calling {other} '{change.after}'{instead}"
    return f"speaking {_ENGLISH[change.after]} to {'each other' if change.mutual else other}"
