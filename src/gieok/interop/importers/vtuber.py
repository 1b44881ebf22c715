"""The database of a desktop character: what was said (`chat_turns`), weighed, and kept (`memory_slots`).

A candidate that became a slot arrives as that slot, with how sure and how strongly felt it was; one that did not
arrives as a candidate, believed by nobody. The vectors of the slots are those of a classifier, and are made anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gieok.domain.attributes import ContentType
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.errors import InvalidImport
from gieok.interop.importers.files import Row, moment_of, rows, scope_for, share_of, tables_of, text_of
from gieok.interop.importers.files import named_values as named
from gieok.interop.importers.files import opened_tables as opened
from gieok.interop.importers.files import shown_values as shown
from gieok.interop.importers.records import Arrival, Exchange, Known, LeftOut, Whose

if TYPE_CHECKING:
    import apsw


_TABLES: Final = ("chat_turns", "memory_candidates", "memory_slots")
_USER: Final = ("user", "human")
_CHARACTER: Final = ("assistant", "character", "bot", "ai")
_ABOUT: Final = {"user": USER, "assistant": CHARACTER, "character": CHARACTER, "pair": USER}
_TYPES: Final[dict[str, ContentType]] = {
    "promise": "promise", "boundary": "constraint", "fact": "fact", "relationship": "personal", "plan": "todo",
    "preference": "preference", "emotion": "opinion", "event": "event",
}  # fmt: skip
_FIRM: Final = ("promise", "boundary")  #: belong into every context
_KEPT: Final = ("promoted", "slot", "merged")


def read_vtuber(path: Path, whose: Whose) -> Iterator[Arrival]:
    """Yield what was said, then what was kept of it, then what was not."""
    if whose.user is None or whose.character is None:
        raise InvalidImport("the file does not say who spoke; name both with --user and --character")
    scope = scope_for(whose, "the file")
    with opened(path) as connection:
        there = tables_of(connection)
        if not there.intersection(_TABLES):
            raise InvalidImport(f"{path.name!r} has none of the tables {', '.join(_TABLES)}")
        if "chat_turns" in there:
            yield from _talk(connection, scope)
        weighed = _weighed(connection) if "memory_candidates" in there else {}
        if "memory_slots" in there:
            for where, row in rows(connection, "memory_slots"):
                yield _slot(row, scope, weighed, where)
        if "memory_candidates" in there:
            for where, row in rows(connection, "memory_candidates"):
                yield _candidate(row, scope, where)


@dataclass(slots=True)
class _Open:
    """What the user said, while nobody has answered it."""

    row: Row
    where: str


def _talk(connection: apsw.Connection, scope: Scope) -> Iterator[Exchange | LeftOut]:
    """Yield the exchanges: what the user said, and what the character answered in the same turn."""
    said: _Open | None = None
    for where, row in rows(connection, "chat_turns"):
        role = text_of(row.get("role") or row.get("speaker"), "role", where).casefold()
        if role in _CHARACTER and (said is None or _turn(said.row) == _turn(row)):
            yield _exchange(said, _Open(row, where), scope)
            said = None
            continue
        if said is not None:
            yield _exchange(said, None, scope)
            said = None
        if role in _USER:
            said = _Open(row, where)
        elif role in _CHARACTER:
            yield _exchange(None, _Open(row, where), scope)
        elif role == "system":
            yield LeftOut(where=where, why="it was said by nobody, but the program", scope=scope)
        else:
            raise InvalidImport(f"role is {shown(role)}, neither the user's nor the character's", where=where)
    if said is not None:
        yield _exchange(said, None, scope)


def _turn(row: Row) -> tuple[object, object]:
    return (row.get("session_id"), row.get("turn_idx"))


def _exchange(said: _Open | None, answered: _Open | None, scope: Scope) -> Exchange:
    first = said or answered
    assert first is not None, "one of the two is there"
    row, where = first.row, first.where
    return Exchange(
        scope=scope,
        origin=f"chat_turns {row.get('id')}",
        where=where,
        text=_line(said),
        reply=_line(answered),
        at=moment_of(row.get("ts") or row.get("created_at"), where),
        session=named(row.get("session_id"), "session_id", where),
    )


def _line(spoken: _Open | None) -> str | None:
    if spoken is None:
        return None
    row = spoken.row
    return text_of(row.get("text") or row.get("content"), "text", spoken.where) or None


def _weighed(connection: apsw.Connection) -> dict[tuple[object, object], tuple[float, float]]:
    """Return how sure and how strongly felt the latest candidate of each slot was."""
    return {
        (row.get("session_id"), row.get("key")): (
            share_of(row.get("confidence"), "confidence", where, default=1.0),
            share_of(row.get("emotion_intensity"), "emotion_intensity", where),
        )
        for where, row in rows(connection, "memory_candidates")
    }


def _slot(row: Row, scope: Scope, weighed: dict[tuple[object, object], tuple[float, float]], where: str) -> Known:
    certainty, intensity = weighed.get((row.get("session_id"), row.get("key")), (1.0, 0.0))
    return _known(
        row,
        scope,
        where,
        origin=f"memory_slots {row.get('session_id')} {row.get('id')}",
        certainty=certainty,
        intensity=intensity,
        believed=True,
    )


def _candidate(row: Row, scope: Scope, where: str) -> Known | LeftOut:
    if text_of(row.get("status"), "status", where).casefold() in _KEPT:
        return LeftOut(where=where, why="it became a slot, and comes with that", scope=scope)
    return _known(
        row,
        scope,
        where,
        origin=f"memory_candidates {row.get('id')}",
        certainty=share_of(row.get("confidence"), "confidence", where, default=1.0),
        intensity=share_of(row.get("emotion_intensity"), "emotion_intensity", where),
        believed=False,
    )


def _known(
    row: Row, scope: Scope, where: str, *, origin: str, certainty: float, intensity: float, believed: bool
) -> Known:
    kind = text_of(row.get("type"), "type", where).casefold()
    subject = text_of(row.get("subject"), "subject", where)
    key = text_of(row.get("key"), "key", where).replace("_", " ")
    value = text_of(row.get("value") or row.get("content"), "value", where)
    tags = dict.fromkeys(tag for tag in (kind, key, subject if subject == "pair" else "") if tag)
    return Known(
        scope=scope,
        origin=origin,
        where=where,
        content=value if not key or key in value or not value else f"{key}: {value}",
        about=_ABOUT.get(subject.casefold(), subject or USER),
        type=_TYPES.get(kind, "fact"),
        importance=share_of(row["score"], "score", where) if row.get("score") is not None else None,
        at=moment_of(row.get("updated_at") or row.get("created_at"), where),
        tags=tuple(tags),
        pinned=believed and kind in _FIRM,
        certainty=certainty,
        emotion_intensity=intensity,
        believed=believed,
    )
