"""The attribute schema: what can be known about a subject, and how each kind of knowledge behaves.

The keys are a contract. A new value supersedes the old one of a single-valued attribute; other attributes collect
values. A new attribute is one entry here.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from gieok.errors import ErrorText, InvalidQuery

Category = Literal["identity", "caution", "people", "preference", "request", "shared_event", "situation"]
ContentType = Literal[
    "fact", "preference", "trait", "event", "opinion", "personal", "constraint", "decision",
    "todo", "promise", "timeline", "profile", "note", "insight", "summary",
]  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """Behaviour of one kind of knowledge."""

    key: str = ""
    category: Category
    single: bool = False  #: one value at a time
    pinned: bool  #: included in every context
    content_type: ContentType
    importance: float  #: 0–1, default for a new memory
    future_impact: float  #: 0–1, expected relevance for future conversations
    lifelong: bool = False  #: rarely changes: a casual mention does not overrule an explicit statement
    opposes: tuple[str, ...] = ()  #: attributes whose same value it contradicts; "favorite." means all of them

    def opposed_to(self, key: str) -> bool:
        return any(key == other or (other.endswith(".") and key.startswith(other)) for other in self.opposes)


def _category(name: Category, content_type: ContentType, importance: float, future_impact: float) -> Attribute:
    pinned = name in ("identity", "caution")
    return Attribute(
        category=name, pinned=pinned, content_type=content_type, importance=importance, future_impact=future_impact
    )


#: defaults of each category
CATEGORIES: Final[dict[Category, Attribute]] = {
    "identity": _category("identity", "personal", 0.8, 0.8),
    "caution": _category("caution", "constraint", 0.95, 1.0),
    "people": _category("people", "personal", 0.7, 0.7),
    "preference": _category("preference", "preference", 0.6, 0.6),
    "request": _category("request", "todo", 0.8, 1.0),
    "shared_event": _category("shared_event", "event", 0.6, 0.5),
    "situation": _category("situation", "fact", 0.5, 0.4),
}


def _entry(key: str, category: Category, **own: Any) -> Attribute:
    return replace(CATEGORIES[category], key=key, lifelong=key in _LIFELONG, **own)


_LIFELONG: Final = frozenset("name birth_year birthday gender hometown blood_type handedness nationality".split())
_SINGLE_IDENTITY: Final = (
    "name nickname age birth_year birthday gender job workplace major school hometown residence blood_type mbti "
    "height weight handedness nationality religion phone"
).split()
_CAUTION: Final = "allergy phobia medical_condition medication contraindication diet boundary trauma".split()

SCHEMA: Final[dict[str, Attribute]] = {
    attribute.key: attribute
    for attribute in (
        *(_entry(key, "identity", single=True) for key in _SINGLE_IDENTITY),
        _entry("family", "identity"),
        *(_entry(key, "caution") for key in _CAUTION),
        _entry("friend", "people"),
        _entry("pet", "people", pinned=True),
        _entry("relationship_status", "people", single=True),
        _entry("likes", "preference", opposes=("dislikes",)),
        _entry("dislikes", "preference", opposes=("likes", "favorite.")),
        _entry("hobby", "preference"),
        _entry("exercise", "preference"),
        _entry("promise", "request", pinned=True, content_type="promise"),
        _entry("todo", "request"),
        _entry("decision", "request", content_type="decision"),
        _entry("constraint", "request", pinned=True, content_type="constraint"),
        _entry("event", "shared_event"),
        _entry("timeline", "shared_event", content_type="timeline"),
        _entry("milestone", "shared_event"),
        _entry("vaccination", "shared_event"),
        *(_entry(key, "situation") for key in ("part_time_job", "habit", "skill", "plan", "dream", "goal", "mood")),
        _entry("trait", "situation", content_type="trait"),
        _entry("opinion", "situation", content_type="opinion"),
        _entry("note", "situation", content_type="note"),
    )
}

_FAVORITE: Final = "favorite."
_FREE: Final = "free."


def attribute(key: str) -> Attribute:
    """Return the attribute named `key`, normalised to NFC; any `favorite.<thing>` is valid.

    Raises `InvalidQuery` for a key outside the schema.
    """
    known = SCHEMA.get(key)
    if known is not None:
        return known
    if key.startswith(_FAVORITE) and len(key) > len(_FAVORITE):
        return _entry(unicodedata.normalize("NFC", key), "preference", single=True, opposes=("dislikes",))
    if key.startswith(_FREE) and len(key) > len(_FREE):
        return _entry(unicodedata.normalize("NFC", key), "situation")
    raise InvalidQuery(ErrorText("query.attribute", name=key, known=", ".join(sorted(SCHEMA))))
