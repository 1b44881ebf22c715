"""The words of ways of life, read once from `ways.ko.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from gieok.extract.korean.lexicon import lexicon


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """Sets of words by attribute and use."""

    labels: Mapping[str, frozenset[str]]  #: attribute → what names it
    sets: Mapping[str, frozenset[str]]  #: "hobby.pastimes" …
    hints: Mapping[str, re.Pattern[str]]

    def hinted(self, rule: str, text: str) -> bool:
        """Whether anything in `text` is worth reading by `rule`."""
        return self.hints[rule].search(text) is not None

    def of(self, name: str) -> frozenset[str]:
        return self.sets[name]

    def is_exercise(self, word: str) -> bool:
        return word in lexicon().of_class("exercise")

    def is_pastime(self, word: str) -> bool:
        return word in self.sets["hobby.pastimes"] or self.is_exercise(word)


@cache
def ways() -> Ways:
    raw = tomllib.loads(files(__package__).joinpath("ways.ko.toml").read_text(encoding="utf-8"))
    labels = {attribute: frozenset(words.split()) for attribute, words in raw.pop("labels").items()}
    hints = {rule: re.compile("|".join(map(re.escape, words.split()))) for rule, words in raw.pop("hints").items()}
    sets = {f"{table}.{name}": frozenset(words.split()) for table, each in raw.items() for name, words in each.items()}
    return Ways(labels=labels, sets=sets, hints=hints)
