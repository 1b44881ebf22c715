"""Embedders: adapters that turn texts into vectors. The settings name one of them."""

from __future__ import annotations

import re
from typing import Final

from gieok.embedders.endpoint import EndpointEmbedder, hint, named
from gieok.embedders.hashing import HashingEmbedder
from gieok.embedders.universal import UniversalEncoder
from gieok.errors import ErrorText, InvalidSetting
from gieok.ports import Embedder

__all__ = ["EndpointEmbedder", "HashingEmbedder", "UniversalEncoder", "create"]

_CHOICES: Final = (
    '"universal", "hashing", "hashing:<dimension>", or a model behind an endpoint: "openai:text-embedding-3-small", '
    '"openai:text-embedding-3-large@1024", "gemini:gemini-embedding-001", "ollama:bge-m3", "vllm:<model>", '
    '"lmstudio:<model>@<dimension>"'
)
_HASHING: Final = re.compile(r"hashing(?:[:-]([1-9][0-9]{0,4}))?")
_LARGEST: Final = 65_536
_UNIVERSAL: Final = UniversalEncoder()  #: of this process; it is loaded at its first use


def create(name: str = "universal", *, url: str | None = None, key: str | None = None, cache: bool = True) -> Embedder:
    """Return the embedder that a settings string names; nothing is loaded yet. All callers share one "universal".

    The name that a bank records ("use-m3-512", "hashing-256", "bge-m3-1024") is accepted, too; an unknown model needs
    its provider before it. `url` and `key` override those of the provider. An unknown model without a dimension is
    asked for one vector. Without `cache`, "universal" writes nothing into the user's cache folder.
    """
    wanted = name.strip()
    if wanted in ("universal", UniversalEncoder.name):
        _UNIVERSAL.cache = _UNIVERSAL.cache and cache
        return _UNIVERSAL
    hashing = _HASHING.fullmatch(wanted)
    if hashing is not None and hashing[1] is None:
        return HashingEmbedder()
    if hashing is not None and int(hashing[1]) <= _LARGEST:
        return HashingEmbedder(dimension=int(hashing[1]))
    called = named(wanted, url=url, key=key)
    if called is not None:
        return called
    raise InvalidSetting(ErrorText("embedder.unknown", name=name, choices=_CHOICES, hint=hint(wanted)))
