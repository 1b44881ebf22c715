"""Hand-written utterances through the whole write path: which facts were understood, and which should not have been.

The data has one JSON object a line: `id`, `speaker`, `utterance`, `expected`, and optionally `must_not_extract`,
`known`, `context`, `register`, `phenomena` and `note`. Each case is played in a scope of its own. `compare` plays the
cases three times: with the rules, with a model alone, and with both.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any, Final, Literal

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gieok.bank import MemoryBank, Mind
from gieok.domain.answer import Observed, Prompt
from gieok.domain.turn import CHARACTER
from gieok.errors import InvalidQuery, ModelFailed
from gieok_evals.banks import temporary_bank
from gieok_evals.files import numbered_lines
from gieok_evals.models import DeepListener
from gieok_evals.reports import Extraction, Share, extractions_table, percent, shown, totals
from gieok_evals.statements import Expected, Matched, Statement, listed, matched, statements, stored, violates

_AT: Final = datetime(2026, 3, 2, 12, tzinfo=UTC)
Who = Literal["rules", "model", "both"]
WHO: Final[tuple[Who, ...]] = ("rules", "model", "both")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One utterance and what should become of it."""

    id: str
    speaker: str
    utterance: str
    expected: tuple[Expected, ...]
    must_not: tuple[Statement, ...] = ()
    known: tuple[Statement, ...] = ()  #: remembered before
    context: tuple[tuple[str, str], ...] = ()  #: (speaker, text), said before
    phenomena: tuple[str, ...] = ()
    register: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one case."""

    case: Case
    said: tuple[Statement, ...]
    matched: Matched
    false: tuple[Statement, ...]  #: stored although it must not be
    stored: int  #: claims that were stored, free sentences included
    unread: bool  #: extraction failed

    @property
    def failed(self) -> bool:
        return bool(self.matched.missed or self.matched.extra or self.false)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactsReport:
    """How well utterances were read. The fields are the keys of the JSON report."""

    cases: int
    extraction: Extraction
    by_attribute: Mapping[str, Extraction]
    by_phenomenon: Mapping[str, Extraction]
    by_register: Mapping[str, Extraction]
    false_memories: Share  #: of everything that must not be stored
    cases_with_false_memories: Share
    stored_per_utterance: float
    unread: int  #: utterances whose extraction failed
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)  #: the failed ones, if asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBy:
    """How well one reader did."""

    who: Who
    extraction: Extraction
    false_memories: Share  #: of everything that must not be stored
    from_nothing: Share  #: utterances without a fact from which one was stored
    seconds_per_utterance: float
    asked: int  #: calls of the model
    failures: Mapping[str, int]  #: of the model, by kind
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)  #: the failed ones, if asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFactsReport:
    """Three readers on the same utterances."""

    model: str
    cases: int
    seed: int
    rows: tuple[ReadBy, ...]


def load(path: Path) -> list[Case]:
    """Read the cases of `path`; raises `InvalidQuery` with the number of a bad line."""
    cases = []
    for number, line in numbered_lines(path):
        try:
            cases.append(case(json.loads(line)))
        except (ValueError, KeyError, TypeError) as cause:
            raise InvalidQuery(f"{path}, line {number} is not a case: {cause!r}") from cause
    return cases


def case(line: Mapping[str, Any]) -> Case:
    def statement(item: Mapping[str, Any]) -> Statement:
        return Statement(
            subject=item["subject"],
            attribute=item["attribute"],
            value=item["value"],
            polarity=item.get("polarity", "+"),
            past=item.get("time") == "past",
        )

    def expected(item: Mapping[str, Any]) -> Expected:
        accepted = (item["value"], *item.get("value_alt", ()))
        return Expected(said=statement(item), accepted=accepted, optional=optional or "선택" in item.get("note", ""))

    optional = any(word in line.get("note", "") for word in ("선택", "optional"))
    return Case(
        id=line["id"],
        speaker=line.get("speaker", "user"),
        utterance=line["utterance"],
        expected=tuple(map(expected, line["expected"])),
        must_not=tuple(map(statement, line.get("must_not_extract", ()))),
        known=tuple(map(statement, line.get("known", ()))),
        context=tuple((each["speaker"], each["text"]) for each in line.get("context", ())),
        phenomena=tuple(line.get("phenomena", ())),
        register=line.get("register", ""),
    )


def sample(cases: Sequence[Case], limit: int | None, seed: int) -> list[Case]:
    """Return `limit` of the cases, the same ones for the same seed, in their order."""
    if limit is None or limit >= len(cases):
        return list(cases)
    return [cases[place] for place in sorted(random.Random(seed).sample(range(len(cases)), limit))]


def evaluate(bank: MemoryBank, cases: Sequence[Case], *, show: bool = False) -> FactsReport:
    """Play every case into `bank` and compare. `show` keeps the cases that failed."""
    outcomes = []
    for number, each in enumerate(cases):
        mind = _prepared(bank, each, number)
        outcomes.append(_outcome(each, [_say(mind, each.speaker, each.utterance, _AT)]))
    by_attribute = (
        *((each.said.attribute, Extraction(found=1)) for one in outcomes for each in one.matched.found),
        *((each.said.attribute, Extraction(missed=1)) for one in outcomes for each in one.matched.missed),
        *((each.attribute, Extraction(extra=1)) for one in outcomes for each in one.matched.extra),
    )
    return FactsReport(
        cases=len(cases),
        extraction=_extraction(outcomes),
        by_attribute=totals(by_attribute),
        by_phenomenon=totals((name, each.matched.counts) for each in outcomes for name in each.case.phenomena),
        by_register=totals((each.case.register, each.matched.counts) for each in outcomes),
        false_memories=_false_memories(outcomes),
        cases_with_false_memories=Share(sum(bool(each.false) for each in outcomes), len(outcomes)),
        stored_per_utterance=sum(each.stored for each in outcomes) / max(1, len(outcomes)),
        unread=sum(each.unread for each in outcomes),
        outcomes=tuple(each for each in outcomes if each.failed) if show else (),
    )


def compare(
    model: Any,
    cases: Sequence[Case],
    *,
    seed: int = 0,
    embedder: str | None = None,
    show: bool = False,
    progress: Callable[[], None] = lambda: None,
) -> ModelFactsReport:
    """Read every case with the rules, with `model`, and with both; `show` keeps the cases that failed."""
    timed = _TimedModel(model)
    rows = tuple(_read_by(who, timed, cases, embedder, show=show, progress=progress) for who in WHO)
    return ModelFactsReport(model=timed.name, cases=len(cases), seed=seed, rows=rows)


class _NoRules:
    """An extractor that reads nothing, so that the model reads alone."""

    name = "nothing/1"

    def claims(self, *said: object) -> tuple[()]:
        return ()


class _TimedModel:
    """A model that asks another one, each question once, and measures the time.

    The answers to repeated questions come from a cache; `spared` is the time that they took at first.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._answers: dict[object, tuple[Any, float]] = {}
        self.name = str(model.name)
        self.reset()

    def reset(self) -> None:
        self.spared = 0.0
        self.asked = 0
        self.failures: Counter[str] = Counter()

    def ask(self, prompt: Prompt[Any]) -> Any:
        self.asked += 1
        if prompt.messages in self._answers:
            answer, seconds = self._answers[prompt.messages]
            self.spared += seconds
        else:
            began = perf_counter()
            try:
                answer = self._model.ask(prompt)
            except ModelFailed as failure:
                answer = failure
            self._answers[prompt.messages] = (answer, perf_counter() - began)
        if isinstance(answer, ModelFailed):
            self.failures[answer.failure] += 1
            raise answer
        return answer

    def stream(self, *asked: Any, **options: Any) -> Any:
        return self._model.stream(*asked, **options)


def _read_by(
    who: Who,
    model: _TimedModel,
    cases: Sequence[Case],
    embedder: str | None,
    *,
    show: bool,
    progress: Callable[[], None],
) -> ReadBy:
    model.reset()
    outcomes = []
    seconds = 0.0
    with temporary_bank(embedder=embedder, extractor=_NoRules() if who == "model" else None) as bank:
        listener = DeepListener(bank, model)
        for number, each in enumerate(cases):
            mind = _prepared(bank, each, number)
            began = perf_counter()
            if who == "rules":
                observed = [_say(mind, each.speaker, each.utterance, _AT)]
            else:
                observed = listener.observe(mind.key, each.speaker, each.utterance, _AT)
            seconds += perf_counter() - began
            outcomes.append(_outcome(each, observed))
            progress()
    without = [each for each in outcomes if not each.case.expected]
    return ReadBy(
        who=who,
        extraction=_extraction(outcomes),
        false_memories=_false_memories(outcomes),
        from_nothing=Share(sum(bool(each.matched.extra) for each in without), len(without)),
        seconds_per_utterance=(seconds + model.spared) / max(1, len(outcomes)),
        asked=model.asked,
        failures=dict(model.failures),
        outcomes=tuple(each for each in outcomes if each.failed) if show else (),
    )


def _prepared(bank: MemoryBank, case: Case, number: int) -> Mind:
    """Return a new mind that knows and has heard what comes before the case."""
    mind = bank.scope(user=f"case-{number}-{case.id}", character="letia")
    for fact in case.known:
        mind.remember(
            f"{fact.attribute}: {fact.value}",
            about=fact.subject,
            attribute=fact.attribute,
            value=fact.value,
            at=_AT - timedelta(days=1),
        )
    before = _AT - timedelta(minutes=len(case.context))
    for minute, (speaker, text) in enumerate(case.context):
        _say(mind, speaker, text, before + timedelta(minutes=minute))
    return mind


def _say(mind: Mind, speaker: str, text: str, at: datetime) -> Observed:
    return mind.observe(reply=text, at=at) if speaker == CHARACTER else mind.observe(text, at=at)


def _outcome(case: Case, observed: Sequence[Observed]) -> Outcome:
    """Compare what was `observed`, by one reader after another, with what the case expects."""
    claims = tuple(claim for each in observed for claim in stored(each.decisions))
    said = tuple(statement for claim in claims for statement in statements(claim, _AT))
    return Outcome(
        case=case,
        said=said,
        matched=matched(said, case.expected),
        false=tuple(bad for bad in case.must_not if any(violates(each, bad) for each in said)),
        stored=sum(claim.act not in ("end", "retract") for claim in claims),
        unread=any(each.unread for each in observed),
    )


def _extraction(outcomes: Sequence[Outcome]) -> Extraction:
    return sum((each.matched.counts for each in outcomes), Extraction())


def _false_memories(outcomes: Sequence[Outcome]) -> Share:
    return Share(sum(len(each.false) for each in outcomes), sum(len(each.case.must_not) for each in outcomes))


def show_facts(report: FactsReport, console: Console) -> None:
    for outcome in report.outcomes:
        _show_outcome(outcome, console)
    for name in ("attribute", "phenomenon", "register"):
        console.print(extractions_table(f"facts by {name}", getattr(report, f"by_{name}")))
    total = report.extraction
    console.print(
        f"[bold]{report.cases} utterances: precision {percent(total.precision)}, recall {percent(total.recall)}, "
        f"F1 {percent(total.f1)}[/] ({total.found} found, {total.missed} missed, {total.extra} extra)"
    )
    console.print(
        f"[bold]false memories {shown(report.false_memories)}, "
        f"utterances with one {shown(report.cases_with_false_memories)}, "
        f"stored per utterance {report.stored_per_utterance:.2f}, unread {report.unread}[/]"
    )


def show_comparison(report: ModelFactsReport, console: Console) -> None:
    for row in report.rows:
        for outcome in row.outcomes:
            console.print(f"[dim]{row.who}[/]", end=" ")
            _show_outcome(outcome, console)
    table = Table(title=f"{report.cases} utterances with and without {report.model}", title_justify="left")
    for heading in ("", "precision", "recall", "F1", "false", "from nothing", "s/utterance", "asked", "failed"):
        table.add_column(heading, justify="right" if heading else "left")
    for row in report.rows:
        figures = (row.extraction.precision, row.extraction.recall, row.extraction.f1)
        table.add_row(
            row.who,
            *map(percent, figures),
            shown(row.false_memories),
            shown(row.from_nothing),
            f"{row.seconds_per_utterance:.2f}",
            str(row.asked),
            str(sum(row.failures.values())),
        )
    console.print(table)
    console.print("false: stored although it must not be; from nothing: utterances without a fact that gave one")


def _show_outcome(outcome: Outcome, console: Console) -> None:
    before = "".join(f"{speaker}: “{text}” – " for speaker, text in outcome.case.context)
    console.print(f"[bold]{outcome.case.id}[/] {escape(before + outcome.case.utterance)}", soft_wrap=True)
    lines = (
        ("[red]missed[/]", [each.said for each in outcome.matched.missed]),
        ("[yellow]extra[/]", outcome.matched.extra),
        ("[magenta]false[/]", outcome.false),
    )
    for kind, found in lines:
        if found:
            console.print(f"    {kind} {escape(listed(found))}", soft_wrap=True)
    console.print(f"    [dim]read[/] {escape(listed(outcome.said))}", soft_wrap=True)
