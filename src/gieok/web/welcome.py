"""The first visit: nothing is remembered yet, and one button tells a story so that every page has something to show."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass

from nicegui import ui

from gieok.access.acting import acting_for
from gieok.access.caller import Caller
from gieok.bank import Mind
from gieok.conversation.story import Scene, Story, story, tell
from gieok.domain.desk import Bounds
from gieok.domain.scope import Scope
from gieok.errors import Forbidden
from gieok.web.kit import button, card, heading, said
from gieok.web.links import style
from gieok.web.paths import PATHS
from gieok.web.visitors import Visitor


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How much of a story is told."""

    done: int  #: steps
    of: int
    scene: Scene


async def welcome(visitor: Visitor) -> None:
    style("scopes")
    words = visitor.words
    ui.element("img").props('src="/look/faces/happy.svg" alt="" width="88" height="88"').classes("w-face")
    heading(words("welcome.title"))
    said(words("welcome.text")).classes("g-dim")
    with ui.element("div").classes("g-split w-ways"):
        await draw_story(visitor)
        with card(words("welcome.own.title")):
            said(words("welcome.own.text"))
            with ui.element("div").classes("g-row"):
                button(words("welcome.own.go"), lambda: ui.navigate.to(f"{PATHS['scopes']}#create"))


async def draw_story(visitor: Visitor) -> None:
    """Show what the story is, and the button that loads it."""
    words = visitor.words
    told = story(visitor.bank.settings.zone)
    scope = place_for(told, (await visitor.caller()).bounds)
    with card(words("welcome.story.title")) as whole:
        whole.classes("w-story")
        said(words("welcome.story.text", user=told.user, character=told.character))
        if not _may_write(await visitor.caller(), scope):
            said(words("welcome.story.readers")).classes("g-dim")
            return
        if visitor.bank.model is not None:
            said(words("welcome.story.model")).classes("g-dim g-small")
        status = said("").classes("g-small").props('role="status"')
        bar = ui.linear_progress(0, show_value=False, color=None).classes("w-progress")
        bar.props["aria-label"] = words("welcome.story.progress")
        bar.set_visibility(False)

        async def load() -> None:
            load_button.set_enabled(False)
            caller = await visitor.caller(counts=True)
            caller.check("writer", scope)
            mind = visitor.bank.mind(scope)
            if await asyncio.to_thread(mind.turns, 1):
                status.text = words("welcome.story.already")
            else:
                status.text = words("welcome.story.starting")
                bar.set_visibility(True)
                steps = telling(told, mind)
                with acting_for(caller):
                    while (step := await asyncio.to_thread(next, steps, None)) is not None:
                        bar.value = step.done / step.of
                        status.text = words("welcome.story.loading", n=step.done, all=step.of, title=step.scene.title)
                status.text = words("welcome.story.done")
            visitor.desk.turn_to(scope)
            ui.navigate.to(PATHS["talk"])

        with ui.element("div").classes("g-row"):
            load_button = button(words("welcome.story.load"), load, main=True)


def place_for(told: Story, bounds: tuple[Bounds, ...]) -> Scope:
    """Return whose story it becomes: that of its own people, or, for a key with bounds, of those within the first."""
    own = bounds[0] if bounds else Bounds()
    return Scope(user=own.user or told.user, character=own.character or told.character, world=own.world or told.world)


def telling(told: Story, mind: Mind) -> Iterator[Progress]:
    """Tell the story to `mind`, and say after each step how far it is."""
    steps = told.turns + sum(scene.then is not None for scene in told.scenes)
    done = 0
    for scene in told.scenes:
        for _ in tell(scene, mind):
            done += 1
            yield Progress(done=done, of=steps, scene=scene)


def _may_write(caller: Caller, scope: Scope) -> bool:
    try:
        caller.check("writer", scope)
    except Forbidden:
        return False
    return True
