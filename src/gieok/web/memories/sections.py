"""What the sheet of a memory tells: its two clocks, its line, its words, its reasons and its past."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import fields, replace
from functools import partial
from typing import TYPE_CHECKING

from nicegui import ui
from nicegui.element import Element

from gieok.bank import Mind
from gieok.domain.memory import Memory
from gieok.domain.record import promotion_of
from gieok.domain.turn import Turn
from gieok.domain.worth import Promotion
from gieok.web.dates import day, moment_told
from gieok.web.kit import button, chip, said
from gieok.web.memories.clocks import Span, clocks
from gieok.web.memories.controls import link
from gieok.web.memories.happenings import Difference, Happening, happenings
from gieok.web.memories.reading import SOURCES, Full
from gieok.web.memories.telling import CHIPS, kind_told, named, per_cent, short, speaker_named, standing

if TYPE_CHECKING:
    from gieok.web.memories.browsing import Browsing

Act = Callable[[Mind], object]


@contextmanager
def section(title: str) -> Iterator[Element]:
    with ui.element("section").classes("m-section") as opened:
        said(title, "h3")
        yield opened


def told_of(memory: Memory, browsing: Browsing) -> str:
    """Return whom it is about and what kind it is."""
    words = browsing.visitor.words
    about = named(memory.subject, memory.subject_id, browsing.visitor.scope, words)
    return f"{about} · {kind_told(memory, words)}"


def clocks_shown(known: Full, browsing: Browsing) -> None:
    """Draw both clocks on one line, and tell them."""
    visitor, words, memory = browsing.visitor, browsing.visitor.words, known.memory
    both = clocks(memory, known.history, known.present)
    since, until = moment_told(both.valid.since, visitor), both.valid.until
    if memory.retracted:
        true = words("memories.clocks.valid_never", since=since)
    elif until is not None:
        true = words("memories.clocks.valid_closed", since=since, until=moment_told(until, visitor))
    else:
        kind = "coming" if memory.valid_at > known.present else "open"
        true = words(f"memories.clocks.valid_{kind}", since=since)
    learned, believed = moment_told(both.known.since, visitor), both.known.until
    known_told = (
        words("memories.clocks.known_open", since=learned)
        if believed is None
        else words("memories.clocks.known_closed", since=learned, until=moment_told(believed, visitor))
    )
    with section(words("memories.clocks.title")), ui.element("dl").classes("m-clocks"):
        _clock("valid", words("memories.clocks.valid"), true, both.valid)
        _clock("known", words("memories.clocks.known"), known_told, both.known)
        recorded = moment_told(memory.recorded_at, visitor)
        said(words("memories.clocks.recorded", at=recorded), "dd").classes("g-dim g-small")


def _clock(name: str, label: str, told: str, span: Span) -> None:
    said(label, "dt")
    with ui.element("dd"):
        with ui.element("div").classes("m-track").props('aria-hidden="true"'):
            going_on = "" if span.until is not None else " m-goes-on"
            ui.element("div").classes(f"m-span m-{name}{going_on}").style(f"left:{span.left}%;width:{span.width}%")
        said(told, "p")


def line_shown(known: Full, browsing: Browsing) -> None:
    """Tell what took whose place, each a way to it; and what it was made from."""
    words = browsing.visitor.words
    if len(known.line) > 1:
        with section(words("memories.line.title")), ui.element("ol").classes("m-line"):
            for each in known.line:
                _related(each, known, browsing)
    if known.made_from:
        with section(words("memories.one.made_from")), ui.element("ul").classes("m-line"):
            for each in known.made_from:
                _related(each, known, browsing)


def _related(memory: Memory, known: Full, browsing: Browsing) -> None:
    visitor, words = browsing.visitor, browsing.visitor.words
    held = standing(memory, known.present)
    with ui.element("li") as item:
        if memory.id == known.memory.id:
            item.props["aria-current"] = "true"
            said(short(memory.content), "strong")
        else:
            address = replace(browsing.looking, memory=memory.id).address(visitor.scope)
            link(short(memory.content), address, partial(browsing.open, memory.id))
        with ui.element("span").classes("g-row"):
            chip(words(f"shared.states.{held}"), CHIPS[held])
            until = f" – {day(memory.invalid_at, visitor)}" if memory.invalid_at else " –"
            said(f"{day(memory.valid_at, visitor)}{until}", "span").classes("g-dim g-small g-number")


def sources_shown(known: Full, browsing: Browsing) -> None:
    """Tell the turns that it came from, in their own words."""
    words, memory = browsing.visitor.words, known.memory
    with section(words("memories.sources.title")):
        if not known.sources:
            said(words(f"memories.sources.{'gone' if memory.sources else 'none'}")).classes("g-dim")
        for turn in known.sources:
            _turn(turn, memory, browsing)
        if known.more_sources:
            said(words("memories.sources.more", n=SOURCES)).classes("g-dim g-small")


def _turn(turn: Turn, memory: Memory, browsing: Browsing) -> None:
    visitor, words = browsing.visitor, browsing.visitor.words
    with ui.element("figure").classes("m-turn"):
        said(moment_told(turn.at, visitor), "figcaption").classes("g-dim g-small")
        for utterance in turn.utterances:
            here = utterance.id in memory.sources
            with ui.element("blockquote").classes("m-said m-here" if here else "m-said"):
                said(speaker_named(utterance.speaker, visitor.scope, words), "b")
                said(utterance.text, "span")
                if here:
                    chip(words("memories.sources.here"), "good")


def why_shown(known: Full, browsing: Browsing) -> None:
    """Tell why it is kept: who read it, how it was weighed, how often it came up."""
    words = browsing.visitor.words
    with section(words("memories.why.title")):
        with ui.element("dl").classes("m-facts"):
            for name, told in _reasons(known, browsing):
                with ui.element("div"):
                    said(words(f"memories.why.{name}"), "dt")
                    said(told, "dd")
        worth = _promotion(known)
        if worth is not None:
            _weighed(worth, browsing)


def _reasons(known: Full, browsing: Browsing) -> list[tuple[str, str]]:
    words, memory = browsing.visitor.words, known.memory
    told = [
        ("origin", words(f"shared.origins.{memory.origin}")),
        ("reader", memory.extractor),
        ("speaker", speaker_named(memory.speaker, browsing.visitor.scope, words)),
        ("value", memory.value or ""),
        ("importance", str(per_cent(memory.importance))),
        ("strength", str(per_cent(known.strength))),
        ("certainty", str(per_cent(memory.certainty))),
        ("mentions", words("memories.why.times", n=memory.mentions)),
        ("uses", words("memories.why.times", n=memory.uses)),
        ("kind", words(f"shared.kinds.{memory.kind}")),
        ("channel", memory.channel or ""),
        ("tags", ", ".join(memory.tags)),
        ("pii", ", ".join(memory.pii_flags)),
        ("interpretation", memory.interpretation or ""),
    ]
    return [(name, value) for name, value in told if value]


def _promotion(known: Full) -> Promotion | None:
    """Return how the claim that it came from was weighed."""
    for operation, change in known.history:
        for decision in operation.decisions:
            if change.before is None and change in decision.changes:
                return promotion_of(decision)
    return None


def _weighed(worth: Promotion, browsing: Browsing) -> None:
    words = browsing.visitor.words
    score = f"{words('memories.why.score')} {per_cent(worth.score)}"
    with ui.element("details").classes("m-weighed"):
        said(score, "summary")
        with ui.element("ul").classes("m-bars"):
            for part in fields(worth):
                if part.name != "score":
                    _bar(words(f"memories.parts.{part.name}"), per_cent(getattr(worth, part.name)))


def _bar(label: str, share: int) -> None:
    with ui.element("li"):
        said(label, "span")
        with ui.element("span").classes("m-track").props('aria-hidden="true"'):
            ui.element("span").classes("m-span m-known").style(f"left:0;width:{share}%")
        said(str(share), "span").classes("g-number g-small")


def history_shown(known: Full, browsing: Browsing, roll_back: Callable[[Happening], Awaitable[None]] | None) -> None:
    """Tell everything that happened to it, oldest first; `roll_back` is None for who may not."""
    words = browsing.visitor.words
    with section(words("memories.history.title")), ui.element("ol").classes("m-history"):
        for each in happenings(known.history, known.memory, browsing.visitor, known.actors):
            with ui.element("li").classes("m-undone" if each.undone else ""):
                _entry(each, browsing)
                if each.restorable and roll_back is not None:
                    undo = button(words("memories.history.restore"), partial(roll_back, each))
                    undo.props["aria-label"] = (
                        f"{words('memories.history.restore')}: {words('memories.history.entry', n=each.number)}"
                    )


def _entry(each: Happening, browsing: Browsing) -> None:
    visitor, words = browsing.visitor, browsing.visitor.words
    with ui.element("div").classes("g-row"):
        said(each.what, "strong")
        said(each.who, "span").classes("g-small")
        said(words("memories.history.entry", n=each.number), "span").classes("g-dim g-small g-number")
        if each.undone:
            chip(words("memories.history.undone"), "warn")
    with ui.element("div").classes("g-row g-dim g-small g-number"):
        said(words("memories.history.told", at=moment_told(each.at, visitor)), "span")
        said(words("memories.history.recorded", at=moment_told(each.recorded_at, visitor)), "span")
    if each.why:
        said(each.why).classes("g-dim g-small")
    if each.differences:
        with ui.element("ul").classes("m-differences"):
            for difference in each.differences:
                _difference(difference)


def _difference(difference: Difference) -> None:
    with ui.element("li"):
        said(difference.what, "span").classes("g-dim g-small")
        if difference.before is not None:
            said(difference.before, "del")
        if difference.before is not None and difference.after is not None:
            said("→", "span").props('aria-hidden="true"')
        if difference.after is not None:
            said(difference.after, "ins")
