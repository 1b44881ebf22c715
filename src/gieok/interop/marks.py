"""What gieok adds to a memory in another system's format, so that it comes back as what it was.

Formats have a place for what a program keeps for itself (`extensions`, `metadata`). Whoever does not know the mark
reads a plain text; whoever edits that text edits the memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, get_args

from gieok.domain.attributes import ContentType
from gieok.domain.claim import Polarity
from gieok.domain.memory import Memory
from gieok.domain.record_flaws import shown
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER, LONGEST_UTTERANCE, USER

MARK: Final = "gieok"  #: under which it stands
_NAMES: Final = ("user", "character", "world")
_TEXTS: Final = ("id", "about", "attribute", "value", "type", "said_by", "polarity", "at", "valid_at")
_CHOICES: Final = {"type": get_args(ContentType), "polarity": get_args(Polarity)}


def mark_of(memory: Memory, scope: Scope) -> dict[str, Any]:
    """Return what of a memory is neither its text nor whether it is pinned; what it does not have is left out."""
    known = {
        "id": memory.id,
        **{name: getattr(scope, name) for name in _NAMES},
        "about": about(memory),
        "attribute": memory.attribute,
        "value": memory.surface or memory.value if memory.attribute else None,
        "type": memory.content_type,
        "said_by": memory.speaker,
        "polarity": memory.polarity,
        "importance": memory.importance,
        "at": memory.known_at.isoformat(),
        "valid_at": memory.valid_at.isoformat(),
        "tags": list(memory.tags),
    }
    return {name: value for name, value in known.items() if value is not None and value != []}


def about(memory: Memory) -> str:
    """Return whom a memory is about, as `remember` is told."""
    return memory.subject_id if memory.subject == "other" else memory.subject


def with_name(memory: Memory, user: str = "{{user}}") -> str:
    """Return what a memory says with the name of whom it is about in front, where it does not have it."""
    name = _called(about(memory), memory.subject_id, user)
    return memory.content if not name or name in memory.content else f"{name}: {memory.content}"


def without_name(mark: Mapping[str, Any], content: str) -> str:
    """Return what a memory said before its name was put in front."""
    name = _called(mark.get("about", "world"), mark.get("character") or CHARACTER, "{{user}}")
    return content.removeprefix(f"{name}: ") if name else content


def _called(whom: str, character: str, user: str) -> str:
    if whom == USER:
        return user
    if whom == CHARACTER:
        return "{{char}}" if character == CHARACTER else character
    return "" if whom == "world" else whom


def flaw_in_mark(mark: Mapping[str, Any]) -> str | None:
    """Return what is wrong with a mark that comes from outside, without what it has not; None: nothing."""
    for name in (*_TEXTS, *_NAMES):
        if name not in mark:
            continue
        value = mark[name]
        if not isinstance(value, str) or not value.strip():
            return f"{name} is {shown(value)}, no text"
        if len(value) > LONGEST_UTTERANCE:
            return f"{name} has {len(value):,} characters; at most {LONGEST_UTTERANCE:,} are kept"
        if value not in _CHOICES.get(name, (value,)):
            return f"{name} is {shown(value)}, none of {', '.join(_CHOICES[name])}"
    importance, tags = mark.get("importance"), mark.get("tags", [])
    if importance is not None and (isinstance(importance, bool) or not isinstance(importance, int | float)):
        return f"importance is {shown(importance)}, no number"
    if importance is not None and not 0 <= importance <= 1:
        return f"importance is {importance}, not between 0 and 1"
    if not isinstance(tags, list) or not all(isinstance(tag, str) and tag.strip() for tag in tags):
        return f"tags are {shown(tags)}, no texts"
    return _flaw_in_moments(mark)


def _flaw_in_moments(mark: Mapping[str, Any]) -> str | None:
    for name in ("at", "valid_at"):
        try:
            told = datetime.fromisoformat(mark[name]) if name in mark else None
        except ValueError:
            return f"{name} is {shown(mark[name])}, no moment"
        if told is not None and (told.utcoffset() is None or not 2 <= told.year < 9999):
            return f"{name} is {shown(mark[name])}, no moment with a time zone"
    return None
