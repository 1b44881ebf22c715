"""How the two speak to each other: style and form of address, since when, at whose wish, and what went before."""

from __future__ import annotations

from nicegui import ui

from gieok.bank import Mind
from gieok.domain.manners import Habit
from gieok.web.dates import day, moment_told
from gieok.web.kit import card, said
from gieok.web.relationship.telling import manner_told, named
from gieok.web.visitors import Visitor

_SHOWN = 30  #: changes, the newest


async def speech(visitor: Visitor) -> None:
    words, scope = visitor.words, visitor.scope
    manners = await visitor.ask(Mind.manners)
    changes = await visitor.ask(Mind.manner_changes)
    with card(words("relationship.manners.title")):
        if not changes:
            said(words("relationship.manners.nothing")).classes("g-dim")
            return
        with ui.element("dl").classes("r-speech"):
            for who in ("user", "character"):
                speech, name = manners.of(who), named(who, scope, words)
                style = words.some("relationship.styles").get(speech.style.value) if speech.style else None
                _habit(words("relationship.manners.speaks", who=name), style, speech.style, visitor)
                address = f"“{speech.address.value}”" if speech.address else None
                _habit(words("relationship.manners.calls", who=name), address, speech.address, visitor)
        said(words("relationship.manners.history"), "h3")
        with ui.element("ol").classes("r-history"):
            for each in reversed(changes[-_SHOWN:]):
                with ui.element("li"):
                    said(moment_told(each.at, visitor), "span").classes("g-dim g-small g-number")
                    with ui.element("span"):
                        said(manner_told(each, scope, words), "span")
                        if each.change.asked_by is not None:
                            who = named(each.change.asked_by, scope, words)
                            said(f" ({words('relationship.manners.asked', who=who)})", "span").classes("g-dim")


def _habit(what: str, told: str | None, habit: Habit | None, visitor: Visitor) -> None:
    words = visitor.words
    with ui.element("div"):
        said(what, "dt").classes("g-dim g-small")
        with ui.element("dd"):
            said(told or words("relationship.manners.unknown")).classes("r-habit" if told else "g-dim")
            if habit is not None:
                since = words("relationship.manners.since", day=day(habit.at, visitor))
                if habit.asked_by is not None:
                    who = named(habit.asked_by, visitor.scope, words)
                    since += f", {words('relationship.manners.asked', who=who)}"
                said(since).classes("g-dim g-small")
