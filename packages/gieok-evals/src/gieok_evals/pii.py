"""How well personal data is found, in texts whose spans are known and in similar texts without any.

The data has one text a line, with marks: `내 번호는 {phone:010-1234-5678}이야`. Or it has one JSON object a line,
`{"text": …, "entity": "KR_RRN", "spans": [[0, 14]]}`; only spans of that one kind are counted.
"""

from __future__ import annotations

import json
import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gieok.domain.personal import PERSONAL_KINDS
from gieok.errors import InvalidQuery
from gieok_evals.files import numbered_lines
from gieok_evals.reports import Extraction, Share, one, percent, shown

Span = tuple[str, int, int]  #: kind, start, end
Finder = Callable[[str], Iterable[Span]]

_MARK: Final = re.compile(r"\{([a-z_]+):([^{}]*)\}")
_ENTITIES: Final[Mapping[str, str]] = {
    "KR_RRN": "resident",
    "KR_FRN": "foreigner",
    "KR_BRN": "business",
    "KR_PASSPORT": "passport",
    "KR_DRIVER_LICENSE": "licence",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalCase:
    """A text and the personal data in it."""

    text: str
    spans: frozenset[Span]
    only: str | None = None  #: the only kind that counts; None: all


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalMiss:
    """A text in which something was missed or wrongly found."""

    text: str
    missed: tuple[str, ...]
    extra: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalReport:
    """What was found. A span is right if kind, start and end are. The fields are the keys of the JSON report."""

    cases: int
    spans: Extraction
    by_kind: Mapping[str, Extraction]
    false_alarms: Share  #: among the texts without personal data
    milliseconds: float  #: of CPU time a text, on average
    slowest: float  #: milliseconds
    misses: tuple[PersonalMiss, ...] = field(default=())


def load(path: Path) -> list[PersonalCase]:
    """Read the texts of `path`; raises `InvalidQuery` with the number of a bad line."""
    lines = numbered_lines(path)
    if not lines:
        raise InvalidQuery(f"{path} is empty; write one text a line: 내 번호는 {{phone:010-1234-5678}}이야")
    read = _from_json if all(line.startswith('{"') for _, line in lines) else _from_marks
    return [read(line, f"{path}, line {number}") for number, line in lines]


def _from_marks(line: str, where: str) -> PersonalCase:
    text, spans, done = "", set(), 0
    for mark in _MARK.finditer(line):
        text += line[done : mark.start()]
        if mark[1] not in PERSONAL_KINDS:
            raise InvalidQuery(f"{where}: {mark[1]!r} is not a kind; choose from {', '.join(PERSONAL_KINDS)}")
        spans.add((mark[1], len(text), len(text) + len(mark[2])))
        text += mark[2]
        done = mark.end()
    return PersonalCase(text=text + line[done:], spans=frozenset(spans))


def _from_json(line: str, where: str) -> PersonalCase:
    try:
        row: dict[str, Any] = json.loads(line)
        kind = _ENTITIES[row["entity"]]
        spans = frozenset((kind, int(start), int(end)) for start, end in row["spans"])
        return PersonalCase(text=str(row["text"]), spans=spans, only=kind)
    except (ValueError, KeyError, TypeError) as cause:
        raise InvalidQuery(f"{where} is not a text with its spans: {cause!r}") from cause


def evaluate(cases: Sequence[PersonalCase], find: Finder) -> PersonalReport:
    """Look for personal data in every text."""
    by_kind: defaultdict[str, Extraction] = defaultdict(Extraction)
    alarms = Share()
    misses: list[PersonalMiss] = []
    for case in cases:
        found = {span for span in find(case.text) if case.only in (None, span[0])}
        for kind, *_ in case.spans & found:
            by_kind[kind] += Extraction(found=1)
        for kind, *_ in case.spans - found:
            by_kind[kind] += Extraction(missed=1)
        for kind, *_ in found - case.spans:
            by_kind[kind] += Extraction(extra=1)
        if not case.spans:
            alarms += one(bool(found))
        if found != case.spans:
            missed, extra = _listed(case.text, case.spans - found), _listed(case.text, found - case.spans)
            misses.append(PersonalMiss(text=case.text, missed=missed, extra=extra))
    took = [_milliseconds(case.text, find) for case in cases]  # now that everything is loaded
    return PersonalReport(
        cases=len(cases),
        spans=sum(by_kind.values(), Extraction()),
        by_kind={kind: by_kind[kind] for kind in PERSONAL_KINDS if kind in by_kind},
        false_alarms=alarms,
        milliseconds=sum(took) / len(took),
        slowest=max(took),
        misses=tuple(misses),
    )


def _milliseconds(text: str, find: Finder) -> float:
    """Return the CPU time of one search."""
    begun = time.thread_time()
    list(find(text))
    return (time.thread_time() - begun) * 1_000


def _listed(text: str, spans: Iterable[Span]) -> tuple[str, ...]:
    return tuple(f"{kind}: {text[start:end]}" for kind, start, end in sorted(spans, key=lambda span: span[1:]))


def show_pii(report: PersonalReport, console: Console) -> None:
    """Print the errors, the scores of each kind, and the totals."""
    for miss in report.misses:
        for word, spans in (("[red]missed[/]", miss.missed), ("[yellow]extra[/]", miss.extra)):
            if spans:
                console.print(f"{word} {escape('; '.join(spans))}  [dim]{escape(miss.text)}[/]", soft_wrap=True)
    table = Table("kind", title="personal data by kind", title_justify="left")
    for heading in ("precision", "recall", "F1", "found", "missed", "extra"):
        table.add_column(heading, justify="right")
    for kind, each in report.by_kind.items():
        rates = (percent(each.precision), percent(each.recall), percent(each.f1))
        table.add_row(kind, *rates, str(each.found), str(each.missed), str(each.extra))
    console.print(table)
    total = report.spans
    console.print(
        f"[bold]{report.cases} texts: precision {percent(total.precision)}, recall {percent(total.recall)}, "
        f"F1 {percent(total.f1)}, false alarms {shown(report.false_alarms)}[/]"
    )
    console.print(f"{report.milliseconds:.3f} ms a text, the slowest {report.slowest:.2f} ms")
