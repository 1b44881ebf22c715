"""Talking to a mind and asking it: observe, reroll, edit, recall, context, trace; and how turns look in a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Final

import typer
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.segment import Segment
from rich.text import Text

from gieok.bank import Mind
from gieok.cli.common import At, Consent, Preset, TurnId, Where, mind_to_teach, scoped, settings_for
from gieok.cli.console import DIM, Terms, plain, terms_for, text, wake
from gieok.cli.table import Column, Listing, grid, labelled, meter, stacked
from gieok.domain.answer import Block, Context, Hit, ModelCall, Observed, Trace
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.emotion import Emotion
from gieok.domain.memory import Memory
from gieok.domain.relationship import Habit, Manners, Relationship
from gieok.domain.scoring import PART_NAMES, SOURCE_PARTS, Combine, Weights
from gieok.domain.turn import Turn, checked_text, moment
from gieok.errors import InvalidQuery
from gieok.observe.said import said as checked_lines
from gieok.records import trace_record

EMOTION_STYLES: Final[Mapping[Emotion, str]] = {"neutral": DIM, "sad": "blue", "happy": "yellow", "angry": "red"}
FELT: Final = 0.3  #: a weaker feeling is not worth a word
MARKS: Final = {
    "remember": ("+", "green"),
    "supersede": ("~", "yellow"),
    "reinforce": ("=", "cyan"),
    "retract": ("-", "red"),
    "ignore": ("·", DIM),
    "correct": ("✎", "magenta"),
    "rewind": ("↶", "magenta"),
}
_GONE: Final = f"strike {DIM}"
_PART_STYLES: Final[Mapping[str, str]] = {
    "recency": "blue",
    "importance": "magenta",
    "relevance": "green",
    "keyword": "yellow",
    "strength": "red",
    "graph": "cyan",
}
_BLOCK_STYLES: Final[Mapping[str, str]] = {
    "system": "blue",
    "examples": "blue",
    "preface": DIM,
    "pinned": "yellow",
    "people": "yellow",
    "memories": "green",
    "summary": "cyan",
    "talk": "cyan",
    "message": "magenta",
}
_OPTIONAL_BLOCKS: Final = ("system", "examples", "people", "summary")  #: not worth a line where nobody gave any
_METER: Final = 18
_EDGE: Final = "▌ "
_TIGHT: Final = 90  #: columns of a screen below which the bars of a score are shorter
_LEFT: Final = 10  #: cells of place and score
_PART_CELLS: Final = range(6, 11)  #: cells of a part's number, by how much room there is


@dataclass(frozen=True, slots=True)
class Outcome:
    """One row of what became of a turn: what kind of change, of whose memory, in words."""

    kind: str
    whose: Memory | None
    what: Text


def outcomes(observed: Observed, terms: Terms, *, silence: Iterable[str] = ()) -> list[Outcome]:
    """Return a row per decision; where there is none, one that gives the reasons in `silence`."""
    if observed.decisions:
        return [outcome(decision, terms) for decision in observed.decisions]
    reasons = ["unread"] if observed.unread else list(silence) or ["statement"]
    return [Outcome("ignore", None, Text(", ".join(terms(f"silence.{each}") for each in reasons), style=DIM))]


def outcome(decision: Decision, terms: Terms) -> Outcome:
    match decision:
        case Remember():
            what = Text(decision.memory.content)
            if decision.memory.doubtful:
                what.append(f" · {terms('needs_confirming')}", "magenta")
            return Outcome("remember", decision.memory, what)
        case Reinforce():
            times = terms("said_again", n=decision.memory.mentions + 1)
            return Outcome("reinforce", decision.memory, Text(decision.memory.content).append(f" · {times}", "cyan"))
        case Supersede():
            return changed("supersede", decision.closed, decision.memory)
        case Retract():
            return Outcome("retract", decision.memory, Text().append(decision.memory.content, _GONE))
        case Ignore():
            why = f"{decision.claim.content} — {terms.label('reasons', decision.why)}"
            return Outcome("ignore", None, Text(why, style=DIM))


def changed(kind: str, before: Iterable[Memory], after: Memory) -> Outcome:
    """Return "old → new", the old one struck through."""
    what = Text()
    for memory in before:
        what.append(memory.content, _GONE).append(" ")
    return Outcome(kind, after, what.append("→ ", "yellow").append(after.content, "bold"))


def outcome_table(rows: Sequence[Outcome], terms: Terms) -> RenderableType:
    """Return `rows` below each other; the columns are as wide in every table of the same scope and language."""
    names = {
        kind: terms.label("decisions" if kind not in ("correct", "rewind") else "operations", kind) for kind in MARKS
    }

    def kind(row: Outcome) -> Text:
        mark, style = MARKS[row.kind]
        return Text(f"{mark} {names[row.kind]}", style=style)

    columns = (
        Column(None, kind, min_width=2 + max(map(cell_len, names.values()))),
        Column(
            None,
            lambda row: _whose(row.whose, terms),
            min_width=max(cell_len(terms.named(who)) for who in ("user", "character")),
        ),
        Column(None, lambda row: row.what, fold=True),
    )
    return Listing(rows, columns)


def _whose(memory: Memory | None, terms: Terms) -> Text:
    """Return whom `memory` is about, and who thinks so where that is the other party."""
    if memory is None:
        return Text()
    subject, speaker = terms.named(memory.subject_id), terms.named(memory.speaker)
    told = f"{speaker}→{subject}" if memory.subject in ("user", "character") and speaker != subject else subject
    return Text(told, style="blue" if memory.subject == "user" else "magenta")


def moved_line(observed: Observed, terms: Terms) -> Text | None:
    """Return what both felt and how it changed things between them; None where that is not worth a word."""
    told = [*_feelings(observed, terms), *_changes(observed, terms)]
    return Text(" · ", style=DIM).join(told) if told else None


def _feelings(observed: Observed, terms: Terms) -> Iterator[Text]:
    for felt in observed.emotions:
        if felt.emotion != "neutral" and felt.intensity >= FELT:
            name = Text(f"{terms.named(felt.speaker)} ", style=DIM)
            yield name.append(terms.label("emotions", felt.emotion), EMOTION_STYLES[felt.emotion])


def _changes(observed: Observed, terms: Terms) -> Iterator[Text]:
    for move in observed.moves:
        match move.before, move.after:
            case Relationship() as before, Relationship() as after if before.level != after.level:
                yield Text(level_line(before, after, terms), style="bold yellow")
            case Manners() as before, Manners() as after:
                yield from _manners(before, after, terms)


def level_line(before: Relationship, after: Relationship, terms: Terms) -> str:
    levels = {"before": terms.label("levels", before.level), "after": terms.label("levels", after.level)}
    return terms("relationship.level_changed", **levels)


def _manners(before: Manners, after: Manners, terms: Terms) -> Iterator[Text]:
    def told(habit: Habit) -> str:
        return terms.words.some("shared.styles").get(habit.value, f"“{habit.value}”")

    for who in ("user", "character"):
        was, now = before.of(who), after.of(who)
        for old, new in ((was.style, now.style), (was.address, now.address)):
            if old is not None and new is not None and old.value != new.value:
                yield Text(f"{terms.named(who)}: {told(old)} → {told(new)}", style="magenta")


@dataclass(frozen=True, slots=True)
class Hits:
    """Hits, two lines each: the parts of the score, and below them what they add up to under `weights`."""

    hits: Sequence[Hit]
    weights: Weights
    terms: Terms

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        cell = 4 if options.max_width < _TIGHT else 6
        width = (cell + 1) * len(PART_NAMES) - 1
        columns = (
            Column(Text("#"), lambda row: str(row[0]), style=DIM, right=True, width=2),
            Column("score", lambda row: f"{row[1].score:.2f}", style="bold", width=5),
            Column("memory", lambda row: Group(Text(row[1].text), provenance(row[1], self.terms)), fold=True, ratio=1),
            Column(self._headings(cell), lambda row: self._bars(row[1], cell), width=width, drop=1),
        )
        rows = list(enumerate(self.hits, start=1))
        yield Listing(rows, columns, self.terms.words, gap=1, empty=self.terms("nothing_found"))

    def _headings(self, cell: int) -> Text:
        return Text(" ").join(
            _padded(Text(self.terms(f"parts.{name}"), style=_PART_STYLES[name]), cell) for name in PART_NAMES
        )

    def _bars(self, hit: Hit, cell: int) -> Group:
        parts = {name: getattr(hit.parts, name) for name in PART_NAMES}
        meters = Text(" ").join(meter(part, cell, _PART_STYLES[name]) for name, part in parts.items())
        weights = {name: getattr(self.weights, name) for name in PART_NAMES}
        shares = [(part * weights[name], _PART_STYLES[name]) for name, part in parts.items()]
        return Group(meters, stacked(shares, sum(weights.values()), meters.cell_len))


def _padded(text: Text, cells: int) -> Text:
    text.truncate(cells, pad=True)
    return text


def provenance(hit: Hit, terms: Terms) -> Text:
    """Return whose and when it is, what it answers, and which sources found it, at which place."""
    item = hit.item
    if isinstance(item, Memory):
        who, when = terms.named(item.subject_id), item.known_at
    else:
        who, when = terms("said_by", name=terms.named(item.speaker)), item.at
    places: dict[str, int] = {}
    for found in hit.why:  # a memory inherits what found the words it was read from: the best place counts
        places[found.source] = min(found.rank, places.get(found.source, found.rank))
    sources = " ".join(terms(f"sources.{source}", n=rank) for source, rank in places.items())
    canon = [str(hit.scope)] if hit.scope != terms.scope else []
    asked = [] if hit.answers is None else [f"← “{' '.join(hit.answers.text.split())}”"]
    line = " · ".join([who, terms("short_day", at=when.astimezone(terms.zone)), *asked, sources, *canon])
    return Text(line, style=DIM, no_wrap=True, overflow="ellipsis")


@dataclass(frozen=True, slots=True)
class ExplainedHits:
    """Hits with their `contributions`, below a legend that gives the weights; the best one's bar is the longest."""

    hits: Sequence[Hit]
    weights: Weights
    combine: Combine
    terms: Terms

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if not self.hits:
            yield Text(self.terms("nothing_found"), style=DIM)
            return
        column = min(max((options.max_width - _LEFT) // len(PART_NAMES), _PART_CELLS.start), _PART_CELLS.stop - 1)
        coloured = console.color_system is not None and not console.no_color
        best = max(hit.score for hit in self.hits)
        names = [Text(self.terms(f"parts.{name}"), style=_PART_STYLES[name]) for name in PART_NAMES]
        weights = [_number(getattr(self.weights, name), _PART_STYLES[name]) for name in PART_NAMES]
        lines = [_row(names, column), _row(weights, column)]
        if self.combine == "mean_of_sources":
            sources = "·".join(self.terms(f"parts.{name}") for name in SOURCE_PARTS)
            lines.append(Text(self.terms("mean_of_sources", parts=sources), style=DIM))
        rows: list[Sequence[RenderableType]] = [("", Text(self.terms("weight"), style=DIM), Group(*lines))]
        for place, hit in enumerate(self.hits, start=1):
            rows += [(), (str(place), f"{hit.score:.2f}", self._made_of(hit, best, column, coloured=coloured))]
        yield grid(rows, DIM, "bold", gap=1)

    def _made_of(self, hit: Hit, best: float, column: int, *, coloured: bool) -> RenderableType:
        adds = hit.contributions or {}
        segments = [(adds.get(name, 0.0), _PART_STYLES[name], self.terms(f"parts.{name}")) for name in PART_NAMES]
        return Group(
            Text(hit.text),
            labelled(segments, best, column * len(PART_NAMES), coloured=coloured),
            _row([_number(amount, style) for amount, style, _ in segments], column),
            provenance(hit, self.terms),
        )


def _number(amount: float, style: str) -> Text:
    return Text(f"{amount:.2f}", style=style) if amount >= 0.005 else Text("·", style=DIM)


def _row(cells: Sequence[Text], column: int) -> Text:
    return Text().join(_padded(cell, column) for cell in cells)


@dataclass(frozen=True, slots=True)
class _Edged:
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


def context_view(context: Context, terms: Terms) -> RenderableType:
    """Return the text of every block, with an edge in the colour that its tokens have in the meter, and the meter."""
    blocks = (
        _Edged(Text(block.text), _BLOCK_STYLES.get(block.name, "white")) for block in context.blocks if block.text
    )
    return Group(*blocks, "", token_meter(context.blocks, context.budget, terms))


def token_meter(blocks: Sequence[Block], budget: int, terms: Terms) -> RenderableType:
    """Return a bar for each block against the largest, and the sum against the budget.

    Where the question alone is over the budget, a sentence says so in place of that sum.
    """
    largest = max((block.tokens for block in blocks), default=0) or 1
    rows: list[Sequence[RenderableType]] = []
    for block in (each for each in blocks if each.tokens or each.left_out or each.name not in _OPTIONAL_BLOCKS):
        style = _BLOCK_STYLES.get(block.name, "white")
        bar = meter(block.tokens / largest, _METER, style)
        rows.append(
            (Text(terms.label("blocks", block.name), style=style), bar, Text(f"{block.tokens:,}", justify="right"))
        )
    question = sum(block.tokens for block in blocks if block.name == "message")
    if question > budget:
        return Group(grid(rows), Text(terms("over_budget", n=question, budget=budget), style="bold red"))
    tokens = sum(block.tokens for block in blocks)
    whole = Text(terms("tokens_of_budget", n=tokens, budget=budget), style="bold")
    rows.append((Text(terms("tokens"), style="bold"), meter(tokens / budget, _METER, "white"), whole))
    return grid(rows)


def traced_turn(turn: Turn, trace: Trace, hits: Sequence[Hit], weights: Weights, terms: Terms) -> RenderableType:
    """Return how a turn came about; `hits` are what came to mind, as it is now."""
    said = [(Text(terms.named(each.speaker), style="bold"), Text(each.text)) for each in turn.utterances]
    parts: list[RenderableType] = [Text(turn.id, style=DIM), grid(said), ""]
    if hits:
        parts += [Hits(hits, weights, terms), ""]
    if trace.budget is not None:
        blocks = [Block(name=each.name, text="", tokens=each.tokens, left_out=each.left_out) for each in trace.injected]
        parts += [token_meter(blocks, trace.budget, terms), ""]
    read = [
        (
            terms.named(each.speaker),
            f"{terms.label('emotions', each.emotion)} {each.intensity:.2f}",
            Text.assemble((each.by, DIM), (f"  {' '.join(each.raw.split())}" if each.raw else "", f"italic {DIM}")),
        )
        for each in trace.emotions
    ]
    calls = [(terms.label("tasks", call.task), call.model, _call_cost(call, terms)) for call in trace.calls]
    return Group(*parts, grid([*read, *calls]), *(Text(trouble, style="red") for trouble in trace.degraded))


def _call_cost(call: ModelCall, terms: Terms) -> Text:
    took = terms("call_cost", seconds=call.seconds, asked=call.prompt_tokens, answered=call.answer_tokens)
    cost = Text(f"{took} · {call.cost:.6f}" if call.cost else took, style=DIM)
    return cost.append(f" · {call.failure}", style="red") if call.failure is not None else cost


Query = Annotated[str, typer.Argument(metavar="QUERY")]
Reply = Annotated[str | None, typer.Option("--reply", "-r")]


@scoped
def observe(
    where: Where,
    said: Annotated[str | None, typer.Argument(metavar="TEXT")] = None,
    reply: Reply = None,
    at: At = None,
    session: str | None = None,
    turn_id: str | None = None,
    consent: Consent = None,
) -> None:
    settings = settings_for(where.bank)
    when = moment(at, settings.zone)
    checked_lines(said, reply, None)  # bad words are refused before a bank is made for them
    with mind_to_teach(settings, where) as mind:
        wake(mind.bank)
        observed = mind.observe(said, reply=reply, at=when, session=session, turn_id=turn_id, consent=consent or ())
        _show_observed(observed, mind, where)


@scoped
def reroll(where: Where, turn_id: TurnId, reply: Annotated[str, typer.Argument(metavar="REPLY")]) -> None:
    with where.mind(models=True) as mind:
        turn = mind.turn(turn_id)
        checked_text(reply, "reply")
        wake(mind.bank)
        _show_observed(mind.reroll(turn.id, reply), mind, where)


@scoped
def edit(
    where: Where,
    turn_id: TurnId,
    said: Annotated[str | None, typer.Option("--text", "-t")] = None,
    reply: Reply = None,
    consent: Consent = None,
) -> None:
    if said is None and reply is None:
        raise InvalidQuery(text("errors.nothing_to_edit"))
    with where.mind(models=True) as mind:
        turn = mind.turn(turn_id)
        wake(mind.bank)
        _show_observed(mind.edit(turn.id, text=said, reply=reply, consent=consent or ()), mind, where)


def _show_observed(observed: Observed, mind: Mind, where: Where) -> None:
    where.show(observed, lambda: _observed_view(observed, mind))


def _observed_view(observed: Observed, mind: Mind) -> RenderableType:
    terms = terms_for(mind)
    silence = () if observed.decisions else mind.silence(observed.turn.id)
    lines: list[RenderableType] = [outcome_table(outcomes(observed, terms, silence=silence), terms)]
    moved = moved_line(observed, terms)
    if moved is not None:
        lines.append(moved)
    lines += (Text(terms("could_ask", question=each), style="magenta") for each in observed.questions)
    if observed.pii:
        kinds = ", ".join(terms(f"personal_kinds.{kind}") for kind in observed.pii)
        lines.append(Text(terms("personal_data", kinds=kinds), style="yellow"))
    if observed.ask:
        options = " ".join(f"--consent {kind}" for kind in observed.ask)
        lines.append(Text(terms("personal_data_masked", options=options), style="yellow"))
    lines.append(Text(terms("turn", id=observed.turn.id), style=DIM))
    return Group(*lines)


@scoped
def recall(
    where: Where,
    query: Query,
    k: Annotated[int | None, typer.Option("-k", min=1)] = None,
    explain: Annotated[bool, typer.Option("--explain")] = False,
    weights: Annotated[str | None, typer.Option("--weights", metavar="PART=W,…")] = None,
    preset: Preset = None,
    at: At = None,
) -> None:
    weighed = _weights(weights)
    checked_text(query, "query")
    with where.mind(preset=preset, models=True) as found:
        mind, settings = found.bank.mind(found.key, weights=weighed), found.bank.settings
        when = moment(at, settings.zone)
        wake(mind.bank)
        hits = mind.recall(query, k=k, at=when, explain=explain)
    terms = terms_for(mind)
    if explain:
        where.show(hits, lambda: ExplainedHits(hits, mind.weights, settings.combine, terms))
    else:
        where.show(hits, lambda: Hits(hits, mind.weights, terms))


def _weights(given: str | None) -> dict[str, float] | None:
    """Return the weights by the names of their parts, which are not checked here."""
    if given is None:
        return None
    weights: dict[str, float] = {}
    for pair in given.split(","):
        name, equals, weight = (piece.strip() for piece in pair.partition("="))
        try:
            if not name or not equals:
                raise ValueError("no name, or no number")
            weights[name] = float(weight)
        except ValueError as cause:
            raise InvalidQuery(text("errors.bad_weights", given=repr(pair.strip()))) from cause
    return weights


@scoped
def context(
    where: Where,
    query: Query,
    budget: Annotated[int | None, typer.Option("--budget", min=1)] = None,
    as_text: Annotated[bool, typer.Option("--text")] = False,
    preset: Preset = None,
    at: At = None,
) -> None:
    checked_text(query, "query")
    with where.mind(preset=preset, models=True) as mind:
        when = moment(at, mind.bank.settings.zone)
        wake(mind.bank)
        assembled = mind.context(query, budget=budget, at=when)
    if as_text and not where.as_json:
        typer.echo(plain(assembled.text))
        return
    troubles = [Text(trouble, style="red") for trouble in assembled.degraded]
    where.show(assembled, lambda: Group(context_view(assembled, terms_for(mind)), *troubles))


@scoped
def trace(where: Where, turn_id: Annotated[str | None, typer.Argument(metavar="[TURN_ID]")] = None) -> None:
    with where.mind() as mind:
        named = turn_id or next((turn.id for turn in mind.turns(1)), "")
        kept = mind.trace(named)
        turn = mind.turn(named)
        with mind.bank.store.view(mind.key) as view:
            refs = view.refs([scored.item_id for scored in kept.scored])
            items = view.items(refs.values())
        best = {each.item_id: each for each in sorted(kept.scored, key=lambda each: each.score)}  # some are found twice
        hits = [
            Hit(item=items[refs[each.item_id]], scope=mind.key, score=each.score, parts=each.parts, why=each.why)
            for each in sorted(best.values(), key=lambda each: -each.score)
            if refs.get(each.item_id) in items
        ]
    where.show(trace_record(named, kept), lambda: traced_turn(turn, kept, hits, mind.weights, terms_for(mind)))
