"""The page "upkeep": which passes are due, what they would do, the journal, conclusions and sizes."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Final

from nicegui import ui

from gieok.bank import Mind
from gieok.bank.history import Grounds
from gieok.domain.answer import CallSum
from gieok.domain.decision import Ignore
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation, Pin, Undo
from gieok.domain.scope import Holdings
from gieok.domain.upkeep import Kept, Measured, Outlook, PassName, What, change_kind, change_text
from gieok.errors import Forbidden
from gieok.web import kit
from gieok.web.viewer import Viewer
from gieok.words import Words
from gieok.words.reasons import reason

_WHAT_COLOURS: Final[dict[What, str]] = {"new": "good", "changed": "warn", "closed": ""}
_SORTS: Final = ("rolling", "profile", "insight", "weekly", "merged")  #: of conclusions, in this order
_JOURNAL_PAGE: Final = 20
_CONCLUSIONS_PAGE: Final = 12
_CALL_COLUMNS: Final = ("task", "model", "calls", "failed", "tokens", "seconds", "cost")
_MOST: Final = 40  #: changes of a pass that are shown; a first pass over a large memory may make hundreds
_SCROLL: Final = "document.querySelector('.u-outcome').scrollIntoView({block: 'nearest'})"  # on a small screen


async def build(viewer: Viewer) -> None:
    words = viewer.words
    kit.style("upkeep")
    kit.heading(words("frame.pages.upkeep"))
    kit.write(words("upkeep.intro")).classes("g-dim")
    with kit.box("g-split u-top"):
        await _Passes(viewer, then=lambda: load_rest()).draw()
    with kit.box("g-split"):
        with kit.card(words("upkeep.journal.title"), "u-journal-card"):
            kit.hint(words("upkeep.journal.intro"))
            journal = kit.GrowingList(
                partial(_journal_page, viewer),
                partial(_draw_operation, viewer),
                more=words("upkeep.journal.older"),
                tag="ol",
                classes="u-journal",
                empty=(words("upkeep.journal.empty"), words("upkeep.journal.empty_text")),
                end=words("upkeep.journal.all"),
            )
        with kit.box("g-stack u-side"):
            with kit.card(words("upkeep.concluded.title"), "u-concluded"):
                kit.hint(words("upkeep.concluded.intro"))
                concluded = kit.GrowingList(
                    partial(_conclusions_page, viewer),
                    partial(_draw_conclusion, viewer),
                    more=words("frame.more"),
                    empty=(words("upkeep.concluded.empty"), words("upkeep.concluded.empty_text")),
                )
            with kit.card(words("upkeep.figures.title"), "u-figures"):
                figures = kit.box("g-stack")

    async def load_rest() -> None:
        await concluded.load()
        await journal.load()
        draw = await _figures(viewer)
        figures.clear()
        with figures:
            draw()

    ui.timer(0, load_rest, once=True)  # the passes are there at once; the rest may take a moment in a large bank


def draw_changes(viewer: Viewer, changes: Iterable[Change], *, links: bool = True) -> None:
    """Draw what changed in each memory; without `links` new ones have none, as in a preview."""
    with kit.box("u-effects", "ul"):
        for change in changes:
            what = change_kind(change)
            with kit.box(f"u-effect u-{what}", "li"):
                kit.chip(viewer.words(f"upkeep.what.{what}"), _WHAT_COLOURS[what])
                with kit.box("u-words"):
                    if links or what != "new":
                        kit.memory_link(change_text(change), change.memory_id)
                    else:
                        kit.write(change_text(change), "span")
                    for label, before, after in kit.field_changes(change, viewer):
                        with kit.box("u-difference g-small g-dim", "p"):
                            kit.write(label, "span")
                            kit.write(before, "span", "u-before")
                            kit.write("→", "span").props('aria-hidden="true"')
                            kit.write(after, "span", "u-after")


async def _journal_page(viewer: Viewer, before: int | None) -> tuple[list[Operation], int | None]:
    operations = await viewer.ask(Mind.last_operations, _JOURNAL_PAGE, before=before)
    following = operations[0].number if operations and operations[0].number > 1 else None
    return operations[::-1], following


def _draw_operation(viewer: Viewer, each: Operation) -> None:
    words, request = viewer.words, each.request
    kind = "unpin" if isinstance(request, Pin) and not request.pinned else each.kind
    colours = {"rewind": "bad", "observe": "good"}
    with kit.box(f"u-entry{' u-undone' if each.undone else ''}", "li"):
        with kit.box("g-row"):
            colour = colours.get(each.kind, "info" if each.who.startswith("upkeep") else "warn")
            kit.chip(words(f"shared.operations.{kind}"), colour)
            kit.write(kit.date_time(each.moment.at, viewer), "span", "g-number g-small")
            by = words("upkeep.journal.by", who=kit.source_name(each.who, words))
            kit.write(by, "span", "g-dim g-small", title=each.who)
            if each.undone:
                kit.chip(words("upkeep.journal.undone"), "bad")
            kit.write(words("upkeep.journal.number", n=each.number), "span", "g-dim g-small g-number u-end")
        for line in operation_lines(each, words):
            kit.hint(line)
        if each.changes:
            draw_changes(viewer, each.changes)


def operation_lines(each: Operation, words: Words) -> list[str]:
    """Return the reasons of an operation, and what it did besides changing memories."""
    whys = (each.why, *(kept.why for kept in each.kept))
    lines = list(dict.fromkeys(reason(why, words) for why in whys if why))
    if isinstance(each.request, Undo):
        lines.append(words("upkeep.journal.took_back", n=len(each.request.operations)))
    kinds = dict.fromkeys(move.kind for move in each.moves if move.kind != "pass")
    beside = [words(f"upkeep.moves.{kind}") for kind in kinds]
    if ignored := sum(isinstance(decision, Ignore) for decision in each.decisions):
        beside.append(words("upkeep.journal.ignored", n=ignored))
    if beside:
        lines.append(" · ".join(beside))
    return lines if lines or each.changes else [words("upkeep.journal.nothing")]


def sort_of(memory: Memory) -> str:
    if "weekly" in memory.tags:
        return "weekly"
    return {"profile": "profile", "insight": "insight", "summary": "rolling"}.get(memory.content_type, "merged")


def in_order(memories: Iterable[Memory]) -> list[Memory]:
    """Return the story so far first, and of each sort the newest first."""
    newest = sorted(memories, key=lambda memory: (memory.valid_at, memory.known_at), reverse=True)
    return sorted(newest, key=lambda memory: _SORTS.index(sort_of(memory)))


async def _conclusions_page(
    viewer: Viewer, left: Sequence[Memory] | None
) -> tuple[list[tuple[Memory, Grounds]], Sequence[Memory] | None]:
    left = in_order(await viewer.ask(Mind.conclusions)) if left is None else left
    page = left[:_CONCLUSIONS_PAGE]
    grounds = await viewer.ask(Mind.grounds, [memory.id for memory in page])
    return [(memory, grounds[memory.id]) for memory in page], left[_CONCLUSIONS_PAGE:] or None


def _draw_conclusion(viewer: Viewer, each: tuple[Memory, Grounds]) -> None:
    words, (memory, grounds) = viewer.words, each
    with kit.box("u-conclusion", "details"):
        with kit.box("", "summary"):
            kit.chip(words(f"upkeep.concluded.{sort_of(memory)}"), "info")
            if memory.subject in ("other", "character"):
                kit.chip(kit.person(memory.subject_id, viewer.scope, words))
            kit.write(memory.content.partition("\n")[0], "span", "u-headline")
        with kit.box("g-stack u-inside"):
            kit.memory_link(memory.content, memory.id).classes("u-text")
            kit.hint(words("upkeep.concluded.written", at=kit.date_time(memory.known_at, viewer)))
            count = {"memories": len(grounds.memories), "words": len(grounds.utterances)}
            kit.write(words("upkeep.concluded.rests_on", **count), "h3")
            if grounds.memories or grounds.utterances:
                with kit.box("u-grounds", "ul"):
                    for ground in grounds.memories:
                        with kit.box("", "li"):
                            kit.memory_link(ground.content, ground.id)
                    for utterance in grounds.utterances:
                        with kit.box("", "li"):
                            kit.write(f"“{utterance.text}”", "span", "u-quote")
                            kit.write(kit.date_time(utterance.at, viewer), "span", "g-dim g-small")
            if grounds.gone:
                kit.hint(words("upkeep.concluded.gone", n=grounds.gone))


def waits_for(measured: Measured | None, words: Words) -> str:
    """Return what a pass waits for, and how much of it there is."""
    if measured is None:
        return words("upkeep.waits.off")
    if measured.by == "stale":
        return words("upkeep.waits.stale")
    have, need = measured.have, measured.need
    if measured.by != "hours":
        return words(f"upkeep.waits.{measured.by}", have=round(have), need=round(need))

    def lasting(hours: float) -> str:
        days = hours >= 48
        return words(f"upkeep.waits.{'a_day' if days else 'an_hour'}", n=int(hours // 24 if days else hours))

    return words("upkeep.waits.hours", have=lasting(have), need=lasting(need))


def pass_names(passes: Iterable[PassName], words: Words) -> str:
    return ", ".join(words(f"upkeep.passes.{name}") for name in passes)


class _Outcome:
    def __init__(self, viewer: Viewer) -> None:
        self._viewer = viewer
        words = viewer.words
        with kit.card(words("upkeep.outcome.title"), "u-outcome") as whole:
            whole.props('tabindex="0"').props["aria-label"] = words("upkeep.outcome.title")  # it scrolls by itself
            self._status = kit.status(words("upkeep.outcome.hint"), "u-told")
            self._progress = ui.linear_progress(0, show_value=False, color=None).classes("u-progress")
            self._progress.props["aria-label"] = words("upkeep.outcome.title")
            self._progress.set_visibility(False)
            self._list = kit.box("g-stack")

    async def preview(self, names: Sequence[PassName]) -> None:
        """Show what `names` would do. They run together: each builds on what the one before would have done."""
        words = self._viewer.words
        self._show(words("upkeep.outcome.looking"))
        ui.run_javascript(_SCROLL)
        would = await self._viewer.ask(Mind.maintain, [*names], dry_run=True)
        passes = pass_names(names, words)
        self._show(words("upkeep.outcome.would" if would.kept else "upkeep.outcome.would_nothing", passes=passes))
        self._draw_kept(would.kept, links=False)

    async def run(self, names: Sequence[PassName]) -> None:
        """Run `names` one after the other, and show what they did."""
        words, kept, busy = self._viewer.words, list[Kept](), False
        self._show("")
        ui.run_javascript(_SCROLL)
        self._progress.set_visibility(True)
        try:
            for number, name in enumerate(names, start=1):
                at = {"n": number, "all": len(names), "pass": words(f"upkeep.passes.{name}")}
                self._status.text = words("upkeep.outcome.working", **at)
                self._progress.value = (number - 1) / len(names)
                did = await self._viewer.change(Mind.maintain, [name])
                busy = busy or did.busy
                kept += did.kept
        finally:
            self._progress.set_visibility(False)
        result = "busy" if busy else "did" if kept else "nothing"
        self._show(words(f"upkeep.outcome.{result}", passes=pass_names(names, words)))
        self._draw_kept(kept, links=True)

    def _show(self, text: str) -> None:
        self._status.text = text
        self._list.clear()

    def _draw_kept(self, kept: Sequence[Kept], *, links: bool) -> None:
        viewer, words = self._viewer, self._viewer.words
        counts = Counter(change_kind(change) for each in kept for change in each.changes)
        with self._list:
            if counts:
                found = ((what, counts[what]) for what in _WHAT_COLOURS if counts[what])
                line = " · ".join(words(f"upkeep.outcome.{what}", n=count) for what, count in found)
                kit.write(line, "p", "g-number u-counts")
            for each in kept[:_MOST]:
                with kit.box("u-deed"):
                    with kit.box("g-row"):
                        kit.chip(words(f"shared.actions.{each.action}"), "info")
                        kit.write(reason(each.why, words), "span", "g-dim g-small")
                    draw_changes(viewer, each.changes, links=links)
            if len(kept) > _MOST:
                kit.write(words("upkeep.outcome.more", n=len(kept) - _MOST)).classes("g-dim")


class _Passes:
    """The card with all passes. One thing is done at a time."""

    _outcome: _Outcome
    _status: kit.TextElement

    def __init__(self, viewer: Viewer, *, then: Callable[[], Awaitable[None]]) -> None:
        self._viewer = viewer
        self._then = then  #: called after a run
        self._due: list[PassName] = []
        self._may_write = False
        self._working = False
        self._all: list[ui.button] = []  #: the buttons for all that is due
        self._buttons: list[ui.button] = []
        self._update: dict[PassName, Callable[[Outlook], None]] = {}

    async def draw(self) -> None:
        words = self._viewer.words
        found = await self._viewer.ask(Mind.outlook)
        self._may_write = await self._viewer.may("writer")
        with kit.card(words("upkeep.due"), "u-passes-card"):
            self._status = kit.status(classes="")
            with kit.box("g-row"):
                preview = lambda: self._do(self._due, run=False)  # noqa: E731  # what is due changes
                self._all.append(self._button(words("upkeep.preview_due"), preview))
                if self._may_write:
                    run = lambda: self._do(self._due, run=True)  # noqa: E731  # as above
                    self._all.append(self._button(words("upkeep.run_due"), run, main=True))
            if not self._may_write:
                kit.hint(words("upkeep.readers"))
            with kit.box("u-passes", "ul"):
                for each in found:
                    self._update[each.name] = self._draw_pass(each.name)
        self._outcome = _Outcome(self._viewer)
        self._show(found)

    def _draw_pass(self, name: PassName) -> Callable[[Outlook], None]:
        """Draw a pass; return what shows how far it is."""
        viewer, words, title = self._viewer, self._viewer.words, self._viewer.words(f"upkeep.passes.{name}")
        with kit.box("u-pass", "li"):
            with kit.box("u-pass-what"):
                with kit.box("g-row"):
                    kit.write(title, "h3")
                    due = kit.chip(words("upkeep.is_due"), "warn")
                kit.hint(words(f"upkeep.does.{name}"))
                with kit.box("u-far"):
                    with kit.box("u-meter", aria_hidden="true"):
                        fill = kit.box("u-fill")
                    far = kit.write("", "span", "g-small g-number")
                ran = kit.hint("")
            with kit.box("u-pass-do"):
                label = words("upkeep.preview_of", **{"pass": title})
                self._button(words("upkeep.preview"), lambda: self._do([name], run=False), label=label)
                if self._may_write:
                    label = words("upkeep.run_of", **{"pass": title})
                    self._button(words("upkeep.run"), lambda: self._do([name], run=True), label=label)

        def show(each: Outlook) -> None:
            share = each.measured.share if each.measured is not None else 0.0
            due.set_visibility(each.due)
            fill.style(f"width: {share:.0%}")
            fill.classes(add="u-full" if each.due else "", remove="" if each.due else "u-full")
            far.text = waits_for(each.measured, words)
            never = words("upkeep.never_ran")
            ran.text = never if each.ran is None else words("upkeep.ran", at=kit.date_time(each.ran.at, viewer))

        return show

    def _button(
        self, text: str, act: Callable[[], Awaitable[None]], *, label: str = "", main: bool = False
    ) -> ui.button:
        made = kit.button(text, act, label=label, main=main)
        self._buttons.append(made)
        return made

    def _show(self, found: Sequence[Outlook]) -> None:
        words = self._viewer.words
        self._due = [each.name for each in found if each.due]
        for each in found:
            self._update[each.name](each)
        now = words("upkeep.due_now", n=len(self._due), passes=pass_names(self._due, words))
        self._status.text = now if self._due else words("upkeep.nothing_due")
        self._enable()

    def _enable(self) -> None:
        for each in self._buttons:
            each.set_enabled(not self._working and (each not in self._all or bool(self._due)))

    async def _do(self, names: Sequence[PassName], *, run: bool) -> None:
        if self._working:
            return
        self._working = True
        self._enable()
        try:
            if run:
                await self._outcome.run(names)
                self._show(await self._viewer.ask(Mind.outlook))
                await self._then()
            else:
                await self._outcome.preview(names)
        finally:
            self._working = False
            self._enable()


async def _figures(viewer: Viewer) -> Callable[[], None]:
    """Read the sizes of this memory and, for a key without bounds, of the bank; return what draws them."""
    words, bank = viewer.words, viewer.bank
    held = await viewer.ask(Mind.holdings)
    try:
        (await viewer.caller()).check("reader")
    except Forbidden:
        info, calls = None, list[CallSum]()
    else:
        info, calls = await asyncio.to_thread(bank.info), await asyncio.to_thread(bank.calls)

    def draw() -> None:
        kit.write(words("upkeep.figures.own"), "h3")
        _draw_counts(own_figures(held), words)
        _draw_chips("states", held.states, words)
        _draw_chips("types", {**held.types, **held.conclusions}, words)
        if info is None:
            kit.hint(words("upkeep.figures.bounded"))
            return
        kit.write(words("upkeep.figures.bank"), "h3")
        made_of = {
            "size": size(info.size_bytes),
            "engine": info.engine,
            "embedder": f"{info.embedder} ({info.dimension})",
            "encrypted": words(f"shared.fields.{'yes' if info.encrypted else 'no'}"),
        }
        counted = ("scopes", "turns", "utterances", "memories", "unembedded")
        _draw_counts({**made_of, **{name: info.counts[name] for name in counted}}, words)
        kit.write(words("upkeep.figures.models"), "h3")
        if not calls:
            kit.hint(words("upkeep.figures.no_models"))
            return
        headings = [words(f"upkeep.figures.{name}") for name in _CALL_COLUMNS]
        with kit.table(headings, words("upkeep.figures.models")):
            for (task, model), numbers in calls_by_task(calls).items():
                with kit.row(words.some("upkeep.tasks").get(task, task)):
                    kit.cell(model)
                    for each in numbers:
                        kit.cell(each, "g-number")

    return draw


def own_figures(held: Holdings) -> dict[str, int]:
    """Return the counters of one memory; rewound turns and documents only where there are any."""
    names = ("turns", "rewound", "utterances", "memories", "concluded", "people", "scenes", "operations", "traces")
    figures = {name: int(getattr(held, name)) for name in (*names, "documents", "unembedded")}
    return {name: count for name, count in figures.items() if count or name not in ("rewound", "documents")}


def _draw_counts(figures: Mapping[str, int | str], words: Words) -> None:
    told = {name: value if isinstance(value, str) else f"{value:,}" for name, value in figures.items()}
    kit.facts({words(f"upkeep.figures.{name}"): value for name, value in told.items()}, "u-numbers", "g-number")


def _draw_chips(kind: str, counts: Mapping[str, int], words: Words) -> None:
    if not counts:
        return
    with kit.box("g-row"):
        kit.write(words(f"upkeep.figures.{kind}"), "span", "g-dim g-small")
        for name, count in sorted(counts.items(), key=lambda each: -each[1]):
            kit.chip(f"{words(f'shared.{kind}.{name}')} {count:,}")


def calls_by_task(calls: Iterable[CallSum]) -> dict[tuple[str, str], list[str]]:
    """Return calls, failures, tokens, seconds and cost by task and model, the most frequent first."""
    groups: dict[tuple[str, str], list[CallSum]] = {}
    for each in calls:
        groups.setdefault((each.task, each.model), []).append(each)
    ordered = sorted(groups.items(), key=lambda item: (-sum(each.calls for each in item[1]), item[0]))
    return {
        name: [
            f"{sum(each.calls for each in group):,}",
            f"{sum(each.calls for each in group if each.failure is not None):,}",
            f"{sum(each.prompt_tokens + each.answer_tokens for each in group):,}",
            f"{sum(each.seconds for each in group):,.1f} s",
            f"{sum(each.cost for each in group):,.4f}",
        ]
        for name, group in ordered
    }


def size(count: int) -> str:
    """Return a number of bytes as people read it: 4.2 MB."""
    amount = float(count)
    for unit in ("B", "KB", "MB", "GB"):
        if amount < 1024:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= 1024
    return f"{amount:.1f} TB"
