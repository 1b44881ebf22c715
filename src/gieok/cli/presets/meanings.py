"""What each setting means, in groups; and how a value is written in TOML."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from importlib.resources import files
from typing import Any

from gieok.settings import Settings


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Settings that belong together, each with its meaning."""

    title: str
    settings: Mapping[str, str]


@cache
def groups() -> tuple[Group, ...]:
    told = tomllib.loads((files(__package__) / "meanings.toml").read_text(encoding="utf-8"))
    return tuple(Group(title=each["title"], settings=each["settings"]) for each in told["group"])


@cache
def meanings() -> dict[str, str]:
    return {name: words for group in groups() for name, words in group.settings.items()}


@cache
def defaults() -> dict[str, Any]:
    return {each.name: each.default for each in fields(Settings)}


def as_toml(value: object) -> str:
    """Return `value` as TOML; "…" stands for one that is not set."""
    match value:
        case None:
            return '"…"'
        case bool():
            return str(value).lower()
        case str() | int():
            return json.dumps(value, ensure_ascii=False)  # its strings are TOML's, too
        case list():
            return f"[{', '.join(map(as_toml, value))}]"
    return repr(value)
