"""How attributes are said in English, read once from `patterns.en.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final, Literal

from gieok.extract.english.templates import Template, mention, template
from gieok.extract.english.words import words

Way = Literal["holds", "happened", "ends", "ended", "orders", "others"]
WAYS: Final[tuple[Way, ...]] = ("holds", "happened", "ends", "ended", "orders", "others")


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """Everything about how one attribute is said."""

    attribute: str
    value: str  #: kind of value
    labels: frozenset[str]
    asked: tuple[tuple[str, ...], ...]  #: words in a row that ask for it
    nouns: frozenset[str]  #: for favourites: food of "my favourite food"
    value_class: str | None
    alone: bool  #: the value says by itself what it is
    free: bool  #: after a label, any words will do
    many: bool  #: may be listed
    denied: str  #: the attribute that its negation gives
    jokes: frozenset[str]  #: values that nobody means


@dataclass(frozen=True, slots=True, kw_only=True)
class Patterns:
    """All attributes, and the ways into them."""

    by_attribute: Mapping[str, Pattern]
    by_label: Mapping[str, Pattern]
    by_favourite: Mapping[str, Pattern]
    by_class: Mapping[str, Pattern]
    alone: tuple[Pattern, ...]
    by_verb: Mapping[tuple[Way, str], tuple[tuple[Pattern, Template], ...]]
    mentions: Mapping[str, tuple[tuple[Pattern, Template], ...]]  #: by their first word


@cache
def patterns() -> Patterns:
    raw = tomllib.loads(files(__package__).joinpath("patterns.en.toml").read_text(encoding="utf-8"))
    read = {attribute: _pattern(attribute, table) for attribute, table in raw.items()}
    by_verb: dict[tuple[Way, str], list[tuple[Pattern, Template]]] = {}
    mentions: dict[str, list[tuple[Pattern, Template]]] = {}
    for attribute, table in raw.items():
        pattern = read[attribute]
        for way in WAYS:
            for made in (template(written, pattern.value) for written in table.get(way, ())):
                for head in made.heads:
                    by_verb.setdefault((way, head), []).append((pattern, made))
        for made in (mention(written, pattern.value) for written in table.get("mentions", ())):
            for first in made.parts[0].words or {""}:
                mentions.setdefault(first, []).append((pattern, made))
    return Patterns(
        by_attribute=read,
        by_label={label: pattern for pattern in read.values() for label in pattern.labels},
        by_favourite={noun: pattern for pattern in read.values() for noun in pattern.nouns},
        by_class={pattern.value_class: pattern for pattern in read.values() if pattern.value_class},
        alone=tuple(pattern for pattern in read.values() if pattern.alone),
        by_verb={key: tuple(made) for key, made in by_verb.items()},
        mentions={first: tuple(made) for first, made in mentions.items()},
    )


def _pattern(attribute: str, table: Mapping[str, Any]) -> Pattern:
    return Pattern(
        attribute=attribute,
        value=table["value"],
        labels=frozenset(_listed(table.get("labels", ""))),
        asked=tuple(tuple(word.low for word in words(phrase)) for phrase in _listed(table.get("asked", ""))),
        nouns=frozenset(_listed(table.get("nouns", ""))),
        value_class=table.get("class"),
        alone=table.get("alone", False),
        free=table.get("free", False),
        many=table.get("many", False),
        denied=table.get("denied", ""),
        jokes=frozenset(_listed(table.get("jokes", ""))),
    )


def _listed(phrases: str) -> Iterable[str]:
    return (" ".join(phrase.split()) for phrase in phrases.split(",") if phrase.strip())
