"""/v1/scopes, /v1/bank and /v1/export: what there is, and all of a scope in one piece."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from fastapi.responses import StreamingResponse

from gieok.bank import MemoryBank, Mind
from gieok.http.answering import router
from gieok.http.asking import Asked, Bank, ReadMind
from gieok.http.paging import Cursor, Limit, leafed, page_size
from gieok.http.shapes.base import ScopeShape, Shape
from gieok.http.shapes.journal import BankShape, OperationShape, ScopeCount, ScopePage
from gieok.http.shapes.living import EntityShape, MannersShape, RelationshipShape, SceneShape
from gieok.http.shapes.memories import MemoryShape
from gieok.http.shapes.turns import TurnShape

routes = router("bank")

_AT_ONCE: Final = 200  #: things of an export that are in memory together


@routes.get("/scopes", summary="Whose memories there are")
def scopes(bank: Bank, caller: Asked, limit: Limit = 100, after: Cursor = None) -> ScopePage:
    """Return the scopes that your key opens, with how much is in each."""
    open_to_it = [summary for summary in bank.scopes() if caller.opens(summary.scope)]
    page, following = leafed(
        open_to_it,
        lambda each: (each.scope.user or "", each.scope.character or "", each.scope.world or ""),
        "scopes",
        after,
        page_size(bank, limit),
    )
    items = [
        ScopeCount(
            user=each.scope.user,
            character=each.scope.character,
            world=each.scope.world,
            turns=each.turns,
            utterances=each.utterances,
            memories=each.memories,
            latest_at=each.latest_at,
        )
        for each in page
    ]
    return ScopePage(items=items, next=following)


@routes.get("/bank", summary="What the bank is made of")
def bank_info(bank: Bank, caller: Asked) -> BankShape:
    """Return what keeps the memories and finds them again."""
    info, settings = bank.info(), bank.settings
    everything = caller.key is None or not caller.key.bounds
    return BankShape(
        engine=info.engine,
        schema_version=info.schema,
        encrypted=info.encrypted,
        embedder=info.embedder,
        dimension=info.dimension,
        preset=settings.preset,
        language=settings.language,
        timezone=settings.timezone,
        model=settings.llm,
        size_bytes=info.size_bytes if everything else None,
        counts=dict(info.counts) if everything else None,
    )


@routes.get(
    "/export",
    summary="All of a scope, line by line",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "One JSON object a line: `kind` tells what it is, `data` is it. The last line is `end`.",
            "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
        }
    },
)
def export(mind: ReadMind, bank: Bank) -> StreamingResponse:
    """Return the turns, the memories in every state, people, scenes and the journal of a scope.

    What is written meanwhile may be in it or not. An answer without its last line, `end`, was cut off.
    """
    return StreamingResponse(_lines(mind, bank), media_type="application/x-ndjson")


def _lines(mind: Mind, bank: MemoryBank) -> Iterator[bytes]:
    counts: dict[str, int] = {}
    for kind, things in _parts(mind):
        counts[kind] = counts.get(kind, 0) + len(things)
        yield b"".join(_line(kind, thing.model_dump(mode="json")) for thing in things)
    yield _line("end", {"counts": counts, "exported_at": bank.clock.now().isoformat()})


def _parts(mind: Mind) -> Iterator[tuple[str, list[Shape]]]:
    yield "scope", [ScopeShape.of(mind.key)]
    yield "relationship", [RelationshipShape.of(mind.relationship())]
    yield "manners", [MannersShape.of(mind.manners())]
    yield "entity", [EntityShape.of(entity) for entity in mind.entities()]
    yield "scene", [SceneShape.of(scene) for scene in mind.scenes()]
    number = 1
    while turns := [turn for turn in mind.turns(_AT_ONCE, before=number + _AT_ONCE) if turn.number >= number]:
        yield "turn", [TurnShape.of(turn) for turn in turns]
        number = turns[-1].number + 1
    place = None
    while leaves := mind.memories(_AT_ONCE, before=place, state="all"):
        yield "memory", [MemoryShape.of(leaf.memory) for leaf in leaves]
        place = leaves[-1].place
    number = 1
    while operations := mind.journal(_AT_ONCE, since=number):
        yield "operation", [OperationShape.of(operation) for operation in operations]
        number = operations[-1].number + 1


def _line(kind: str, data: dict[str, Any]) -> bytes:
    return json.dumps({"kind": kind, "data": data}, ensure_ascii=False).encode() + b"\n"
