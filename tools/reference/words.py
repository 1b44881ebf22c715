"""The words that calls take and values hold: the closed sets among them, and the attributes."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, get_args

from gieok.bank.events import EVENTS
from gieok.domain.attributes import CATEGORIES, SCHEMA

#: Closed sets of words, by where they live.
SETS: Mapping[str, tuple[str, ...]] = {
    "domain.claim": ("Subject", "Polarity", "Act", "Origin"),
    "domain.attributes": ("ContentType",),
    "domain.memory": ("Kind",),
    "domain.decision": ("Reason",),
    "domain.emotion": ("Emotion",),
    "domain.relationship": ("Level", "Axis"),
    "domain.noticed": ("SpeechStyle", "EntityKind"),
    "domain.entity": ("Sentiment",),
    "domain.answer": ("Source", "Aid", "Why", "Task", "Failure"),
    "domain.upkeep": ("PassName",),
    "domain.personal": ("PersonalKind",),
    "domain.operation": ("OperationKind",),
    "domain.actor": ("ActorKind",),
    "ports": ("Fate",),
}
HEAD = """\
## Words

Where a type is one of these, only these words are taken or given.

| Type | Words |
|---|---|"""
ATTRIBUTES = """\
## Attributes

What `attribute` may be, in `remember`, `facts`, `recall(where=…)` and elsewhere. Of those with one value a new value
takes the place of the old one; the others collect values. What is pinned stands in every context.

| Category | One value | Many values | Pinned |
|---|---|---|---|"""
MEANINGS = {
    "identity": "who somebody is",
    "caution": "what to be careful with",
    "people": "around them",
    "preference": "what they like",
    "request": "what was asked and promised",
    "shared_event": "what happened",
    "situation": "how things are",
}


def sections() -> str:
    rows = [row(home, name) for home, names in SETS.items() for name in names]
    rows.append(f"| `EventName` | {' '.join(f'`{word}`' for word in EVENTS)} |")
    return "\n".join((HEAD, *rows, "", ATTRIBUTES, *(attributes(category) for category in CATEGORIES), ""))


def row(home: str, name: str) -> str:
    words: Any = get_args(getattr(import_module(f"gieok.{home}"), name))
    return f"| `{name}` | {' '.join(f'`{word}`' for word in words)} |"


def attributes(category: str) -> str:
    """Return the row of a category; any favorite.<thing> is a preference with one value."""
    own = [each for each in SCHEMA.values() if each.category == category]
    single = [f"`{each.key}`" for each in own if each.single]
    single += ["`favorite.<anything>`"] if category == "preference" else []
    many = [f"`{each.key}`" for each in own if not each.single]
    pinned = [f"`{each.key}`" for each in own if each.pinned]
    told = "all" if len(pinned) == len(own) else " ".join(pinned)
    return f"| {category}: {MEANINGS[category]} | {' '.join(single)} | {' '.join(many)} | {told or '–'} |"
