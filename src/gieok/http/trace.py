"""/v1/turns/{turn_id}/trace: how a turn came about."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Response
from fastapi.responses import JSONResponse

from gieok.domain.emotion import one_hot
from gieok.domain.model import ModelCall
from gieok.domain.scoring import PART_NAMES
from gieok.domain.trace import Gathered, Injected, Read, Scored, Trace
from gieok.http.answering import failing, router
from gieok.http.asking import ReadMind
from gieok.http.turns import TurnId

_PLACES: Final = 9  #: behind the point: a token costs a millionth
routes = router("turns")
_PARTS: Final = ("gathered", "scored", "injected", "used", "degraded", "emotions")
_TRACE: Final[dict[str, Any]] = {
    "title": "Trace",
    "type": "object",
    "required": ["turn_id", *_PARTS, "cost"],
    "properties": {
        "turn_id": {"type": "string"},
        **{part: {"type": "array"} for part in _PARTS},
        "cost": {"type": "object"},
    },
}


def trace_record(turn_id: str, trace: Trace) -> dict[str, Any]:
    """Return a trace as JSON can hold it."""
    return {
        "turn_id": turn_id,
        "gathered": [_gathered(each) for each in trace.gathered],
        "scored": [_scored(each) for each in trace.scored],
        "injected": [_injected(each) for each in trace.injected],
        "used": list(trace.used),
        "degraded": list(trace.degraded),
        "emotions": [_read(each) for each in trace.emotions],
        "cost": {
            "context_tokens": trace.tokens,
            "context_budget": trace.budget,
            "seconds": _rounded(trace.seconds),
            "prompt_tokens": sum(call.prompt_tokens for call in trace.calls),
            "answer_tokens": sum(call.answer_tokens for call in trace.calls),
            "cost": _rounded(trace.cost),
            "calls": [_call(call) for call in trace.calls],
        },
    }


def _gathered(source: Gathered) -> dict[str, Any]:
    return {
        "source": source.source,
        "hits": source.hits,
        "seconds": None if source.seconds is None else _rounded(source.seconds),
    }


def _scored(hit: Scored) -> dict[str, Any]:
    return {
        "id": hit.item_id,
        "score": _rounded(hit.score),
        "parts": {name: _rounded(getattr(hit.parts, name)) for name in PART_NAMES},
        "why": [{"source": found.source, "rank": found.rank} for found in hit.why],
    }


def _injected(block: Injected) -> dict[str, Any]:
    return {
        "name": block.name,
        "tokens": block.tokens,
        "items": list(block.items),
        "shortened": list(block.shortened),
        "left_out": [{"id": each.item_id, "why": each.why} for each in block.left_out],
    }


def _read(read: Read) -> dict[str, Any]:
    return {
        "speaker": read.speaker,
        "emotion": read.emotion,
        "one_hot": one_hot(read.emotion),
        "intensity": read.intensity,
        "by": read.by,
        "raw": read.raw or None,
    }


def _call(call: ModelCall) -> dict[str, Any]:
    return {
        "task": call.task,
        "model": call.model,
        "at": call.at.isoformat(),
        "seconds": _rounded(call.seconds),
        "prompt_tokens": call.prompt_tokens,
        "answer_tokens": call.answer_tokens,
        "cost": _rounded(call.cost),
        "failure": call.failure,
    }


def _rounded(number: float) -> float:
    return round(number, _PLACES)


@routes.get(
    "/turns/{turn_id}/trace",
    summary="How a turn came about",
    response_class=Response,
    responses={**failing(404), 200: {"content": {"application/json": {"schema": _TRACE}}}},
)
def trace(turn_id: TurnId, mind: ReadMind) -> Response:
    """Tell how a turn came about: what was gathered, scored, injected and used, what it cost, how feelings were read.

    The last `keep_traces` turns of a scope have one.
    """
    return JSONResponse(trace_record(turn_id, mind.trace(turn_id)))
