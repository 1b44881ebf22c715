"""Retrieval reports as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gieok.domain.scoring import PART_NAMES
from gieok_evals.retrieval.measuring import RetrievalReport
from gieok_evals.retrieval.metrics import NAMES
from gieok_evals.retrieval.report import Difference, Figure, Scored
from gieok_evals.retrieval.tuning import POOL, Tuning

_HEADINGS: Final = {"recall@5": "R@5", "recall@10": "R@10", "recall@20": "R@20", "mrr": "MRR", "ndcg@10": "NDCG"}
_SPREAD: Final = ("recall@10", "mrr")  #: shown with their intervals


def show(report: RetrievalReport, console: Console) -> None:
    """Print the report: figures by category, then what was left out, compared or tuned."""
    console.print(_figures(report))
    console.print(escape(_about(report)), style="dim")
    if report.differences:
        console.print("", _ablation(report.differences))
    if report.compared:
        console.print("", _comparison(report))
    if report.tuning is not None:
        console.print("", _tuning(report.tuning, report.settings["weights"]))
        console.print(_about_tuning(report.tuning), style="dim")


def _figures(report: RetrievalReport) -> Table:
    table = _table(f"{report.data}: {report.settings['ranked']} found again", "", "asked", *_headings(NAMES))
    measured = report.default
    table.add_row("overall", *_cells(measured.overall), style="bold", end_section=True)
    for scores, style in ((measured.categories, ""), (measured.apart, "dim")):
        for name, scored in scores.items():
            table.add_row(escape(name), *_cells(scored), style=style)
        table.add_section()
    return table


def _headings(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield _HEADINGS[name]
        if name in _SPREAD:
            yield "95 %"


def _cells(scored: Scored) -> Iterator[str]:
    yield f"{scored.queries:,}"
    for name, figure in scored.figures.items():
        yield plain(figure.value)
        if name in _SPREAD:
            yield "" if figure.interval is None else "–".join(f"{end:.2f}" for end in figure.interval)


def _about(report: RetrievalReport) -> str:
    """Return, in words, what the figures were drawn from."""
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
        lines.append(f"{', '.join(report.default.apart)}: apart, no part of the overall figures")
    if counts["left_out"]:
        lines.append(f"{_many(counts['left_out'], 'question')} without evidence left out")
    return "\n".join(lines)


def _ablation(differences: tuple[Difference, ...]) -> Table:
    names = (*_SPREAD, "ndcg@10")
    table = _table("what leaving it out changes, the greatest loss first", "left out", *_headings(names))
    for each in differences:
        table.add_row(escape(each.name), *_changes({name: each.figures[name] for name in names}))
    return table


def _changes(figures: Mapping[str, Figure]) -> Iterator[str]:
    for name, figure in figures.items():
        yield signed(figure.value)
        if name in _SPREAD:
            yield "" if figure.interval is None else " … ".join(map(signed, figure.interval))


def _comparison(report: RetrievalReport) -> Table:
    asked = ("model s", "calls", "failed") if report.asked else ()
    contexts = ("in context", "tokens") if report.contexts else ()
    table = _table("side by side", "ranked by", "asked", *_headings(NAMES), *contexts, *asked)
    for name, measured in report.compared.items():
        beside = [*_context_cells(report, name), *_model_cells(report, name)]
        table.add_row(escape(name), *_cells(measured.overall), *beside)
    return table


def _context_cells(report: RetrievalReport, name: str) -> Iterator[str]:
    if report.contexts:
        yield plain(report.contexts[name].held)
        yield f"{report.contexts[name].tokens:,.0f}"


def _model_cells(report: RetrievalReport, name: str) -> Iterator[str]:
    if name in report.asked:
        asked = report.asked[name]
        yield f"{asked.seconds:.1f}"
        yield f"{asked.calls:,}"
        yield f"{asked.failed:,}"


def _tuning(tuning: Tuning, weights: Mapping[str, float]) -> Table:
    """Return a column for each fold: the weights tuned on the others, and how it fares with the old and the new."""
    folds = tuning.folds
    names = [escape(fold.left_out) for fold in folds]
    table = _table("weights tuned on the others, tried on this one", "", "default", *names, "all")
    for part in PART_NAMES:
        table.add_row(part, f"{weights[part]:g}", *(f"{fold.weights[part]:g}" for fold in folds), "")
    table.add_section()
    for name in _SPREAD:
        before, after = [fold.default[name] for fold in folds], [fold.tuned[name] for fold in folds]
        table.add_row(f"{_HEADINGS[name]}, default", "", *map(plain, (*before, tuning.default[name])))
        table.add_row(f"{_HEADINGS[name]}, tuned", "", *map(plain, (*after, tuning.held_out[name])))
    return table


def _about_tuning(tuning: Tuning) -> str:
    weights = ", ".join(f"{name} {weight:g}" for name, weight in tuning.weights.items())
    return (
        f"the first {POOL} hits of the default weights, ranked again by score alone\n"
        f"tuned on everything: {weights}; R@10 {plain(tuning.seen['recall@10'])}, MRR {plain(tuning.seen['mrr'])} "
        "on the very questions they were tuned on"
    )


def _table(title: str, *headings: str) -> Table:
    table = Table(title=escape(title), title_justify="left", box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_edge=False)
    for at, heading in enumerate(headings):
        table.add_column(heading, justify="right" if at else "left", no_wrap=bool(at))
    return table


def plain(value: float) -> str:
    return f"{value:.3f}"


def signed(value: float) -> str:
    """Return a change with its sign; none where it is nothing."""
    return f"{value:+.3f}".replace("-", "−") if abs(value) >= 0.0005 else "0.000"


def _many(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"
