"""/v1/turns/{turn_id}/trace: how a turn came about."""

from __future__ import annotations

from typing import Any, Final

from fastapi import Response
from fastapi.responses import JSONResponse

from gieok.http.answering import failing, router
from gieok.http.asking import ReadMind
from gieok.http.trace_page import trace_record
from gieok.http.turns import TurnId

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
