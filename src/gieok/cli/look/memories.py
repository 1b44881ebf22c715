"""What is known, and whose memories a bank holds, as tables."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final
from xml.sax.saxutils import escape
from zoneinfo import ZoneInfo

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.segment import Segment
from rich.table import Table
from rich.text import Text

from gieok.bank.history import Feeling, Regard, Step
from gieok.bank.models import Deepened
from gieok.cli.console import plain
from gieok.cli.look.bars import NARROW, PART_STYLES, Fitting, labelled, meter, stacked
from gieok.cli.look.words import LIVING_WORDS, WORDS, LivingWords, Words
from gieok.cli.phrases import filled
from gieok.domain.answer import Block, Context, Hit, ModelCall, Observed, Read, Trace
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import Emotion
from gieok.domain.entity import Entity, Note, Sentiment
from gieok.domain.memory import Change, Memory
from gieok.domain.relationship import (
    AXES,
    LEVELS,
    THRESHOLDS,
    TIME_TOGETHER,
    TOP,
    Axis,
    Habit,
    Manners,
    Relationship,
    Speech,
    score,
)
from gieok.domain.scene import Scene
from gieok.domain.scope import Scope
from gieok.domain.scoring import PART_NAMES, SOURCE_PARTS, Combine, Weights
from gieok.domain.state import Cause
from gieok.domain.turn import CHARACTER, Turn
from gieok.domain.upkeep import Kept, Upkept, What, what_became, words_of
from gieok.ports import ScopeSummary

if TYPE_CHECKING:
    from gieok.maintain.model_passes import Pondered


_ID_SHOWN = 8  #: the end of an id; its beginning is the time and much the same for all
_PINNED = "*"


def facts_table(
    memories: Sequence[Memory], scope: Scope, words: Words, zone: ZoneInfo, *, history: bool = False
) -> RenderableType:
    """Return `memories` in the order given; `history` adds until when each was true and since when it is known."""
    if not memories:
        return Text(words.nothing, style="bright_black")
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bright_black")
    table.add_column(words.id, style="bright_black", no_wrap=True)
    table.add_column(words.about, no_wrap=True, style="cyan")
    table.add_column(words.attribute, no_wrap=True, style="magenta")
    table.add_column(words.memory, overflow="fold")
    table.add_column(words.true_from, no_wrap=True)
    if history:
        table.add_column(words.true_until, no_wrap=True)
        table.add_column(words.known_since, no_wrap=True, style="bright_black")
    for memory in memories:
        over = history and memory.invalid_at is not None
        row: list[RenderableType] = [memory.id[-_ID_SHOWN:], words.named(memory.subject_id, scope)]
        row += [memory.attribute or memory.content_type]
        row += [_content(memory, over=over), day(memory.valid_at, zone)]
        if history:
            until = Text(day(memory.invalid_at, zone)) if memory.invalid_at else Text(words.still, style="green")
            row += [until, day(memory.known_at, zone)]
        table.add_row(*row)
    shown = Fitting(table=table, kept=(0, 1, 3))
    if any(memory.pinned for memory in memories):
        return Group(shown, Text(f"{_PINNED} {words.pinned}", style="yellow"))
    return shown


def _content(memory: Memory, *, over: bool) -> Text:
    content = Text().append(memory.content, "bright_black" if over else "")
    return content.append(f" {_PINNED}", "yellow") if memory.pinned and not over else content


def day(moment: datetime, zone: ZoneInfo) -> str:
    return f"{moment.astimezone(zone):%Y-%m-%d}"


def scopes_table(summaries: Sequence[ScopeSummary], zone: ZoneInfo) -> RenderableType:
    if not summaries:
        return Text("This bank is still empty; tell it something first: gieok chat", style="bright_black")
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style="bright_black")
    for heading in ("user", "character", "world"):
        table.add_column(heading, style="cyan", overflow="fold")
    for heading in ("turns", "memories"):
        table.add_column(heading, justify="right")
    table.add_column("latest", style="bright_black", no_wrap=True)
    for each in summaries:
        latest = f"{each.latest_at.astimezone(zone):%Y-%m-%d %H:%M}" if each.latest_at else ""
        names = (each.scope.user or "–", each.scope.character or "–", each.scope.world or "–")
        table.add_row(*names, f"{each.turns:,}", f"{each.memories:,}", latest)
    return Fitting(table=table, kept=(0, 1, 2, 4))


_TIGHT: Final = 90  #: columns below which the bars are shorter
_LEFT: Final = 10  #: cells of place and score
_COLUMN: Final = range(7, 11)  #: cells of a part's number, by how much room there is


@dataclass(frozen=True, slots=True, kw_only=True)
class HitsTable:
    """Hits, two lines each: the parts of the score, and below them what they add up to under `weights`."""

    hits: Sequence[Hit]
    scope: Scope
    words: Words
    weights: Weights
    zone: ZoneInfo | None = None  #: whose days are shown; None: those of whoever said it

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.hits:
            yield Text(self.words.nothing, style="bright_black")
            return
        cell = 4 if options.max_width < _TIGHT else 6
        bars = options.max_width >= NARROW  # else there is no room beside what came to mind
        table = Table(box=None, padding=(0, 1, 0, 0), expand=True, show_edge=False, header_style="bright_black")
        table.add_column("#", justify="right", style="bright_black", width=2)
        table.add_column(self.words.score, width=5, style="bold")
        table.add_column(self.words.memory, ratio=1, overflow="fold")
        if bars:
            table.add_column(_headings(self.words, cell), width=(cell + 1) * len(PART_NAMES) - 1, no_wrap=True)
        for place, hit in enumerate(self.hits, start=1):
            text = Group(Text(hit.text), provenance(hit, self.scope, self.words, self.zone))
            parts = [Group(_parts(hit, cell), _sum(hit, self.weights, cell))] if bars else []
            table.add_row(str(place), f"{hit.score:.2f}", text, *parts)
        yield table


def _headings(words: Words, cell: int) -> Text:
    headings = Text()
    for name in PART_NAMES:
        label = Text(words.parts[name], style=PART_STYLES[name])
        label.truncate(cell, pad=True)
        headings.append_text(label).append(" ")
    headings.right_crop(1)
    return headings


def _parts(hit: Hit, cell: int) -> Text:
    return Text(" ").join(meter(getattr(hit.parts, name), cell, PART_STYLES[name]) for name in PART_NAMES)


def _sum(hit: Hit, weights: Weights, cell: int) -> Text:
    shares = [(getattr(hit.parts, name) * getattr(weights, name), PART_STYLES[name]) for name in PART_NAMES]
    whole = sum(getattr(weights, name) for name in PART_NAMES)
    return stacked(shares, whole, (cell + 1) * len(PART_NAMES) - 1)


def provenance(hit: Hit, scope: Scope, words: Words, zone: ZoneInfo | None) -> Text:
    """Return whose and when it is, and which sources found it, at which place."""
    item = hit.item
    if isinstance(item, Memory):
        who, when = words.named(item.subject_id, scope), item.known_at
    else:
        who, when = f"{words.named(item.speaker, scope)} {words.said}", item.at
    when = when if zone is None else when.astimezone(zone)
    places: dict[str, int] = {}
    for found in hit.why:  # a memory inherits what found the words it was read from: the best place counts
        places[found.source] = min(found.rank, places.get(found.source, found.rank))
    sources = [words.sources[source].format(n=rank) for source, rank in places.items()]
    canon = [str(hit.scope)] if hit.scope != scope else []
    line = " · ".join([who, words.date.format(at=when), " ".join(sources), *canon])
    return Text(line, style="bright_black", no_wrap=True, overflow="ellipsis")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedHits:
    """Hits with their `contributions`, below a legend that gives the weights; the best one's bar is the longest."""

    hits: Sequence[Hit]
    scope: Scope
    words: Words
    weights: Weights
    combine: Combine
    zone: ZoneInfo | None = None  #: whose days are shown; None: those of whoever said it

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.hits:
            yield Text(self.words.nothing, style="bright_black")
            return
        column = min(max((options.max_width - _LEFT) // len(PART_NAMES), _COLUMN.start), _COLUMN.stop - 1)
        coloured = console.color_system is not None and not console.no_color
        table = Table.grid(padding=(0, 1, 0, 0))
        table.add_column(width=2, justify="right", style="bright_black")
        table.add_column(width=6, justify="right", style="bold")
        table.add_column(overflow="fold")
        table.add_row("", Text(self.words.weight, style="bright_black"), self._legend(column))
        best = max(hit.score for hit in self.hits)
        for place, hit in enumerate(self.hits, start=1):
            table.add_row()
            table.add_row(str(place), f"{hit.score:.2f}", self._made_of(hit, best, column, coloured=coloured))
        yield table

    def _legend(self, column: int) -> RenderableType:
        names = [Text(self.words.parts[name], style=PART_STYLES[name]) for name in PART_NAMES]
        weights = [_number(getattr(self.weights, name), PART_STYLES[name]) for name in PART_NAMES]
        lines = [_row(names, column), _row(weights, column)]
        if self.combine == "mean_of_sources":
            sources = "·".join(self.words.parts[name] for name in SOURCE_PARTS)
            lines.append(Text(self.words.averaged.format(parts=sources), style="bright_black"))
        return Group(*lines)

    def _made_of(self, hit: Hit, best: float, column: int, *, coloured: bool) -> RenderableType:
        adds = hit.contributions or {}
        segments = [(adds.get(name, 0.0), PART_STYLES[name], self.words.parts[name]) for name in PART_NAMES]
        numbers = [_number(amount, style) for amount, style, _ in segments]
        return Group(
            Text(hit.text),
            labelled(segments, best, column * len(PART_NAMES), coloured=coloured),
            _row(numbers, column),
            provenance(hit, self.scope, self.words, self.zone),
        )


def _number(amount: float, style: str) -> Text:
    return Text(f"{amount:.2f}", style=style) if amount >= 0.005 else Text("·", style="bright_black")


def _row(cells: Sequence[Text], column: int) -> Text:
    row = Text()
    for cell in cells:
        cell.truncate(column, pad=True)
        row.append_text(cell)
    return row


_STYLES: Final[Mapping[str, str]] = {
    "system": "blue",
    "examples": "blue",
    "preface": "bright_black",
    "pinned": "yellow",
    "people": "yellow",
    "memories": "green",
    "summary": "cyan",
    "talk": "cyan",
    "message": "magenta",
}
_GIVEN: Final = ("system", "examples", "people", "summary")  #: not worth a line where nobody gave any
_METER: Final = 24
_EDGE: Final = "▌ "


@dataclass(frozen=True, slots=True)
class Edged:
    """A renderable with a coloured edge along its left side."""

    content: RenderableType
    style: str

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        style = console.get_style(self.style)
        inner = options.update_width(max(options.max_width - cell_len(_EDGE), 1))
        for line in console.render_lines(self.content, inner, pad=False):
            yield Segment(_EDGE, style)
            yield from line
            yield Segment.line()


def context_blocks(context: Context) -> RenderableType:
    """Return the text of every block, with an edge in the colour that its tokens have in the meter."""
    shown = (block for block in context.blocks if block.text)
    return Group(*(Edged(Text(block.text), _STYLES.get(block.name, "white")) for block in shown))


def token_meter(context: Context, words: Words) -> RenderableType:
    """Return a bar for each block against the largest, and the sum against the budget.

    Where the question alone is over the budget, a sentence says so in place of that sum.
    """
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    largest = max((block.tokens for block in context.blocks), default=0) or 1
    for block in (each for each in context.blocks if each.tokens or each.left_out or each.name not in _GIVEN):
        style = _STYLES.get(block.name, "white")
        name = Text(words.blocks.get(block.name, block.name), style=style)
        table.add_row(name, meter(block.tokens / largest, _METER, style), f"{block.tokens:,}")
    question = sum(block.tokens for block in context.blocks if block.name == "message")
    if question > context.budget:
        return Group(table, Text(words.over.format(n=question, budget=context.budget), style="bold red"))
    share = context.tokens / context.budget
    whole = Text(f"{context.tokens:,} / {context.budget:,} {words.tokens}", style="bold")
    table.add_row(Text(words.tokens, style="bold"), meter(share, _METER, "white"), whole)
    return table


@dataclass(frozen=True, slots=True, kw_only=True)
class TracedTurn:
    """A trace, with the hits as they are now."""

    turn: Turn
    trace: Trace
    hits: Sequence[Hit]
    scope: Scope
    weights: Weights
    language: str
    zone: ZoneInfo

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        trace, words = self.trace, WORDS[self.language]
        said = Table.grid(padding=(0, 2, 0, 0))
        for utterance in self.turn.utterances:
            said.add_row(Text(words.named(utterance.speaker, self.scope), style="bold"), utterance.text)
        yield Text(self.turn.id, style="bright_black")
        yield said
        yield Text()
        if self.hits:
            yield HitsTable(hits=self.hits, scope=self.scope, words=words, weights=self.weights, zone=self.zone)
            yield Text()
        if trace.budget is not None:
            yield token_meter(_context(trace, trace.budget), words)
            yield Text()
        lines = Table.grid(padding=(0, 2, 0, 0))
        for read in trace.emotions:
            lines.add_row(words.named(read.speaker, self.scope), *self._felt(read))
        for call in trace.calls:
            lines.add_row(call.task, call.model, _took(call, words.tokens))
        yield lines
        for trouble in trace.degraded:
            yield Text(trouble, style="red")

    def _felt(self, read: Read) -> tuple[str, Text]:
        name = LIVING_WORDS[self.language].emotions[read.emotion]
        by = Text(read.by, style="bright_black")
        if read.raw:
            by.append(f"  {' '.join(read.raw.split())}", style="italic")
        return f"{name} {read.intensity:.2f}", by


def _context(trace: Trace, budget: int) -> Context:
    """Return as much of the context as the meter looks at."""
    blocks = tuple(
        Block(name=each.name, text="", tokens=each.tokens, left_out=each.left_out) for each in trace.injected
    )
    return Context(query="", blocks=blocks, messages=(), hits=(), budget=budget)


def _took(call: ModelCall, tokens: str) -> Text:
    took = f"{call.seconds:.2f} s · {call.prompt_tokens:,} + {call.answer_tokens:,} {tokens}"
    text = Text(f"{took} · {call.cost:.6f}" if call.cost else took, style="bright_black")
    if call.failure is not None:
        text.append(f" · {call.failure}", style="red")
    return text


AXIS_STYLES: Final[Mapping[Axis, str]] = {
    "trust": "blue",
    "affection": "magenta",
    "respect": "cyan",
    "rivalry": "red",
    "familiarity": "green",
}
_BAR_RELATIONSHIP: Final = 30
_HISTORY_BAR: Final = 8
_LEAST_SHOWN: Final = 0.05  #: of a shift, to one decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaking:
    """In which words, for whom and in which zone it is told."""

    scope: Scope
    words: Words
    living: LivingWords
    zone: ZoneInfo

    def named(self, who: str) -> str:
        return self.words.named(who, self.scope)

    def moment(self, at: datetime) -> str:
        return f"{at.astimezone(self.zone):%Y-%m-%d %H:%M}"


def relationship_view(
    relationship: Relationship, manners: Manners, steps: Iterable[Step], scenes: Iterable[Scene], speaking: Speaking
) -> RenderableType:
    """Return level and score, the axes, how long they know each other, manners, and the last of the changes."""
    living = speaking.living
    return Group(
        _headline(relationship, speaking),
        _figures(relationship, living),
        Text(_acquainted(relationship, speaking)),
        Text(f"\n{living.spoken}", style=_DIM),
        _manners_relationship(manners, speaking),
        Text(f"\n{living.changes}", style=_DIM),
        _changes_relationship(list(steps), {scene.id: scene for scene in scenes}, speaking),
    )


def history_table(steps: Sequence[Step], left_out: int, speaking: Speaking) -> RenderableType:
    """Return a row per step, oldest first: the score, the axes, and what moved them."""
    living = speaking.living
    if not steps:
        return Text(living.no_changes, style=_DIM)
    table = Table(box=None, padding=(0, 1, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column(living.when, no_wrap=True, style=_DIM)
    table.add_column(living.closeness, no_wrap=True)
    for axis in AXES:
        table.add_column(living.axis_headings[axis], justify="right", no_wrap=True, style=AXIS_STYLES[axis])
    table.add_column(living.why, overflow="fold")
    for step in steps:
        now = step.relationship
        closeness = Text(f"{score(now):5.1f} ").append_text(meter(score(now) / TOP, _HISTORY_BAR, "yellow"))
        axes = [f"{now.axis(axis):.1f}" for axis in AXES]
        table.add_row(speaking.moment(step.at), closeness, *axes, _in_short(step, speaking))
    return Group(table, Text(living.more_steps.format(n=left_out), style=_DIM)) if left_out else table


def worth_telling(steps: Iterable[Step]) -> list[Step]:
    """Return the steps that something said or a silence caused, not the mere passing of turns."""
    return [step for step in steps if _turned(step) or any(cause.name != TIME_TOGETHER for cause in step.causes)]


def level_line(before: Relationship, after: Relationship, living: LivingWords) -> str:
    return living.between.format(before=living.levels[before.level], after=living.levels[after.level])


def _headline(relationship: Relationship, speaking: Speaking) -> Text:
    names = f"{speaking.named('user')} ↔ {speaking.named('character')}  "
    return Text().append(names, "cyan").append(speaking.living.levels[relationship.level], "bold")


def _figures(relationship: Relationship, living: LivingWords) -> RenderableType:
    """Return the score and the axes, each as a bar."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    closeness = score(relationship)
    bar = meter(closeness / TOP, _BAR_RELATIONSHIP, "yellow").append(f" {closeness:.1f}", "bold").append(" / 100  ")
    table.add_row(living.closeness, bar.append(_ahead(relationship, living), _DIM))
    table.add_row()
    for axis in AXES:
        value = relationship.axis(axis)
        bar = meter(value / TOP, _BAR_RELATIONSHIP, AXIS_STYLES[axis]).append(f" {value:.1f}")
        table.add_row(Text(living.axes[axis], style=AXIS_STYLES[axis]), bar)
    return Group(table, Text())


def _ahead(relationship: Relationship, living: LivingWords) -> str:
    higher = LEVELS.index(relationship.level) + 1
    if higher == len(LEVELS):
        return living.top_level
    points = THRESHOLDS[higher] - score(relationship)
    return living.next_level.format(level=living.levels[LEVELS[higher]], points=points)


def _acquainted(relationship: Relationship, speaking: Speaking) -> str:
    if relationship.met_at is None or relationship.last_at is None:
        return speaking.living.not_met
    met, last = (at.astimezone(speaking.zone).date() for at in (relationship.met_at, relationship.last_at))
    if last <= met:
        return speaking.living.known_today.format(since=met, turns=relationship.turns)
    return speaking.living.known_for.format(since=met, until=last, days=(last - met).days + 1, turns=relationship.turns)


def _manners_relationship(manners: Manners, speaking: Speaking) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="cyan")
    for who, other in (("user", "character"), ("character", "user")):
        table.add_row(speaking.named(who), _speech(manners.of(who), speaking.named(other), speaking))
    return table


def _speech(speech: Speech, other: str, speaking: Speaking) -> RenderableType:
    living = speaking.living
    told = Text(living.style_unknown, style=_DIM)
    if speech.style is not None:
        told = Text(living.styles.get(speech.style.value, speech.style.value)).append_text(
            _came(speech.style, speaking)
        )
    if speech.address is None:
        return told
    called = filled(living.calls, other=other, name=f"“{speech.address.value}”")
    return Group(told, Text(called).append_text(_came(speech.address, speaking)))


def _came(habit: Habit, speaking: Speaking) -> Text:
    living = speaking.living
    since = living.since.format(day=day(habit.at, speaking.zone))
    asked = [living.asked_by.format(who=speaking.named(habit.asked_by))] if habit.asked_by else []
    return Text(f"  {' · '.join([since, *asked])}", style=_DIM)


def _changes_relationship(steps: Sequence[Step], scenes: Mapping[str, Scene], speaking: Speaking) -> RenderableType:
    if not steps:
        return Text(speaking.living.no_changes, style=_DIM)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style=_DIM)
    table.add_column(overflow="fold")
    told = None  #: a scene is named once, where it begins
    for step in steps:
        scene = scenes.get(step.scene or "")
        lines = [*_turn_of_level(step, speaking), *_caused(step, speaking)]
        if scene is not None and scene.title and scene.id != told:
            lines.insert(0, Text(speaking.living.scene.format(title=scene.title), style=_DIM))
        told = step.scene
        table.add_row(speaking.moment(step.at), Group(*lines))
    return table


def _turn_of_level(step: Step, speaking: Speaking) -> Iterator[Text]:
    if step.before is not None and _turned(step):
        yield Text(level_line(step.before, step.relationship, speaking.living), style="bold yellow")


def _turned(step: Step) -> bool:
    return step.before is not None and step.before.level != step.relationship.level


def _caused(step: Step, speaking: Speaking) -> Iterator[Text]:
    """Yield a line per cause: what it was, who said it in which words, and by how much it moved which axis."""
    for (name, speaker, words), causes in _grouped(step.causes).items():
        if name == TIME_TOGETHER:
            continue
        line = Text(speaking.living.causes.get(name, name))
        if speaker:
            line.append(" · ").append(speaking.named(speaker), "cyan")
        if words:
            line.append(f" “{words}”")
        yield line.append_text(_amounts(causes, speaking.living))


def _amounts(causes: Iterable[Cause], living: LivingWords) -> Text:
    told = Text()
    for cause in causes:
        if abs(cause.amount) >= _LEAST_SHOWN and cause.axis in AXES:
            told.append(f"  {living.axes[cause.axis]} {cause.amount:+.1f}", "green" if cause.amount > 0 else "red")
    return told


def _grouped(causes: Iterable[Cause]) -> dict[tuple[str, str, str], list[Cause]]:
    groups: dict[tuple[str, str, str], list[Cause]] = {}
    for cause in causes:
        groups.setdefault((cause.name, cause.speaker, cause.words), []).append(cause)
    return groups


def _in_short(step: Step, speaking: Speaking) -> Text:
    living = speaking.living
    names = dict.fromkeys(cause.name for cause in step.causes)
    told = [living.causes.get(name, name) for name in names if name != TIME_TOGETHER or len(names) == 1]
    line = Text(", ".join(told))
    if step.before is not None and _turned(step):
        line.append(f" → {living.levels[step.relationship.level]}", "bold yellow")
    return line


_DIM: Final = "bright_black"


def timeline_table(memories: Sequence[Memory], speaking: Speaking) -> RenderableType:
    """Return `memories` in the order given; what is over, or has faded, is told quietly."""
    if not memories:
        return Text(speaking.living.nothing_happened, style=_DIM)
    words = speaking.words
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column(words.true_from, no_wrap=True)
    table.add_column(words.true_until, no_wrap=True)
    table.add_column(words.about, no_wrap=True, style="cyan")
    table.add_column(words.attribute, no_wrap=True, style="magenta")
    table.add_column(words.memory, overflow="fold")
    for memory in memories:
        over = memory.invalid_at is not None or memory.faded_at is not None
        table.add_row(
            day(memory.valid_at, speaking.zone),
            _until(memory, speaking),
            speaking.named(memory.subject_id),
            memory.attribute or memory.content_type,
            Text(in_a_line(memory.content), style=_DIM if over else ""),
        )
    return Fitting(table=table, kept=(0, 4))


def in_a_line(content: str) -> str:
    """Return the first line of a summary that has several."""
    first, _, rest = content.partition("\n")
    return f"{first} …" if rest else first


def _until(memory: Memory, speaking: Speaking) -> Text:
    if memory.invalid_at is not None:
        return Text(day(memory.invalid_at, speaking.zone))
    if memory.faded_at is not None:
        return Text(speaking.living.faded, style=_DIM)
    return Text(speaking.words.still, style="green")


_KOREAN: Final = tuple(
    (re.compile(pattern), told)
    for pattern, told in (
        (r"told (\d+) times", r"\1번 들은 이야기"),
        (r"the more important one stays", "더 중요한 쪽을 남김"),
        (r"said again (\d+) times, used (\d+) times", r"\1번 다시 나왔고 \2번 떠올림"),
        (r"faded and never mentioned", "희미해졌고 다시 나온 적 없음"),
        (
            r"unimportant, never used and older than ([\d.]+) days",
            r"중요하지 않고 \1일 넘게 쓰이지 않음",
        ),
        (r"over the cap of (\d+)", r"한도 \1개를 넘음"),
        (r"\w+ is kept for ([\d.]+) days", r"보관 기한 \1일이 지남"),
        (r"made from what is past its time", "바탕이 된 기억의 기한이 지남"),
        (r"(\d+) memories together", r"기억 \1개를 모아 봄"),
        (r"retold by (.+)", r"모델이 새로 풀어 씀 (\1)"),
        (r"both cannot hold", "둘 다 맞을 수는 없음"),
        (r"week (\d+)-W0?(\d+) is over", r"\1년 \2번째 주가 끝남"),
        (r"(\d+) turns were not summarised", r"요약하지 않은 대화 \1번"),
    )
)
MOST_ROWS: Final = 40
_MARKS: Final[dict[What, tuple[str, str]]] = {
    "new": ("+", "green"),
    "changed": ("~", "yellow"),
    "closed": ("-", "bright_black"),
}


def reason(why: str, language: str) -> str:
    """Return `why` in `language`; one that has no translation stays as it is."""
    if language == "ko":
        for pattern, told in _KOREAN:
            found = pattern.fullmatch(why)
            if found is not None:
                return found.expand(told)
    return why


def upkeep_report(upkept: Upkept, living: LivingWords, language: str, *, most: int = MOST_ROWS) -> RenderableType:
    """Return what became of one scope; of very many rows the first `most`."""
    if upkept.busy:
        return Text(living.busy, style="yellow")
    if not upkept.passes:
        return Text(living.nothing_due, style=_DIM)
    passes = passes_named(upkept.passes, living)
    if not upkept.kept:
        return Text(living.looked_at.format(passes=passes), style=_DIM)
    heading = living.would if upkept.dry_run else living.did.format(passes=passes)
    return Group(*_told_upkeep(heading, upkept.kept, living, language, most))


def ponder_report(pondered: Pondered, living: LivingWords, language: str, *, most: int = MOST_ROWS) -> RenderableType:
    """Return what a model made of one scope, and what it did not answer."""
    if not pondered.asked and not pondered.failed:
        return Text(living.nothing_due, style=_DIM)
    parts: list[RenderableType] = []
    if pondered.asked:
        thoughts = ", ".join(living.thoughts[name] for name in pondered.asked)
        heading = (
            living.pondered.format(thoughts=thoughts) if pondered.kept else living.looked_at.format(passes=thoughts)
        )
        parts += _told_upkeep(heading, pondered.kept, living, language, most)
    if pondered.failed:
        thoughts = ", ".join(living.thoughts[name] for name in pondered.failed)
        parts.append(Text(living.unanswered.format(thoughts=thoughts), style="yellow"))
    return Group(*parts)


def _told_upkeep(
    heading: str, kept: Sequence[Kept], living: LivingWords, language: str, most: int
) -> Iterator[RenderableType]:
    yield Text(heading, style="bold" if kept else _DIM)
    if not kept:
        return
    rows = list(_rows(kept, living, language))
    yield _table(rows[:most])
    if len(rows) > most:
        yield Text(living.more_rows.format(n=len(rows) - most), style=_DIM)
    yield Text(counts_line(kept, living))


def watch_line(upkept: Upkept, now: datetime, living: LivingWords) -> Text:
    """Return what was done in one scope as one line: when, where, which passes, how many memories."""
    line = Text().append(f"{now:%H:%M:%S} ", _DIM).append(f"[{upkept.scope}] ", "cyan")
    if upkept.busy:
        return line.append(living.busy, "yellow")
    told = [passes_named(upkept.passes, living), *([counts_line(upkept.kept, living)] if upkept.kept else [])]
    return line.append(" — ".join(told))


def passes_named(passes: Iterable[str], living: LivingWords) -> str:
    return ", ".join(living.passes[name] for name in passes)


def counts_line(kept: Iterable[Kept], living: LivingWords) -> str:
    """Return how many memories were made, changed and closed: 새로 1 · 닫음 3."""
    counted = Counter(what_became(change) for each in kept for change in each.changes)
    return " · ".join(living.counts[what].format(n=counted[what]) for what in _MARKS if counted[what])


_Row = tuple[What, str, str, str]  #: what, action, memory, why


def _rows(kept: Iterable[Kept], living: LivingWords, language: str) -> Iterator[_Row]:
    for each in kept:
        for number, change in enumerate(each.changes):
            first = number == 0
            action = living.actions[each.action] if first else ""
            yield what_became(change), action, _content_upkeep(change), reason(each.why, language) if first else ""


def _table(rows: Iterable[_Row]) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0), expand=True)
    table.add_column(no_wrap=True, width=1)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", ratio=3)
    table.add_column(overflow="fold", ratio=2, style=_DIM)
    for what, action, content, why in rows:
        mark, style = _MARKS[what]
        table.add_row(Text(mark, style=style), Text(action, style=style), Text(content, style=_quiet(what)), why)
    return table


def _quiet(what: What) -> str:
    return _DIM if what == "closed" else ""


def _content_upkeep(change: Change) -> str:
    content = words_of(change)
    return in_a_line(content) if what_became(change) == "closed" else content


SENTIMENT_STYLES: Final[dict[Sentiment, str]] = {"positive": "green", "neutral": "bright_black", "negative": "red"}
_BAR: Final = 6
_WIDE_BAR: Final = 20


def people_table(people: Sequence[Entity], speaking: Speaking) -> RenderableType:
    living = speaking.living
    if not people:
        return Text(living.nobody, style=_DIM)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column(living.name, style="cyan", overflow="fold", min_width=6)
    table.add_column(living.kind, no_wrap=True)
    table.add_column(living.times, justify="right", no_wrap=True)
    table.add_column(living.last_seen, no_wrap=True)
    table.add_column(living.sentiment, no_wrap=True)
    table.add_column(living.trust, no_wrap=True)
    for entity in people:
        table.add_row(
            _called(entity),
            living.kinds[entity.kind],
            f"{entity.interactions:,}",
            day(entity.last_seen, speaking.zone),
            _sentiment(entity, _BAR, speaking),
            _trust(entity, _BAR),
        )
    return table


def profile(entity: Entity, facts: Sequence[Memory], regards: Sequence[Regard], speaking: Speaking) -> RenderableType:
    """Return all that is known of one being."""
    living = speaking.living
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style=_DIM)
    table.add_column(overflow="fold")
    for label, told in _lines(entity, speaking):
        table.add_row(label, told)
    title = Text().append(entity.display_name, "bold cyan").append(f"  {living.kinds[entity.kind]}", _DIM)
    parts: list[RenderableType] = [title, table]
    if facts:
        shown = facts_table(facts, speaking.scope, speaking.words, speaking.zone)
        parts += [Text(f"\n{living.known_facts}", style=_DIM), shown]
    if regards:
        parts += [Text(f"\n{living.moods_towards}", style=_DIM), _course(regards, speaking)]
    return Group(*parts)


def _lines(entity: Entity, speaking: Speaking) -> Iterator[tuple[str, RenderableType]]:
    living = speaking.living
    optional = {
        living.aliases: ", ".join(entity.aliases),
        living.summary: entity.summary,
        living.interests: _noted(entity.interests),
        living.personality: _noted(entity.personality),
    }
    yield from ((label, told) for label, told in optional.items() if told)
    yield living.times, f"{entity.interactions:,}"
    yield living.first_seen, day(entity.first_seen, speaking.zone)
    yield living.last_seen, day(entity.last_seen, speaking.zone)
    yield living.sentiment, _sentiment(entity, _WIDE_BAR, speaking)
    yield living.trust, _trust(entity, _WIDE_BAR)


def _course(regards: Iterable[Regard], speaking: Speaking) -> RenderableType:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style=_DIM)
    for regard in regards:
        known = regard.entity
        trust = Text(f"{speaking.living.trust} {known.trust:.0f}", style=_DIM)
        table.add_row(speaking.moment(regard.at), _sentiment(known, _BAR, speaking), trust)
    return table


def _called(entity: Entity) -> Text:
    name = Text(entity.display_name)
    return name.append(f" ({', '.join(entity.aliases)})", _DIM) if entity.aliases else name


def _sentiment(entity: Entity, width: int, speaking: Speaking) -> Text:
    label = entity.sentiment_label()
    style = SENTIMENT_STYLES[label]
    word = Text(f"{speaking.living.sentiments[label]} ", style=style)
    widest = max(Text(each).cell_len for each in speaking.living.sentiments.values())
    word.pad_right(widest + 1 - word.cell_len)
    bar = meter(abs(entity.sentiment), width, "red" if entity.sentiment < 0 else "green")
    return word.append_text(bar).append(f" {entity.sentiment:+.2f}", _DIM)


def _trust(entity: Entity, width: int) -> Text:
    return meter(entity.trust / TOP, width, "blue").append(f" {entity.trust:.0f}")


def _noted(notes: Iterable[Note]) -> str:
    return ", ".join(note.text for note in notes)


_WIDTH, _HEIGHT = 960, 480
_CHART_LEFT, _RIGHT, _ABOVE, _BELOW = 48, 150, 48, 64
_DATES: Final = 6
_COLOURS: Final[dict[Axis, str]] = {
    "trust": "#2b6cb0",
    "affection": "#b83280",
    "respect": "#0987a0",
    "rivalry": "#c53030",
    "familiarity": "#2f855a",
}
_SCORE: Final = "#b7791f"
_GREY: Final = "#718096"

Curve = tuple[str, str, float, Callable[[Relationship], float]]  #: label, colour, width, what is drawn


def chart(steps: Sequence[Step], title: str, living: LivingWords, zone: ZoneInfo) -> str:
    """Return the picture of `steps`, oldest first; there must be at least one."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-family="sans-serif">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fffdf8"/>',
        _text(_CHART_LEFT, 28, title, size=17, colour="#1a202c"),
        *_levels(living),
        *_dates(steps, zone),
        *_curves(steps, living),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _levels(living: LivingWords) -> Iterator[str]:
    for level, threshold in zip(LEVELS, THRESHOLDS, strict=True):
        y = _y(threshold)
        yield f'<path d="M{_CHART_LEFT} {y:.1f}H{_WIDTH - _RIGHT}" stroke="#cbd5e0" stroke-dasharray="4 4"/>'
        yield _text(_CHART_LEFT - 8, y + 4, f"{threshold:g}", end=True)
        yield _text(_WIDTH - _RIGHT + 10, y + 4, living.levels[level])


def _dates(steps: Sequence[Step], zone: ZoneInfo) -> Iterator[str]:
    begin, end = _span(steps)
    told = ""
    for at in range(_DATES):
        date = f"{(begin + (end - begin) * at / (_DATES - 1)).astimezone(zone):%Y-%m-%d}"
        if date != told:
            yield _text(
                _CHART_LEFT - 32 + (_WIDTH - _CHART_LEFT - _RIGHT) * at / (_DATES - 1),
                _HEIGHT - _BELOW + 22,
                date,
            )
        told = date


def _curves(steps: Sequence[Step], living: LivingWords) -> Iterator[str]:
    curves: list[Curve] = [(living.axes[axis], _COLOURS[axis], 1.3, _axis(axis)) for axis in AXES]
    curves.append((living.closeness, _SCORE, 3.0, score))
    for number, (label, colour, width, value) in enumerate(curves):
        points = " ".join(f"{x:.1f},{_y(value(step.relationship)):.1f}" for x, step in _placed(steps))
        yield f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{width}"/>'
        x = _CHART_LEFT + number * 120
        yield f'<path d="M{x} {_HEIGHT - 20}h18" stroke="{colour}" stroke-width="{width}"/>'
        yield _text(x + 24, _HEIGHT - 16, label, colour=colour)


def _axis(name: Axis) -> Callable[[Relationship], float]:
    return lambda relationship: relationship.axis(name)


def _placed(steps: Sequence[Step]) -> Iterator[tuple[float, Step]]:
    begin, end = _span(steps)
    whole = (end - begin).total_seconds() or 1.0
    for step in steps:
        yield (
            _CHART_LEFT + (_WIDTH - _CHART_LEFT - _RIGHT) * (step.at - begin).total_seconds() / whole,
            step,
        )


def _span(steps: Sequence[Step]) -> tuple[datetime, datetime]:
    return min(step.at for step in steps), max(step.at for step in steps)


def _y(value: float) -> float:
    return _ABOVE + (_HEIGHT - _ABOVE - _BELOW) * (1 - value / TOP)


def _text(x: float, y: float, text: str, *, size: int = 12, colour: str = _GREY, end: bool = False) -> str:
    anchor = ' text-anchor="end"' if end else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}" fill="{colour}"{anchor}>{escape(plain(text))}</text>'


EMOTION_STYLES: Final[Mapping[Emotion, str]] = {
    "neutral": "bright_black",
    "sad": "blue",
    "happy": "yellow",
    "angry": "red",
}
_TOPICS: Final = 5


def scenes_table(scenes: Sequence[Scene], speaking: Speaking) -> RenderableType:
    living = speaking.living
    if not scenes:
        return Text(living.no_scenes, style=_DIM)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM)
    table.add_column(living.when, no_wrap=True)
    table.add_column(living.place, overflow="fold", style="cyan")
    table.add_column(living.tone, no_wrap=True)
    table.add_column(living.topics, overflow="fold")
    table.add_column(living.turns, justify="right", no_wrap=True)
    for scene in scenes:
        table.add_row(
            _when(scene, speaking),
            scene.place or "",
            emotion_word(scene.tone, living),
            ", ".join(scene.topics[:_TOPICS]),
            f"{scene.turns:,}",
        )
    return Fitting(table=table, kept=(0, 3))


def emotions_table(
    feelings: Sequence[Feeling], said: Mapping[tuple[str, str], str], speaking: Speaking
) -> RenderableType:
    """Return a row per feeling; `said` are the words by (turn id, speaker)."""
    living = speaking.living
    if not feelings:
        return Text(living.nothing_felt, style=_DIM)
    table = Table(box=None, padding=(0, 2, 0, 0), show_edge=False, header_style=_DIM, expand=True)
    table.add_column(living.when, no_wrap=True, width=16)
    table.add_column(living.who, no_wrap=True, style="cyan")
    table.add_column(living.feeling, no_wrap=True, min_width=_BAR + 5)
    table.add_column(living.words, no_wrap=True, overflow="ellipsis", ratio=1)
    turn_id = None
    for feeling in feelings:
        when = speaking.moment(feeling.at) if feeling.turn_id != turn_id else ""
        turn_id = feeling.turn_id
        felt = feeling.felt
        words = " ".join(said.get((feeling.turn_id, felt.speaker), "").split())
        table.add_row(when, speaking.named(felt.speaker), _felt(feeling, living), Text(words))
    return Fitting(table=table, kept=(1, 2, 3))


def emotion_word(emotion: Emotion, living: LivingWords) -> Text:
    return Text(living.emotions[emotion], style=EMOTION_STYLES[emotion])


def last_time_in_english(scene: Scene, speaking: Speaking) -> str:
    """Return what was done in `scene` as one sentence, nothing that is not in it."""
    at = scene.started_at.astimezone(speaking.zone)
    place = f" at {scene.place}" if scene.place else ""
    topics = f" about {', '.join(scene.topics[:3])}" if scene.topics else ""
    mood = "" if scene.tone == "neutral" else f"; the mood was {speaking.living.emotions[scene.tone]}"
    return f"Last time ({at:%B} {at.day}) they talked{place}{topics}{mood}."


def _when(scene: Scene, speaking: Speaking) -> Text:
    begun = Text(f"{speaking.moment(scene.started_at)}–")
    if scene.ended_at is None:
        return begun.append(speaking.living.goes_on, "green")
    return begun.append(_end(scene.started_at, scene.ended_at, speaking))


def _end(begun: datetime, ended: datetime, speaking: Speaking) -> str:
    begun, ended = begun.astimezone(speaking.zone), ended.astimezone(speaking.zone)
    return f"{ended:%H:%M}" if begun.date() == ended.date() else f"{ended:%m-%d %H:%M}"


def _felt(feeling: Feeling, living: LivingWords) -> Text:
    emotion = feeling.felt.emotion
    if emotion == "neutral":
        return emotion_word(emotion, living)
    word = emotion_word(emotion, living)
    word.pad_right(max(Text(each).cell_len for each in living.emotions.values()) - word.cell_len + 1)
    return word.append_text(meter(feeling.felt.intensity, _BAR, EMOTION_STYLES[emotion]))


_KINDS: Final = {
    "remember": ("+", "green"),
    "supersede": ("~", "yellow"),
    "reinforce": ("=", "cyan"),
    "retract": ("-", "red"),
    "ignore": ("·", "bright_black"),
    "correct": ("✎", "magenta"),
    "rewind": ("↶", "magenta"),
}
_GONE: Final = "strike bright_black"
_FELT: Final = 0.3  #: a weaker feeling is not worth a word
_QUIET = "bright_black"


def moods(text: str) -> list[str]:
    """Return the moods of the clauses of `text` that cannot carry a fact, each once; [] for plain small talk."""
    from gieok.language.clauses import clauses
    from gieok.language.mood import mood
    from gieok.language.text import normalise

    found = dict.fromkeys(mood(clause) for clause in clauses(normalise(text)))
    return [each for each in found if each != "statement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One row: what kind of change, of whose memory, in words."""

    kind: str
    whose: Memory | None = None
    what: Text


def outcomes(observed: Observed, words: Words, *, silence: Iterable[str] = ()) -> list[Outcome]:
    """Return a row per decision; where there is none, one that gives the reasons in `silence`."""
    if observed.decisions:
        return [outcome(decision, words) for decision in observed.decisions]
    reasons = ["unread"] if observed.unread else list(silence) or ["statement"]
    why = ", ".join(words.reasons[each] for each in reasons)
    return [Outcome(kind="ignore", what=Text(why, style="bright_black"))]


def outcome(decision: Decision, words: Words) -> Outcome:
    match decision:
        case Remember():
            return Outcome(kind="remember", whose=decision.memory, what=Text(decision.memory.content))
        case Reinforce():
            times = words.again.format(n=decision.memory.mentions + 1)
            what = Text(decision.memory.content).append(f" · {times}", "cyan")
            return Outcome(kind="reinforce", whose=decision.memory, what=what)
        case Supersede():
            return changed("supersede", decision.closed, decision.memory)
        case Retract():
            what = Text().append(decision.memory.content, _GONE)
            return Outcome(kind="retract", whose=decision.memory, what=what)
        case Ignore():
            why = f"{decision.claim.content} — {words.reasons[decision.why]}"
            return Outcome(kind="ignore", what=Text(why, style="bright_black"))


def changed(kind: str, before: Iterable[Memory], after: Memory) -> Outcome:
    """Return "old → new", the old one struck through."""
    what = Text()
    for memory in before:
        what.append(memory.content, _GONE).append(" ")
    return Outcome(kind=kind, whose=after, what=what.append("→ ", "yellow").append(after.content, "bold"))


def outcome_table(rows: Iterable[Outcome], scope: Scope, words: Words) -> RenderableType:
    """Return `rows` below each other; the columns are as wide in every table of the same scope and language."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, min_width=2 + max(cell_len(getattr(words, kind)) for kind in _KINDS))
    table.add_column(no_wrap=True, min_width=max(cell_len(words.named(who, scope)) for who in ("user", "character")))
    table.add_column(overflow="fold")
    for row in rows:
        mark, style = _KINDS[row.kind]
        whose = Text() if row.whose is None else _whose(row.whose, scope, words)
        table.add_row(Text(f"{mark} {getattr(words, row.kind)}", style=style), whose, row.what)
    return table


def _whose(memory: Memory, scope: Scope, words: Words) -> Text:
    """Return whom `memory` is about, and who thinks so where that is the other party."""
    subject = words.named(memory.subject_id, scope)
    speaker = words.named(memory.speaker, scope)
    told = f"{speaker}→{subject}" if memory.subject in ("user", "character") and speaker != subject else subject
    return Text(told, style="blue" if memory.subject == "user" else "magenta")


def moved_line(observed: Observed, scope: Scope, words: Words, living: LivingWords) -> Text | None:
    """Return the line; None where nothing moved that is worth a word."""
    told = [*_feelings(observed, scope, words, living), *_changes(observed, scope, words, living)]
    return Text(" · ", style=_DIM).join(told) if told else None


def _feelings(observed: Observed, scope: Scope, words: Words, living: LivingWords) -> Iterator[Text]:
    for felt in observed.emotions:
        if felt.emotion != "neutral" and felt.intensity >= _FELT:
            name = Text(f"{words.named(felt.speaker, scope)} ", style=_DIM)
            yield name.append(living.emotions[felt.emotion], EMOTION_STYLES[felt.emotion])


def _changes(observed: Observed, scope: Scope, words: Words, living: LivingWords) -> Iterator[Text]:
    for move in observed.moves:
        before, after = move.before, move.after
        if isinstance(before, Relationship) and isinstance(after, Relationship) and before.level != after.level:
            yield Text(level_line(before, after, living), style="bold yellow")
        if isinstance(before, Manners) and isinstance(after, Manners):
            yield from _manners(before, after, scope, words, living)


def _manners(before: Manners, after: Manners, scope: Scope, words: Words, living: LivingWords) -> Iterator[Text]:
    for who in ("user", "character"):
        was, now = before.of(who), after.of(who)
        for old, new in ((was.style, now.style), (was.address, now.address)):
            if old is not None and new is not None and old.value != new.value:
                name = words.named(who, scope)
                yield Text(f"{name}: {_told(old, living)} → {_told(new, living)}", style="magenta")


def _told(habit: Habit, living: LivingWords) -> str:
    return living.styles.get(habit.value, f"“{habit.value}”")


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What models did in one scope, and what is left of it."""

    scope: Scope
    done: Deepened
    note: str = ""  #: what is left for the next reply
    left_open: int = 0  #: turns that no model has read yet

    @property
    def nothing(self) -> bool:
        pondered = self.done.pondered
        thought = pondered is not None and (pondered.asked or pondered.failed)
        return not (self.done.read or self.done.directed or thought or self.left_open)


def deepened_report(work: Work, language: str) -> RenderableType:
    """Return what models did in one scope, in the order in which they did it."""
    living = LIVING_WORDS[language]
    if work.nothing:
        return Text(living.nothing_due, style=_QUIET)
    return Group(*_told_of_reading(work, living, WORDS[language], language))


def _told_of_reading(work: Work, living: LivingWords, words: Words, language: str) -> Iterator[RenderableType]:
    if work.done.directed and work.note:
        yield Text(living.directed.format(note=work.note))
    elif work.done.directed:
        yield Text(living.moved_only)
    if work.done.read:
        yield Text(living.deeply_read.format(n=len(work.done.read)), style="bold")
    for observed in work.done.read:
        yield Padding(Text(f"“{_said(observed)}”", style=_QUIET), (0, 0, 0, 2))
        yield Padding(outcome_table(outcomes(observed, words), work.scope, words), (0, 0, 0, 4))
    pondered = work.done.pondered
    if pondered is not None and (pondered.asked or pondered.failed):
        yield ponder_report(pondered, living, language)
    if work.left_open:
        yield Text(living.left_open.format(n=work.left_open), style="yellow")


def _said(observed: Observed) -> str:
    return in_a_line(" ".join(each.text for each in observed.turn.utterances if each.speaker != CHARACTER))
