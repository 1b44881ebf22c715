"""Why upkeep did something, in the reader's language: the journal gives its reasons in English."""

from __future__ import annotations

import re
from typing import Final

_KOREAN: Final = tuple(
    (re.compile(pattern), told)
    for pattern, told in (
        (r"told (\d+) times", r"\1번 들은 이야기"),
        (r"the more important one stays", "더 중요한 쪽을 남김"),
        (r"said again (\d+) times, used (\d+) times", r"\1번 다시 나왔고 \2번 떠올림"),
        (r"faded and never mentioned", "희미해졌고 다시 나온 적 없음"),
        (
            r"unimportant, never used and older than ([\d.]+) days",
            r"중요하지 않고 \1일 넘게 쓰이지 않음",
        ),
        (r"over the cap of (\d+)", r"한도 \1개를 넘음"),
        (r"\w+ is kept for ([\d.]+) days", r"보관 기한 \1일이 지남"),
        (r"made from what is past its time", "바탕이 된 기억의 기한이 지남"),
        (r"(\d+) memories together", r"기억 \1개를 모아 봄"),
        (r"retold by (.+)", r"\1: 새로 풀어 씀"),
        (r"both cannot hold", "둘 다 맞을 수는 없음"),
        (r"week (\d+)-W0?(\d+) is over", r"\1년 \2번째 주가 끝남"),
        (r"(\d+) turns were not summarised", r"요약하지 않은 대화 \1번"),
    )
)


def reason(why: str, language: str) -> str:
    """Return `why` in `language`; one that has no translation stays as it is."""
    if language == "ko":
        for pattern, told in _KOREAN:
            found = pattern.fullmatch(why)
            if found is not None:
                return found.expand(told)
    return why
