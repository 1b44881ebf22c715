"""The words of `signs.ko.toml` and `signs.en.toml`, read at the first use."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

_RIEUL: Final = 8  # index of ㄹ among the 28 finals of a syllable block
_WILL: Final = "[" + "".join(map(chr, range(ord("가") + _RIEUL, ord("힣") + 1, 28))) + "]게"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """A set phrase that is a sign."""

    sign: str
    find: re.Pattern[str]
    strength: float = 1.0
    asks: bool = False  #: a question may be one, too
    of_others: bool = False  #: somebody else may be named beside it
    plain: bool = False  #: no thing may be named beside it: 이 노래 죽인다
    raw: bool = False  #: looked for in the whole utterance: ㄱㅅ is no clause


@dataclass(frozen=True, slots=True, kw_only=True)
class SignWords:
    """Korean words by what they do, and the patterns."""

    thanks: frozenset[str]
    thanks_nouns: frozenset[str]
    apology: frozenset[str]
    apology_nouns: frozenset[str]
    praise: frozenset[str]
    praise_nouns: frozenset[str]
    praise_alone: frozenset[str]
    somebody: frozenset[str]
    insult_nouns: frozenset[str]
    dearest: frozenset[str]
    hard_feelings: frozenset[str]
    gifts: frozenset[str]
    good: frozenset[str]
    love: frozenset[str]
    fond: frozenset[str]
    turned_away: frozenset[str]
    missing: frozenset[str]
    insult: frozenset[str]
    slurs: frozenset[str]
    teasing: frozenset[str]
    persons: frozenset[str]
    whose: frozenset[str]
    patterns: tuple[Pattern, ...]


@cache
def korean_sign_words() -> SignWords:
    """Return what `signs.ko.toml` holds."""
    raw = _read("signs.ko.toml")
    words = {name: frozenset(listed.split()) for name, listed in raw["words"].items()}
    return SignWords(**words, patterns=tuple(_pattern(each, 0) for each in raw["patterns"]))


@cache
def english_patterns() -> tuple[Pattern, ...]:
    """Return what `signs.en.toml` holds."""
    return tuple(_pattern(each, re.IGNORECASE) for each in _read("signs.en.toml")["patterns"])


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath(name).read_text(encoding="utf-8"))


def _pattern(raw: Mapping[str, Any], flags: int) -> Pattern:
    find = re.compile(raw["find"].replace("{will}", _WILL), flags)
    return Pattern(**{**raw, "find": find})
