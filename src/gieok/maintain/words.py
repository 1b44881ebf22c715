"""The words that upkeep reads and writes with, loaded when first asked for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Feeling:
    """How a feeling is told."""

    was: str  #: 즐거워했다
    can_be: str  #: 즐거워할 (때도 있었다)
    noted: str  #: 즐거워함


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Sets of words by what they do."""

    when: frozenset[str]
    shifting: frozenset[str]
    filling: frozenset[str]
    helping: frozenset[str]
    negation: frozenset[str]
    light: frozenset[str]
    classes: Mapping[str, str]  #: "animal" → 동물
    english_classes: Mapping[str, str]
    feelings: Mapping[str, Feeling]


@cache
def words() -> Words:
    raw = tomllib.loads(files(__package__).joinpath("words.toml").read_text(encoding="utf-8"))
    sets = {name: frozenset(listed.split()) for name, listed in raw["reading"].items()}
    feelings = {name: Feeling(*forms) for name, forms in raw["feelings"].items()}
    return Words(**sets, classes=raw["classes"], english_classes=raw["english_classes"], feelings=feelings)
