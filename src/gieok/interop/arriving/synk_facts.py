"""What SYNK's characters know of a user (`knownFacts`): "주제: 내용", or a subject with its value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from gieok.domain.scope import Scope
from gieok.interop.arriving.shape import Known
from gieok.interop.arriving.values import list_of, moment_of, text_of

_SUBJECTS: Final = {
    "이름": "name", "별명": "nickname", "애칭": "nickname", "나이": "age", "생일": "birthday", "성별": "gender",
    "직업": "job", "직장": "workplace", "회사": "workplace", "전공": "major", "학과": "major", "학교": "school",
    "대학": "school", "고향": "hometown", "출신": "hometown", "거주지": "residence", "사는 곳": "residence",
    "혈액형": "blood_type", "MBTI": "mbti", "키": "height", "몸무게": "weight", "가족": "family", "국적": "nationality",
    "종교": "religion", "알레르기": "allergy", "알러지": "allergy", "공포증": "phobia", "무서워하는 것": "phobia",
    "지병": "medical_condition", "복용약": "medication", "트라우마": "trauma", "친구": "friend", "베프": "friend",
    "반려동물": "pet", "연애상태": "relationship_status", "연애 상태": "relationship_status", "취미": "hobby",
    "운동": "exercise", "알바": "part_time_job", "아르바이트": "part_time_job", "습관": "habit", "특기": "skill",
    "꿈": "dream", "목표": "goal", "좋아하는 것": "likes", "싫어하는 것": "dislikes", "좋아하는 음식": "favorite.food",
    "좋아하는 색": "favorite.color", "좋아하는 색깔": "favorite.color", "좋아하는 계절": "favorite.season",
    "좋아하는 영화": "favorite.movie", "좋아하는 음악": "favorite.music", "좋아하는 책": "favorite.book",
    "좋아하는 게임": "favorite.game",
}  # fmt: skip
_DEED: Final = re.compile(r"의 (?:행동|반응)$")  #: no fact of anybody, but something that happened
_IMPORTANCES: Final = {"identity": 0.8, "preference": 0.6, "situation": 0.5}


def facts_of(record: Mapping[str, Any], scope: Scope, origin: str, where: str) -> Iterator[Known]:
    """Yield what is known of the user, as it is written there."""
    learned = moment_of(record.get("updatedAt") or record.get("createdAt"), where)
    for number, fact in enumerate(list_of(record.get("knownFacts"), "knownFacts", where), start=1):
        place = f"fact {number} of {where}"
        told = fact if isinstance(fact, Mapping) else {"content": text_of(fact, "a fact", place)}
        known = _fact(told, scope, origin, learned, place)
        if known is not None:
            yield known


def _fact(told: Mapping[str, Any], scope: Scope, origin: str, learned: datetime | None, where: str) -> Known | None:
    subject = text_of(told.get("subject"), "subject", where)
    value = text_of(told.get("value"), "value", where)
    content = text_of(told.get("content") or told.get("fact"), "content", where)
    if not content:
        content = f"{subject}: {value}" if subject and value else value
    if not content:
        return None
    if not subject and ":" in content:
        subject, value = (part.strip() for part in content.split(":", 1))
    key = _SUBJECTS.get(subject.strip()) if value else None
    return Known(
        scope=scope,
        origin=f"{origin} fact {content}",
        where=where,
        content=content,
        attribute=key,
        value=value if key is not None else None,
        type="event" if _DEED.search(subject) else (None if key is not None else "fact"),
        importance=_IMPORTANCES.get(text_of(told.get("category"), "category", where)),
        at=moment_of(told.get("addedAt") or told.get("createdAt"), where) or learned,
        tags=tuple(tag for tag in (text_of(told.get("category"), "category", where),) if tag),
    )
