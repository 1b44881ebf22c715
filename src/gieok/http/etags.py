"""ETags of memories, so that two editors do not overwrite each other."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Final

from fastapi import Header

from gieok.bank import Mind
from gieok.domain.memory import Memory
from gieok.errors import UnknownMemory
from gieok.http.problems import Refused

_TAG: Final = re.compile(r'(W/)?"([^"]*)"')

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=1_000,
        description="The ETag that you read: the change is made only if the memory is still that one, else 412.",
    ),
]
IfNoneMatch = Annotated[
    str | None,
    Header(alias="If-None-Match", max_length=1_000, description="An ETag that you hold: 304 if it is still that one."),
]


def etag(memory: Memory) -> str:
    """Return the tag: the version, and a print of it, for after a rewind another may have the same version."""
    m = memory
    moments = tuple(each and each.timestamp() for each in (m.valid_at, m.invalid_at, m.forgotten_at, m.faded_at))
    words = (m.content, m.value, m.attribute, m.importance, m.pinned, m.mentions, m.uses, m.closed_by, m.retracted)
    told = hashlib.blake2b(repr((words, moments)).encode(), digest_size=6).hexdigest()
    return f'"{m.version}-{told}"'


def unchanged(memory: Memory, if_none_match: str | None) -> bool:
    """Whether the caller holds it already; a weak tag will do."""
    if if_none_match is None:
        return False
    return if_none_match.strip() == "*" or etag(memory).strip('"') in (tag for _, tag in _TAG.findall(if_none_match))


def version_for(mind: Mind, memory_id: str, if_match: str | None) -> int | None:
    """Return the version that a change is meant for; None: whichever it is. Raises `Refused` if it has moved."""
    if if_match is None:
        return None
    memory = mind.memory(memory_id)
    if memory.forgotten_at is not None:
        raise UnknownMemory(memory_id)
    strong = [tag for weak, tag in _TAG.findall(if_match) if not weak]
    if if_match.strip() != "*" and etag(memory).strip('"') not in strong:
        detail = f"memory {memory_id!r} is at version {memory.version} by now; GET it again, then change it"
        raise Refused(412, "memory-moved", f"{detail} with its new ETag", {"ETag": etag(memory)})
    return memory.version
