"""Embedders: adapters that turn texts into vectors. The settings name one of them."""

from __future__ import annotations

import re
from typing import Final

from gieok.embedders.hashing import HashingEmbedder
from gieok.embedders.universal import UniversalEncoder
from gieok.errors import InvalidSetting
from gieok.ports import Embedder

__all__ = ["HashingEmbedder", "UniversalEncoder", "create"]

_CHOICES: Final = '"universal", "hashing" or "hashing:<dimension>"'
_HASHING: Final = re.compile(r"hashing(?:[:-]([1-9][0-9]{0,4}))?")
_LARGEST: Final = 65_536


def create(name: str = "universal") -> Embedder:
    """Return the embedder that a settings string names; nothing is loaded yet.

    The name that a bank records of its embedder ("use-m3-512", "hashing-256") names it here as well.
    """
    wanted = name.strip()
    if wanted in ("universal", UniversalEncoder.name):
        return UniversalEncoder()
    hashing = _HASHING.fullmatch(wanted)
    if hashing is not None and hashing[1] is None:
        return HashingEmbedder()
    if hashing is not None and int(hashing[1]) <= _LARGEST:
        return HashingEmbedder(dimension=int(hashing[1]))
    raise InvalidSetting(f"unknown embedder {name!r}; choose {_CHOICES}")
