"""Words by which something is told without being named, read once from `signals.ko.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files


@cache
def _all() -> Mapping[str, Mapping[str, frozenset[str]]]:
    raw = tomllib.loads(files(__package__).joinpath("signals.ko.toml").read_text(encoding="utf-8"))
    return {
        section: {name: frozenset(words.split()) for name, words in table.items()} for section, table in raw.items()
    }


def signals(section: str, name: str) -> frozenset[str]:
    """Return the words listed as `name` under `section`."""
    return _all()[section][name]
