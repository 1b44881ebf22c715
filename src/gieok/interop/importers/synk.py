"""What SYNK's characters know of a user (`knownFacts`): "주제: 내용", or a subject with its value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from gieok.domain.claim import Kind
from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.importers.files import (
    count_of,
    importance_of,
    json_in,
    list_of,
    moment_of,
    number_of,
    scale_of,
    scope_for,
    share_of,
    text_of,
    vector_of,
    words_of,
)
from gieok.interop.importers.files import named_values as named
from gieok.interop.importers.files import shown_values as shown
from gieok.interop.importers.records import Arrival, Exchange, Known, LeftOut, Standing, Whose

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


Record = Mapping[str, Any]
Place = tuple[str, Record]  #: where it stands, and what it says


class Scopes:
    """Finds the scope of each record: its own user and work, else those of its session, else the caller's."""

    def __init__(self, sessions: Iterable[Place], others: Iterable[Place], names: Mapping[str, str], whose: Whose):
        """`others` are records that may tell whose a session is; `names` is what ids are called."""
        self._names = names
        self._whose = whose
        self._sessions: dict[str, dict[str, str]] = {}
        for where, record in sessions:
            self._learn(named(record.get("id"), "id", where), record, where)
        for where, record in others:
            self._learn(named(record.get("sessionId"), "sessionId", where), record, where)

    def scope(self, record: Record, where: str, *, character: str | None = None) -> Scope:
        """Return whose a record is; raises `InvalidImport` where nothing tells."""
        found = {name: self._found(record, name, where) for name in ("userId", "workId")}
        own = character or named(record.get("characterId"), "characterId", where) or self._own_character(record, where)
        if found["userId"] is None and self._whose.user is None:
            session = named(record.get("sessionId"), "sessionId", where)
            raise InvalidImport(
                f"nothing says whose session {session!r} is; name the user with --user, and the work with --world",
                where=where,
            )
        return scope_for(
            self._whose,
            where,
            user=found["userId"],
            character=self._called(own),
            world=self._called(found["workId"]),
        )

    def _own_character(self, record: Record, where: str) -> str | None:
        session = named(record.get("sessionId"), "sessionId", where)
        return self._sessions.get(session or "", {}).get("characterId")

    def _found(self, record: Record, name: str, where: str) -> str | None:
        session = named(record.get("sessionId"), "sessionId", where)
        return named(record.get(name), name, where) or self._sessions.get(session or "", {}).get(name)

    def _called(self, id: str | None) -> str | None:
        return None if id is None else self._names.get(id, id)

    def _learn(self, session: str | None, record: Record, where: str) -> None:
        if session is None:
            return
        known = self._sessions.setdefault(session, {})
        for name in ("userId", "workId"):
            value = named(record.get(name), name, where)
            if value is not None and known.setdefault(name, value) != value:
                raise InvalidImport(f"session {session!r} belongs to two: {known[name]!r} and {value!r}", where=where)
        only = named(record.get("characterId"), "characterId", where)
        if only is not None and "id" in record and "sessionId" not in record:
            known.setdefault("characterId", only)


def names_in(records: Iterable[Place], *fields: str) -> dict[str, str]:
    """Return what ids are called; a name that two share is nobody's."""
    found: dict[str, str] = {}
    for where, record in records:
        id = named(record.get("id"), "id", where)
        name = next((text for field in fields if (text := named(record.get(field), field, where))), None)
        if id is not None and name is not None:
            found[id] = name
    shared = {name for name in found.values() if sum(other == name for other in found.values()) > 1}
    return {id: name for id, name in found.items() if name not in shared}


_EMBEDDER: Final = "text-embedding-004"
_MODELS: Final = {
    "characters": ("characters", "Character"),
    "works": ("works", "Work"),
    "sessions": ("sessions", "chatSessions", "ChatSession"),
    "relationships": ("relationships", "userCharacterRelationships", "UserCharacterRelationship"),
    "memories": ("characterMemories", "memories", "CharacterMemory"),
    "messages": ("messages", "Message"),
}
_ABOUT_THE_FILE: Final = frozenset({"version", "exportedAt", "format", "exportVersion"})
_KINDS: Final[dict[str, Kind]] = {"episodic": "episodic", "semantic": "semantic", "emotional": "emotional"}
_AXES: Final = ("trust", "affection", "respect", "rivalry", "familiarity")
_BEHIND: Final = {"emotionalHistory": "the course of feelings", "speechStyle": "the way of speaking"}


def read_synk(path: Path, whose: Whose) -> Iterator[Arrival]:
    """Yield all that an export holds."""
    export = json_in(path)
    if not isinstance(export, Mapping):
        raise InvalidImport("it is no export of SYNK: no object with lists by the names of its models")
    lists = {what: _places(export, what) for what in _MODELS}
    known = {name for names in _MODELS.values() for name in names} | _ABOUT_THE_FILE
    if not any(lists[what] for what in ("relationships", "memories", "messages")):
        raise InvalidImport("it is no export of SYNK: it holds no relationships, memories or messages")
    names = {**names_in(lists["characters"], "name"), **names_in(lists["works"], "title", "name")}
    others = [*lists["relationships"], *lists["memories"], *lists["messages"]]
    scopes = Scopes(lists["sessions"], others, names, whose)
    for where, record in lists["relationships"]:
        yield from _relationship(record, scopes, where)
    top = scale_of(record.get("importance") for _, record in lists["memories"])
    for where, record in lists["memories"]:
        yield _memory(record, scopes, top, where)
    yield from _talk(lists["messages"], scopes)
    for where, record in lists["relationships"]:  # which have what was said counted in already
        yield from _standing(record, scopes, where)
    for name in export:
        if name not in known:
            yield LeftOut(where=str(name), why=f"{shown(name)} has no place here")


def _places(export: Record, what: str) -> list[Place]:
    name = next((name for name in _MODELS[what] if name in export), None)
    if name is None:
        return []
    records = export[name]
    if not isinstance(records, list):
        raise InvalidImport(f"{name} is {shown(records)}, no list")
    for number, record in enumerate(records, start=1):
        if not isinstance(record, Mapping):
            raise InvalidImport(f"it is {shown(record)}, no object", where=f"{name} {number}")
    return [(f"{name} {number}", record) for number, record in enumerate(records, start=1)]


def _relationship(record: Record, scopes: Scopes, where: str) -> Iterator[Arrival]:
    scope = scopes.scope(record, where)
    origin = _origin(record, scope, where)
    yield from facts_of(record, scope, origin, where)
    for number, lived in enumerate(list_of(record.get("sharedExperiences"), "sharedExperiences", where), start=1):
        yield _lived(lived, scope, origin, moment_of(record.get("updatedAt"), where), f"experience {number} of {where}")
    for name, called in _BEHIND.items():
        if list_of(record.get(name), name, where):
            yield LeftOut(where=where, why=f"{called} has no place here: it is read from what is said", scope=scope)


def _standing(record: Record, scopes: Scopes, where: str) -> Iterator[Standing]:
    scope = scopes.scope(record, where)
    axes = {axis: number_of(record.get(axis), axis, where) for axis in _AXES}
    if any(axes.values()):
        yield Standing(
            scope=scope,
            origin=_origin(record, scope, where),
            where=where,
            met_at=moment_of(record.get("createdAt"), where),
            last_at=moment_of(record.get("updatedAt"), where),
            **axes,
        )


def _origin(record: Record, scope: Scope, where: str) -> str:
    return f"relationship {named(record.get('id'), 'id', where) or scope}"


def _lived(lived: Any, scope: Scope, origin: str, learned: datetime | None, where: str) -> Known:
    told = lived if isinstance(lived, Mapping) else {"content": text_of(lived, "an experience", where)}
    names = ("content", "description", "summary", "event")
    content = next((text for name in names if (text := text_of(told.get(name), name, where))), "")
    return Known(
        scope=scope,
        origin=f"{origin} experience {content}",
        where=where,
        content=content,
        type="event",
        at=moment_of(told.get("at") or told.get("createdAt") or told.get("date"), where) or learned,
        tags=("shared_experience",),
    )


def _memory(record: Record, scopes: Scopes, top: int, where: str) -> Known:
    kind = _KINDS.get(text_of(record.get("memoryType"), "memoryType", where))
    emotion = text_of(record.get("emotion") or record.get("emotionalTone"), "emotion", where)
    intensity = record.get("emotionIntensity", record.get("emotionalIntensity"))
    content = text_of(record.get("originalEvent"), "originalEvent", where)
    view = text_of(record.get("interpretation"), "interpretation", where)
    keywords = words_of(record.get("keywords"), "keywords", where)
    identity = named(record.get("id"), "id", where)
    if identity is None:
        raise InvalidImport("it has no id", where=where)
    return Known(
        scope=scopes.scope(record, where),
        origin=f"memory {identity}",
        where=where,
        content=content or view,
        type="fact" if kind == "semantic" else "event",
        kind=kind,
        importance=importance_of(record.get("importance"), top, where),
        strength=share_of(record.get("strength"), "strength", where, default=1.0),
        mentions=count_of(record.get("mentionedCount"), "mentionedCount", where),
        emotion_intensity=share_of(intensity, "emotionIntensity", where),
        interpretation=view if view and content and view != content else None,
        at=moment_of(record.get("createdAt"), where),
        tags=tuple(dict.fromkeys((*((emotion,) if emotion else ()), *keywords))),
        vector=vector_of(record.get("embedding"), where),
        embedder=_EMBEDDER,
    )


def _talk(messages: list[Place], scopes: Scopes) -> Iterator[Exchange | LeftOut]:
    """Yield what was said, session by session: every character who answered heard what the user said before."""
    sessions: dict[str, list[Place]] = {}
    for where, record in messages:
        session = named(record.get("sessionId"), "sessionId", where)
        if session is None:
            raise InvalidImport("it has no sessionId", where=where)
        sessions.setdefault(session, []).append((where, record))
    for session, said in sessions.items():
        yield from _sitting(said, session, scopes)


def _sitting(messages: list[Place], session: str, scopes: Scopes) -> Iterator[Exchange | LeftOut]:
    speakers = {named(record.get("characterId"), "characterId", where) for where, record in messages} - {None}
    only = next(iter(speakers)) if len(speakers) == 1 else None
    asked: Place | None = None
    heard: set[str | None] = set()  # who answered it
    for where, record in messages:
        character = named(record.get("characterId"), "characterId", where) or only
        if _is_users(record, where):
            yield from _unanswered(asked, session, scopes, only, heard)
            asked, heard = (where, record), set()
        elif character is None:
            yield LeftOut(where=where, why="it does not say which character spoke, or is narration")
        else:
            yield _exchange(None if character in heard else asked, (where, record), session, scopes, character)
            heard.add(character)
    yield from _unanswered(asked, session, scopes, only, heard)


def _is_users(record: Record, where: str) -> bool:
    role = text_of(record.get("role") or record.get("senderType") or record.get("messageType"), "role", where)
    return role.casefold() == "user" or (not role and record.get("characterId") is None)


def _unanswered(
    asked: Place | None, session: str, scopes: Scopes, only: str | None, heard: set[str | None]
) -> Iterator[Exchange | LeftOut]:
    if asked is None or heard:
        return
    if only is None:
        yield LeftOut(where=asked[0], why="nobody answered it, and it does not say whom it was said to")
    else:
        yield _exchange(asked, None, session, scopes, only)


def _exchange(
    asked: Place | None, answer: Place | None, session: str, scopes: Scopes, character: str | None
) -> Exchange:
    last = answer or asked
    assert last is not None, "one of the two is there"
    where, record = asked or last
    return Exchange(
        scope=scopes.scope(last[1], last[0], character=character),
        origin=f"message {named(record.get('id'), 'id', where) or where}",
        where=where,
        text=None if asked is None else text_of(record.get("content"), "content", where),
        reply=None if answer is None else text_of(last[1].get("content"), "content", last[0]),
        at=moment_of(record.get("createdAt"), where),
        session=session,
    )
