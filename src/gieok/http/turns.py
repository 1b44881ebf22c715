"""Routes of the story: turns, journal, summaries, timeline, relationship, manners, emotions, entities and scenes."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from typing import Annotated, Any, Final
from urllib.parse import quote

from fastapi import Body, Path, Query, Request, Response
from fastapi.responses import JSONResponse

from gieok.access.caller import Caller
from gieok.bank import Mind
from gieok.bank.history import Feeling, Step
from gieok.domain.answer import Observed
from gieok.domain.attributes import ContentType
from gieok.domain.entity import Entity
from gieok.domain.memory import Memory
from gieok.domain.operation import Operation
from gieok.domain.relationship import Manners, Relationship
from gieok.domain.scene import Scene
from gieok.domain.turn import Turn
from gieok.http.bodies import EndScene, Moment, Rerolling, Rewinding, Rewording, StartScene, Telling
from gieok.http.memories import About, truth_key
from gieok.http.problems import NAME
from gieok.http.router import (
    CurrentBank,
    CurrentCaller,
    Cursor,
    Limit,
    ReadMind,
    WriteMind,
    idempotent_turn_id,
    moment_key,
    numbered_page,
    page_size,
    problems,
    read_number,
    routes_of,
    sorted_page,
)
from gieok.http.schemas import Page, answer
from gieok.records import trace_record

routes = routes_of("turns")

TurnId = Annotated[str, Path(max_length=200, examples=["01m7g3fgvk6vkvhzc20901h4zj"])]
_TRACE_SCHEMA: Final[dict[str, Any]] = json.loads(
    files(__package__).joinpath("trace_schema.json").read_text(encoding="utf-8")
)


@answer()
@dataclass(frozen=True, slots=True)
class Rewound:
    """The turns that were undone; their ids may be used again."""

    turns: list[str]


@answer(
    "id=memory.id kind content=memory.content since=memory.valid_at until=memory.invalid_at "
    "written_at=memory.known_at made_from=memory.made_from sources=memory.sources"
)
@dataclass(frozen=True, slots=True)
class Summary:
    """A summary, and what it covers."""

    memory: Memory

    @property
    def kind(self) -> str:
        return "weekly" if "weekly" in self.memory.tags else "rolling"


@routes.write(
    "POST",
    "/turns",
    "Store an exchange",
    400,
    404,
    409,
    status_code=201,
    responses={200: {"model": Observed, "description": "It was observed before."}},
)
def observe(told: Telling, mind: WriteMind, caller: CurrentCaller, request: Request, response: Response) -> Observed:
    """Store what was said and learn from it. The turn is kept even when nothing in it is worth remembering."""
    caller.check_hearers(mind.key, told.present)
    given = {**dict(told), "turn_id": told.turn_id or idempotent_turn_id(request)}
    context = request.app.state.contexts.get(given.pop("context_id"), caller.name, mind.key)
    observed = mind.observe(given.pop("text"), context=context, **given)
    response.status_code = 200 if observed.again else 201
    response.headers["Location"] = f"/v1/turns/{quote(observed.turn.id, safe='')}"
    return observed


@routes.get("/turns", summary="List the turns, newest first")
def turns(mind: ReadMind, bank: CurrentBank, limit: Limit = 20, after: Cursor = None) -> Page[Turn]:
    """Return the turns that count; rewound ones are left out."""
    return numbered_page("turns", mind.turns(page_size(bank, limit), before=read_number("turns", after)))


@routes.get("/turns/{turn_id}", summary="Get a turn", responses=problems(404))
def turn(turn_id: TurnId, mind: ReadMind) -> Turn:
    """Return a turn as it is stored."""
    return mind.turn(turn_id)


@routes.write("PATCH", "/turns/{turn_id}", "Change the words of a turn", 400, 404)
def edit(turn_id: TurnId, told: Rewording, mind: WriteMind, caller: CurrentCaller) -> Observed:
    """Change what was said in an earlier turn. The turns after it are undone."""
    check_hearers(mind, turn_id, caller)
    return mind.edit(turn_id, text=told.text, reply=told.reply, consent=told.consent)


@routes.write("POST", "/turns/{turn_id}/reroll", "Replace the reply of a turn", 400, 404)
def reroll(turn_id: TurnId, told: Rerolling, mind: WriteMind, caller: CurrentCaller, request: Request) -> Observed:
    """Replace the reply of a turn. The first one, and the turns after it, are undone."""
    check_hearers(mind, turn_id, caller)
    context = request.app.state.contexts.get(told.context_id, caller.name, mind.key)
    return mind.reroll(turn_id, told.reply, context=context)


@routes.write("POST", "/turns/{turn_id}/rewind", "Undo a turn", 400, 404)
def rewind(turn_id: TurnId, mind: WriteMind, told: Annotated[Rewinding | None, Body()] = None) -> Rewound:
    """Undo a turn with all it caused, and every later one unless `following` is false.

    What is left is judged again as if the turn had never been said.
    """
    return Rewound(list(mind.rewind(turn_id, following=(told or Rewinding()).following)))


@routes.get(
    "/turns/{turn_id}/trace",
    summary="Get the trace of a turn",
    response_class=Response,
    responses={**problems(404), 200: {"content": {"application/json": {"schema": _TRACE_SCHEMA}}}},
)
def trace(turn_id: TurnId, mind: ReadMind) -> Response:
    """Return what was gathered, scored, injected and used for a turn, what it cost, and how feelings were read.

    The last `keep_traces` turns of a scope have a trace.
    """
    return JSONResponse(trace_record(turn_id, mind.trace(turn_id)))


@routes.get("/journal", summary="List the operations of a scope, newest first", tags=["journal"])
def journal(mind: ReadMind, bank: CurrentBank, limit: Limit = 20, after: Cursor = None) -> Page[Operation]:
    """Return every operation with who did it and what it changed, including undone ones and rewinds."""
    size = page_size(bank, limit)
    return numbered_page("journal", mind.last_operations(size, before=read_number("journal", after)))


@routes.get("/summaries", summary="List the story so far and the weekly summaries", tags=["journal"])
def summaries(mind: ReadMind, bank: CurrentBank, limit: Limit = 20, after: Cursor = None) -> Page[Summary]:
    """Return the rolling summary and the weekly ones, oldest first, each with what it covers."""

    def key(memory: Memory) -> tuple[str, ...]:
        return (moment_key(memory.valid_at), memory.id)

    page = sorted_page("summaries", mind.summaries(), key, after, page_size(bank, limit))
    return Page([Summary(memory) for memory in page.items], page.next)


def check_hearers(mind: Mind, turn_id: str, caller: Caller) -> None:
    """Raise `Forbidden` unless the caller may write for all who heard a turn: they hear its new words, too."""
    caller.check_hearers(mind.key, mind.turn(turn_id).present)


story_routes = routes_of("people and scenes")

Since = Annotated[Moment | None, Query(description="At or after.")]
Until = Annotated[Moment | None, Query(description="Before.")]


@answer("**entity facts", name="Known")
@dataclass(frozen=True, slots=True)
class EntityWithFacts:
    """An entity, with what is known about it."""

    entity: Entity
    facts: list[Memory]


@story_routes.get("/timeline", summary="List current and past facts, by start date")
def timeline(
    mind: ReadMind,
    bank: CurrentBank,
    since: Since = None,
    until: Until = None,
    type: Annotated[ContentType | None, Query()] = None,
    text: Annotated[str | None, Query(max_length=500, description="A text that it contains.")] = None,
    limit: Limit = 50,
    after: Cursor = None,
) -> Page[Memory]:
    """Return memories in the order of the story, including those that ended or faded."""
    found = mind.timeline(since=since, until=until, type=type, text=text)
    return sorted_page("timeline", found, truth_key, after, page_size(bank, limit))


@story_routes.get("/relationship", summary="Get the relationship")
def relationship(
    mind: ReadMind, at: Annotated[Moment | None, Query(description="As it was then.")] = None
) -> Relationship:
    """Return five axes, a score over them, and a level."""
    return mind.relationship(at)


@story_routes.get("/relationship/trajectory", summary="List the changes of the relationship, newest first")
def trajectory(mind: ReadMind, bank: CurrentBank, limit: Limit = 50, after: Cursor = None) -> Page[Step]:
    """Return every change of the relationship with its causes."""
    steps, size = mind.trajectory(), page_size(bank, limit)
    return sorted_page("trajectory", steps, lambda each: (f"{each.number:010}",), after, size, newest_first=True)


@story_routes.get("/manners", summary="Get speech styles and forms of address")
def manners(mind: ReadMind) -> Manners:
    """Return speech styles and forms of address, since when, and who asked for them."""
    return mind.manners()


@story_routes.get("/emotions", summary="List the emotions, newest first")
def emotions(
    mind: ReadMind, bank: CurrentBank, since: Since = None, until: Until = None, limit: Limit = 50, after: Cursor = None
) -> Page[Feeling]:
    """Return what each speaker felt in each turn."""
    found = list(enumerate(mind.emotions(since=since, until=until)))
    size = page_size(bank, limit)
    page = sorted_page(
        "emotions", found, lambda each: (moment_key(each[1].at), f"{each[0]:010}"), after, size, newest_first=True
    )
    return Page([feeling for _, feeling in page.items], page.next)


@story_routes.get("/entities", summary="List the entities, last seen first")
def entities(mind: ReadMind, bank: CurrentBank, limit: Limit = 50, after: Cursor = None) -> Page[Entity]:
    """Return people, pets and places with what is thought of them."""
    found, size = mind.entities(), page_size(bank, limit)
    return sorted_page(
        "entities", found, lambda each: (moment_key(each.last_seen), each.id), after, size, newest_first=True
    )


@story_routes.get("/entities/{name}", summary="Get an entity by name", responses=problems(404))
def entity(
    name: Annotated[str, Path(min_length=1, max_length=200, pattern=NAME, examples=["지훈"])],
    mind: ReadMind,
    bank: CurrentBank,
    channel: About = None,
) -> EntityWithFacts:
    """Return an entity, by any of its names, with what is known about it."""
    known = mind.entity(name, channel=channel)
    facts = (memory for each in (known.name, *known.aliases) for memory in mind.facts(each))
    return EntityWithFacts(known, list(islice(facts, bank.settings.serve_page)))


@story_routes.get("/scenes", summary="List the scenes, newest first")
def scenes(mind: ReadMind, bank: CurrentBank, limit: Limit = 50, after: Cursor = None) -> Page[Scene]:
    """Return the scenes of the story; one without `ended_at` is still open."""
    found, size = mind.scenes(), page_size(bank, limit)
    return sorted_page(
        "scenes", found, lambda each: (moment_key(each.started_at), each.id), after, size, newest_first=True
    )


@story_routes.write("POST", "/scenes", "Start a scene", 400, status_code=201)
def start_scene(told: StartScene, mind: WriteMind) -> Scene:
    """Start a scene; an open one ends with it."""
    return mind.start_scene(**dict(told))


@story_routes.write("POST", "/scenes/end", "End the open scene", 400)
def end_scene(mind: WriteMind, told: Annotated[EndScene | None, Body()] = None) -> Scene | None:
    """End the open scene and return it as it ended; null: none was open."""
    return mind.end_scene(told.at if told is not None else None)
