"""What the page says by itself, in Korean and in English."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

_MONTHS: Final = "January February March April May June July August September October November December".split()


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The words of a page in one language."""

    language: str
    title: str  #: {user}
    made: str  #: {at}: when
    about: str
    alone: str  #: a scope without character and world
    memories: str
    past: str
    timeline: str
    course: str
    people: str
    turns: str
    nothing: str
    since: str  #: {day}
    heard: str  #: {day}
    until: str  #: {day}
    seen: str  #: {day} {times}
    masked: str
    pinned: str
    you: str
    character: str
    counts: str  #: {memories} {turns} {days}
    closeness: str
    sources: Mapping[str, str]


WORDS: Final[Mapping[str, Words]] = {
    "ko": Words(
        language="ko",
        title="{user}님에 대한 기억",
        made="{at}에 만든 파일이에요.",
        about=(
            "이 파일에는 {user}님과 나눈 대화와 그 대화에서 기억한 내용이 모두 들어 있어요. 같은 압축 파일 속 .jsonl은 "
            "프로그램이 읽는 원본이고, 다른 곳으로 옮길 때 그대로 쓸 수 있어요."
        ),
        alone="함께한 이야기",
        memories="지금 기억하고 있는 것",
        past="이제는 아닌 것",
        timeline="연대기",
        course="관계의 흐름",
        people="이야기에 나온 사람들",
        turns="나눈 대화",
        nothing="아직 없어요.",
        since="{day}부터",
        heard="{day}에 들음",
        until="{day}까지",
        seen="{day}에 마지막으로 나옴 · {times}번",
        masked="가려서 저장함",
        pinned="늘 기억함",
        you="나",
        character="캐릭터",
        counts="기억 {memories}개 · 대화 {turns}번 · {days}",
        closeness="친밀도",
        sources={"person": "직접 적음", "import": "옮겨 옴", "reflection": "대화에서 짐작함"},
    ),
    "en": Words(
        language="en",
        title="What is remembered of {user}",
        made="Made on {at}.",
        about=(
            "This file holds all that was said with {user}, and all that was remembered of it. The .jsonl files beside "
            "this page are the same for programs, and can be taken to another place as they are."
        ),
        alone="Together",
        memories="Remembered now",
        past="No longer so",
        timeline="Timeline",
        course="How it went between the two",
        people="People that were spoken of",
        turns="What was said",
        nothing="Nothing yet.",
        since="since {day}",
        heard="told on {day}",
        until="until {day}",
        seen="last on {day} · {times} times",
        masked="masked",
        pinned="always in mind",
        you="you",
        character="the character",
        counts="{memories} memories · {turns} turns · {days}",
        closeness="closeness",
        sources={"person": "written down", "import": "imported", "reflection": "gathered from the talk"},
    ),
}


def day_told(at: datetime, language: str) -> str:
    return (
        f"{at.year}년 {at.month}월 {at.day}일"
        if language == "ko"
        else f"{at.day} {_MONTHS[at.month - 1][:3]} {at.year}"
    )


def month_told(at: datetime, language: str) -> str:
    return f"{at.year}년 {at.month}월" if language == "ko" else f"{_MONTHS[at.month - 1]} {at.year}"
