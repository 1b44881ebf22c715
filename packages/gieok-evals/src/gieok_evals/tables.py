"""Reports as tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gieok_evals.facts import FactsReport, Outcome
from gieok_evals.figures import Extraction, Share
from gieok_evals.frames import FrameReport, Reading
from gieok_evals.model_facts import ModelFactsReport
from gieok_evals.planted.report import PlantedReport
from gieok_evals.statement import Statement


def percent(rate: float | None) -> str:
    return "–" if rate is None else f"{100 * rate:.1f} %"


def share(count: Share) -> str:
    return f"{percent(count.rate)} ({count.hits}/{count.of})"


def shares(title: str, counts: Mapping[str, Share], *, heading: str = "found") -> Table:
    """Return one line for each share, the lowest first."""
    table = Table(title=title, title_justify="left")
    table.add_column(title.split(" ")[-1])
    table.add_column(heading, justify="right")
    for name, count in sorted(counts.items(), key=lambda pair: pair[1].rate or 0.0):
        table.add_row(name, share(count))
    return table


def numbers(title: str, counts: Mapping[str, int]) -> Table:
    """Return one line for each number, the highest first."""
    table = Table("", "times", title=title, title_justify="left")
    for name, count in sorted(counts.items(), key=lambda pair: -pair[1]):
        table.add_row(name, str(count))
    return table


def show_frames(report: FrameReport, console: Console) -> None:
    for reading in report.misses:
        console.print(_failed("[red]missed[/]", reading, reading.read), soft_wrap=True)
    for reading in report.extras:
        console.print(_failed("[yellow]extra[/]", reading, reading.extra), soft_wrap=True)
    for tag in ("slot", "directness", "register", "syntax"):
        console.print(shares(f"frames understood by {tag}", getattr(report, f"by_{tag}")))
    if report.elsewhere:
        console.print(numbers("right value, other attribute", report.elsewhere))
    if report.extra_by_attribute:
        console.print(numbers("extra facts about the user", report.extra_by_attribute))
    console.print(f"[bold]split {report.split}: understood {share(report.found)}, with extras {share(report.extra)}[/]")


def _failed(kind: str, reading: Reading, read: Iterable[Statement]) -> str:
    ask = f"“{escape(reading.frame.ask)}” – " if reading.frame.ask else ""
    wanted = f"{reading.frame.slot}={escape(reading.value.gold)}"
    return f"{kind} {wanted}  {ask}{escape(reading.text)}  [dim]read: {escape(stated(read))}[/]"


def show_facts(report: FactsReport, console: Console) -> None:
    for outcome in report.outcomes:
        _show_outcome(outcome, console)
    for name in ("attribute", "phenomenon", "register"):
        console.print(extractions(f"facts by {name}", getattr(report, f"by_{name}")))
    total = report.extraction
    console.print(
        f"[bold]{report.cases} utterances: precision {percent(total.precision)}, recall {percent(total.recall)}, "
        f"F1 {percent(total.f1)}[/] ({total.found} found, {total.missed} missed, {total.extra} extra)"
    )
    console.print(
        f"[bold]false memories {share(report.false_memories)}, "
        f"utterances with one {share(report.cases_with_false_memories)}, "
        f"stored per utterance {report.stored_per_utterance:.2f}, unread {report.unread}[/]"
    )


def show_model_facts(report: ModelFactsReport, console: Console) -> None:
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
            share(row.false_memories),
            share(row.from_nothing),
            f"{row.seconds_per_utterance:.2f}",
            str(row.asked),
            str(sum(row.failures.values())),
        )
    console.print(table)
    console.print("false: of what must not be stored; from nothing: utterances without a fact of which one was stored")


def extractions(title: str, counts: Mapping[str, Extraction]) -> Table:
    """Return one line for each extraction, the lowest F1 first."""
    table = Table(title=title, title_justify="left")
    table.add_column(title.split(" ")[-1])
    for heading in ("found", "missed", "extra", "precision", "recall", "F1"):
        table.add_column(heading, justify="right")
    for name, count in sorted(counts.items(), key=lambda pair: pair[1].f1 or 0.0):
        figures = (percent(count.precision), percent(count.recall), percent(count.f1))
        table.add_row(name, str(count.found), str(count.missed), str(count.extra), *figures)
    return table


def _show_outcome(outcome: Outcome, console: Console) -> None:
    before = "".join(f"{speaker}: “{text}” – " for speaker, text in outcome.case.context)
    console.print(f"[bold]{outcome.case.id}[/] {escape(before + outcome.case.utterance)}", soft_wrap=True)
    lines = (
        ("[red]missed[/]", stated(each.said for each in outcome.matched.missed)),
        ("[yellow]extra[/]", stated(outcome.matched.extra)),
        ("[magenta]false[/]", stated(outcome.false)),
        ("[dim]read[/]", stated(outcome.said)),
    )
    for kind, text in lines:
        if text != "nothing" or "read" in kind:
            console.print(f"    {kind} {escape(text)}", soft_wrap=True)


_GOALS: Final = {
    "stale_given": "≤ 1 %",
    "others_given": "≤ 0.5 %",
    "abstention": "≥ 95 %",
    "leaks": "0",
}


def show_planted(report: PlantedReport, console: Console) -> None:
    for failure in report.failures:
        console.print(escape(failure), soft_wrap=True)
    console.print(extractions("extraction by slot", report.extraction_by_slot))
    console.print(shares("context contains, by slot", report.contains_by_slot))
    console.print(shares("context contains, by kind", report.contains_by_kind))
    console.print(shares("false memories, by family", report.false_by_family, heading="stored"))
    table = Table(title=f"{report.scripts} scripts of {report.turns} turns, split {report.split}", title_justify="left")
    for heading in ("score", "share", "95 % interval", "goal"):
        table.add_column(heading)
    goals = _GOALS | {"contains": "≥ 97 %" if report.turns == 1_000 else "≥ 98 %"}
    for name, headline in report.scores.items():
        table.add_row(name, share(headline.share), between(headline.interval), goals.get(name, ""))
    table.add_row("extraction F1", percent(report.extraction.f1), between(report.f1_interval), "")
    table.add_row("precision", percent(report.extraction.precision), "", "")
    table.add_row("recall", percent(report.extraction.recall), "", "")
    console.print(table)
    verdict = "[green]no leak[/]" if report.passed else "[red]failed: a leak, or turns that could not be read[/]"
    console.print(
        f"{verdict}, {report.unread} turns unread, {report.seconds_per_script:.1f} s a script", report.embedder
    )


def between(ends: tuple[float, float] | None) -> str:
    return "" if ends is None else f"{percent(ends[0])} – {percent(ends[1])}"


def stated(statements: Iterable[Statement]) -> str:
    """Return statements in one line: user.job=간호사, user.pet=고양이 (past)."""
    return ", ".join(map(_stated, statements)) or "nothing"


def _stated(each: Statement) -> str:
    sign = "≠" if each.polarity == "-" else "="
    return f"{each.subject}.{each.attribute}{sign}{each.value}{' (past)' if each.past else ''}"
