"""Made-up Korean sentences, as many as wanted, the same in every run and no two alike."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Iterator
from importlib.resources import files
from typing import Any


def memories() -> Iterator[tuple[str, str]]:
    """Yield (attribute, sentence) without end."""
    return ((attribute, text) for (attribute, _), text in _written("memory"))


def turns(seed: int) -> Iterator[str]:
    """Yield what a user says: two sentences each."""
    return (text for _, text in _written("turn", seed))


def questions() -> Iterator[str]:
    return (text for _, text in _written("question"))


def _written(kind: str, seed: int = 0) -> Iterator[tuple[Any, str]]:
    parts = tomllib.loads(files(__package__).joinpath("sentences.ko.toml").read_text(encoding="utf-8"))
    dice = random.Random(seed)
    seen: set[str] = set()
    number = 1
    while True:
        number += 1
        pattern = dice.choice(parts[kind])
        words = {name: dice.choice(parts[name]) for name in ("when", "where", "who", "thing", "did")}
        template = pattern if isinstance(pattern, str) else pattern[1]
        text = template.format(n=number, **words)
        if text not in seen:
            seen.add(text)
            yield pattern, text
