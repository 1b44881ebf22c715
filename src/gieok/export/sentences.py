"""Memories as they are told to their user: grouped by what they are about, each in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from gieok.domain.attributes import Category, attribute
from gieok.domain.memory import Memory
from gieok.domain.turn import USER
from gieok.language.particles import josa
from gieok.language.politely import politely

Group = Literal["identity", "taste", "caution", "people", "promises", "events", "between", "rest"]
GROUPS: Final[tuple[Group, ...]] = (
    "identity", "taste", "caution", "people", "promises", "events", "between", "rest",
)  # fmt: skip
_GROUP_OF: Final[Mapping[Category, Group]] = {
    "identity": "identity",
    "caution": "caution",
    "people": "people",
    "preference": "taste",
    "request": "promises",
    "shared_event": "events",
    "situation": "rest",
}
_HAPPENED: Final = frozenset({"event", "timeline", "decision"})
_PAST: Final = frozenset({"birth_year", "vaccination", "decision", "milestone", "event", "timeline"})


def group_of(memory: Memory) -> Group:
    """Return where a memory belongs for the user."""
    if memory.subject != USER:
        return "people" if memory.attribute != "promise" else "promises"
    if memory.attribute is not None:
        return _GROUP_OF[attribute(memory.attribute).category]
    return "events" if memory.content_type in _HAPPENED else "rest"


def sentence(memory: Memory, language: str) -> str:
    """Return what a memory says as one would tell it to the user."""
    past = memory.attribute in _PAST or (memory.attribute is None and memory.content_type in _HAPPENED)
    said = politely(memory.content, past=past) if language == "ko" else memory.content
    if memory.subject in ("other", "character") and memory.subject_id not in said:
        said = _of_another(memory, said, language)
    return full_stop(said)


def _of_another(memory: Memory, said: str, language: str) -> str:
    if language == "en":
        return f"{memory.subject_id}: {said}"
    labelled = memory.attribute is not None and memory.value is not None and said.split(" ")[0][-1:] in ("은", "는")
    return f"{memory.subject_id} {said}" if labelled else f"{josa(memory.subject_id, '은/는')} {said}"


def told_to_user(note: str, language: str) -> str:
    """Return a note as one would tell it to the user."""
    return full_stop(politely(note) if language == "ko" else note)


def full_stop(said: str) -> str:
    """Return it with a full stop, if it is a sentence: 승진 is none."""
    said = said.strip()
    return f"{said}." if said.endswith("요") or (said[-1:].isascii() and said[-1:].isalnum()) else said
