"""/v1/maintain: upkeep, at once or told as it goes on."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from typing import Annotated, Any, TypeVar

from anyio.to_thread import run_sync
from fastapi import Body, Depends, Request, Response
from fastapi.responses import StreamingResponse

from gieok.bank import MemoryBank, Mind
from gieok.bank.roll import every_scope
from gieok.domain.upkeep import PASSES
from gieok.errors import GieokError
from gieok.http import sse
from gieok.http.answering import failing, router
from gieok.http.asking import WrittenMind, whole_bank_for
from gieok.http.once import HEEDED
from gieok.http.problems import problem_of
from gieok.http.shapes.base import ScopeShape
from gieok.http.shapes.journal import Maintaining, UpkeptShape

routes = router("upkeep")

Told = tuple[str, dict[str, Any]]
Result = TypeVar("Result")

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "What was done; with `Accept: text/event-stream` the events started, pass and done.",
        "content": {"text/event-stream": {"schema": sse.schema("started", "pass", "done", "problem")}},
    }
}
_ALL: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The events started, scope (one for each) and done.",
        "content": {"text/event-stream": {"schema": sse.schema("started", "scope", "done", "problem")}},
    }
}


@routes.post(
    "/maintain",
    summary="Do the upkeep of a scope",
    response_model=UpkeptShape,
    dependencies=HEEDED,
    responses={**failing(400), **_STREAM},
)
def maintain(
    request: Request, mind: WrittenMind, asked: Annotated[Maintaining | None, Body()] = None
) -> UpkeptShape | Response:
    """Merge, promote, prune, reflect and summarise: what is due, or the passes that are named.

    As events, each pass is an entry of the journal of its own.
    """
    asked = asked or Maintaining()
    if "text/event-stream" in request.headers.get("accept", ""):
        return _stream(lambda: _passes(mind, asked))
    return UpkeptShape.of(mind.maintain(asked.passes, at=asked.at, dry_run=asked.dry_run))


@routes.post(
    "/maintain/all",
    summary="Do the upkeep of the whole bank",
    response_class=StreamingResponse,
    dependencies=HEEDED,
    responses={**failing(400), **_ALL},
)
def maintain_all(
    bank: Annotated[MemoryBank, Depends(whole_bank_for("admin"))], asked: Annotated[Maintaining | None, Body()] = None
) -> StreamingResponse:
    """Do what is due in one scope after the other, and tell of each as it is done."""
    return _stream(lambda: _scopes(bank, asked or Maintaining()))


def _passes(mind: Mind, asked: Maintaining) -> Iterator[Told]:
    wanted = [name for name in PASSES if name in (mind.due(asked.at) if asked.passes is None else asked.passes)]
    yield "started", {"scope": ScopeShape.of(mind.key).model_dump(), "passes": wanted, "dry_run": asked.dry_run}
    kept = 0
    # A dry run is told in one piece: each pass builds on what the one before would have done.
    for names in [wanted] if asked.dry_run else [[name] for name in wanted]:
        did = mind.maintain(names, at=asked.at, dry_run=asked.dry_run)
        kept += len(did.kept)
        yield "pass", UpkeptShape.of(did).model_dump(mode="json")
    yield "done", {"passes": wanted, "kept": kept}


def _scopes(bank: MemoryBank, asked: Maintaining) -> Iterator[Told]:
    there = sum(1 for _ in every_scope(bank.store))
    yield "started", {"scopes": there, "passes": asked.passes, "dry_run": asked.dry_run}
    scopes = kept = 0
    for did in bank.maintain(asked.passes, at=asked.at, dry_run=asked.dry_run):
        scopes, kept = scopes + 1, kept + len(did.kept)
        yield "scope", UpkeptShape.of(did).model_dump(mode="json")
    yield "done", {"scopes": scopes, "kept": kept}


def _stream(work: Callable[[], Iterator[Told]]) -> StreamingResponse:
    return StreamingResponse(_events(work), media_type=sse.MEDIA_TYPE, headers=sse.HEADERS)


async def _events(work: Callable[[], Iterator[Told]]) -> AsyncIterator[bytes]:
    steps = work()
    try:
        while (step := await run_sync(next, steps, None)) is not None:
            yield sse.event(*step)
    except GieokError as error:  # the answer has begun: the failure is its last event
        yield sse.event("problem", problem_of(error).record())
