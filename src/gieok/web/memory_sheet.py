"""One memory on a sheet beside the list: both clocks, sources, weights and history; and correcting it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from nicegui import ui

from gieok.bank import Mind
from gieok.domain.actor import Actor
from gieok.domain.audit import act_of
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Amend, Confirm, Hide, Learn, Operation, Pin, Reject, Restore
from gieok.domain.record import decision_name, promotion_of
from gieok.domain.turn import Turn
from gieok.errors import MemoryMoved, UnknownMemory
from gieok.web import kit
from gieok.words import Words
from gieok.words.reasons import reason

if TYPE_CHECKING:
    from gieok.web.memories import MemoryBrowser

_LONG: Final = 120  #: characters from which on a title is set smaller
_MADE_FROM: Final = 20  #: memories shown of those that one was made from
_SOURCES: Final = 12  #: turns shown
_RESTORED: Final = (  #: the fields that rolling back changes
    "content", "value", "polarity", "pinned", "doubtful", "retracted", "forgotten_at", "faded_at", "valid_at",
    "invalid_at", "closed_by",
)  # fmt: skip
_THINNEST: Final = 1.5  #: least width of a span, in per cent
History = Sequence[tuple[Operation, Change]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Everything about one memory."""

    memory: Memory
    present: datetime
    strength: float
    history: History
    actors: Mapping[int, Actor]  #: by the number of the operation
    sources: Sequence[Turn]
    line: Sequence[Memory]  #: what it replaced, itself, and what replaced it
    made_from: Sequence[Memory]


def read(mind: Mind, memory_id: str) -> Known:
    """Read everything about a memory. Raises `UnknownMemory`."""
    memory = mind.memory(memory_id)
    made_from = []
    for each in memory.made_from[:_MADE_FROM]:
        try:
            made_from.append(mind.memory(each))
        except UnknownMemory:
            continue
    return Known(
        memory=memory,
        present=mind.present(),
        strength=mind.strengths([memory])[memory.id],
        history=mind.history(memory_id),
        actors={each.operation: each.actor for each in mind.versions(memory_id) if each.actor is not None},
        sources=mind.sources(memory_id, _SOURCES + 1),
        line=mind.lineage(memory_id),
        made_from=made_from,
    )


def believed_until(history: History) -> datetime | None:
    """Return since when the memory is no longer believed; None: it still is.

    A memory whose end was known beforehand is believed all along.
    """
    until: datetime | None = None
    for operation, change in history:
        if operation.undone:
            continue
        at, after = operation.moment.at, change.after
        is_open = after is not None and not after.hidden and after.closed_by is None
        if is_open and after is not None and (after.invalid_at is None or after.invalid_at > at):
            until = None
        elif until is None:
            until = at
    return until


def span(since: datetime, until: datetime | None, start: datetime, end: datetime) -> tuple[float, float]:
    """Return left and width in per cent of the time from `since` to `until` on a line from `start` to `end`."""
    whole = end - start
    width = max(100 * (((until or end) - since) / whole), _THINNEST)
    left = max(min(100 * ((since - start) / whole), 100 - width), 0.0)
    return round(left, 2), round(min(width, 100.0), 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One entry of the history; several uses in a row are one entry."""

    operation: Operation
    change: Change
    uses: int = 0  #: how many times it was only used in a context
    restorable: bool = False  #: rolling back to it would change something


def entries(history: History, memory: Memory) -> list[Entry]:
    found: list[Entry] = []
    shown = ("content", "kind", "importance", "pinned", "mentions", "interpretation", *_RESTORED)
    for operation, change in history:
        before, then = change.before, change.after
        used = before is not None and then is not None and then.uses > before.uses
        used = used and all(getattr(before, name) == getattr(then, name) for name in shown)
        if used and found and found[-1].uses:
            found[-1] = Entry(operation=operation, change=change, uses=found[-1].uses + 1)
            continue
        is_there = not operation.undone and then is not None and then.forgotten_at is None
        differs = any(getattr(then, name) != getattr(memory, name) for name in _RESTORED) if is_there else False
        found.append(Entry(operation=operation, change=change, uses=int(used), restorable=differs and not used))
    return found


def what_happened(entry: Entry, words: Words) -> str:
    operation, change = entry.operation, entry.change
    if entry.uses:
        return words("memories.history.used", n=entry.uses)
    match operation.request:
        case Learn():
            for decision in operation.decisions:
                if change in decision.changes:
                    own = decision.changes[0].memory_id == change.memory_id
                    return words(f"shared.decisions.{decision_name(decision)}") if own else _side_effect(change, words)
            return words("memories.history.changed")
        case Amend() | Restore() | Pin() | Confirm() | Reject() | Hide() as request:
            if request.memory_id != change.memory_id:
                return _side_effect(change, words)
            return words(f"shared.operations.{act_of(operation)}")
    actions = [
        kept.action for kept in operation.kept if any(each.memory_id == change.memory_id for each in kept.changes)
    ]
    return words(f"shared.actions.{actions[-1]}") if actions else words(f"shared.operations.{operation.kind}")


def _side_effect(change: Change, words: Words) -> str:
    """Return what happened to a memory because of another."""
    before, after = change.before, change.after
    if after is None or before is None:
        return words("memories.history.changed")
    if after.retracted and not before.retracted:
        return words("shared.decisions.retract")
    if after.closed_by is not None and before.closed_by != after.closed_by:
        return words("memories.history.closed")
    if after.closed_by is None and before.closed_by is not None:
        return words("memories.history.opened")
    let_go = after.faded_at is not None and before.faded_at is None
    return words(f"memories.history.{'let_go' if let_go else 'changed'}")


class MemorySheet:
    """The sheet. Closing it brings the focus back to the memory in the list."""

    def __init__(self, browser: MemoryBrowser) -> None:
        self._browser = browser
        self._viewer = browser.viewer
        self._words = browser.viewer.words
        self._shown: Known | None = None
        with ui.dialog().props("position=right full-height").classes("m-sheet") as self._dialog:
            self._sheet = kit.box("g-card m-one")
        self._dialog.props["aria-label"] = self._words("memories.column.what")
        self._dialog.on("hide", self._hidden, args=[])

    @property
    def _known(self) -> Known:
        assert self._shown is not None, "there is a memory on the sheet"
        return self._shown

    async def show(self, memory_id: str | None) -> None:
        """Show a memory, or (None) close the sheet."""
        if memory_id is None:
            self._dialog.close()
            return
        try:
            self._shown = await self._viewer.ask(read, memory_id)
        except UnknownMemory:
            self._shown = None
            self._notify("memories.unknown", "warning")
            await self._browser.open(None)
            return
        self._draw()
        if self._dialog.value:
            self._focus_title()
        self._dialog.open()

    async def _hidden(self) -> None:
        open_now = self._browser.query.memory
        closed = self._shown.memory.id if self._shown else open_now
        if open_now is not None and open_now == closed:
            await self._browser.open(None)
        anchor = self._browser.anchor(closed) if closed is not None else None
        if anchor is not None:
            ui.run_javascript(f"getHtmlElement({anchor.id})?.focus()")

    def _draw(self) -> None:
        words, known = self._words, self._known
        memory, state = known.memory, kit.state_of(known.memory, known.present)
        self._sheet.clear()
        with self._sheet:
            with kit.box("m-top"):
                with kit.box("g-stack"):
                    length = "m-title m-long" if len(memory.content) > _LONG else "m-title"
                    kit.write(memory.content, "h2", length).props('tabindex="-1"')
                    with kit.box("g-row"):
                        kit.chip(words(f"shared.states.{state}"), kit.STATE_COLOURS[state])
                        if memory.pinned:
                            kit.chip(words("memories.row.pinned"), "info")
                        if memory.doubtful:
                            kit.chip(words("memories.row.doubtful"), "warn")
                        if memory.pii_flags:
                            kit.chip(words("memories.row.pii"), "warn")
                        about = f"{self._person(memory.subject_id)} · {kit.full_kind_name(memory, words)}"
                        kit.write(about, "span", "g-dim g-small")
                kit.button("✕", self._dialog.close, label=words("frame.close"), quiet=True)
            self._draw_buttons()
            self._draw_clocks()
            if len(known.line) > 1:
                self._draw_related("memories.line.title", known.line, "ol")
            if known.made_from:
                self._draw_related("memories.one.made_from", known.made_from, "ul")
            self._draw_sources()
            self._draw_why()
            self._draw_history()

    @contextmanager
    def _section(self, key: str) -> Iterator[None]:
        with kit.box("m-section", "section"):
            kit.write(self._words(key), "h3")
            yield

    def _person(self, who: str) -> str:
        return kit.person(who, self._viewer.scope, self._words)

    def _draw_buttons(self) -> None:
        words, memory = self._words, self._known.memory
        is_picked = memory.id in self._viewer.own_session.picked
        with kit.box("g-stack") as self._buttons, kit.box("g-row"):
            if self._browser.may_write and memory.forgotten_at is None:
                waits = memory.doubtful and not memory.hidden
                if waits:
                    confirm = partial(self._change, "confirmed", Mind.confirm)
                    kit.button(words("memories.one.confirm"), confirm, main=True)
                    kit.button(words("memories.one.reject"), partial(self._change, "rejected", Mind.reject))
                kit.button(words("memories.one.correct"), self._begin_correcting, main=not waits)
                if not memory.doubtful:
                    kit.button(words(f"memories.choosing.{'unpin' if memory.pinned else 'pin'}"), self._pin)
                kit.button(words("memories.choosing.forget"), self._forget)
            if memory.forgotten_at is None or is_picked:
                kit.button(words(f"shared.picked.{'unpick' if is_picked else 'pick'}"), self._pick, quiet=True)

    def _draw_clocks(self) -> None:
        """Draw when it was true and when it was known, on one line of time."""
        viewer, words, known, memory = self._viewer, self._words, self._known, self._known.memory
        believed = believed_until(known.history)
        start = min(memory.valid_at, memory.known_at)
        ends = [each for each in (memory.invalid_at, believed, known.present) if each is not None]
        end = max(*ends, memory.valid_at, memory.known_at, start + timedelta(microseconds=1))
        if memory.retracted:
            kind = "never"
        elif memory.invalid_at is not None:
            kind = "closed"
        else:
            kind = "coming" if memory.valid_at > known.present else "open"
        clocks: list[tuple[str, str, datetime, datetime | None]] = [
            ("valid", kind, memory.valid_at, memory.invalid_at),
            ("known", "open" if believed is None else "closed", memory.known_at, believed),
        ]
        with self._section("memories.clocks.title"), kit.box("m-clocks", "dl"):
            for name, kind, since, until in clocks:
                left, width = span(since, until, start, end)
                kit.write(words(f"memories.clocks.{name}"), "dt")
                with kit.box("", "dd"):
                    with kit.box("m-track", aria_hidden="true"):
                        going_on = "" if until is not None else " m-goes-on"
                        kit.box(f"m-span m-{name}{going_on}").style(f"left:{left}%;width:{width}%")
                    dates = {
                        "since": kit.date_time(since, viewer),
                        "until": kit.date_time(until, viewer) if until else "",
                    }
                    kit.write(words(f"memories.clocks.{name}_{kind}", **dates))
            recorded = words("memories.clocks.recorded", at=kit.date_time(memory.recorded_at, viewer))
            kit.write(recorded, "dd", "g-dim g-small")

    def _draw_related(self, title: str, memories: Sequence[Memory], tag: str) -> None:
        viewer = self._viewer
        with self._section(title), ui.element(tag).classes("m-line"):
            for memory in memories:
                state = kit.state_of(memory, self._known.present)
                with kit.box("", "li") as item:
                    if memory.id == self._known.memory.id:
                        item.props["aria-current"] = "true"
                        kit.write(kit.short(memory.content), "strong")
                    else:
                        self._browser.memory_link(kit.short(memory.content), memory.id)
                    with kit.box("g-row", "span"):
                        kit.chip(self._words(f"shared.states.{state}"), kit.STATE_COLOURS[state])
                        until = f" {kit.day(memory.invalid_at, viewer)}" if memory.invalid_at else ""
                        kit.write(f"{kit.day(memory.valid_at, viewer)} –{until}", "span", "g-dim g-small g-number")

    def _draw_sources(self) -> None:
        words, memory, turns = self._words, self._known.memory, self._known.sources
        with self._section("memories.sources.title"):
            if not turns:
                kit.write(words(f"memories.sources.{'gone' if memory.sources else 'none'}")).classes("g-dim")
            for turn in turns[:_SOURCES]:
                with kit.box("m-turn", "figure"):
                    kit.write(kit.date_time(turn.at, self._viewer), "figcaption", "g-dim g-small")
                    for utterance in turn.utterances:
                        here = utterance.id in memory.sources
                        with ui.element("blockquote").classes("m-said m-here" if here else "m-said"):
                            kit.write(self._person(utterance.speaker), "b")
                            kit.write(utterance.text, "span")
                            if here:
                                kit.chip(words("memories.sources.here"), "good")
            if len(turns) > _SOURCES:
                kit.hint(words("memories.sources.more", n=_SOURCES))

    def _draw_why(self) -> None:
        words, known, memory = self._words, self._known, self._known.memory
        told = {
            "origin": words(f"shared.origins.{memory.origin}"),
            "reader": kit.source_name(memory.extractor, words),
            "speaker": self._person(memory.speaker),
            "value": memory.value or "",
            "importance": str(kit.per_cent(memory.importance)),
            "strength": str(kit.per_cent(known.strength)),
            "certainty": str(kit.per_cent(memory.certainty)),
            "mentions": words("memories.why.times", n=memory.mentions),
            "uses": words("memories.why.times", n=memory.uses),
            "kind": words(f"shared.kinds.{memory.kind}"),
            "channel": memory.channel or "",
            "tags": ", ".join(words.label("tags", tag) for tag in memory.tags),
            "pii": ", ".join(kit.pii_name(flag, words) for flag in memory.pii_flags),
            "interpretation": memory.interpretation or "",
        }
        # How the claim that the memory came from was weighed.
        made = [(each, change) for each, change in known.history if change.before is None]
        weighed = [
            promotion_of(each) for operation, change in made for each in operation.decisions if change in each.changes
        ]
        worth = weighed[0] if weighed else None
        with self._section("memories.why.title"):
            kit.facts({words(f"memories.why.{name}"): value for name, value in told.items() if value}, "m-facts")
            if worth is None:
                return
            with kit.box("m-weighed", "details"):
                kit.write(f"{words('memories.why.score')} {kit.per_cent(worth.score)}", "summary")
                with kit.box("m-bars", "ul"):
                    for part in fields(worth):
                        if part.name != "score":
                            share = kit.per_cent(getattr(worth, part.name))
                            with kit.box("", "li"):
                                kit.write(words(f"shared.parts.{part.name}"), "span")
                                with kit.box("m-track", "span", aria_hidden="true"):
                                    kit.box("m-span m-known", "span").style(f"left:0;width:{share}%")
                                kit.write(str(share), "span", "g-number g-small")

    def _draw_history(self) -> None:
        words = self._words
        with self._section("memories.history.title"), kit.box("m-history", "ol"):
            for each in entries(self._known.history, self._known.memory):
                with ui.element("li").classes("m-undone" if each.operation.undone else ""):
                    self._draw_entry(each)
                    if each.restorable and self._browser.may_write:
                        restore = words("memories.history.restore")
                        label = f"{restore}: {words('memories.history.entry', n=each.operation.number)}"
                        kit.button(restore, partial(self._restore, each), label=label)

    def _draw_entry(self, each: Entry) -> None:
        viewer, words, operation, change = self._viewer, self._words, each.operation, each.change
        # A person by name where it is known; for a rule or a pass also on whose behalf.
        actor = self._known.actors.get(operation.number)
        name, source = actor.name if actor is not None else "", kit.source_name(operation.who, words)
        who = name or source if operation.who == "person" else " · ".join(filter(None, (source, name)))
        with kit.box("g-row"):
            kit.write(what_happened(each, words), "strong")
            kit.write(who, "span", "g-small", title=operation.who)
            kit.write(words("memories.history.entry", n=operation.number), "span", "g-dim g-small g-number")
            if operation.undone:
                kit.chip(words("memories.history.undone"), "warn")
        with kit.box("g-row g-dim g-small g-number"):
            kit.write(words("memories.history.told", at=kit.date_time(operation.moment.at, viewer)), "span")
            kit.write(
                words("memories.history.recorded", at=kit.date_time(operation.moment.recorded_at, viewer)), "span"
            )
        if operation.why:
            kit.hint(reason(operation.why, words))
        changes: list[tuple[str, str | None, str | None]] = [*kit.field_changes(change, viewer)]
        if change.before is None or change.after is None:
            was, now = (memory.content if memory else None for memory in (change.before, change.after))
            changes = [(words("shared.fields.content"), was, now)]
        if not changes or each.uses:
            return
        with kit.box("m-differences", "ul"):
            for label, before, after in changes:
                with kit.box("", "li"):
                    kit.write(label, "span", "g-dim g-small")
                    if before is not None:
                        kit.write(before, "del")
                    if before is not None and after is not None:
                        kit.write("→", "span").props('aria-hidden="true"')
                    if after is not None:
                        kit.write(after, "ins")

    def _begin_correcting(self) -> None:
        words = self._words
        self._buttons.clear()
        with self._buttons:
            field = ui.textarea(label=words("memories.one.correct_label"), value=self._known.memory.content)
            self._correction = field.props("outlined autogrow autofocus")
            with kit.box("g-row"):
                kit.button(words("frame.save"), self._correct, main=True)
                kit.button(words("frame.cancel"), self._redraw, quiet=True)

    def _redraw(self) -> None:
        self._draw()
        self._focus_title()

    async def _correct(self) -> None:
        memory, content = self._known.memory, str(self._correction.value or "").strip()
        if content == memory.content:
            self._notify("memories.one.unchanged", "info")
            self._redraw()
            return
        await self._do("corrected", lambda mind: mind.correct(memory.id, content, if_version=memory.version))

    async def _pin(self) -> None:
        pinned = self._known.memory.pinned
        await self._change("unpinned" if pinned else "pinned", partial(Mind.pin, pinned=not pinned))

    async def _forget(self) -> None:
        words = self._words
        agreed = await kit.confirm(
            words("memories.one.sure_forget"),
            words("memories.choosing.sure_forget_text"),
            yes=words("memories.choosing.forget"),
            no=words("frame.cancel"),
            danger=True,
        )
        if agreed:
            await self._change("forgotten", Mind.forget)

    async def _restore(self, to: Entry) -> None:
        words, memory, then = self._words, self._known.memory, to.change.after
        closer = next((each for each in self._known.line if each.id == memory.closed_by), None)
        told = {
            "content": kit.short(then.content if then else ""),
            "closer": kit.short(closer.content) if closer else "",
        }
        agreed = await kit.confirm(
            words("memories.history.sure_restore"),
            words(f"memories.history.sure_restore_{'closer' if closer else 'text'}", **told),
            yes=words("memories.history.restore"),
            no=words("frame.cancel"),
        )
        if agreed:
            version = memory.version
            await self._do("restored", lambda mind: mind.restore(memory.id, to.operation.id, if_version=version))

    async def _change(self, done: str, act: Callable[..., object]) -> None:
        memory = self._known.memory
        await self._do(done, lambda mind: act(mind, memory.id, if_version=memory.version))

    async def _do(self, done: str, act: Callable[[Mind], object]) -> None:
        """Change the memory and show it; where somebody else has changed it meanwhile, show only that."""
        memory_id, related = self._known.memory.id, [each.id for each in self._known.line]
        try:
            await self._viewer.change(act)
        except MemoryMoved:
            self._notify("memories.one.moved", "warning")
        except UnknownMemory:
            self._notify("memories.one.gone", "warning")
        else:
            self._notify(f"memories.one.{done}", "positive")
        self._shown = await self._viewer.ask(read, memory_id)
        self._redraw()
        if self._known.memory.forgotten_at is not None:
            self._browser.drop([memory_id])
        await self._browser.update(dict.fromkeys([memory_id, *related]))

    def _pick(self) -> None:
        session, memory_id = self._viewer.own_session, self._known.memory.id
        session.drop([memory_id]) if memory_id in session.picked else session.pick([memory_id])
        self._browser.show_picked()
        self._redraw()

    def _focus_title(self) -> None:
        with self._sheet:
            ui.run_javascript(f"getHtmlElement({self._sheet.id})?.querySelector('.m-title')?.focus()")

    def _notify(self, key: str, kind: Literal["positive", "warning", "info"]) -> None:
        with self._sheet:
            ui.notify(self._words(key), type=kind)
