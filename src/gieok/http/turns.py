"""/v1/turns: what was said."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import Body, Path, Request, Response

from gieok.access.caller import Caller
from gieok.bank import Mind
from gieok.domain.answer import Context
from gieok.http.answering import failing, router
from gieok.http.asking import Asked, Bank, ReadMind, WrittenMind
from gieok.http.once import HEEDED, turn_id_of
from gieok.http.paging import Cursor, Limit, cursor, number_in, page_size
from gieok.http.shapes.turns import (
    ObservedShape,
    Rerolling,
    Rewinding,
    Rewording,
    Rewound,
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
