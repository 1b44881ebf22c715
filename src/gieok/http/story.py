"""Routes of the story: /v1/timeline, /v1/relationship, /v1/manners, /v1/emotions, /v1/entities and /v1/scenes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Annotated

from fastapi import Body, Path, Query

from gieok.bank.history import Feeling, Step
from gieok.domain.attributes import ContentType
from gieok.domain.entity import Entity
from gieok.domain.memory import Memory
from gieok.domain.relationship import Manners, Relationship
from gieok.domain.scene import Scene
from gieok.http.bodies import EndScene, Moment, StartScene
from gieok.http.dependencies import CurrentBank, Cursor, Limit, ReadMind, WriteMind, moment_key, page_size, sorted_page
from gieok.http.memories import About, truth_key
from gieok.http.problems import NAME
from gieok.http.router import problems, router
from gieok.http.schemas import Page, answer

routes = router("people and scenes")

Since = Annotated[Moment | None, Query(description="At or after.")]
Until = Annotated[Moment | None, Query(description="Before.")]


@dataclass(frozen=True, slots=True)
class EntityWithFacts:
    """An entity, with what is known about it."""

    entity: Entity
    facts: list[Memory]


answer(EntityWithFacts, "**entity facts", name="Known")


@routes.get("/timeline", summary="List what was ever true, by when it began")
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


@routes.get("/relationship", summary="Get the relationship")
def relationship(
    mind: ReadMind, at: Annotated[Moment | None, Query(description="As it was then.")] = None
) -> Relationship:
    """Return five axes, a score over them, and a level."""
    return mind.relationship(at)


@routes.get("/relationship/trajectory", summary="List the changes of the relationship, newest first")
def trajectory(mind: ReadMind, bank: CurrentBank, limit: Limit = 50, after: Cursor = None) -> Page[Step]:
    """Return every change of the relationship with its causes."""
    steps = list(enumerate(mind.trajectory()))
    size = page_size(bank, limit)
    page = sorted_page("trajectory", steps, lambda each: (f"{each[0]:010}",), after, size, newest_first=True)
    return Page([step for _, step in page.items], page.next)


@routes.get("/manners", summary="Get how the two speak to each other")
def manners(mind: ReadMind) -> Manners:
    """Return speech styles and forms of address, since when, and who asked for them."""
    return mind.manners()


@routes.get("/emotions", summary="List the emotions, newest first")
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


@routes.get("/entities", summary="List who was mentioned, last seen first")
def entities(mind: ReadMind, bank: CurrentBank, limit: Limit = 50, after: Cursor = None) -> Page[Entity]:
    """Return people, pets and places with what is thought of them."""
    found, size = mind.entities(), page_size(bank, limit)
    return sorted_page(
        "entities", found, lambda each: (moment_key(each.last_seen), each.id), after, size, newest_first=True
    )


@routes.get("/entities/{name}", summary="Get an entity by name", responses=problems(404))
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


@routes.get("/scenes", summary="List the scenes, newest first")
def scenes(mind: ReadMind, bank: CurrentBank, limit: Limit = 50, after: Cursor = None) -> Page[Scene]:
    """Return the scenes of the story; one without `ended_at` is still open."""
    found, size = mind.scenes(), page_size(bank, limit)
    return sorted_page(
        "scenes", found, lambda each: (moment_key(each.started_at), each.id), after, size, newest_first=True
    )


@routes.write("POST", "/scenes", "Start a scene", 400, status_code=201)
def start_scene(told: StartScene, mind: WriteMind) -> Scene:
    """Start a scene; an open one ends with it."""
    return mind.start_scene(**dict(told))


@routes.write("POST", "/scenes/end", "End the open scene", 400)
def end_scene(mind: WriteMind, told: Annotated[EndScene | None, Body()] = None) -> Scene | None:
    """End the open scene and return it as it ended; null: none was open."""
    return mind.end_scene(told.at if told is not None else None)
