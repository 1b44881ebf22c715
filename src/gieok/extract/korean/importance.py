"""How much what is said is made to matter: 꼭 기억해 줘, 별거 아닌데."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

_STEPS: Final = {"must": 0.15, "much": 0.05, "little": -0.15}


@lru_cache(maxsize=16)
def importance(text: str) -> float:
    """Return what `text` adds to the importance of what it tells; less than 0 where it plays it down."""
    known = _phrases()
    if known["little"].search(text):
        return _STEPS["little"]
    return sum(_STEPS[name] for name in ("must", "much") if known[name].search(text))


@cache
def _phrases() -> Mapping[str, re.Pattern[str]]:
    raw = tomllib.loads(files(__package__).joinpath("importance.ko.toml").read_text(encoding="utf-8"))
    return {name: re.compile("|".join(re.escape(phrase) for phrase in raw[name])) for name in _STEPS}
