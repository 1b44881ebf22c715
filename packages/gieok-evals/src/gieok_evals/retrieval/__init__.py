"""Retrieval: conversations are observed, their questions are recalled, and the turns that answer are looked for.

`datasets` reads files, `ranking` observes and recalls, `metrics` scores rankings, `tuning` tunes the weights. This
module measures a dataset and shows the report.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from statistics import fmean
from time import perf_counter
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gieok.domain.scoring import PART_NAMES
from gieok.errors import InvalidQuery
from gieok_evals.reports import plain
from gieok_evals.retrieval.datasets import Dataset
from gieok_evals.retrieval.metrics import (
    DEEPEST,
    NAMES,
    Difference,
    Figure,
    Scored,
    Summary,
    difference,
    sheet,
    summary,
)
from gieok_evals.retrieval.ranking import (
    DEFAULT,
    Answer,
    Asking,
    ModelUse,
    Opener,
    Progress,
    Way,
    ablations,
    reopened,
    run,
)
from gieok_evals.retrieval.tuning import POOL, Tuning, tuned

_HEADINGS: Final = {"recall@5": "R@5", "recall@10": "R@10", "recall@20": "R@20", "mrr": "MRR", "ndcg@10": "NDCG"}
_WITH_INTERVAL: Final = ("recall@10", "mrr")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to measure besides the figures of the default."""

    with_memories: bool = False
    ablate: bool = False
    compare: tuple[Way, ...] = ()
    tune: bool = False
    seed: int = 0
    llm: str | None = None  #: overrides the model of the settings

    def __post_init__(self) -> None:
        if self.tune and self.with_memories:
            raise InvalidQuery("--tune ranks turns only; leave out --with-memories")

    @property
    def ways(self) -> tuple[Way, ...]:
        """Every way to rank, the default first."""
        others = (*(ablations() if self.ablate else ()), *self.compare)
        return (Way(), *(way for way in others if way.name != DEFAULT))

    @property
    def contexts(self) -> bool:
        """Whether contexts are measured: compression changes them, but no ranking."""
        return any("compress" in way.switches for way in self.compare)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """What contexts hold, on average."""

    held: float  #: share of the evidence in them
    tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalReport:
    """How well the lines that answer were found."""

    data: str
    format: str
    unit: str  #: what intervals are drawn over
    settings: Mapping[str, Any]
    counts: Mapping[str, int]
    seconds: float
    default: Summary
    differences: tuple[Difference, ...] = ()  #: with --ablate: the greatest loss first
    compared: Mapping[str, Summary] = field(default_factory=dict)  #: with --compare, by name
    asked: Mapping[str, ModelUse] = field(default_factory=dict)  #: use of the model, by the name of the way
    contexts: Mapping[str, Contexts] = field(default_factory=dict)  #: if contexts are compared, by name
    tuning: Tuning | None = None


def measure(
    dataset: Dataset,
    plan: Plan,
    *,
    embedder: str | None = None,
    opener: Opener | None = None,
    progress: Progress = lambda _: None,
) -> RetrievalReport:
    """Measure `dataset`; `progress` is called after every line and every question."""
    started = perf_counter()
    asking = Asking(
        depth=POOL if plan.tune else DEEPEST,
        with_memories=plan.with_memories,
        keep_parts=plan.tune,
        contexts=plan.contexts,
    )
    opener = opener or partial(reopened, llm=plan.llm)
    done = run(dataset, plan.ways, asking, embedder=embedder, opener=opener, progress=progress)
    answers = done.answers[DEFAULT]
    sheets = {name: sheet(given) for name, given in done.answers.items()}
    differences = (
        difference(way.name, sheets[way.name], sheets[DEFAULT], seed=plan.seed)
        for way in (ablations() if plan.ablate else ())
    )
    names = dict.fromkeys([DEFAULT, *(way.name for way in plan.compare)]) if plan.compare else {}
    return RetrievalReport(
        data=dataset.name,
        format=dataset.format,
        unit=dataset.unit,
        settings={
            "embedder": done.embedder,
            "weights": asdict(done.weights),
            "ranked": "turns and memories" if plan.with_memories else "turns",
            "captions": dataset.captions,
            "depth": DEEPEST,
            "seed": plan.seed,
        },
        counts={
            "conversations": len(dataset.conversations),
            "turns": dataset.lines,
            "queries": len(answers),
            "left_out": dataset.left_out,
            "unasked": dataset.unasked,
        },
        seconds=perf_counter() - started,
        default=summary(sheets[DEFAULT], seed=plan.seed),
        differences=tuple(
            sorted(differences, key=lambda each: (each.figures["recall@10"].value, each.figures["mrr"].value))
        ),
        compared={name: summary(sheets[name], seed=plan.seed) for name in names},
        asked=done.asked,
        contexts={name: _contexts(given) for name, given in done.answers.items()} if plan.contexts else {},
        tuning=tuned(answers, done.weights) if plan.tune else None,
    )


def _contexts(answers: Sequence[Answer]) -> Contexts:
    counted = [answer for answer in answers if not answer.query.apart] or answers
    return Contexts(
        held=fmean(answer.held or 0.0 for answer in counted), tokens=fmean(answer.tokens for answer in counted)
    )


def record(report: RetrievalReport) -> dict[str, Any]:
    """Return the JSON report: the overall figures first, then the categories, then how they were measured."""
    measured = report.default
    named = {**measured.categories, **measured.apart}
    written = _values(measured.overall.figures) | {
        "categories": {name: _values(scored.figures) for name, scored in measured.categories.items()},
        "apart": {name: _values(scored.figures) for name, scored in measured.apart.items()},
        "intervals": {
            "overall": _intervals(measured.overall.figures),
            "categories": {name: _intervals(scored.figures) for name, scored in named.items()},
        },
        "data": {"name": report.data, "format": report.format},
        "settings": plain(report.settings),
        "counts": {**report.counts, "categories": {name: each.queries for name, each in named.items()}},
    }
    if report.differences:
        written["ablation"] = [
            {"off": each.name, **_values(each.figures), "intervals": _intervals(each.figures)}
            for each in report.differences
        ]
    if report.compared:
        written["compare"] = {
            name: _values(each.overall.figures)
            | {"categories": {category: _values(scored.figures) for category, scored in each.categories.items()}}
            for name, each in report.compared.items()
        }
    beside = {"model": report.asked, "contexts": report.contexts, "tuning": report.tuning}
    return written | {name: plain(value) for name, value in beside.items() if value}


def _values(figures: Mapping[str, Figure]) -> dict[str, Any]:
    return {name: plain(figure.value) for name, figure in figures.items()}


def _intervals(figures: Mapping[str, Figure]) -> dict[str, Any]:
    return {name: plain(figure.interval) for name, figure in figures.items()}


def show_retrieval(report: RetrievalReport, console: Console) -> None:
    """Print the figures by category, then the ablation, the comparison and the tuning."""
    console.print(_categories(report))
    console.print(escape(_about(report)), style="dim")
    if report.differences:
        console.print("", _ablation(report.differences))
    if report.compared:
        console.print("", _comparison(report))
    if report.tuning is not None:
        console.print("", _tuning(report.tuning, report.settings["weights"]))
        console.print(_about_tuning(report.tuning), style="dim")


def _categories(report: RetrievalReport) -> Table:
    table = _table(f"{report.data}: {report.settings['ranked']} found", "", "asked", *_headings(NAMES))
    measured = report.default
    table.add_row("overall", *_cells(measured.overall), style="bold", end_section=True)
    for scores, style in ((measured.categories, ""), (measured.apart, "dim")):
        for name, scored in scores.items():
            table.add_row(escape(name), *_cells(scored), style=style)
        table.add_section()
    return table


def _about(report: RetrievalReport) -> str:
    counts = report.counts
    lines = [
        f"{report.format}, {_many(counts['conversations'], 'conversation')}, {_many(counts['turns'], 'turn')}, "
        f"{_many(counts['queries'], 'question')}; 95 % intervals by {report.unit}; "
        f"embedder {report.settings['embedder']}; {report.seconds:.0f} s"
    ]
    if counts["unasked"]:
        lines.append(
            f"a sample (seed {report.settings['seed']}): {_many(counts['unasked'], 'more question')} not asked; "
            "--queries 0 asks all"
        )
    if report.default.apart:
        lines.append(f"{', '.join(report.default.apart)}: not part of the overall figures")
    if counts["left_out"]:
        lines.append(f"{_many(counts['left_out'], 'question')} without evidence skipped")
    return "\n".join(lines)


def _ablation(differences: Sequence[Difference]) -> Table:
    names = (*_WITH_INTERVAL, "ndcg@10")
    table = _table("change when left out, the greatest loss first", "left out", *_headings(names))
    for each in differences:
        cells = []
        for name in names:
            cells.append(signed(each.figures[name].value))
            if name in _WITH_INTERVAL:
                cells.append(" … ".join(map(signed, each.figures[name].interval or ())))
        table.add_row(escape(each.name), *cells)
    return table


def _comparison(report: RetrievalReport) -> Table:
    contexts = ("in context", "tokens") if report.contexts else ()
    asked = ("model s", "calls", "failed") if report.asked else ()
    table = _table("comparison", "ranked by", "asked", *_headings(NAMES), *contexts, *asked)
    for name, measured in report.compared.items():
        cells = list(_cells(measured.overall))
        if report.contexts:
            cells += [f"{report.contexts[name].held:.3f}", f"{report.contexts[name].tokens:,.0f}"]
        if name in report.asked:
            use = report.asked[name]
            cells += [f"{use.seconds:.1f}", f"{use.calls:,}", f"{use.failed:,}"]
        table.add_row(escape(name), *cells)
    return table


def _tuning(tuning: Tuning, weights: Mapping[str, float]) -> Table:
    """Return a column for each fold: the weights tuned on the others, and its figures with the old and the new."""
    folds = tuning.folds
    names = [escape(fold.left_out) for fold in folds]
    table = _table("weights tuned on the others, scored here", "", "default", *names, "all")
    for part in PART_NAMES:
        table.add_row(part, f"{weights[part]:g}", *(f"{fold.weights[part]:g}" for fold in folds), "")
    table.add_section()
    for name in _WITH_INTERVAL:
        before = [*(fold.default[name] for fold in folds), tuning.default[name]]
        after = [*(fold.tuned[name] for fold in folds), tuning.held_out[name]]
        table.add_row(f"{_HEADINGS[name]}, default", "", *(f"{value:.3f}" for value in before))
        table.add_row(f"{_HEADINGS[name]}, tuned", "", *(f"{value:.3f}" for value in after))
    return table


def _about_tuning(tuning: Tuning) -> str:
    weights = ", ".join(f"{name} {weight:g}" for name, weight in tuning.weights.items())
    return (
        f"the first {POOL} hits of the default weights, ranked again by score alone\n"
        f"tuned on everything: {weights}; R@10 {tuning.seen['recall@10']:.3f}, MRR {tuning.seen['mrr']:.3f} "
        "on the questions they were tuned on"
    )


def _table(title: str, *headings: str) -> Table:
    table = Table(title=escape(title), title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for at, heading in enumerate(headings):
        table.add_column(heading, justify="right" if at else "left", no_wrap=bool(at))
    return table


def _headings(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield _HEADINGS[name]
        if name in _WITH_INTERVAL:
            yield "95 %"


def _cells(scored: Scored) -> Iterator[str]:
    yield f"{scored.queries:,}"
    for name, figure in scored.figures.items():
        yield f"{figure.value:.3f}"
        if name in _WITH_INTERVAL:
            yield "–".join(f"{end:.2f}" for end in figure.interval or ())


def signed(value: float) -> str:
    """Return a change with its sign; "0.000" if it is nothing."""
    return f"{value:+.3f}".replace("-", "−") if abs(value) >= 0.0005 else "0.000"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
