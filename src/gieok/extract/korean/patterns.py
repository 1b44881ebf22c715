"""How attributes are said in Korean, read once from `patterns.ko.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class VerbPattern:
    """A predicate that takes the value in one of some particles."""

    lemmas: frozenset[str]
    particles: frozenset[str]  #: "" for none
    value: str
    past: bool  #: whether the past tense still holds
    needs: frozenset[str]  #: one of these words must stand in the clause


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Everything about how one attribute is said."""

    attribute: str
    value: str  #: kind of value
    labels: frozenset[str]
    asked: tuple[str, ...]
    nouns: frozenset[str]  #: for favourites: 음식 of "제일 좋아하는 음식"
    value_class: str | None
    alone: bool  #: the value says by itself what it is
    free: bool  #: after a label, any words will do
    verbs: tuple[VerbPattern, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """All attributes, and the ways into them."""

    by_attribute: Mapping[str, Pattern]
    by_label: Mapping[str, Pattern]
    by_favourite: Mapping[str, Pattern]
    by_class: Mapping[str, Pattern]
    alone: tuple[Pattern, ...]
    by_verb: Mapping[str, tuple[tuple[Pattern, VerbPattern], ...]]


@cache
def patterns() -> Patterns:
    raw = tomllib.loads(files(__package__).joinpath("patterns.ko.toml").read_text(encoding="utf-8"))
    read = [_pattern(attribute, table) for attribute, table in raw.items()]
    by_verb: dict[str, list[tuple[Pattern, VerbPattern]]] = {}
    for pattern in read:
        for verb in pattern.verbs:
            for lemma in verb.lemmas:
                by_verb.setdefault(lemma, []).append((pattern, verb))
    return Patterns(
        by_attribute={pattern.attribute: pattern for pattern in read},
        by_label={label: pattern for pattern in read for label in pattern.labels},
        by_favourite={noun: pattern for pattern in read for noun in pattern.nouns},
        by_class={pattern.value_class: pattern for pattern in read if pattern.value_class},
        alone=tuple(pattern for pattern in read if pattern.alone),
        by_verb={lemma: tuple(pairs) for lemma, pairs in by_verb.items()},
    )


def _pattern(attribute: str, table: Mapping[str, Any]) -> Pattern:
    return Pattern(
        attribute=attribute,
        value=table["value"],
        labels=frozenset(table.get("labels", "").split()),
        asked=tuple(table.get("asked", "").split()),
        nouns=frozenset(table.get("nouns", "").split()),
        value_class=table.get("class"),
        alone=table.get("alone", False),
        free=table.get("free", False),
        verbs=tuple(_verb(verb, table["value"]) for verb in table.get("verbs", ())),
    )


def _verb(table: Mapping[str, Any], value: str) -> VerbPattern:
    particles = {"" if particle == "-" else particle for particle in table["particles"].split()}
    return VerbPattern(
        lemmas=frozenset(table["lemmas"].split()),
        particles=frozenset(particles),
        value=table.get("value", value),
        past=table.get("past", False),
        needs=frozenset(table.get("needs", "").split()),
    )


@cache
def anything(attribute: str) -> Pattern:
    """Return the pattern of an attribute for which there is none: whatever is named may be its value."""
    return _pattern(attribute, {"value": "noun"})
