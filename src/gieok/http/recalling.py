"""/v1/recall, /v1/context and /v1/facts: what comes to mind."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Request

from gieok.domain.attributes import ContentType
from gieok.domain.memory import Memory
from gieok.http.answering import failing, router
from gieok.http.asking import Asked, Bank, ReadMind
from gieok.http.misread import ATTRIBUTE, NAME
from gieok.http.paging import Cursor, Limit, leafed, moment_key, page_size
from gieok.http.shapes.answers import Contexting, ContextShape, Hits, HitShape, Recalling, WeightsBody, WhereBody
from gieok.http.shapes.base import Moment, given
from gieok.http.shapes.memories import MemoryPage, MemoryShape

routes = router("recall")

About = Annotated[str | None, Query(min_length=1, max_length=200, pattern=NAME)]
Attribute = Annotated[str | None, Query(max_length=200, pattern=ATTRIBUTE)]


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
