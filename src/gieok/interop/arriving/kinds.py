"""The kinds of sources that can move in, and what reads each."""

from __future__ import annotations

from importlib import import_module
from typing import Final, cast

from gieok.errors import InvalidQuery
from gieok.interop.arriving.shape import Reader

READERS: Final[dict[str, str]] = {
    "social": "gieok.interop.arriving.social:read_social",
    "synk": "gieok.interop.arriving.synk:read_synk",
    "meowchat": "gieok.interop.arriving.meowchat:read_meowchat",
    "vtuber": "gieok.interop.arriving.vtuber:read_vtuber",
    "mem0": "gieok.interop.arriving.mem0:read_mem0",
    "sillytavern": "gieok.interop.arriving.sillytavern:read_chat",
    "worldinfo": "gieok.interop.arriving.sillytavern:read_world_info",
    "risuai": "gieok.interop.arriving.risu:read_risu",
    "card": "gieok.interop.arriving.cards:read_card",
}


def reader_of(kind: str) -> Reader:
    """Return what reads sources of a kind; raises `InvalidQuery` for an unknown one."""
    if kind not in READERS:
        raise InvalidQuery(f"unknown kind of source {kind!r}; choose one of {', '.join(READERS)}")
    module, _, name = READERS[kind].partition(":")
    return cast(Reader, getattr(import_module(module), name))
