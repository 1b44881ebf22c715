"""Routes of memories: /v1/recall, /v1/context, /v1/facts, /v1/doubtful and /v1/memories."""

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
from gieok.bank.history import Version
from gieok.domain.answer import Context, Hit
from gieok.domain.attributes import ContentType
from gieok.domain.claim import Origin
from gieok.domain.decision import Decision, Remember, Supersede
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.errors import UnknownMemory
from gieok.http import router
from gieok.http.bodies import ContextAsked, Correcting, Moment, Recalling, Remembering, Restoring
from gieok.http.problems import ATTRIBUTE, NAME, HTTPProblem
from gieok.http.schemas import Page, answer

MOST_CONTEXTS: Final = 1_024
CONTEXT_LIFETIME: Final = timedelta(minutes=10)
_ETAG: Final = re.compile(r'(W/)?"([^"]*)"')

routes = router.routes_of("memories")

About = Annotated[str | None, Query(min_length=1, max_length=200, pattern=NAME)]
AttributeName = Annotated[str | None, Query(max_length=200, pattern=ATTRIBUTE)]
MemoryId = Annotated[str, Path(max_length=300, examples=["01m7g3fgvk6vkvhzc20901h4zj-0"])]
IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=1_000,
        description="The ETag that you read: the change is made only if the memory has not changed since, else 412.",
    ),
]
IfNoneMatch = Annotated[
    str | None,
    Header(alias="If-None-Match", max_length=1_000, description="The ETag that you hold: 304 if it is still current."),
]


@answer()
@dataclass(frozen=True, slots=True)
class Hits:
    """The hits of a recall, best first."""

    hits: list[Hit]


@answer()
@dataclass(frozen=True, slots=True)
class History:
    """All changes of a memory, oldest first."""

    items: list[Version]


@answer("context_id **context", name="Context")
@dataclass(frozen=True, slots=True)
class IssuedContext:
    """A context with the id by which a turn can name it."""

    context_id: str
    context: Context


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownContext:
    """A context, and who may name it."""

    context: Context
    caller: str
    scope: Scope
    until: datetime


@dataclass(slots=True, kw_only=True)
class ContextRegistry:
    """The latest contexts by id. Only the caller who got one may name it, and only in its scope."""

    now: Callable[[], datetime]
    elsewhere: Callable[[str], KnownContext | None] = lambda context_id: None  #: asks other processes of the server
    _known: OrderedDict[str, KnownContext] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    def add(self, context: Context, caller: str, scope: Scope) -> str:
        """Keep what a turn needs of a context, and return its id."""
        context_id = secrets.token_urlsafe(16)
        until = self.now() + CONTEXT_LIFETIME
        # Its texts may hold a megabyte of the caller's own prompt.
        blocks = tuple(replace(block, text="") if block.text else block for block in context.blocks)
        if context.messages or blocks != context.blocks:
            context = replace(context, blocks=blocks, messages=())
        with self._lock:
            self._known[context_id] = KnownContext(context=context, caller=caller, scope=scope, until=until)
            if len(self._known) > MOST_CONTEXTS:
                # The oldest of the caller with the most: others do not lose theirs to a busy caller.
                (busiest, _), *_ = Counter(each.caller for each in self._known.values()).most_common(1)
                del self._known[next(name for name, each in self._known.items() if each.caller == busiest)]
        return context_id

    def known(self, context_id: str) -> KnownContext | None:
        """Return the context of that id, whoever got it."""
        with self._lock:
            return self._known.get(context_id)

    def get(self, context_id: str | None, caller: str, scope: Scope) -> Context | None:
        """Return the context of that id; None without an id. Raises `HTTPProblem` for an unknown one."""
        if context_id is None:
            return None
        known = self.known(context_id) or self.elsewhere(context_id)
        if known is None or (known.caller, known.scope) != (caller, scope) or known.until <= self.now():
            detail = "this context_id is not known here (any more); ask POST /v1/context again, or leave it out"
            raise HTTPProblem(404, "unknown-context", detail)
        return known.context


@routes.post("/recall", summary="Search the memory", tags=["recall"], responses=router.problems(400))
def recall(asked: Recalling, mind: router.ReadMind) -> Hits:
    """Return memories and utterances that answer a question, best first, with the parts of their scores.

    Writes nothing: asking does not change the answer.
    """
    where = asked.where.value() if asked.where is not None else None
    weights = asked.weights.value() if asked.weights is not None else None
    return Hits(mind.recall(asked.query, k=asked.k, at=asked.at, where=where, weights=weights, explain=asked.explain))


@routes.post(
    "/context", summary="Build the context for a model's answer", tags=["recall"], responses=router.problems(400, 404)
)
def context(
    asked: ContextAsked, mind: router.ReadMind, caller: router.CurrentCaller, request: Request
) -> IssuedContext:
    """Combine memories, summary, people and the last turns within a budget of tokens.

    Name its `context_id` in POST /v1/turns, so that what was used is recorded with the turn.
    """
    weights = asked.weights.value() if asked.weights is not None else None
    made = mind.context(**{**dict(asked), "weights": weights})
    return IssuedContext(request.app.state.contexts.add(made, caller.name, mind.key), made)


@routes.get("/facts", summary="List the facts", tags=["recall"])
def facts(
    mind: router.ReadMind,
    bank: router.CurrentBank,
    about: About = None,
    said_by: About = None,
    type: Annotated[ContentType | None, Query()] = None,
    attribute: AttributeName = None,
    as_of: Annotated[Moment | None, Query(description="What was true then.")] = None,
    known_at: Annotated[Moment | None, Query(description="What was believed then.")] = None,
    learned_since: Annotated[Moment | None, Query()] = None,
    history: Annotated[bool, Query(description="Everything that was ever true.")] = False,
    doubtful: Annotated[bool, Query(description="Also what nobody has confirmed yet.")] = False,
    limit: router.Limit = 100,
    after: router.Cursor = None,
) -> Page[Memory]:
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
        doubtful=doubtful,
    )
    return router.sorted_page("facts", found, truth_key, after, router.page_size(bank, limit))


@routes.get("/doubtful", summary="List the doubtful memories")
def doubtful(
    mind: router.ReadMind, bank: router.CurrentBank, limit: router.Limit = 100, after: router.Cursor = None
) -> Page[Memory]:
    """Return the doubtful memories, oldest first: they may be true. Confirm or reject each."""
    return router.sorted_page("doubtful", mind.doubtful(), truth_key, after, router.page_size(bank, limit))


def truth_key(memory: Memory) -> tuple[str, ...]:
    return (router.moment_key(memory.valid_at), router.moment_key(memory.known_at), memory.id)


def etag(memory: Memory) -> str:
    """Return the ETag: the version and a digest, since after a rewind another state may have the same version."""
    m = memory
    moments = tuple(each and each.timestamp() for each in (m.valid_at, m.invalid_at, m.forgotten_at, m.faded_at))
    words = (m.content, m.value, m.attribute, m.importance, m.pinned, m.mentions, m.uses, m.closed_by, m.retracted)
    told = repr((words, moments)) + "doubtful" * m.doubtful
    digest = hashlib.blake2b(told.encode(), digest_size=6).hexdigest()
    return f'"{m.version}-{digest}"'


def _expected_version(mind: Mind, memory_id: str, if_match: str | None, *, forgotten: bool = False) -> int | None:
    """Return the version that a change is meant for; None: any. Raises `HTTPProblem` if the memory has changed."""
    if if_match is None:
        return None
    memory = mind.memory(memory_id)
    if memory.forgotten_at is not None and not forgotten:
        raise UnknownMemory(memory_id)
    strong = [tag for weak, tag in _ETAG.findall(if_match) if not weak]
    if if_match.strip() != "*" and etag(memory).strip('"') not in strong:
        detail = f"memory {memory_id!r} is now at version {memory.version}; GET it again, then change it"
        raise HTTPProblem(412, "memory-moved", f"{detail} with its new ETag", {"ETag": etag(memory)})
    return memory.version


def _tagged(memory: Memory, response: Response) -> Memory:
    response.headers["ETag"] = etag(memory)
    return memory


@routes.write(
    "POST",
    "/memories",
    "Remember something as stated",
    400,
    status_code=201,
    responses={200: {"model": Decision, "description": "It was known already, or ignored."}},
)
def remember(told: Remembering, mind: router.WriteMind, response: Response) -> Decision:
    """Remember what a person or an import states. It is judged like any claim, but never ignored as unimportant."""
    stated = {name: part for name, part in dict(told).items() if name != "content"}
    decision = mind.remember(told.content, **stated)
    response.status_code = 201 if isinstance(decision, Remember | Supersede) else 200
    return decision


@routes.get("/memories", summary="List the memories, newest first")
def memories(
    mind: router.ReadMind,
    bank: router.CurrentBank,
    state: Annotated[
        Literal["current", "past", "forgotten", "all"],
        Query(description="`past`: it ended, faded or was never true."),
    ] = "current",
    text: Annotated[str | None, Query(max_length=500, description="Words that it contains, all of them.")] = None,
    since: Annotated[Moment | None, Query(description="True from then on, or later.")] = None,
    until: Annotated[Moment | None, Query(description="True from an earlier moment.")] = None,
    type: Annotated[ContentType | None, Query()] = None,
    attribute: AttributeName = None,
    about: About = None,
    pinned: Annotated[bool | None, Query()] = None,
    doubtful: Annotated[bool | None, Query(description="Whether it waits to be confirmed.")] = None,
    origin: Annotated[Origin | None, Query()] = None,
    limit: router.Limit = 50,
    after: router.Cursor = None,
) -> Page[Memory]:
    """Return what was stored last first. A cursor stays valid while others write: nothing comes twice."""
    size = router.page_size(bank, limit)
    found = mind.memories(
        size + 1,
        before=router.read_number("memories", after),
        state=state,
        text=text,
        since=since,
        until=until,
        type=type,
        attribute=attribute,
        about=about,
        pinned=pinned,
        doubtful=doubtful,
        origin=origin,
    )
    following = router.make_cursor("memories", found[size - 1].place) if len(found) > size else None
    return Page([leaf.memory for leaf in found[:size]], following)


@routes.get(
    "/memories/{memory_id}",
    summary="Get a memory",
    responses={**router.problems(404), 304: {"description": "You hold the current state."}},
)
def memory(
    memory_id: MemoryId, mind: router.ReadMind, response: Response, if_none_match: IfNoneMatch = None
) -> Memory | Response:
    """Return a memory as it is now, even a past or forgotten one. Its `ETag` changes with every change."""
    known, held = mind.memory(memory_id), if_none_match or ""
    if held.strip() == "*" or etag(known).strip('"') in (tag for _, tag in _ETAG.findall(held)):  # a weak tag will do
        return Response(status_code=304, headers={"ETag": etag(known)})
    return _tagged(known, response)


@routes.write("PATCH", "/memories/{memory_id}", "Correct a memory", 400, 404, 412)
def correct(
    memory_id: MemoryId, told: Correcting, mind: router.WriteMind, response: Response, if_match: IfMatch = None
) -> Memory:
    """Change what a memory says. What it said before stays in its history."""
    version = _expected_version(mind, memory_id, if_match)
    now = mind.correct(memory_id, told.content, value=told.value, at=told.at, if_version=version, consent=told.consent)
    return _tagged(now, response)


@routes.write("PUT", "/memories/{memory_id}/pin", "Pin a memory", 404, 412)
def pin(memory_id: MemoryId, mind: router.WriteMind, response: Response, if_match: IfMatch = None) -> Memory:
    """Include a memory in every context."""
    return _tagged(mind.pin(memory_id, if_version=_expected_version(mind, memory_id, if_match)), response)


@routes.write("DELETE", "/memories/{memory_id}/pin", "Unpin a memory", 404, 412)
def unpin(memory_id: MemoryId, mind: router.WriteMind, response: Response, if_match: IfMatch = None) -> Memory:
    """Include a memory in a context only where it fits."""
    return _tagged(mind.pin(memory_id, False, if_version=_expected_version(mind, memory_id, if_match)), response)


@routes.write("POST", "/memories/{memory_id}/confirm", "Confirm a doubtful memory", 404, 412)
def confirm(memory_id: MemoryId, mind: router.WriteMind, response: Response, if_match: IfMatch = None) -> Memory:
    """Make a doubtful memory firm. It closes what cannot be true beside it."""
    return _tagged(mind.confirm(memory_id, if_version=_expected_version(mind, memory_id, if_match)), response)


@routes.write("POST", "/memories/{memory_id}/reject", "Reject a doubtful memory", 404, 412)
def reject(memory_id: MemoryId, mind: router.WriteMind, response: Response, if_match: IfMatch = None) -> Memory:
    """Retract a doubtful memory: it was never true."""
    return _tagged(mind.reject(memory_id, if_version=_expected_version(mind, memory_id, if_match)), response)


@routes.write("DELETE", "/memories/{memory_id}", "Forget a memory", 404, 412)
def forget(memory_id: MemoryId, mind: router.WriteMind, response: Response, if_match: IfMatch = None) -> Memory:
    """Hide a memory from every answer, at once. It stays in its history until the next scrub."""
    return _tagged(mind.forget(memory_id, if_version=_expected_version(mind, memory_id, if_match)), response)


@routes.get("/memories/{memory_id}/history", summary="List the changes of a memory", responses=router.problems(404))
def history(memory_id: MemoryId, mind: router.ReadMind) -> History:
    """Return all changes of a memory, oldest first, with who made them and why."""
    return History(mind.versions(memory_id))


@routes.write("POST", "/memories/{memory_id}/restore", "Restore a memory to an earlier version", 400, 404, 412)
def restore(
    memory_id: MemoryId, told: Restoring, mind: router.WriteMind, response: Response, if_match: IfMatch = None
) -> Memory:
    """Go back to a version of its history, also from being forgotten. The history keeps everything and gets one more.

    `If-Match` is the ETag of the memory as it is now.
    """
    version = _expected_version(mind, memory_id, if_match, forgotten=True)
    now = mind.restore(memory_id, told.operation, version=told.version, at=told.at, if_version=version)
    return _tagged(now, response)
