"""The page "upkeep": what is due, what it would do, what was done, and what it all came to."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from nicegui import ui
from nicegui.element import Element

from gieok.bank import Mind
from gieok.bank.history import Grounds
from gieok.domain.answer import CallSum
from gieok.domain.decision import Ignore
from gieok.domain.memory import Change, Memory
from gieok.domain.operation import Operation, OperationKind, Pin, Undo
from gieok.domain.scope import Holdings
from gieok.domain.upkeep import Action, Kept, Measured, Outlook, PassName, What, what_became, words_of
from gieok.errors import Forbidden
from gieok.web.kit import Said, button, card, chip, heading, memory_link, moment_told, notice, said, style
from gieok.web.visitors import Visitor
from gieok.words import Words

_STEP: Final = 1024
_UNITS: Final = ("B", "KB", "MB", "GB", "TB")


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What one model was asked for one task."""

    task: str
    model: str
    calls: int
    failed: int
    tokens: int
    seconds: float
    cost: float


def asked(sums: Iterable[CallSum]) -> list[Asked]:
    """Return the calls of all days by task and model, the most frequent first."""
    by_name: dict[tuple[str, str], list[CallSum]] = {}
    for each in sums:
        by_name.setdefault((each.task, each.model), []).append(each)
    found = [
        Asked(
            task=task,
            model=model,
            calls=sum(each.calls for each in group),
            failed=sum(each.calls for each in group if each.failure is not None),
            tokens=sum(each.prompt_tokens + each.answer_tokens for each in group),
            seconds=sum(each.seconds for each in group),
            cost=sum(each.cost for each in group),
        )
        for (task, model), group in by_name.items()
    ]
    return sorted(found, key=lambda each: (-each.calls, each.task, each.model))


def own_figures(held: Holdings) -> Mapping[str, int]:
    """Return the counters of one mind by name, without those that count nothing but would puzzle."""
    figures = {
        "turns": held.turns,
        "rewound": held.rewound,
        "utterances": held.utterances,
        "memories": held.memories,
        "conclusions": held.concluded,
        "people": held.people,
        "scenes": held.scenes,
        "operations": held.operations,
        "traces": held.traces,
        "documents": held.documents,
        "unembedded": held.unembedded,
    }
    return {name: count for name, count in figures.items() if count or name not in ("rewound", "documents")}


def size(count: int) -> str:
    """Return a number of bytes as people read it: 4.2 MB."""
    amount = float(count)
    for unit in _UNITS[:-1]:
        if amount < _STEP:
            return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"
        amount /= _STEP
    return f"{amount:.1f} {_UNITS[-1]}"


class Figures:
    """The card of sizes."""

    _own: Element
    _bank: Element

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    def draw(self) -> None:
        with card(self._visitor.words("upkeep.figures.title")) as whole:
            whole.classes("u-figures")
            self._own = ui.element("div").classes("g-stack")
            self._bank = ui.element("div").classes("g-stack")

    async def load(self) -> None:
        held = await self._visitor.ask(Mind.holdings)
        self._own.clear()
        with self._own:
            self._draw_own(held)
        try:
            (await self._visitor.caller()).check("reader")
        except Forbidden:
            self._bank.clear()
            with self._bank:
                said(self._visitor.words("upkeep.figures.bounded")).classes("g-dim g-small")
            return
        bank = self._visitor.bank
        info = await asyncio.to_thread(bank.info)
        calls = await asyncio.to_thread(bank.calls)
        self._bank.clear()
        with self._bank:
            self._draw_bank(
                {name: info.counts[name] for name in ("scopes", "turns", "utterances", "memories", "unembedded")},
                {
                    "size": size(info.size_bytes),
                    "engine": info.engine,
                    "embedder": f"{info.embedder} ({info.dimension})",
                    "encrypted": self._visitor.words(f"upkeep.figures.{'yes' if info.encrypted else 'no'}"),
                },
                calls,
            )

    def _draw_own(self, held: Holdings) -> None:
        words = self._visitor.words
        said(words("upkeep.figures.own"), "h3")
        self._pairs({name: f"{count:,}" for name, count in own_figures(held).items()})
        self._chips("states", held.states, "shared.states")
        self._chips("types", {**held.types, **held.conclusions}, "shared.types")

    def _draw_bank(self, counts: Mapping[str, int], made_of: Mapping[str, str], calls: Sequence[CallSum]) -> None:
        words = self._visitor.words
        said(words("upkeep.figures.bank"), "h3")
        self._pairs({**made_of, **{name: f"{count:,}" for name, count in counts.items()}})
        said(words("upkeep.figures.models"), "h3")
        if not calls:
            said(words("upkeep.figures.no_models")).classes("g-dim g-small")
            return
        with ui.element("div").classes("g-scroll").props('tabindex="0" role="region"') as scrolled:
            scrolled.props["aria-label"] = words("upkeep.figures.models")
            self._draw_calls(asked(calls))

    def _draw_calls(self, rows: Sequence[Asked]) -> None:
        words = self._visitor.words
        with ui.element("table").classes("g-table"):
            with ui.element("thead"), ui.element("tr"):
                for name in ("task", "model", "calls", "failed", "tokens", "seconds", "cost"):
                    said(words(f"upkeep.figures.{name}"), "th").props('scope="col"')
            with ui.element("tbody"):
                for row in rows:
                    with ui.element("tr"):
                        said(words.some("upkeep.tasks").get(row.task, row.task), "td")
                        said(row.model, "td")
                        numbers = (row.calls, row.failed, row.tokens)
                        for number in (*(f"{each:,}" for each in numbers), f"{row.seconds:,.1f} s", f"{row.cost:,.4f}"):
                            said(number, "td").classes("g-number")

    def _pairs(self, pairs: Mapping[str, str]) -> None:
        with ui.element("dl").classes("u-numbers"):
            for name, told in pairs.items():
                with ui.element("div"):
                    said(self._visitor.words(f"upkeep.figures.{name}"), "dt")
                    said(told, "dd").classes("g-number")

    def _chips(self, title: str, counts: Mapping[str, int], table: str) -> None:
        if not counts:
            return
        names = self._visitor.words.some(table)
        with ui.element("div").classes("g-row"):
            said(self._visitor.words(f"upkeep.figures.{title}"), "span").classes("g-dim g-small")
            for name, count in sorted(counts.items(), key=lambda each: -each[1]):
                chip(f"{names.get(name, name)} {count:,}")


_KNOWN: Final = tuple(
    (re.compile(pattern), name)
    for pattern, name in (
        (r"told (\d+) times", "told"),
        (r"the more important one stays", "more_important"),
        (r"said again (\d+) times, used (\d+) times", "often"),
        (r"faded and never mentioned", "faded"),
        (r"unimportant, never used and older than ([\d.]+) days", "unimportant"),
        (r"over the cap of (\d+)", "cap"),
        (r"\w+ is kept for ([\d.]+) days", "past"),
        (r"made from what is past its time", "ground_past"),
        (r"(\d+) memories together", "together"),
        (r"retold by (.+)", "retold"),
        (r"both cannot hold", "conflict"),
        (r"week (\d+)-W0?(\d+) is over", "week"),
        (r"(\d+) turns were not summarised", "unsummarised"),
    )
)


def reason(why: str, words: Words) -> str:
    """Return `why` as the page says it; one that it has no words for stays as it is."""
    for pattern, name in _KNOWN:
        found = pattern.fullmatch(why)
        if found is not None:
            text = words(f"upkeep.why.{name}")
            for number, group in enumerate(found.groups()):
                text = text.replace(f"{{{number}}}", group)
            return text
    return why


#: What is told of a memory that stays, in this order.
_TOLD: Final = (
    "content", "value", "kind", "importance", "pinned", "mentions", "uses", "invalid_at", "retracted", "forgotten_at",
    "faded_at", "interpretation",
)  # fmt: skip
_WHATS: Final[tuple[What, ...]] = ("new", "changed", "closed")

Told = str | float | bool | datetime | None  #: a field, to be put into words by whoever shows it


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One field of a memory before and after."""

    field: str
    before: Told
    after: Told


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """What becomes of one memory."""

    what: What
    memory_id: str
    content: str
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One thing that upkeep does, and why."""

    action: Action
    why: str
    effects: tuple[Effect, ...]


def deeds(kept: Iterable[Kept], words: Words) -> list[Deed]:
    return [
        Deed(
            action=each.action,
            why=reason(each.why, words),
            effects=tuple(effect(change) for change in each.changes),
        )
        for each in kept
    ]


def effect(change: Change) -> Effect:
    what = what_became(change)
    return Effect(
        what=what, memory_id=change.memory_id, content=words_of(change), differences=differences(change, what)
    )


def differences(change: Change, what: What) -> tuple[Difference, ...]:
    """Return which fields differ, of those that tell something; a new memory is told by its words alone."""
    before, after = change.before, change.after
    if before is None or after is None:
        return ()
    told = (
        Difference(field=name, before=_told_effects(before, name), after=_told_effects(after, name)) for name in _TOLD
    )
    return tuple(each for each in told if each.before != each.after)


def counted(deeds: Iterable[Deed]) -> Mapping[What, int]:
    """Return how many memories are made, changed and closed."""
    found = Counter(effect.what for deed in deeds for effect in deed.effects)
    return {what: found[what] for what in _WHATS if found[what]}


def _told_effects(memory: Memory, name: str) -> Told:
    value: Any = getattr(memory, name)
    return round(value, 2) if isinstance(value, float) else value


_COLOURS: Final[dict[What, str]] = {"new": "good", "changed": "warn", "closed": ""}


def draw_effects(visitor: Visitor, effects: Sequence[Effect], *, leads: bool = True) -> None:
    """Show each memory by its words; with `leads` they lead to it (what a preview made is nowhere yet)."""
    with ui.element("ul").classes("u-effects"):
        for each in effects:
            with ui.element("li").classes(f"u-effect u-{each.what}"):
                chip(visitor.words(f"upkeep.what.{each.what}"), _COLOURS[each.what])
                with ui.element("div").classes("u-words"):
                    if leads or each.what != "new":
                        memory_link(each.content, each.memory_id)
                    else:
                        said(each.content, "span")
                    for difference in each.differences:
                        _draw_difference(visitor, difference)


def _draw_difference(visitor: Visitor, difference: Difference) -> None:
    words = visitor.words
    with ui.element("p").classes("u-difference g-small g-dim"):
        said(words(f"upkeep.fields.{difference.field}"), "span")
        said(_told(visitor, difference.field, difference.before), "span").classes("u-before")
        said("→", "span").props('aria-hidden="true"')
        said(_told(visitor, difference.field, difference.after), "span").classes("u-after")


def _told(visitor: Visitor, field: str, value: Told) -> str:
    words = visitor.words
    if value is None:
        return words("upkeep.fields.none")
    if isinstance(value, bool):
        return words("upkeep.fields.yes" if value else "upkeep.fields.no")
    if isinstance(value, datetime):
        return moment_told(value, visitor)
    if field == "kind":
        return words(f"shared.kinds.{value}")
    return f"{value:g}" if isinstance(value, float) else str(value)


Who = Literal["person", "import", "rules", "upkeep", "model"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One operation: when, by whom, what it changed."""

    number: int
    kind: OperationKind | Literal["unpin"]
    at: datetime  #: story time
    recorded_at: datetime
    who: Who
    by: str  #: the rule, prompt or model with its version
    undone: bool
    whys: tuple[str, ...]
    effects: tuple[Effect, ...]
    moves: tuple[str, ...]  #: kinds of what else changed
    ignored: int  #: claims that were let pass
    took_back: int  #: operations that it undid


def entry(operation: Operation, words: Words) -> Entry:
    request = operation.request
    reasons = (operation.why, *(kept.why for kept in operation.kept))
    return Entry(
        number=operation.number,
        kind="unpin" if isinstance(request, Pin) and not request.pinned else operation.kind,
        at=operation.moment.at,
        recorded_at=operation.moment.recorded_at,
        who=who(operation.who),
        by=operation.who,
        undone=operation.undone,
        whys=tuple(dict.fromkeys(reason(why, words) for why in reasons if why)),
        effects=tuple(effect(change) for change in operation.changes),
        moves=tuple(dict.fromkeys(move.kind for move in operation.moves if move.kind != "pass")),
        ignored=sum(isinstance(decision, Ignore) for decision in operation.decisions),
        took_back=len(request.operations) if isinstance(request, Undo) else 0,
    )


def who(name: str) -> Who:
    """Say what kind of hand it was."""
    if name in ("person", "import"):
        return "import" if name == "import" else "person"
    first = name.partition("/")[0]
    return "rules" if first == "rules" else "upkeep" if first == "upkeep" else "model"


_PAGE_JOURNAL: Final = 20


class Journal:
    """The card of the journal; older entries are added below."""

    _list: Element
    _below: Element

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._before: int | None = None

    def draw(self) -> None:
        words = self._visitor.words
        with card(words("upkeep.journal.title")) as whole:
            whole.classes("u-journal-card")
            said(words("upkeep.journal.intro")).classes("g-dim g-small")
            self._list = ui.element("ol").classes("u-journal")
            self._below = ui.element("div").classes("g-row")

    async def load(self) -> None:
        """Show the latest entries, in the place of what was shown."""
        self._before = None
        found = await self._read()
        self._list.clear()
        self._add(found)
        if not found:
            with self._below:
                notice(self._visitor.words("upkeep.journal.empty"), self._visitor.words("upkeep.journal.empty_text"))

    async def _older(self) -> None:
        self._add(await self._read())

    async def _read(self) -> list[Entry]:
        operations = await self._visitor.ask(Mind.last_operations, _PAGE_JOURNAL, before=self._before)
        self._before = operations[0].number if operations else 1
        return [entry(operation, self._visitor.words) for operation in reversed(operations)]

    def _add(self, entries: list[Entry]) -> None:
        words = self._visitor.words
        with self._list:
            for each in entries:
                self._draw(each)
        self._below.clear()
        with self._below:
            if self._before is not None and self._before > 1:
                button(words("upkeep.journal.older"), self._older)
            elif entries:
                said(words("upkeep.journal.all")).classes("g-dim g-small")

    def _draw(self, each: Entry) -> None:
        words = self._visitor.words
        with ui.element("li").classes(f"u-entry{' u-undone' if each.undone else ''}"):
            with ui.element("div").classes("g-row"):
                chip(words(f"shared.operations.{each.kind}"), _colour(each))
                said(moment_told(each.at, self._visitor), "span").classes("g-number g-small")
                by = said(words("upkeep.journal.by", who=words(f"upkeep.who.{each.who}")), "span")
                by.classes("g-dim g-small").props["title"] = each.by
                if each.undone:
                    chip(words("upkeep.journal.undone"), "bad")
                said(words("upkeep.journal.number", n=each.number), "span").classes("g-dim g-small g-number u-end")
            for line in self._lines(each):
                said(line).classes("g-dim g-small")
            if each.effects:
                draw_effects(self._visitor, each.effects)

    def _lines(self, each: Entry) -> list[str]:
        words = self._visitor.words
        told = list(each.whys)
        if each.took_back:
            told.append(words("upkeep.journal.took_back", n=each.took_back))
        beside = [words(f"upkeep.moves.{kind}") for kind in each.moves]
        if each.ignored:
            beside.append(words("upkeep.journal.ignored", n=each.ignored))
        if beside:
            told.append(" · ".join(beside))
        return told if told or each.effects else [words("upkeep.journal.nothing")]


def _colour(each: Entry) -> str:
    if each.kind == "rewind":
        return "bad"
    return "good" if each.kind == "observe" else "info" if each.who == "upkeep" else "warn"


Sort = Literal["rolling", "profile", "insight", "weekly", "merged"]
_ORDER: Final[tuple[Sort, ...]] = ("rolling", "profile", "insight", "weekly", "merged")
_SORTS: Final[Mapping[str, Sort]] = {"profile": "profile", "insight": "insight", "summary": "rolling"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """A summary, a profile, an insight or a merged memory."""

    sort: Sort
    memory_id: str
    content: str
    about: str | None  #: whom it is about, where that is not the user
    written_at: datetime
    grounds: Grounds

    @property
    def headline(self) -> str:
        return self.content.partition("\n")[0]


def sort_of(memory: Memory) -> Sort:
    if "weekly" in memory.tags:
        return "weekly"
    return _SORTS.get(memory.content_type, "merged")


def in_order(memories: Iterable[Memory]) -> list[Memory]:
    """Return what stands for all before what stands for a part, and the newest of a sort first."""
    newest = sorted(memories, key=lambda memory: (memory.valid_at, memory.known_at), reverse=True)
    return sorted(newest, key=lambda memory: _ORDER.index(sort_of(memory)))


def conclusion(memory: Memory, grounds: Grounds) -> Conclusion:
    return Conclusion(
        sort=sort_of(memory),
        memory_id=memory.id,
        content=memory.content,
        about=memory.subject_id if memory.subject in ("other", "character") else None,
        written_at=memory.known_at,
        grounds=grounds,
    )


_PAGE: Final = 12


class Concluded:
    """The card of what upkeep made of memories."""

    _list: Element
    _below: Element

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor
        self._left: list[Memory] = []

    def draw(self) -> None:
        words = self._visitor.words
        with card(words("upkeep.concluded.title")) as whole:
            whole.classes("u-concluded")
            said(words("upkeep.concluded.intro")).classes("g-dim g-small")
            self._list = ui.element("div").classes("g-stack")
            self._below = ui.element("div").classes("g-row")

    async def load(self) -> None:
        self._left = in_order(await self._visitor.ask(Mind.conclusions))
        empty = not self._left
        page = await self._page()
        self._list.clear()
        self._add(page)
        if empty:
            with self._list:
                words = self._visitor.words
                notice(words("upkeep.concluded.empty"), words("upkeep.concluded.empty_text"))

    async def _more(self) -> None:
        self._add(await self._page())

    async def _page(self) -> list[Conclusion]:
        page, self._left = self._left[:_PAGE], self._left[_PAGE:]
        grounds = await self._visitor.ask(Mind.grounds, [memory.id for memory in page])
        return [conclusion(memory, grounds[memory.id]) for memory in page]

    def _add(self, page: list[Conclusion]) -> None:
        with self._list:
            for each in page:
                self._draw(each)
        self._below.clear()
        if self._left:
            with self._below:
                button(self._visitor.words("upkeep.concluded.older"), self._more)

    def _draw(self, each: Conclusion) -> None:
        words = self._visitor.words
        with ui.element("details").classes("u-conclusion"):
            with ui.element("summary"):
                chip(words(f"upkeep.concluded.{each.sort}"), "info")
                if each.about is not None:
                    chip(each.about)
                said(each.headline, "span").classes("u-headline")
            with ui.element("div").classes("g-stack u-inside"):
                memory_link(each.content, each.memory_id).classes("u-text")
                written = words("upkeep.concluded.written", at=moment_told(each.written_at, self._visitor))
                said(written).classes("g-dim g-small")
                self._draw_grounds(each)

    def _draw_grounds(self, each: Conclusion) -> None:
        words, grounds = self._visitor.words, each.grounds
        count = {"memories": len(grounds.memories), "words": len(grounds.utterances)}
        said(words("upkeep.concluded.rests_on", **count), "h3")
        if grounds.memories or grounds.utterances:
            with ui.element("ul").classes("u-grounds"):
                for memory in grounds.memories:
                    with ui.element("li"):
                        memory_link(memory.content, memory.id)
                for utterance in grounds.utterances:
                    with ui.element("li"):
                        said(f"“{utterance.text}”", "span").classes("u-quote")
                        said(moment_told(utterance.at, self._visitor), "span").classes("g-dim g-small")
        if grounds.gone:
            said(words("upkeep.concluded.gone", n=grounds.gone)).classes("g-dim g-small")


_DAY: Final = 24
_DAYS_FROM: Final = 48  #: hours from which on days are told


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """One pass: its name, what it does, and how far it is."""

    pass_name: PassName
    name: str
    does: str
    due: bool
    far: str
    share: float  #: 0 to 1
    ran_at: datetime | None


def waiting(outlooks: Iterable[Outlook], words: Words) -> list[Waiting]:
    return [
        Waiting(
            pass_name=each.name,
            name=words(f"upkeep.passes.{each.name}"),
            does=words(f"upkeep.does.{each.name}"),
            due=each.due,
            far=far(each.measured, words),
            share=each.measured.share if each.measured is not None else 0.0,
            ran_at=each.ran.at if each.ran is not None else None,
        )
        for each in outlooks
    ]


def far(measured: Measured | None, words: Words) -> str:
    """Tell what a pass waits for, and how much of it there is."""
    if measured is None:
        return words("upkeep.waits.off")
    if measured.by == "stale":
        return words("upkeep.waits.stale")
    have, need = measured.have, measured.need
    if measured.by == "hours":
        return words("upkeep.waits.hours", have=_lasting(have, words), need=_lasting(need, words))
    return words(f"upkeep.waits.{measured.by}", have=round(have), need=round(need))


def named(passes: Iterable[PassName], words: Words) -> str:
    return ", ".join(words(f"upkeep.passes.{name}") for name in passes)


def _lasting(hours: float, words: Words) -> str:
    if hours >= _DAYS_FROM:
        return words("upkeep.waits.a_day", n=int(hours // _DAY))
    return words("upkeep.waits.an_hour", n=int(hours))


_INTO_VIEW: Final = "document.querySelector('.u-outcome').scrollIntoView({block: 'nearest'})"  # on a small screen
_MOST: Final = 40  #: things that are shown; a first pass over a large memory may do hundreds


class Outcome:
    """The card that tells of the last preview or run."""

    _told: Said
    _progress: ui.linear_progress
    _list: Element

    def __init__(self, visitor: Visitor) -> None:
        self._visitor = visitor

    def draw(self) -> None:
        words = self._visitor.words
        with card(words("upkeep.outcome.title")) as whole:
            whole.classes("u-outcome").props('tabindex="0"')  # it scrolls by itself
            whole.props["aria-label"] = words("upkeep.outcome.title")
            self._told = said(words("upkeep.outcome.hint")).props('role="status"').classes("u-told")
            self._progress = ui.linear_progress(0, show_value=False, color=None).classes("u-progress")
            self._progress.props["aria-label"] = words("upkeep.outcome.title")
            self._progress.set_visibility(False)
            self._list = ui.element("div").classes("g-stack")

    async def preview(self, names: list[PassName]) -> None:
        """Tell what `names` would do. All at once: each builds on what the one before would have done."""
        words = self._visitor.words
        self._begin(words("upkeep.outcome.looking"))
        would = await self._visitor.ask(Mind.maintain, names, dry_run=True)
        self._list.clear()
        if would.kept:
            self._told.text = words("upkeep.outcome.would")
            self._draw(would.kept, leads=False)
        else:
            self._told.text = words("upkeep.outcome.would_nothing", passes=named(names, words))

    async def run(self, names: list[PassName]) -> None:
        """Do `names`, one after the other, and tell of each as it is done."""
        words = self._visitor.words
        self._begin("")
        kept: list[Kept] = []
        busy = False
        self._progress.set_visibility(True)
        try:
            for number, name in enumerate(names, start=1):
                at = {"n": number, "all": len(names), "pass": words(f"upkeep.passes.{name}")}
                self._told.text = words("upkeep.outcome.working", **at)
                self._progress.value = (number - 1) / len(names)
                did = await self._visitor.change(Mind.maintain, [name])
                busy = busy or did.busy
                kept += did.kept
        finally:
            self._progress.set_visibility(False)
        self._list.clear()
        told = "busy" if busy else "did" if kept else "nothing"
        self._told.text = words(f"upkeep.outcome.{told}", passes=named(names, words))
        self._draw(kept, leads=True)

    def _begin(self, told: str) -> None:
        self._told.text = told
        self._list.clear()
        ui.run_javascript(_INTO_VIEW)

    def _draw(self, kept: Sequence[Kept], *, leads: bool) -> None:
        words = self._visitor.words
        found = deeds(kept, words)
        with self._list:
            counts = counted(found)
            if counts:
                line = " · ".join(words(f"upkeep.outcome.{what}", n=n) for what, n in counts.items())
                said(line).classes("g-number u-counts")
            for deed in found[:_MOST]:
                self._draw_deed(deed, leads=leads)
            if len(found) > _MOST:
                said(words("upkeep.outcome.more", n=len(found) - _MOST)).classes("g-dim")

    def _draw_deed(self, deed: Deed, *, leads: bool) -> None:
        with ui.element("div").classes("u-deed"):
            with ui.element("div").classes("g-row"):
                chip(self._visitor.words(f"upkeep.actions.{deed.action}"), "info")
                said(deed.why, "span").classes("g-dim g-small")
            draw_effects(self._visitor, deed.effects, leads=leads)


class Passes:
    """The card of all passes. One thing is done at a time."""

    def __init__(self, visitor: Visitor, outcome: Outcome, *, then: Callable[[], Awaitable[None]]) -> None:
        self._visitor = visitor
        self._outcome = outcome
        self._then = then  #: called after something was done
        self._due: list[PassName] = []
        self._writes = False
        self._working = False
        self._buttons: list[ui.button] = []
        self._rows: dict[PassName, _Row] = {}

    async def draw(self) -> None:
        words = self._visitor.words
        found = await self._look()
        self._writes = await self._visitor.may("writer")
        with card(words("upkeep.due")) as whole:
            whole.classes("u-passes-card")
            self._told = said("").props('role="status"')
            with ui.element("div").classes("g-row"):
                self._all = [self._button(words("upkeep.preview_due"), lambda: self._preview(self._due))]
                if self._writes:
                    run = self._button(words("upkeep.run_due"), lambda: self._run(self._due), main=True)
                    self._all.append(run)
            if not self._writes:
                said(words("upkeep.readers")).classes("g-dim g-small")
            with ui.element("ul").classes("u-passes"):
                for each in found:
                    self._rows[each.pass_name] = self._row(each)
        self._show(found)

    async def _look(self) -> list[Waiting]:
        found = waiting(await self._visitor.ask(Mind.outlook), self._visitor.words)
        self._due = [each.pass_name for each in found if each.due]
        return found

    def _row(self, each: Waiting) -> _Row:
        words, name = self._visitor.words, each.pass_name
        with ui.element("li").classes("u-pass"):
            with ui.element("div").classes("u-pass-what"):
                with ui.element("div").classes("g-row"):
                    said(each.name, "h3")
                    due = chip(words("upkeep.is_due"), "warn")
                said(each.does).classes("g-dim g-small")
                with ui.element("div").classes("u-far"):
                    meter = ui.element("div").classes("u-meter").props('aria-hidden="true"')
                    with meter:
                        fill = ui.element("div").classes("u-fill")
                    far = said(each.far, "span").classes("g-small g-number")
                ran = said("", "p").classes("g-dim g-small")
            with ui.element("div").classes("u-pass-do"):
                preview = self._button(words("upkeep.preview"), lambda: self._preview([name]))
                preview.props["aria-label"] = words("upkeep.preview_of", **{"pass": each.name})
                if self._writes:
                    run = self._button(words("upkeep.run"), lambda: self._run([name]))
                    run.props["aria-label"] = words("upkeep.run_of", **{"pass": each.name})
        return _Row(self._visitor, due=due, fill=fill, far=far, ran=ran)

    def _button(self, text: str, act: Callable[[], Awaitable[None]], *, main: bool = False) -> ui.button:
        made = button(text, act, main=main)
        self._buttons.append(made)
        return made

    def _show(self, found: Sequence[Waiting]) -> None:
        words = self._visitor.words
        for each in found:
            self._rows[each.pass_name].show(each)
        passes = named(self._due, words)
        self._told.text = (
            words("upkeep.due_now", n=len(self._due), passes=passes) if self._due else words("upkeep.nothing_due")
        )
        self._enable()

    def _enable(self) -> None:
        for each in self._buttons:
            each.set_enabled(not self._working and (each not in self._all or bool(self._due)))

    async def _preview(self, names: Sequence[PassName]) -> None:
        await self._busy(lambda: self._outcome.preview(list(names)))

    async def _run(self, names: Sequence[PassName]) -> None:
        await self._busy(lambda: self._done(list(names)))

    async def _done(self, names: list[PassName]) -> None:
        await self._outcome.run(names)
        self._show(await self._look())
        await self._then()

    async def _busy(self, work: Callable[[], Awaitable[None]]) -> None:
        if self._working:
            return
        self._working = True
        self._enable()
        try:
            await work()
        finally:
            self._working = False
            self._enable()


class _Row:
    """What changes in the row of a pass."""

    def __init__(self, visitor: Visitor, *, due: Element, fill: Element, far: Said, ran: Said) -> None:
        self._visitor = visitor
        self._due, self._fill, self._far, self._ran = due, fill, far, ran

    def show(self, each: Waiting) -> None:
        words = self._visitor.words
        self._due.set_visibility(each.due)
        self._fill.style(f"width: {each.share:.0%}")
        self._fill.classes(add="u-full" if each.due else "", remove="" if each.due else "u-full")
        self._far.text = each.far
        self._ran.text = (
            words("upkeep.never_ran")
            if each.ran_at is None
            else words("upkeep.ran", at=moment_told(each.ran_at, self._visitor))
        )


async def build(visitor: Visitor) -> None:
    style("upkeep")
    heading(visitor.words("frame.pages.upkeep"))
    said(visitor.words("upkeep.intro")).classes("g-dim")
    outcome = Outcome(visitor)
    concluded, journal, figures = Concluded(visitor), Journal(visitor), Figures(visitor)

    async def all_anew() -> None:
        await concluded.load()
        await journal.load()
        await figures.load()

    passes = Passes(visitor, outcome, then=all_anew)
    with ui.element("div").classes("g-split u-top"):
        await passes.draw()
        outcome.draw()
    with ui.element("div").classes("g-split"):
        journal.draw()
        with ui.element("div").classes("g-stack u-side"):
            concluded.draw()
            figures.draw()
    ui.timer(0, all_anew, once=True)  # the passes are there at once; the rest may take a moment in a large bank
