"""Whose a record of SYNK is: by user and work; an older one by its session, which leads to both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gieok.domain.scope import Scope
from gieok.errors import InvalidImport
from gieok.interop.arriving.shape import Whose
from gieok.interop.arriving.values import named, scope_for

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
