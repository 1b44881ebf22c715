"""The words by which something known is given up or replaced, read once from `changes.ko.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitting:
    """Of which attributes a word is said."""

    attributes: tuple[str, ...]  #: () for all; "favorite." means all of them

    def fits(self, attribute: str) -> bool:
        return not self.attributes or any(
            attribute == each or (each.endswith(".") and attribute.startswith(each)) for each in self.attributes
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending(Fitting):
    """A way of saying that something is over."""

    needs: frozenset[str]  #: one of these words must stand in the clause
    past: bool  #: only said of what has happened
    outdone: bool  #: something else has come first
    alone: bool  #: only where nothing else is named


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeWords:
    """Sets of words, verbs in their dictionary form."""

    over: Mapping[str, tuple[Ending, ...]]  #: by verb
    over_nouns: frozenset[str]  #: 퇴사, 졸업, 끝
    farewells: frozenset[str]  #: words that only say how it ended: 무지개다리, 흥미
    stopped: Mapping[str, frozenset[str]]
    now: Mapping[str, tuple[Fitting, ...]]  #: by verb
    became: Mapping[str, frozenset[str]]
    wrong: Mapping[str, frozenset[str]]


@cache
def change_words() -> ChangeWords:
    raw = tomllib.loads(files(__package__).joinpath("changes.ko.toml").read_text(encoding="utf-8"))
    over: dict[str, list[Ending]] = {}
    for table in raw["over"]:
        ending = Ending(
            attributes=tuple(table.get("attributes", "").split()),
            needs=frozenset(table.get("needs", "").split()),
            past=table.get("past", False),
            outdone=table.get("outdone", False),
            alone=table.get("alone", False),
        )
        for verb in table["verbs"].split():
            over.setdefault(verb, []).append(ending)
    now: dict[str, list[Fitting]] = {}
    for table in raw["now"]:
        for verb in table["verbs"].split():
            now.setdefault(verb, []).append(Fitting(attributes=tuple(table.get("attributes", "").split())))
    return ChangeWords(
        now={verb: tuple(fitting) for verb, fitting in now.items()},
        over_nouns=frozenset(word for table in raw["over"] for word in table.get("nouns", "").split()),
        over={verb: tuple(endings) for verb, endings in over.items()},
        farewells=frozenset(word for table in raw["over"] for word in table.get("needs", "").split()),
        stopped=_sets(raw["stopped"]),
        became=_sets(raw["became"]),
        wrong=_sets(raw["wrong"]),
    )


def _sets(table: Mapping[str, str]) -> dict[str, frozenset[str]]:
    return {name: frozenset(words.split()) for name, words in table.items()}
