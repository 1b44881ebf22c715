"""Presets: settings that make gieok rank and assemble like one of the five systems that it is based on.

Each is a file of settings by name, grouped by their place in the system's design (`[[from]]`). `[[rules]]` lists what
the design requires and every bank does, by its name in `gieok.domain`. Other settings keep their defaults, whose
origin is in `default.toml`. No preset changes what is remembered.

The designs' own weights find less in conversations than the defaults do. `[tuned]` holds the replacements;
"heroine:document" is the preset with only the figures of its design.
"""

from __future__ import annotations

import difflib
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gieok.errors import UnknownPreset

PRESETS: Final = ("care", "character", "heroine", "social", "vtuber")
DEFAULT: Final = "default"  #: what holds without one; it can be described, not set
DOCUMENT: Final = ":document"  #: after the name of a preset: its design's figures, none of them tuned
_PLACE: Final = "place"
_TUNED: Final = "measured on conversations: docs/recall.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sourced:
    """A value, and where in a design it stands."""

    name: str  #: of a setting; of a rule, from `gieok.domain` on
    value: Any
    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One system: what it is, and the figures of its design."""

    name: str  #: as it was asked for
    about: str
    document: str  #: the title of the design
    values: tuple[Sourced, ...]
    rules: tuple[Sourced, ...]  #: what holds with every preset, and without one


def preset(name: str) -> dict[str, Any]:
    """Return the settings of the preset `name`, by the names that they have in `Settings`. Raises `UnknownPreset`."""
    if name == DEFAULT:
        raise UnknownPreset(name, None, PRESETS)
    return {each.name: each.value for each in described(name).values}


@cache
def described(name: str) -> Preset:
    """Return all that is on file of the preset `name`, or of the default. Raises `UnknownPreset`."""
    system = name.removesuffix(DOCUMENT)
    if system not in PRESETS and name != DEFAULT:
        known = (*PRESETS, *(each + DOCUMENT for each in PRESETS)) if ":" in name else PRESETS
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
        raise UnknownPreset(name, close[0] if close else None, PRESETS)
    told = tomllib.loads((files(__name__) / f"{system}.toml").read_text(encoding="utf-8"))
    tuned = told.get("tuned", {}) if name == system else {}
    values = (each for each in _sourced(told["from"]) if each.name not in tuned)
    return Preset(
        name=name,
        about=told["about"],
        document=told["document"],
        values=(*_sourced([tuned | {_PLACE: _TUNED}]), *values),
        rules=_sourced(told.get("rules", [])),
    )


def _sourced(groups: list[dict[str, Any]]) -> tuple[Sourced, ...]:
    return tuple(
        Sourced(name=name, value=value, source=group[_PLACE])
        for group in groups
        for name, value in group.items()
        if name != _PLACE
    )
