"""What a character without a model can say, read from the data beside it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, Final

from gieok.language.particles import josa

_SLOT: Final = re.compile(r"\{(\w+)(?::([^}]+))?\}")


@cache
def phrases() -> Mapping[str, Any]:
    return tomllib.loads(files(__package__).joinpath("phrases.ko.toml").read_text(encoding="utf-8"))


def phrase(table: str, *keys: str | None, **slots: object) -> str:
    """Return the first phrase of `table` that one of `keys` names, with its slots filled in."""
    known: Mapping[str, str] = phrases()[table]
    return filled(next(known[key] for key in keys if key is not None and key in known), **slots)


def lines(table: str) -> Sequence[str]:
    return list(phrases()[table]["lines"])


def filled(template: str, **slots: object) -> str:
    """Return `template` with {name} filled in, and {name:을/를} with the particle that fits."""

    def fill(slot: re.Match[str]) -> str:
        word = str(slots[slot[1]])
        return josa(word, slot[2]) if slot[2] else word

    return _SLOT.sub(fill, template)
