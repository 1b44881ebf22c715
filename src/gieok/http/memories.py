"""/v1/memories: what is remembered, to be looked at and put right."""

from __future__ import annotations

import hashlib
import re
from typing import Annotated, Final, Literal

from fastapi import Header, Path, Query, Response

from gieok.bank import Mind
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Origin
from gieok.domain.decision import Remember, Supersede
from gieok.domain.memory import Memory
from gieok.errors import UnknownMemory
from gieok.http.answering import failing, router
from gieok.http.asking import Bank, ReadMind, WrittenMind
from gieok.http.once import HEEDED
from gieok.http.paging import Cursor, Limit, cursor, number_in, page_size
from gieok.http.problems import Refused
from gieok.http.recalling import About, Attribute
from gieok.http.shapes.base import Moment
from gieok.http.shapes.memories import Correcting, HappenedShape, History, MemoryPage, MemoryShape, Remembering
from gieok.http.shapes.turns import DecisionShape

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
routes = router("memories")
MemoryId = Annotated[str, Path(max_length=300, examples=["01m7g3fgvk6vkvhzc20901h4zj-0"])]


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


@routes.post(
    "/memories",
    status_code=201,
    summary="Remember something outright",
    dependencies=HEEDED,
    responses={**failing(400), 200: {"model": DecisionShape, "description": "It was known already, or ignored."}},
)
def remember(told: Remembering, mind: WrittenMind, response: Response) -> DecisionShape:
    """Remember what a person or an import says. It is judged like any claim, but never ignored as unimportant."""
    decision = mind.remember(
        told.content,
        about=told.about,
        attribute=told.attribute,
        value=told.value,
        type=told.type,
        said_by=told.said_by,
        polarity=told.polarity,
        importance=told.importance,
        valid_at=told.valid_at,
        invalid_at=told.invalid_at,
        at=told.at,
        tags=told.tags,
        origin=told.origin,
        consent=told.consent,
    )
    response.status_code = 201 if isinstance(decision, Remember | Supersede) else 200
    return DecisionShape.of(decision)


@routes.get("/memories", summary="Leaf through the memories, the newest first")
def memories(
    mind: ReadMind,
    bank: Bank,
    state: Annotated[
        Literal["current", "past", "forgotten", "all"],
        Query(description="`past`: it ended, faded or was never true."),
    ] = "current",
    text: Annotated[str | None, Query(max_length=500, description="Words that all stand in it.")] = None,
    since: Annotated[Moment | None, Query(description="True from then on, or later.")] = None,
    until: Annotated[Moment | None, Query(description="True from an earlier moment.")] = None,
    type: Annotated[ContentType | None, Query()] = None,
    attribute: Attribute = None,
    about: About = None,
    pinned: Annotated[bool | None, Query()] = None,
    origin: Annotated[Origin | None, Query()] = None,
    limit: Limit = 50,
    after: Cursor = None,
) -> MemoryPage:
    """Return what was written down last first. A cursor stays good while others write: nothing comes twice."""
    size = page_size(bank, limit)
    found = mind.memories(
        size + 1,
        before=number_in("memories", after),
        state=state,
        text=text,
        since=since,
        until=until,
        type=type,
        attribute=attribute,
        about=about,
        pinned=pinned,
        origin=origin,
    )
    following = cursor("memories", [found[size - 1].place]) if len(found) > size else None
    return MemoryPage(items=[MemoryShape.of(leaf.memory) for leaf in found[:size]], next=following)


@routes.get(
    "/memories/{memory_id}",
    summary="One memory",
    response_model=MemoryShape,
    responses={**failing(404), 304: {"description": "You hold it already."}},
)
def memory(
    memory_id: MemoryId, mind: ReadMind, response: Response, if_none_match: IfNoneMatch = None
) -> MemoryShape | Response:
    """Return a memory as it is now, also a past or a forgotten one. Its `ETag` changes with every change."""
    known = mind.memory(memory_id)
    if unchanged(known, if_none_match):
        return Response(status_code=304, headers={"ETag": etag(known)})
    response.headers["ETag"] = etag(known)
    return MemoryShape.of(known)


@routes.patch(
    "/memories/{memory_id}", summary="Put a memory right", dependencies=HEEDED, responses=failing(400, 404, 412)
)
def correct(
    memory_id: MemoryId, told: Correcting, mind: WrittenMind, response: Response, if_match: IfMatch = None
) -> MemoryShape:
    """Change what a memory says. What it said before stays in its history."""
    version = version_for(mind, memory_id, if_match)
    now = mind.correct(memory_id, told.content, value=told.value, at=told.at, if_version=version, consent=told.consent)
    response.headers["ETag"] = etag(now)
    return MemoryShape.of(now)


@routes.put("/memories/{memory_id}/pin", summary="Pin a memory", dependencies=HEEDED, responses=failing(404, 412))
def pin(memory_id: MemoryId, mind: WrittenMind, response: Response, if_match: IfMatch = None) -> MemoryShape:
    """Keep a memory in every context."""
    now = mind.pin(memory_id, if_version=version_for(mind, memory_id, if_match))
    response.headers["ETag"] = etag(now)
    return MemoryShape.of(now)


@routes.delete("/memories/{memory_id}/pin", summary="Unpin a memory", dependencies=HEEDED, responses=failing(404, 412))
def unpin(memory_id: MemoryId, mind: WrittenMind, response: Response, if_match: IfMatch = None) -> MemoryShape:
    """Let a memory take its chance in contexts again."""
    now = mind.pin(memory_id, False, if_version=version_for(mind, memory_id, if_match))
    response.headers["ETag"] = etag(now)
    return MemoryShape.of(now)


@routes.delete("/memories/{memory_id}", summary="Forget a memory", dependencies=HEEDED, responses=failing(404, 412))
def forget(memory_id: MemoryId, mind: WrittenMind, response: Response, if_match: IfMatch = None) -> MemoryShape:
    """Hide a memory from every answer, at once. It stays in its history until the next scrub."""
    now = mind.forget(memory_id, if_version=version_for(mind, memory_id, if_match))
    response.headers["ETag"] = etag(now)
    return MemoryShape.of(now)


@routes.get("/memories/{memory_id}/history", summary="What happened to a memory", responses=failing(404))
def history(memory_id: MemoryId, mind: ReadMind) -> History:
    """Return everything that happened to a memory, oldest first, with who did it and why."""
    return History(items=[HappenedShape.of(operation, change) for operation, change in mind.history(memory_id)])
