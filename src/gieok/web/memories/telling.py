"""A memory in words: whom it is about, what kind it is, since when and whether it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.web.dates import day
from gieok.web.visitors import Visitor
from gieok.web.wording import Words

Standing = Literal["current", "past", "forgotten", "retracted", "faded", "future"]
CHIPS: Final[Mapping[Standing, str]] = {
    "current": "good",
    "past": "",
    "forgotten": "bad",
    "retracted": "warn",
    "faded": "warn",
    "future": "info",
}
_FAVORITE: Final = "favorite."


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A memory as a line of the table or the timeline."""

    id: str
    content: str
    about: str
    kind: str
    since: str
    until: str  #: "": it is open
    standing: Standing
    state: str
    importance: int  #: per cent
    strength: int
    pinned: bool
    pii: bool
    at: datetime  #: true since


def standing(memory: Memory, present: datetime) -> Standing:
    """Return how a memory stands at `present`."""
    stands = memory.state(present)
    return "future" if stands == "current" and memory.valid_at > present else stands


def row(memory: Memory, strength: float, present: datetime, visitor: Visitor) -> Row:
    """Return `memory` as a line, as it stands at `present`."""
    words, scope = visitor.words, visitor.scope
    held = standing(memory, present)
    return Row(
        id=memory.id,
        content=memory.content,
        about=named(memory.subject, memory.subject_id, scope, words),
        kind=kind_told(memory, words),
        since=day(memory.valid_at, visitor),
        until=day(memory.invalid_at, visitor) if memory.invalid_at is not None else "",
        standing=held,
        state=words(f"shared.states.{held}"),
        importance=per_cent(memory.importance),
        strength=per_cent(strength),
        pinned=memory.pinned,
        pii=bool(memory.pii_flags),
        at=memory.valid_at,
    )


def named(subject: str, subject_id: str, scope: Scope | None, words: Words) -> str:
    """Return whom a subject means, by name where there is one."""
    if subject == "user":
        return (scope and scope.user) or words("shared.subjects.user")
    if subject == "world":
        return (scope and scope.world) or words("shared.subjects.world")
    if subject == "character" and subject_id == CHARACTER:
        return (scope and scope.character) or words("shared.subjects.character")
    return subject_id


def speaker_named(speaker: str, scope: Scope | None, words: Words) -> str:
    """Return whom a speaker means."""
    return named(speaker if speaker in (USER, CHARACTER) else "other", speaker, scope, words)


def kind_told(memory: Memory, words: Words) -> str:
    """Return type and attribute: "취향 · 좋아하는 것"."""
    kind = words(f"shared.types.{memory.content_type}")
    if memory.attribute is None:
        return kind
    attribute = attribute_told(memory.attribute, words)
    return kind if kind == attribute else f"{kind} · {attribute}"


def attribute_told(key: str, words: Words) -> str:
    """Return an attribute as people say it; a favourite that nobody foresaw goes by its own name."""
    if key.startswith(_FAVORITE):
        thing = key.removeprefix(_FAVORITE)
        known = words.some("shared.favorites").get(thing)
        return known or f"{words('shared.attributes.favorite')}: {thing}"
    return words.some("shared.attributes").get(key, key)


def per_cent(part: float) -> int:
    return round(100 * min(max(part, 0.0), 1.0))


def short(content: str, most: int = 80) -> str:
    """Return the beginning of what a memory says, in a line, for a label."""
    line = " ".join(content.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
