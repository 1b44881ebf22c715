"""How well Korean is read that strangers wrote: utterances with their facts, and questions that only hint at one.

    python benchmarks/strangers.py benchmarks/strangers/first

A folder holds `utterances.jsonl` (cases as `gieok eval facts` takes them), `personas.jsonl` (what somebody tells, and
what they say without telling anything) and `probes.jsonl` (indirect questions: `told` is the number of what answers
them). A persona's tellings are observed hours apart, with the small talk of everybody between and after them; days
later each probe is asked. It is answered when the telling, what was read from it or its value stands in the context,
in which no recent talk is quoted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from itertools import zip_longest
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final

import typer
from rich.table import Table

from gieok.bank import MemoryBank, Mind
from gieok.cli.console import answers
from gieok_evals.banks import temporary_bank
from gieok_evals.facts import evaluate, load
from gieok_evals.planted.scoring import Answer
from gieok_evals.statements import fold

_BEGUN: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)
_APART: Final = timedelta(hours=7)
_LATER: Final = timedelta(days=5)
_FEW: Final = 5

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """What `--json` writes."""

    utterances: int
    precision: float
    recall: float
    f1: float
    false_memories: int
    of: int  #: things that must not be stored
    probes: int
    in_context: int
    among_five: int  #: hits of a recall


def main(
    folder: Annotated[Path, typer.Argument(help="Where utterances.jsonl, personas.jsonl and probes.jsonl are.")],
    as_json: Annotated[Path | None, typer.Option("--json", help="Write the figures to a file.")] = None,
) -> None:
    """Read what strangers wrote, and answer what they hint at; a guide, not a test."""
    with temporary_bank() as bank:
        facts = evaluate(bank, load(folder / "utterances.jsonl"))
        probed = [*_probed(bank, _records(folder / "personas.jsonl"), _records(folder / "probes.jsonl"))]
    read = Read(
        utterances=facts.cases,
        precision=facts.extraction.precision or 0.0,
        recall=facts.extraction.recall or 0.0,
        f1=facts.extraction.f1 or 0.0,
        false_memories=facts.false_memories.hits,
        of=facts.false_memories.of,
        probes=len(probed),
        in_context=sum(context for context, _ in probed),
        among_five=sum(first for _, first in probed),
    )
    answers().print(_table(read))
    if as_json is not None:
        as_json.write_text(json.dumps(asdict(read), indent=2), encoding="utf-8")


def _records(path: Path) -> list[Record]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _probed(bank: MemoryBank, personas: Sequence[Record], probes: Sequence[Record]) -> Iterator[tuple[bool, bool]]:
    """Yield for each probe whether a context and whether the first hits answer it."""
    small_talk = [line for persona in personas for line in persona["noise"]]
    for persona in personas:
        mind = bank.scope(user=persona["persona"], character="letia")
        told, now = _told(mind, persona["told"], Random(1).sample(small_talk, len(small_talk)))
        for probe in probes:
            if probe["persona"] == persona["persona"]:
                read = {leaf.memory.id for leaf in mind.memories() if told[probe["told"]] in leaf.memory.sources}
                wanted = {told[probe["told"]], *read}
                values = [fold(value) for value in (probe["gold"], *probe.get("alt", ())) if len(fold(value)) > 1]
                context = Answer.of_context(mind.context(probe["probe"], at=now, shown=()))
                first = Answer.of_hits(mind.recall(probe["probe"], k=_FEW, at=now))
                yield _holds(context, wanted, values), _holds(first, wanted, values)


def _told(mind: Mind, tellings: Sequence[str], small_talk: Sequence[str]) -> tuple[list[str], datetime]:
    """Let `mind` hear all of it; return the ids of the tellings, and when the probes are asked."""
    at, ids = _BEGUN, []
    for telling, chat in zip_longest(tellings, small_talk):
        for line in (telling, chat):
            if line is None:
                continue
            at += _APART
            turn = mind.observe(line, reply="그렇구나.", at=at).turn
            if line is telling:
                ids.append(turn.utterances[0].id)
    return ids, at + _LATER


def _holds(answer: Answer, wanted: set[str], values: Sequence[str]) -> bool:
    said = fold(answer.text)
    return bool(wanted & answer.items) or any(value in said for value in values)


def _table(read: Read) -> Table:
    table = Table("what strangers wrote", "")
    table.add_row("utterances", str(read.utterances))
    table.add_row("precision, recall", f"{read.precision:.3f}, {read.recall:.3f}")
    table.add_row("F1", f"{read.f1:.3f}")
    table.add_row("false memories", f"{read.false_memories} of {read.of}")
    table.add_row("probes answered in context", f"{read.in_context} of {read.probes}")
    table.add_row(f"… by the first {_FEW} hits", f"{read.among_five} of {read.probes}")
    return table


if __name__ == "__main__":
    typer.run(main)
