"""Embedding models that are known by name: their dimensions, and what they want to read before a text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

Purpose = Literal["query", "document"]

_LETTERS: Final = 2_500  #: of a text; even in the worst script these are fewer than 8,191 tokens


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingModel:
    """What is known of a model. Of one that is not known: nothing but its name."""

    name: str
    dimension: int | None = None
    shortens: bool = False  #: the first numbers of its vectors, as many as one likes, are good vectors as well
    query: str = ""  #: stands before a question
    document: str = ""  #: stands before anything else
    letters: int = _LETTERS  #: of a text that are sent; some read 512 tokens and refuse what is longer
    home: str | None = None  #: whose it is, or who serves it as a rule

    def sent(self, text: str, purpose: Purpose) -> str:
        """Return `text` as the model wants it."""
        return (self.query if purpose == "query" else self.document) + text[: self.letters]


def _e5(name: str, dimension: int) -> EmbeddingModel:
    return EmbeddingModel(
        name=name, dimension=dimension, query="query: ", document="passage: ", letters=400, home="vllm"
    )


_KNOWN: Final = (
    EmbeddingModel(name="text-embedding-3-small", dimension=1536, shortens=True, home="openai"),
    EmbeddingModel(name="text-embedding-3-large", dimension=3072, shortens=True, home="openai"),
    EmbeddingModel(name="text-embedding-ada-002", dimension=1536, home="openai"),
    EmbeddingModel(name="gemini-embedding-001", dimension=3072, shortens=True, home="gemini"),
    EmbeddingModel(name="bge-m3", dimension=1024, home="ollama"),
    EmbeddingModel(name="kure-v1", dimension=1024, home="vllm"),
    EmbeddingModel(
        name="nomic-embed-text", dimension=768, query="search_query: ", document="search_document: ", home="ollama"
    ),
    EmbeddingModel(
        name="embeddinggemma",
        dimension=768,
        query="task: search result | query: ",
        document="title: none | text: ",
        home="ollama",
    ),
    _e5("multilingual-e5-small", 384),
    _e5("multilingual-e5-base", 768),
    _e5("multilingual-e5-large", 1024),
)
KNOWN: Final[Mapping[str, EmbeddingModel]] = {model.name: model for model in _KNOWN}
_E5: Final = re.compile(r"\be5\b")


def model_named(name: str) -> EmbeddingModel:
    """Return what is known of a model, whatever its maker's name before it ("BAAI/bge-m3") or its tag (":latest")."""
    plain = name.rsplit("/", 1)[-1].removesuffix(":latest").lower()
    if plain in KNOWN:
        return KNOWN[plain]
    if _E5.search(plain):
        return EmbeddingModel(name=name, query="query: ", document="passage: ", letters=400)
    return EmbeddingModel(name=name)
