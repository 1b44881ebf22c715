"""/v1/relationship, /v1/manners, /v1/emotions, /v1/entities, /v1/scenes, /v1/timeline: how the two are, and were."""

from __future__ import annotations

from itertools import islice
from typing import Annotated

from fastapi import Body, Path, Query

from gieok.domain.attributes import ContentType
from gieok.http.memories import About, by_truth_key
from gieok.http.problems import NAME
from gieok.http.requests import (
    HEEDED,
    Bank,
    Cursor,
    Limit,
    ReadMind,
    WrittenMind,
    failing,
    leafed,
    moment_key,
    page_size,
    router,
)
from gieok.http.shapes import (
    EndScene,
    EntityPage,
    EntityShape,
    FeelingPage,
    FeelingShape,
    Known,
    MannersShape,
    MemoryPage,
    MemoryShape,
    Moment,
    RelationshipShape,
    ScenePage,
    SceneShape,
    StartScene,
    StepPage,
    StepShape,
    given,
)

routes = router("people and scenes")

Since = Annotated[Moment | None, Query(description="At or after.")]
Until = Annotated[Moment | None, Query(description="Before.")]


@routes.get("/timeline", summary="What was ever true, by when it began")
def timeline(
    mind: ReadMind,
    bank: Bank,
    since: Since = None,
    until: Until = None,
    type: Annotated[ContentType | None, Query()] = None,
    text: Annotated[str | None, Query(max_length=500, description="Stands in its words.")] = None,
    limit: Limit = 50,
    after: Cursor = None,
) -> MemoryPage:
    """Return memories in the order of the story, also those that ended or faded."""
    found = mind.timeline(since=since, until=until, type=type, text=text)
    page, following = leafed(found, by_truth_key, "timeline", after, page_size(bank, limit))
    return MemoryPage(items=[MemoryShape.of(memory) for memory in page], next=following)


@routes.get("/relationship", summary="How close the two are")
def relationship(
    mind: ReadMind, at: Annotated[Moment | None, Query(description="As it stood then.")] = None
) -> RelationshipShape:
    """Return five axes, a score over them, and a level."""
    return RelationshipShape.of(mind.relationship(at))


@routes.get("/relationship/trajectory", summary="How the relationship came to be, the newest first")
def trajectory(mind: ReadMind, bank: Bank, limit: Limit = 50, after: Cursor = None) -> StepPage:
    """Return every change of the relationship with its causes."""
    steps = list(enumerate(mind.trajectory()))
    size = page_size(bank, limit)
    page, following = leafed(steps, lambda each: (f"{each[0]:010}",), "trajectory", after, size, newest_first=True)
    return StepPage(items=[StepShape.of(step) for _, step in page], next=following)


@routes.get("/manners", summary="How the two speak to each other")
def manners(mind: ReadMind) -> MannersShape:
    """Return speech styles and forms of address, since when, and who asked for it."""
    return MannersShape.of(mind.manners())


@routes.get("/emotions", summary="What was felt, the newest first")
def emotions(
    mind: ReadMind, bank: Bank, since: Since = None, until: Until = None, limit: Limit = 50, after: Cursor = None
) -> FeelingPage:
    """Return what each speaker felt in each turn."""
    found = list(enumerate(mind.emotions(since=since, until=until)))
    size = page_size(bank, limit)
    page, following = leafed(
        found, lambda each: (moment_key(each[1].at), f"{each[0]:010}"), "emotions", after, size, newest_first=True
    )
    return FeelingPage(items=[FeelingShape.at_its_time(feeling) for _, feeling in page], next=following)


@routes.get("/entities", summary="Everybody that was spoken of, the last seen first")
def entities(mind: ReadMind, bank: Bank, limit: Limit = 50, after: Cursor = None) -> EntityPage:
    """Return people, pets and places with what is thought of them."""
    size = page_size(bank, limit)
    page, following = leafed(
        mind.entities(), lambda each: (moment_key(each.last_seen), each.id), "entities", after, size, newest_first=True
    )
    return EntityPage(items=[EntityShape.of(entity) for entity in page], next=following)


@routes.get("/entities/{name}", summary="Somebody by name", responses=failing(404))
def entity(
    name: Annotated[str, Path(min_length=1, max_length=200, pattern=NAME, examples=["지훈"])],
    mind: ReadMind,
    bank: Bank,
    channel: About = None,
) -> Known:
    """Return somebody, by any of their names, with what is known of them."""
    known = mind.entity(name, channel=channel)
    names = (known.name, *known.aliases)
    facts = (MemoryShape.of(memory) for each in names for memory in mind.facts(each))
    return Known.by(known, list(islice(facts, bank.settings.serve_page)))


@routes.get("/scenes", summary="The scenes, the newest first")
def scenes(mind: ReadMind, bank: Bank, limit: Limit = 50, after: Cursor = None) -> ScenePage:
    """Return the stretches of the story; one that has no `ended_at` is still on."""
    size = page_size(bank, limit)
    page, following = leafed(
        mind.scenes(), lambda each: (moment_key(each.started_at), each.id), "scenes", after, size, newest_first=True
    )
    return ScenePage(items=[SceneShape.of(scene) for scene in page], next=following)


@routes.post("/scenes", status_code=201, summary="Begin a scene", dependencies=HEEDED, responses=failing(400))
def start_scene(told: StartScene, mind: WrittenMind) -> SceneShape:
    """Begin a scene; one that is on ends by it."""
    started = mind.start_scene(
        place=told.place, daytime=told.daytime, session=told.session, participants=told.participants, at=told.at
    )
    return SceneShape.of(started)


@routes.post("/scenes/end", summary="End the scene that is on", dependencies=HEEDED, responses=failing(400))
def end_scene(mind: WrittenMind, told: Annotated[EndScene | None, Body()] = None) -> SceneShape | None:
    """End the scene that is on and return it as it ended; null: none was on."""
    ended = mind.end_scene(told.at if told is not None else None)
    return given(SceneShape.of, ended)
