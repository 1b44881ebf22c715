"""SYNK's JSON export: relationships with known facts, character memories, messages."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from gieok.domain.claim import Kind
from gieok.domain.record import shown
from gieok.domain.scope import Scope
from gieok.errors import ErrorText, InvalidImport
from gieok.interop.importers import records
from gieok.interop.importers.fields import Row, importance_scale, scope_of, unique
from gieok.interop.importers.files import LARGEST_STORE, json_file
from gieok.interop.importers.records import ImportedMemory, ImportedRelationship, ImportedTurn, Item, Skipped, Whose

#: subjects of known facts that are attributes here
_ATTRIBUTES: Final[Mapping[str, str]] = json.loads(
    files("gieok.interop.importers").joinpath("synk_attributes.json").read_text(encoding="utf-8")
)
_DEED: Final = re.compile(r"의 (?:행동|반응)$")  #: an event, not a fact about a person
_IMPORTANCES: Final = {"identity": 0.8, "preference": 0.6, "situation": 0.5}
_EMBEDDER: Final = "text-embedding-004"
_MODELS: Final = {
    "characters": ("characters", "Character"),
    "works": ("works", "Work"),
    "sessions": ("sessions", "chatSessions", "ChatSession"),
    "relationships": ("relationships", "userCharacterRelationships", "UserCharacterRelationship"),
    "memories": ("characterMemories", "memories", "CharacterMemory"),
    "messages": ("messages", "Message"),
}
_RECORDS: Final = ("relationships", "memories", "messages")
_ABOUT_THE_FILE: Final = frozenset({"version", "exportedAt", "format", "exportVersion"})
_KINDS: Final[dict[str, Kind]] = {"episodic": "episodic", "semantic": "semantic", "emotional": "emotional"}
_READ_FROM_TALK: Final = {"emotionalHistory": "the history of emotions", "speechStyle": "the speech style"}


def read_synk(path: Path, whose: Whose) -> Iterator[Item]:
    value = json_file(path, most=LARGEST_STORE)
    if not isinstance(value, Mapping):
        raise InvalidImport(ErrorText("import.synk"))
    export = Row(value)
    present = {what: next((name for name in names if name in value), names[0]) for what, names in _MODELS.items()}
    lists = {what: list(export.rows(name)) for what, name in present.items()}
    if not any(lists[what] for what in _RECORDS):
        raise InvalidImport(ErrorText("import.synk_empty"))
    scopes = _Scopes(lists, whose)
    for row in lists["relationships"]:
        yield from _relationship_memories(row, scopes.of(row))
    top = importance_scale(lists["memories"])
    for row in lists["memories"]:
        yield _memory(row, scopes.of(row), top)
    yield from _turns(lists["messages"], scopes)
    for row in lists["relationships"]:  # last, since they include the messages
        axes = {axis: row.number(axis) for axis in records.AXES}
        if any(axes.values()):
            scope = scopes.of(row)
            met, last = row.moment("createdAt"), row.moment("updatedAt")
            yield ImportedRelationship(
                scope=scope, origin=_origin(row, scope), where=row.where, met_at=met, last_at=last, **axes
            )
    known = {name for names in _MODELS.values() for name in names} | _ABOUT_THE_FILE
    for name in value:
        if name not in known:
            yield Skipped(where=str(name), why=ErrorText("skip.no_place", name=shown(name)))


class _Scopes:
    """Resolves the scope of a record: from its user and work, else from its session, else from the caller."""

    def __init__(self, lists: Mapping[str, list[Row]], whose: Whose) -> None:
        self._whose = whose
        self._names = {**_names(lists["characters"], "name"), **_names(lists["works"], "title", "name")}
        self._sessions: dict[str, dict[str, str]] = {}
        for row in lists["sessions"]:
            self._learn(row.name("id"), row, "userId", "workId", "characterId")
        for what in _RECORDS:
            for row in lists[what]:
                self._learn(row.name("sessionId"), row, "userId", "workId")

    def of(self, row: Row, character: str | None = None) -> Scope:
        """Return the scope of a record; raises `InvalidImport` if nothing names its user."""
        session = row.name("sessionId")
        known = self._sessions.get(session or "", {})
        user, work, own = (row.name(field) or known.get(field) for field in ("userId", "workId", "characterId"))
        own = character or own
        if user is None and self._whose.user is None:
            flaw = f"nothing says whose session {session!r} is; name the user with --user, and the work with --world"
            raise row.error(flaw)
        names = {"character": own and self._names.get(own, own), "world": work and self._names.get(work, work)}
        return scope_of(row.where, self._whose, user=user, **names)

    def _learn(self, session: str | None, row: Row, *fields: str) -> None:
        if session is None:
            return
        known = self._sessions.setdefault(session, {})
        for field in fields:
            value = row.name(field)
            if value is not None and known.setdefault(field, value) != value:
                raise row.error(ErrorText("import.session_of_two", session=session, known=known[field], value=value))


def _names(rows: Iterable[Row], *fields: str) -> dict[str, str]:
    """Return names by id; an ambiguous name is dropped."""
    found = {id: name for row in rows if (id := row.name("id")) and (name := row.name(*fields))}
    counts = Counter(found.values())
    return {id: name for id, name in found.items() if counts[name] == 1}


def _origin(row: Row, scope: Scope) -> str:
    return f"relationship {row.name('id') or scope}"


def _relationship_memories(row: Row, scope: Scope) -> Iterator[Item]:
    origin = _origin(row, scope)
    learned = row.moment("updatedAt", "createdAt")
    for number, fact in enumerate(row.items("knownFacts"), start=1):
        told = _told(fact, "a fact", f"fact {number} of {row.where}")
        yield from _fact(told, scope, origin, learned)
    learned = row.moment("updatedAt")
    for number, lived in enumerate(row.items("sharedExperiences"), start=1):
        told = _told(lived, "an experience", f"experience {number} of {row.where}")
        content = told.text("content", "description", "summary", "event")
        yield ImportedMemory(
            scope=scope,
            origin=f"{origin} experience {content}",
            where=told.where,
            content=content,
            type="event",
            at=told.moment("at", "createdAt", "date") or learned,
            tags=("shared_experience",),
        )
    for name, what in _READ_FROM_TALK.items():
        if row.items(name):
            yield Skipped(where=row.where, why=ErrorText("skip.from_messages", what=what), scope=scope)


def _told(value: Any, what: str, where: str) -> Row:
    """Return an object; a text becomes an object with that content."""
    fields = value if isinstance(value, Mapping) else {"content": Row({what: value}, where).text(what)}
    return Row(fields, where)


def _fact(told: Row, scope: Scope, origin: str, learned: datetime | None) -> Iterator[ImportedMemory]:
    subject, value, category = told.text("subject"), told.text("value"), told.text("category")
    content = told.text("content", "fact") or (f"{subject}: {value}" if subject and value else value)
    if not content:
        return
    if not subject and ":" in content:
        subject, value = (part.strip() for part in content.split(":", 1))
    key = _ATTRIBUTES.get(subject) if value else None
    yield ImportedMemory(
        scope=scope,
        origin=f"{origin} fact {content}",
        where=told.where,
        content=content,
        attribute=key,
        value=value if key is not None else None,
        type="event" if _DEED.search(subject) else (None if key is not None else "fact"),
        importance=_IMPORTANCES.get(category),
        at=told.moment("addedAt", "createdAt") or learned,
        tags=unique([category]),
    )


def _memory(row: Row, scope: Scope, top: int) -> ImportedMemory:
    kind = _KINDS.get(row.text("memoryType"))
    content, view = row.text("originalEvent"), row.text("interpretation")
    identity = row.name("id")
    if identity is None:
        raise row.error(ErrorText("import.no_id"))
    return ImportedMemory(
        scope=scope,
        origin=f"memory {identity}",
        where=row.where,
        content=content or view,
        type="fact" if kind == "semantic" else "event",
        kind=kind,
        importance=row.importance(top),
        strength=row.share("strength", default=1.0),
        mentions=row.count("mentionedCount"),
        emotion_intensity=row.share("emotionIntensity", "emotionalIntensity"),
        interpretation=view if view and content and view != content else None,
        at=row.moment("createdAt"),
        tags=unique((row.text("emotion", "emotionalTone"), *row.words("keywords"))),
        vector=row.vector("embedding"),
        embedder=_EMBEDDER,
    )


def _turns(rows: Iterable[Row], scopes: _Scopes) -> Iterator[ImportedTurn | Skipped]:
    sessions: dict[str, list[Row]] = {}
    for row in rows:
        if (session := row.name("sessionId")) is None:
            raise row.error(ErrorText("import.no_session"))
        sessions.setdefault(session, []).append(row)
    for session, said in sessions.items():
        yield from _session_turns(said, session, scopes)


def _session_turns(rows: list[Row], session: str, scopes: _Scopes) -> Iterator[ImportedTurn | Skipped]:
    """Yield the turns of a session: every character who answered heard the user's previous message."""
    speakers = {name for row in rows if (name := row.name("characterId"))}
    only = next(iter(speakers)) if len(speakers) == 1 else None
    asked: Row | None = None
    heard: set[str] = set()  # the characters who answered it

    def unanswered() -> Iterator[ImportedTurn | Skipped]:
        if asked is None or heard:
            return
        if only is None:
            yield Skipped(where=asked.where, why=ErrorText("skip.unanswered"))
        else:
            yield _turn(asked, None, session, scopes.of(asked, only))

    for row in rows:
        character = row.name("characterId") or only
        role = row.text("role", "senderType", "messageType").casefold()
        if role == "user" or (not role and row.get("characterId") is None):
            yield from unanswered()
            asked, heard = row, set()
        elif character is None:
            yield Skipped(where=row.where, why=ErrorText("skip.no_speaker"))
        else:
            yield _turn(None if character in heard else asked, row, session, scopes.of(row, character))
            heard.add(character)
    yield from unanswered()


def _turn(asked: Row | None, answer: Row | None, session: str, scope: Scope) -> ImportedTurn:
    first = asked or answer
    assert first is not None, "one of the two is there"
    return ImportedTurn(
        scope=scope,
        origin=f"message {first.name('id') or first.where}",
        where=first.where,
        text=asked.text("content") if asked else None,
        reply=answer.text("content") if answer else None,
        at=first.moment("createdAt"),
        session=session,
    )
