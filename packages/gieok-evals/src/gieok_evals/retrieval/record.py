"""A report as JSON: the figures over all at the top, then by category, then how they came about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gieok_evals.figures import plain
from gieok_evals.retrieval.measuring import RetrievalReport
from gieok_evals.retrieval.report import Figure, Scored


def record(report: RetrievalReport) -> dict[str, Any]:
    """Return what `--json` writes."""
    measured = report.default
    named = {"": measured.overall, **measured.categories, **measured.apart}
    written = values(measured.overall.figures) | {
        "categories": {name: values(scored.figures) for name, scored in measured.categories.items()},
        "apart": {name: values(scored.figures) for name, scored in measured.apart.items()},
        "intervals": {
            "overall": _intervals(measured.overall),
            "categories": {name: _intervals(scored) for name, scored in named.items() if name},
        },
        "data": {"name": report.data, "format": report.format},
        "settings": plain(report.settings),
        "counts": plain(report.counts) | {"categories": {name: each.queries for name, each in named.items() if name}},
    }
    if report.differences:
        written["ablation"] = [
            {"off": each.name, **values(each.figures), "intervals": _ends(each.figures)} for each in report.differences
        ]
    if report.compared:
        written["compare"] = {
            name: values(each.overall.figures)
            | {"categories": {category: values(scored.figures) for category, scored in each.categories.items()}}
            for name, each in report.compared.items()
        }
    if report.asked:
        written["model"] = {name: plain(asked) for name, asked in report.asked.items()}
    if report.contexts:
        written["contexts"] = {name: plain(held) for name, held in report.contexts.items()}
    if report.tuning is not None:
        written["tuning"] = plain(report.tuning)
    return written


def values(figures: Mapping[str, Figure]) -> dict[str, float]:
    return {name: round(figure.value, 4) for name, figure in figures.items()}


def _intervals(scored: Scored) -> dict[str, Any]:
    return _ends(scored.figures)


def _ends(figures: Mapping[str, Figure]) -> dict[str, Any]:
    return {name: plain(figure.interval) for name, figure in figures.items()}
