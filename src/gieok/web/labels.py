"""Memories, people, dates and reasons in the words of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Literal

from gieok.domain.memory import Change, Memory
from gieok.domain.personal import ENGLISH, KOREAN
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, USER
from gieok.web.viewer import Viewer
from gieok.words import Words

State = Literal["current", "past", "forgotten", "retracted", "faded", "future"]
STATE_COLOURS: Final[Mapping[State, str]] = {
    "current": "good",
    "past": "",
    "forgotten": "bad",
    "retracted": "warn",
    "faded": "warn",
    "future": "info",
}
_FAVORITE: Final = "favorite."
#: fields whose changes are shown, in this order
_FIELDS: Final = (
    "content", "value", "kind", "importance", "pinned", "doubtful", "mentions", "uses", "valid_at", "invalid_at",
    "retracted", "forgotten_at", "faded_at", "interpretation",
)  # fmt: skip
#: the reasons that upkeep gives, and their keys below `shared.why`


def day(moment: datetime, viewer: Viewer) -> str:
    """Return a date: "2026년 3월 1일", "1 Mar 2026"."""
    return _date("day", moment, viewer)


def date_time(moment: datetime, viewer: Viewer) -> str:
    """Return a date with its time: "2026년 3월 1일 20:00", "1 Mar 2026, 20:00"."""
    return _date("moment", moment, viewer)


def _date(key: str, moment: datetime, viewer: Viewer) -> str:
    there = moment.astimezone(viewer.bank.settings.zone)
    parts = {"year": there.year, "month": there.month, "day": there.day, "short": f"{there:%b}"}
    return viewer.words(f"shared.dates.{key}", **parts, time=f"{there:%H:%M}")


def month(year: int, number: int, words: Words) -> str:
    return words("shared.dates.month", month=number, long=f"{datetime(year, number, 1):%B}")  # noqa: DTZ001  # its name


def per_cent(part: float) -> int:
    return round(100 * min(max(part, 0.0), 1.0))


def short(text: str, most: int = 80) -> str:
    """Return the beginning of a text in one line."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def plain(text: str, most: int) -> str:
    """Return the beginning of a text in one line, without the brackets that style text in a chart."""
    return short(text.replace("{", "(").replace("}", ")"), most)


def person(who: str, scope: Scope | None, words: Words) -> str:
    """Return whom a speaker or subject id means, by name where there is one."""
    own = {USER: scope and scope.user, CHARACTER: scope and scope.character, "world": scope and scope.world}
    return (own[who] or words(f"shared.subjects.{who}")) if who in own else who


def attribute_name(key: str, words: Words) -> str:
    """Return the name of an attribute; an unforeseen favourite keeps its own name."""
    if key.startswith(_FAVORITE):
        thing = key.removeprefix(_FAVORITE)
        known = words.some("shared.favorites").get(thing)
        return known or f"{words('shared.attributes.favorite')}: {thing}"
    return words.some("shared.attributes").get(key, key)


def kind_name(attribute: str | None, content_type: str, words: Words) -> str:
    """Return what kind of thing is known: the name of its attribute, else of its type."""
    return attribute_name(attribute, words) if attribute else words(f"shared.types.{content_type}")


def full_kind_name(memory: Memory, words: Words) -> str:
    """Return type and attribute: "취향 · 좋아하는 것"."""
    kind = words(f"shared.types.{memory.content_type}")
    attribute = kind_name(memory.attribute, memory.content_type, words)
    return kind if kind == attribute else f"{kind} · {attribute}"


def source_name(by: str, words: Words) -> str:
    """Return what read or changed something: a rule, a pass, a person, a model. `by` is its id with a version."""
    return words.some("shared.sources").get(by.partition("/")[0], words("shared.sources.model"))


def pii_name(kind: str, words: Words) -> str:
    names: Mapping[str, str] = KOREAN if words.language == "ko" else ENGLISH  # type: ignore[assignment]  # their keys
    return names.get(kind, kind)


def state_of(memory: Memory, present: datetime) -> State:
    state = memory.state(present)
    return "future" if state == "current" and memory.valid_at > present else state


def field_changes(change: Change, viewer: Viewer) -> list[tuple[str, str, str]]:
    """Return which fields of a memory differ, each with its value before and after."""
    before, after, words = change.before, change.after, viewer.words
    if before is None or after is None:
        return []
    told = ((name, _field(name, before, viewer), _field(name, after, viewer)) for name in _FIELDS)
    return [(words(f"shared.fields.{name}"), old, new) for name, old, new in told if old != new]


def _field(name: str, memory: Memory, viewer: Viewer) -> str:
    value: Any = getattr(memory, name)
    words = viewer.words
    if value is None:
        return words("shared.fields.none")
    if isinstance(value, bool):
        return words(f"shared.fields.{'yes' if value else 'no'}")
    if isinstance(value, datetime):
        return date_time(value, viewer)
    if name == "kind":
        return words(f"shared.kinds.{value}")
    return str(per_cent(value)) if name == "importance" else str(value)
