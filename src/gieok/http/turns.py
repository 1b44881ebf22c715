"""/v1/turns: what was said."""

from __future__ import annotations

from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import Body, Path, Request, Response
from fastapi.responses import JSONResponse

from gieok.access.caller import Caller
from gieok.bank import Mind
from gieok.domain.answer import Context, Gathered, Injected, ModelCall, Read, Scored, Trace
from gieok.domain.emotion import one_hot
from gieok.domain.scoring import PART_NAMES
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
    turn_id_of,
)
from gieok.http.shapes import (
    ObservedShape,
    OperationPage,
    OperationShape,
    Rerolling,
    Rewinding,
    Rewording,
    Rewound,
    SummaryPage,
    SummaryShape,
    Telling,
    TurnPage,
    TurnShape,
)

routes = router("turns")

TurnId = Annotated[str, Path(max_length=200, examples=["01m7g3fgvk6vkvhzc20901h4zj"])]


@routes.post(
    "/turns",
    status_code=201,
    summary="Learn from an exchange",
    dependencies=HEEDED,
    responses={**failing(400, 404, 409), 200: {"model": ObservedShape, "description": "It was observed before."}},
)
def observe(told: Telling, mind: WrittenMind, caller: Asked, request: Request, response: Response) -> ObservedShape:
    """Keep what was said and learn from it. The turn is kept even when nothing in it is worth remembering."""
    caller.check_hearers(mind.key, told.present)
    observed = mind.observe(
        told.text,
        reply=told.reply,
        at=told.at,
        session=told.session,
        turn_id=told.turn_id or turn_id_of(request),
        speaker=told.speaker,
        present=told.present,
        channel=told.channel,
        cut_off=told.cut_off,
        context=_context(request, told.context_id, caller, mind),
        consent=told.consent,
    )
    response.status_code = 200 if observed.again else 201
    response.headers["Location"] = f"/v1/turns/{quote(observed.turn.id, safe='')}"
    return ObservedShape.of(observed)


@routes.get("/turns", summary="List the turns, the newest first")
def turns(mind: ReadMind, bank: Bank, limit: Limit = 20, after: Cursor = None) -> TurnPage:
    """Return the turns in force; rewound ones are not among them."""
    found = mind.turns(page_size(bank, limit), before=number_in("turns", after))
    following = cursor("turns", [found[0].number]) if found and found[0].number > 1 else None
    return TurnPage(items=[TurnShape.of(turn) for turn in reversed(found)], next=following)


@routes.get("/turns/{turn_id}", summary="One turn", responses=failing(404))
def turn(turn_id: TurnId, mind: ReadMind) -> TurnShape:
    """Return a turn as it is kept."""
    return TurnShape.of(mind.turn(turn_id))


@routes.patch(
    "/turns/{turn_id}", summary="Put other words into a turn", dependencies=HEEDED, responses=failing(400, 404)
)
def edit(turn_id: TurnId, told: Rewording, mind: WrittenMind, caller: Asked) -> ObservedShape:
    """Change what was said in an earlier turn. What came after it is taken back."""
    check_hearers(mind, turn_id, caller)
    return ObservedShape.of(mind.edit(turn_id, text=told.text, reply=told.reply, consent=told.consent))


@routes.post(
    "/turns/{turn_id}/reroll",
    summary="Give the character another reply",
    dependencies=HEEDED,
    responses=failing(400, 404),
)
def reroll(turn_id: TurnId, told: Rerolling, mind: WrittenMind, caller: Asked, request: Request) -> ObservedShape:
    """Replace the reply of a turn. The first one, and what came after it, is taken back."""
    check_hearers(mind, turn_id, caller)
    context = _context(request, told.context_id, caller, mind)
    return ObservedShape.of(mind.reroll(turn_id, told.reply, context=context))


@routes.post("/turns/{turn_id}/rewind", summary="Take a turn back", dependencies=HEEDED, responses=failing(400, 404))
def rewind(turn_id: TurnId, mind: WrittenMind, told: Annotated[Rewinding | None, Body()] = None) -> Rewound:
    """Take a turn back with all it caused, and every later one unless `following` is false.

    What is left is judged again as if the turn had never been said.
    """
    return Rewound(turns=list(mind.rewind(turn_id, following=(told or Rewinding()).following)))


def check_hearers(mind: Mind, turn_id: str, caller: Caller) -> None:
    """Whoever heard a turn hears the new one, too: the caller must be allowed to write there."""
    caller.check_hearers(mind.key, mind.turn(turn_id).present)


def _context(request: Request, context_id: str | None, caller: Caller, mind: Mind) -> Context | None:
    known: Context | None = request.app.state.contexts.named(context_id, caller.name, mind.key)
    return known


_PLACES: Final = 9  #: behind the point: a token costs a millionth
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


routes_journal = router("journal")


@routes_journal.get("/journal", summary="Everything that was done, the newest first")
def journal(mind: ReadMind, bank: Bank, limit: Limit = 20, after: Cursor = None) -> OperationPage:
    """Return every operation of the scope with who did it and what it changed, undone ones and rewinds too."""
    found = mind.last_operations(page_size(bank, limit), before=number_in("journal", after))
    following = cursor("journal", [found[0].number]) if found and found[0].number > 1 else None
    return OperationPage(items=[OperationShape.of(operation) for operation in reversed(found)], next=following)


@routes_journal.get("/summaries", summary="The story so far, and what happened week by week")
def summaries(mind: ReadMind, bank: Bank, limit: Limit = 20, after: Cursor = None) -> SummaryPage:
    """Return the rolling summary and the weekly ones, oldest first, each with what it tells of."""
    size = page_size(bank, limit)
    page, following = leafed(
        mind.summaries(), lambda each: (moment_key(each.valid_at), each.id), "summaries", after, size
    )
    return SummaryPage(items=[SummaryShape.of(memory) for memory in page], next=following)
