"""SYNK's JSON export: how characters stand to users, what they know and remember, and what was said.

Lists go by the names of its models. What is scoped by session only, as before it kept things across sessions, is
found by the session and goes where the user and the work are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from gieok.domain.claim import Kind
from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.arriving.files import json_in
from gieok.interop.arriving.shape import Arrival, Exchange, Known, LeftOut, Standing, Whose
from gieok.interop.arriving.synk_facts import facts_of
from gieok.interop.arriving.synk_scopes import Place, Record, Scopes, names_in
from gieok.interop.arriving.values import (
    count_of,
    importance_of,
    list_of,
    moment_of,
    named,
    number_of,
    scale_of,
    share_of,
    shown,
    text_of,
    vector_of,
    words_of,
)

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
