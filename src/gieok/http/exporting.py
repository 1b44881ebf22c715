"""All of a scope, line by line: one JSON object each, `kind` tells what it is, `data` is it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

from gieok.bank import MemoryBank, Mind
from gieok.http.shapes.base import ScopeShape, Shape
from gieok.http.shapes.journal import OperationShape
from gieok.http.shapes.living import EntityShape, MannersShape, RelationshipShape, SceneShape
from gieok.http.shapes.memories import MemoryShape
from gieok.http.shapes.turns import TurnShape

MEDIA_TYPE: Final = "application/x-ndjson"
_AT_ONCE: Final = 200  #: things of an export that are in memory together


def exported(mind: Mind, bank: MemoryBank) -> Iterator[bytes]:
    """Yield all of a scope, some lines at a time; the last one is `end`, with what there was."""
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
