"""The scores of many scripts, with intervals drawn over whole scripts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gieok.evals.figures import Extraction, Share, interval
from gieok.evals.planted.tally import MEANINGS, Score, ScriptScore, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A share over all scripts with its 95 % interval."""

    share: Share
    interval: tuple[float, float] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedReport:
    """The scores of a run. Its fields are the keys of the JSON report."""

    split: str
    turns: int
    scripts: int
    seed: int
    embedder: str
    seconds_per_script: float
    passed: bool  #: no leak, and every turn was read
    scores: Mapping[Score, Headline]  #: what each means stands in `tally.MEANINGS`
    extraction: Extraction  #: of planted facts and changes
    f1_interval: tuple[float, float] | None
    extraction_by_slot: Mapping[str, Extraction]
    false_by_family: Mapping[str, Share]
    contains_by_kind: Mapping[str, Share]
    contains_by_slot: Mapping[str, Share]
    unread: int  #: turns that could not be read
    failures: tuple[str, ...] = field(default=(), repr=False)


def report(
    scores: Sequence[ScriptScore], *, split: str, turns: int, seed: int, embedder: str, seconds: float
) -> PlantedReport:
    leaks = _total(scores, "leaks")
    unread = sum(score.unread for score in scores)
    return PlantedReport(
        split=split,
        turns=turns,
        scripts=len(scores),
        seed=seed,
        embedder=embedder,
        seconds_per_script=seconds / max(1, len(scores)),
        passed=leaks.hits == 0 and unread == 0,
        scores={name: _headline(scores, name, seed) for name in MEANINGS},
        extraction=_extraction(scores),
        f1_interval=interval(scores, lambda drawn: _extraction(drawn).f1, seed=seed),
        extraction_by_slot=_by_slot(scores),
        false_by_family=_table(scores, "false_by_family"),
        contains_by_kind=_table(scores, "contains_by_kind"),
        contains_by_slot=_table(scores, "contains_by_slot"),
        unread=unread,
        failures=tuple(failure for score in scores for failure in score.failures),
    )


def _headline(scores: Sequence[ScriptScore], name: Score, seed: int) -> Headline:
    ends = interval(scores, lambda drawn: _total(drawn, name).rate, seed=seed)
    return Headline(share=_total(scores, name), interval=ends)


def _total(scores: Iterable[ScriptScore], name: Score) -> Share:
    return sum((score.share(name) for score in scores), Share())


def _extraction(scores: Iterable[ScriptScore]) -> Extraction:
    return sum((score.total for score in scores), Extraction())


def _table(scores: Iterable[ScriptScore], name: Table) -> dict[str, Share]:
    totals: dict[str, Share] = {}
    for score in scores:
        for heading, share in score.tables.get(name, {}).items():
            totals[heading] = totals.get(heading, Share()) + share
    return totals


def _by_slot(scores: Iterable[ScriptScore]) -> dict[str, Extraction]:
    totals: dict[str, Extraction] = {}
    for score in scores:
        for slot, counts in score.extraction.items():
            totals[slot] = totals.get(slot, Extraction()) + counts
    return totals
