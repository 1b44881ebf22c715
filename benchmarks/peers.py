"""gieok beside mem0, LangGraph's SqliteStore and txtai: the same texts, the same vectors, one run.

    python benchmarks/peers.py --data locomo10.json

Each peer gets a virtual environment at pinned versions, made when first needed, and a process of its own.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any, Final

import numpy as np
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from comparing.contenders import CONTENDERS, Contender, named
from comparing.environments import NotInstalled, python_of
from comparing.findings import Finding, Findings, Result, stage_from
from comparing.locomo import Conversation, conversations
from comparing.running import Job, WorkerFailed, answers
from comparing.tables import tables
from comparing.workload import Workload, load, texts_of
from gieok.cli.console import answers as screen
from gieok.cli.console import asides
from gieok.embedders import UniversalEncoder

_ENVIRONMENTS: Final = Path(__file__).parent / ".peers"
_BATCH: Final = 64
_EVERYBODY: Final = ",".join(each.name for each in CONTENDERS)


def main(
    data: Annotated[Path, typer.Option(exists=True, dir_okay=False, help="LoCoMo's JSON file.")],
    sizes: Annotated[str, typer.Option(metavar="N,N", help="How many memories to grow to.")] = "1000,10000,100000",
    peers: Annotated[str, typer.Option(metavar="NAME,NAME", help="Whom to compare.")] = _EVERYBODY,
    limit_seconds: Annotated[float, typer.Option(min=1, help="For each peer and size.")] = 600,
    envs: Annotated[Path, typer.Option(help="Where the peers' environments are kept.")] = _ENVIRONMENTS,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure gieok beside its peers; a guide, not a test."""
    grown, contenders = _numbers(sizes), _contenders(peers)
    talk = conversations(data)
    folder = _workload_folder(talk, envs)
    work = load(folder) if folder.exists() else _encoded(talk, folder)
    found = Findings(
        embedder=UniversalEncoder.name,
        conversations=len(work.conversations),
        turns=sum(len(each.notes) for each in work.conversations),
        sizes=grown,
        limit_seconds=limit_seconds,
        results=(),
    )
    for result in _measured(contenders, folder, envs, grown, limit_seconds):
        found = replace(found, results=(*found.results, result))
        if json_file is not None:  # after each, so that an interrupted run leaves what it has
            json_file.write_text(json.dumps(asdict(found), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    screen().print(tables(found))


def _workload_folder(talk: list[Conversation], envs: Path) -> Path:
    """Return where the vectors of these conversations are kept from one run to the next."""
    digest = hashlib.sha256(repr(talk).encode()).hexdigest()[:12]
    return envs.absolute() / f"vectors-{UniversalEncoder.name}-{digest}"


def _encoded(talk: list[Conversation], folder: Path) -> Workload:
    """Encode every text once, and keep the vectors in `folder`."""
    texts = texts_of(talk)
    encoder = UniversalEncoder()
    rows = []
    with _progress() as shown:
        task = shown.add_task("encoding", total=len(texts))
        for start in range(0, len(texts), _BATCH):
            rows.append(encoder.embed(texts[start : start + _BATCH], purpose="document"))
            shown.advance(task, len(rows[-1]))
    work = Workload(conversations=tuple(talk), vectors=np.concatenate(rows))
    half_written = folder.with_name(f"{folder.name}.new")
    half_written.mkdir(parents=True, exist_ok=True)
    work.save(half_written)
    half_written.rename(folder)
    return work


def _measured(
    contenders: list[Contender], workload: Path, envs: Path, sizes: tuple[int, ...], limit_seconds: float
) -> Iterator[Result]:
    with _progress() as shown:
        for contender in contenders:
            task = shown.add_task(f"{contender.name}: installing", total=None)
            result = _result(contender, workload, envs, sizes, limit_seconds, _Shown(shown, task, contender.name))
            shown.update(task, description=f"{contender.name}: {'failed' if result.trouble else 'done'}")
            yield result


@dataclass(frozen=True, slots=True)
class _Shown:
    """A contender's line on the screen."""

    progress: Progress
    task: TaskID
    name: str

    def doing(self, what: str) -> Callable[[int, int], None]:
        """Say what is being done from here on; return what is to hear how far it is."""
        self.progress.update(self.task, description=f"{self.name}: {what}")
        return lambda done, total: self.progress.update(self.task, completed=done, total=total)


def _result(
    contender: Contender, workload: Path, envs: Path, sizes: tuple[int, ...], limit_seconds: float, shown: _Shown
) -> Result:
    """Return all that could be measured of a contender, and what went wrong; the run goes on in either case."""
    asking = Job(task="finding", workload=workload, limit_seconds=limit_seconds)
    growing = Job(task="growing", workload=workload, sizes=sizes, limit_seconds=limit_seconds)
    told: list[dict[str, Any]] = []
    troubles: list[str] = []
    try:
        python = python_of(contender.environment, envs)
        for job in (asking, growing):
            try:
                for each in answers(contender, python, job, shown.doing(job.task)):
                    told.append(each)  # noqa: PERF402  # one by one: what came before a failure stays
            except WorkerFailed as error:
                troubles.append(f"{job.task} failed: {error}")
    except NotInstalled as error:
        troubles.append(f"could not be installed: {error}")
    return Result(
        name=contender.name,
        how=contender.how,
        finding=next((Finding(**each["finding"]) for each in told if "finding" in each), None),
        stages=tuple(stage_from(each["stage"]) for each in told if "stage" in each),
        trouble="; ".join(troubles) or None,
    )


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=asides(), transient=True)


def _numbers(text: str) -> tuple[int, ...]:
    try:
        sizes = tuple(sorted({int(part) for part in text.replace("_", "").split(",")}))
    except ValueError:
        sizes = ()
    if not sizes or sizes[0] < 1:
        raise typer.BadParameter(f"{text!r}: write whole numbers above 0, e.g. 1000,10000", param_hint="--sizes")
    return sizes


def _contenders(names: str) -> list[Contender]:
    try:
        return named(names)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--peers") from error


if __name__ == "__main__":
    typer.run(main)
