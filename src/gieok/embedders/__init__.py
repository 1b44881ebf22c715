"""Embedders: adapters that turn texts into vectors. The settings name one of them."""

from __future__ import annotations

from gieok.embedders.hashing import HashingEmbedder
from gieok.embedders.universal import UniversalEncoder
from gieok.errors import InvalidSetting
from gieok.ports import Embedder

__all__ = ["HashingEmbedder", "UniversalEncoder", "create"]

_CHOICES = '"universal", "hashing" or "hashing:<dimension>"'


def create(name: str = "universal") -> Embedder:
    """Return the embedder that a settings string names; nothing is loaded yet."""
    kind, _, detail = name.strip().partition(":")
    if kind == "universal" and not detail:
        return UniversalEncoder()
    if kind == "hashing":
        if not detail:
            return HashingEmbedder()
        if detail.isascii() and detail.isdecimal() and 0 < int(detail[:6]) <= 65_536:
            return HashingEmbedder(dimension=int(detail[:6]))
    raise InvalidSetting(f"unknown embedder {name!r}; choose {_CHOICES}")
