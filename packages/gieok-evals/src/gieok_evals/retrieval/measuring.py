"""Measuring retrieval from a file to a report: what `gieok eval retrieval` does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from statistics import fmean
from time import perf_counter
from typing import Any

from gieok.errors import InvalidQuery
from gieok_evals.retrieval.datasets import Dataset
from gieok_evals.retrieval.metrics import DEEPEST
from gieok_evals.retrieval.playing import DEFAULT, Answer, Asking, Way
from gieok_evals.retrieval.report import Difference, Summary, difference, sheet, summary
from gieok_evals.retrieval.running import Asked, Opener, Progress, Run, reopened, run
from gieok_evals.retrieval.tuning import POOL, Tuning, tuned
from gieok_evals.retrieval.ways import ablations


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to find out beside the figures themselves."""

    with_memories: bool = False
    ablate: bool = False
    compare: tuple[Way, ...] = ()
    tune: bool = False
    seed: int = 0
    llm: str | None = None  #: another model than the settings say, for the ways in which one helps

    def __post_init__(self) -> None:
        if self.tune and self.with_memories:
            raise InvalidQuery("--tune ranks what was said; leave out --with-memories")

    @property
    def ways(self) -> tuple[Way, ...]:
        """Every way to ask, the default first."""
        others = (*(ablations() if self.ablate else ()), *self.compare)
        return (Way(), *(way for way in others if way.name != DEFAULT))

    @property
    def contexts(self) -> bool:
        """Whether contexts have to be looked at: shortening what is in them changes no ranking."""
        return any("compress" in way.switches for way in self.compare)


@dataclass(frozen=True, slots=True, kw_only=True)
class Contexts:
    """What contexts hold, on average."""

    held: float  #: share of the evidence that stands in them
    tokens: float


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalReport:
    """How well the lines that answer were found again."""

    data: str
    format: str
    unit: str  #: what intervals are drawn over
    settings: Mapping[str, Any]
    counts: Mapping[str, int]
    seconds: float
    default: Summary
    differences: tuple[Difference, ...] = ()  #: with --ablate: the worst loss first
    compared: Mapping[str, Summary] = field(default_factory=dict)  #: with --compare, by name
    asked: Mapping[str, Asked] = field(default_factory=dict)  #: what a model was asked, by the name of the way
    contexts: Mapping[str, Contexts] = field(default_factory=dict)  #: where contexts are compared as well, by name
    tuning: Tuning | None = None


def measure(
    dataset: Dataset,
    plan: Plan,
    *,
    embedder: str | None = None,
    opener: Opener | None = None,
    progress: Progress = lambda _: None,
) -> RetrievalReport:
    """Play `dataset` and report; `progress` hears of every line observed and every question asked."""
    opener = opener or partial(reopened, llm=plan.llm)
    started = perf_counter()
    depth = POOL if plan.tune else DEEPEST
    asking = Asking(depth=depth, with_memories=plan.with_memories, keep_parts=plan.tune, contexts=plan.contexts)
    done = run(dataset, plan.ways, asking, embedder=embedder, opener=opener, progress=progress)
    answers = done.answers[DEFAULT]
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
        default=summary(sheet(answers), seed=plan.seed),
        differences=_differences(done, plan),
        compared=_compared(done, plan),
        asked=done.asked,
        contexts={name: _contexts(given) for name, given in done.answers.items()} if plan.contexts else {},
        tuning=tuned(answers, done.weights) if plan.tune else None,
    )


def _differences(done: Run, plan: Plan) -> tuple[Difference, ...]:
    base = sheet(done.answers[DEFAULT])
    ways = ablations() if plan.ablate else ()
    found = [difference(way.name, sheet(done.answers[way.name]), base, seed=plan.seed) for way in ways]
    return tuple(sorted(found, key=lambda each: (each.figures["recall@10"].value, each.figures["mrr"].value)))


def _compared(done: Run, plan: Plan) -> dict[str, Summary]:
    if not plan.compare:
        return {}
    names = dict.fromkeys([DEFAULT, *(way.name for way in plan.compare)])
    return {name: summary(sheet(done.answers[name]), seed=plan.seed) for name in names}


def _contexts(answers: Sequence[Answer]) -> Contexts:
    counted = [answer for answer in answers if not answer.query.apart] or answers
    return Contexts(
        held=fmean(answer.held or 0.0 for answer in counted), tokens=fmean(answer.tokens for answer in counted)
    )
