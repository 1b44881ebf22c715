"""How a turn came about, asked over HTTP."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path

from gieok.bank import Mind
from gieok.http.asking import mind_for
from gieok.http.problems import MEDIA_TYPE
from gieok.http.trace_page import trace_record

_PROBLEM: Final[dict[str, Any]] = {"content": {MEDIA_TYPE: {"schema": {"type": "object"}}}}

router = APIRouter(prefix="/v1/turns", tags=["turns"])


@router.get("/{turn_id}/trace", responses=dict.fromkeys((403, 404, 422), _PROBLEM))
def trace(
    turn_id: Annotated[str, Path(min_length=1, max_length=200)], mind: Annotated[Mind, Depends(mind_for("reader"))]
) -> dict[str, Any]:
    """Tell how a turn came about: what was gathered, scored, injected and used, what it cost, how feelings were read.

    The last `keep_traces` turns of a scope have one.
    """
    return trace_record(turn_id, mind.trace(turn_id))
