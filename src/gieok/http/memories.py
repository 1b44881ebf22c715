"""/v1/memories: what is remembered, to be looked at and put right."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Annotated, Final, Literal

from fastapi import Header, Path, Query, Request, Response

from gieok.bank import Mind
from gieok.domain.answer import Context
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Origin
from gieok.domain.decision import Remember, Supersede
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.errors import UnknownMemory
from gieok.http.problems import ATTRIBUTE, NAME, Refused
from gieok.http.requests import (
    HEEDED,
    Asked,
    Bank,
    Cursor,
    Limit,
    ReadMind,
    WrittenMind,
    cursor,
    failing,
    leafed,
    moment_key,
    number_in,
    page_size,
    router,
)
from gieok.http.shapes import (
    Contexting,
    ContextShape,
    Correcting,
    DecisionShape,
    HappenedShape,
    History,
    Hits,
    HitShape,
    MemoryPage,
    MemoryShape,
    Moment,
    Recalling,
    Remembering,
    Restoring,
    WeightsBody,
    WhereBody,
    given,
)

MOST: Final = 1_024
KEPT: Final = timedelta(minutes=10)
routes_recalling = router("recall")
About = Annotated[str | None, Query(min_length=1, max_length=200, pattern=NAME)]
Attribute = Annotated[str | None, Query(max_length=200, pattern=ATTRIBUTE)]


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedOut:
    """A context, to whom it was given and for which scope."""

    context: Context
    caller: str
    scope: Scope
    until: datetime


@dataclass(slots=True, kw_only=True)
class Contexts:
    """The latest contexts. Only whoever got one may name it, and only in its scope."""

    now: Callable[[], datetime]
    _known: OrderedDict[str, HandedOut] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def hand_out(self, context: Context, caller: str, scope: Scope) -> str:
        """Keep what a turn needs of a context, and return its id."""
        context_id = secrets.token_urlsafe(16)
        given = HandedOut(context=_without_words(context), caller=caller, scope=scope, until=self.now() + KEPT)
        with self._lock:
            self._known[context_id] = given
            if len(self._known) > MOST:
                self._make_way()
        return context_id

    def named(self, context_id: str | None, caller: str, scope: Scope) -> Context | None:
        """Return the context of that id, None for none; raises `Refused` for one that is not known."""
        if context_id is None:
            return None
        with self._lock:
            given = self._known.get(context_id)
        if given is None or (given.caller, given.scope) != (caller, scope) or given.until <= self.now():
            detail = "this context_id is not known here (any more); ask POST /v1/context again, or leave it out"
            raise Refused(404, "unknown-context", detail)
        return given.context

    def _make_way(self) -> None:
        """Drop the oldest context of whoever holds most of them: nobody loses theirs because others ask for many."""
        (most, _), *_ = Counter(each.caller for each in self._known.values()).most_common(1)
        del self._known[next(name for name, each in self._known.items() if each.caller == most)]


def _without_words(context: Context) -> Context:
    """Return what stood in a context and what it cost; its words may be a megabyte of somebody's own prompt."""
    blocks = tuple(replace(block, text="") if block.text else block for block in context.blocks)
    return replace(context, blocks=blocks, messages=()) if context.messages or blocks != context.blocks else context


@routes_recalling.post("/recall", summary="What comes to mind", responses=failing(400))
def recall(asked: Recalling, mind: ReadMind) -> Hits:
    """Return memories and utterances that answer a question, best first, with the parts of their scores.

    Writes nothing: asking does not change the answer.
    """
    hits = mind.recall(
        asked.query,
        k=asked.k,
        at=asked.at,
        where=given(WhereBody.where, asked.where),
        weights=given(WeightsBody.given, asked.weights),
        explain=asked.explain,
    )
    return Hits(hits=[HitShape.of(hit) for hit in hits])


@routes_recalling.post("/context", summary="What a model should see before it answers", responses=failing(400, 404))
def context(asked: Contexting, mind: ReadMind, caller: Asked, request: Request) -> ContextShape:
    """Put memories, summary, people and the last turns together within a budget of tokens.

    Name its `context_id` in POST /v1/turns, so that what was used is recorded with the turn.
    """
    made = mind.context(
        asked.query,
        budget=asked.budget,
        k=asked.k,
        at=asked.at,
        include=asked.include,
        weights=given(WeightsBody.given, asked.weights),
        system=asked.system,
        examples=asked.examples,
        shown=asked.shown,
    )
    return ContextShape.of(made, request.app.state.contexts.hand_out(made, caller.name, mind.key))


@routes_recalling.get("/facts", summary="What is true")
def facts(
    mind: ReadMind,
    bank: Bank,
    about: About = None,
    said_by: About = None,
    type: Annotated[ContentType | None, Query()] = None,
    attribute: Attribute = None,
    as_of: Annotated[Moment | None, Query(description="What was true then.")] = None,
    known_at: Annotated[Moment | None, Query(description="What was believed then.")] = None,
    learned_since: Annotated[Moment | None, Query()] = None,
    history: Annotated[bool, Query(description="Everything that was ever true.")] = False,
    limit: Limit = 100,
    after: Cursor = None,
) -> MemoryPage:
    """Return what is true now, or was, oldest first. Nothing is ranked or left out."""
    found = mind.facts(
        about,
        said_by=said_by,
        type=type,
        attribute=attribute,
        as_of=as_of,
        known_at=known_at,
        learned_since=learned_since,
        history=history,
    )
    page, following = leafed(found, by_truth_key, "facts", after, page_size(bank, limit))
    return MemoryPage(items=[MemoryShape.of(memory) for memory in page], next=following)


def by_truth_key(memory: Memory) -> tuple[str, ...]:
    return (moment_key(memory.valid_at), moment_key(memory.known_at), memory.id)


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


def version_for(mind: Mind, memory_id: str, if_match: str | None, *, forgotten_too: bool = False) -> int | None:
    """Return the version that a change is meant for; None: whichever it is. Raises `Refused` if it has moved."""
    if if_match is None:
        return None
    memory = mind.memory(memory_id)
    if memory.forgotten_at is not None and not forgotten_too:
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
    return History(items=[HappenedShape.of(version) for version in mind.versions(memory_id)])


@routes.post(
    "/memories/{memory_id}/restore",
    summary="Let a memory be again what it was",
    dependencies=HEEDED,
    responses=failing(400, 404, 412),
)
def restore(
    memory_id: MemoryId, told: Restoring, mind: WrittenMind, response: Response, if_match: IfMatch = None
) -> MemoryShape:
    """Go back to a version of its history; also from being forgotten. Nothing leaves the history: this is one more.

    `If-Match` is the ETag of the memory as it is now.
    """
    version = version_for(mind, memory_id, if_match, forgotten_too=True)
    now = mind.restore(memory_id, told.operation, version=told.version, at=told.at, if_version=version)
    response.headers["ETag"] = etag(now)
    return MemoryShape.of(now)
