"""/v1/recall, /v1/context and /v1/facts: what comes to mind."""

from __future__ import annotations

import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from threading import Lock
from typing import Annotated, Final

from fastapi import Query, Request

from gieok.domain.answer import Context
from gieok.domain.attributes import ContentType
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope
from gieok.http.answering import failing, router
from gieok.http.asking import Asked, Bank, ReadMind
from gieok.http.misread import ATTRIBUTE, NAME
from gieok.http.paging import Cursor, Limit, leafed, moment_key, page_size
from gieok.http.problems import Refused
from gieok.http.shapes.answers import Contexting, ContextShape, Hits, HitShape, Recalling, WeightsBody, WhereBody
from gieok.http.shapes.base import Moment, given
from gieok.http.shapes.memories import MemoryPage, MemoryShape

MOST: Final = 1_024
KEPT: Final = timedelta(minutes=10)
routes = router("recall")
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


@routes.post("/recall", summary="What comes to mind", responses=failing(400))
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


@routes.post("/context", summary="What a model should see before it answers", responses=failing(400, 404))
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


@routes.get("/facts", summary="What is true")
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
