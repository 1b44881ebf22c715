"""Presets: settings that make gieok rank and assemble as one of the five systems that it comes from.

Each is a file of settings by their names, with the place in its system's design that every value was taken from.
What a preset leaves out keeps its default. None of them changes what is remembered.
"""

from __future__ import annotations

import difflib
import tomllib
from importlib.resources import files
from typing import Any, Final

from gieok.errors import UnknownPreset

PRESETS: Final = ("care", "character", "heroine", "social", "vtuber")


def preset(name: str) -> dict[str, Any]:
    """Return the settings of the preset `name`, by the names that they have in `Settings`."""
    if name not in PRESETS:
        close = difflib.get_close_matches(name, PRESETS, n=1, cutoff=0.6)
        raise UnknownPreset(name, close[0] if close else None, PRESETS)
    return tomllib.loads((files(__name__) / f"{name}.toml").read_text(encoding="utf-8"))
