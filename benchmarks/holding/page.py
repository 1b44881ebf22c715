"""`docs/figures.md`: what must hold, what was measured, and whether it does, plainly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from holding.condition import Condition, Part
from holding.measurement import Measurement
from holding.running import Result
from machine import Machine

Verdict = Literal["yes", "no", "not measured"]
_MARKS: Mapping[Verdict, str] = {"yes": "yes", "no": "**no**", "not measured": "**NOT MEASURED**"}


class Row(NamedTuple):
    """A condition with what became of it."""

    condition: Condition
    measured: str
    verdict: Verdict


def rows(part: Part, results: Mapping[str, Result]) -> list[Row]:
    return [_row(condition, results) for condition in part.conditions]


def _row(condition: Condition, results: Mapping[str, Result]) -> Row:
    missing = [_why_not(name, results.get(name)) for name in condition.by]
    troubles = [trouble for trouble in missing if trouble is not None]
    if troubles:
        return Row(condition, "; ".join(troubles), "not measured")
    try:
        reading = condition.read(*(results[name].told for name in condition.by))
    except (ArithmeticError, LookupError, StopIteration, TypeError, ValueError) as unread:
        return Row(condition, f"the figures cannot be read: {type(unread).__name__} {unread}", "not measured")
    return Row(condition, reading.measured, "yes" if reading.met else "no")


def _why_not(name: str, result: Result | None) -> str | None:
    return f"{name} was not run" if result is None else result.trouble


def page(
    parts: Sequence[Part],
    measurements: Sequence[Measurement],
    results: Mapping[str, Result],
    machine: Machine,
    *,
    quick: bool = False,
) -> str:
    """Return the whole page; one of a quick run says that it has no figures to go by."""
    tables = {part.title: rows(part, results) for part in parts}
    commands = {each.name: each.shown for each in measurements}
    lines = [
        "# Figures",
        "",
        "Everything that must hold, measured one after the other, each in a process of its own. Written by",
        "`make figures DATA=/where/the/data/is`; do not edit it by hand.",
        "",
        *machine.lines(),
        "",
        *(["**A quick run with small counts, to see that it works: these are not the figures.**", ""] if quick else []),
        *_summary([row for table in tables.values() for row in table]),
        *_other_commits(results, machine),
    ]
    for title, table in tables.items():
        lines += [f"## {title}", "", "| What must hold | Goal | Measured | Met | By |", "|---|---|---|---|---|"]
        lines += [_line(row) for row in table]
        lines.append("")
    lines += _taken(results, commands)
    return "\n".join(lines).rstrip() + "\n"


def _summary(all_rows: Sequence[Row]) -> Iterator[str]:
    by_verdict: dict[Verdict, list[Row]] = {"yes": [], "no": [], "not measured": []}
    for row in all_rows:
        by_verdict[row.verdict].append(row)
    met, missed, unmeasured = by_verdict.values()
    yield f"**{len(met)} of {len(all_rows)} hold; {len(missed)} do not; {len(unmeasured)} were not measured.**"
    yield ""
    for heading, some in (("Do not hold", missed), ("NOT MEASURED", unmeasured)):
        if some:
            yield f"{heading}:"
            yield ""
            yield from (
                f"- {row.condition.what}: {_escaped(row.measured)} (goal: {row.condition.goal})" for row in some
            )
            yield ""


def _other_commits(results: Mapping[str, Result], machine: Machine) -> Iterator[str]:
    others = sorted(f"{each.name} ({each.commit})" for each in results.values() if each.commit != machine.commit)
    if others:
        yield f"**Measured at another commit than the page's:** {', '.join(others)}."
        yield ""


def _line(row: Row) -> str:
    condition = row.condition
    by = ", ".join(f"`{name}`" for name in condition.by)
    cells = (condition.what, condition.goal, row.measured, _MARKS[row.verdict], by)
    return "| " + " | ".join(_escaped(cell) for cell in cells) + " |"


def _taken(results: Mapping[str, Result], commands: Mapping[str, str]) -> Iterator[str]:
    yield "## The commands"
    yield ""
    yield "`DATA` is the folder with the data, `MODEL` a model file, `ENVS` where the peers' environments are kept."
    yield "The load is that of the machine before the command began: above 0.5 somebody else was at work."
    yield ""
    yield "| Name | Command | Took | Load |"
    yield "|---|---|---:|---:|"
    for name, command in commands.items():
        result = results.get(name)
        took = ("–", "–") if result is None else (f"{result.seconds:,.0f} s", f"{result.load:.1f}")
        yield f"| `{name}` | `{_escaped(command)}` | {took[0]} | {took[1]} |"
    total = sum(each.seconds for each in results.values())
    yield f"| together | | {total / 60:.0f} min | |"


def _escaped(text: str) -> str:
    """Return `text` as one cell of a table."""
    return " ".join(text.split()).replace("|", "\\|")
