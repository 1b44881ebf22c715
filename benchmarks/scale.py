"""How recall keeps its pace: one bank, many users, and scopes of three sizes among them.

    python benchmarks/scale.py --quick
    python benchmarks/scale.py --store embedded    # the same on PostgreSQL, beside it

The bank is filled by a bulk loader (see scaling/loading.py) and measured twice on the way, at the same scopes.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import asdict, dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated, Final

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import gieok
from figures import spread
from gieok.cli.console import answers, asides
from gieok.domain.scope import Scope
from gieok.embedders import UniversalEncoder
from scaling import measuring
from scaling.findings import Findings, Reading, Scan, Stage
from scaling.loading import Loader
from scaling.lookup import Lookup
from scaling.made_up import People, people, questions
from scaling.reading import Read, read_afresh
from scaling.servers import bring, server_at
from scaling.tables import tables

if TYPE_CHECKING:
    from gieok.ports import Matrix

CHARACTER: Final = "레티아"
TARGETS: Final = {100: 10, 1_000: 4, 10_000: 2}  #: items of a scope, and how many such scopes are measured
_LARGEST: Final = {100_000: 1}  #: one more, where the bank has at least ten times as many items
_AT_LEAST: Final = 30_000  #: items that the first stage holds: the targets and some others
_QUESTIONS: Final = 20
_AFRESH: Final = 3  #: processes that measure each stage


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """Who is in the bank: the scopes that are measured, and the others beside them."""

    memories: int
    scopes: int

    @property
    def sizes(self) -> dict[int, int]:
        """How many items the measured scopes have, and how many scopes have so many."""
        return TARGETS | {size: count for size, count in _LARGEST.items() if self.memories >= 10 * size}

    @property
    def targets(self) -> dict[int, list[str]]:
        return {size: [f"target-{size}-{number}" for number in range(count)] for size, count in self.sizes.items()}

    def users(self) -> Iterator[tuple[str, int]]:
        """Yield every user with how many items they have: first the targets, then the others, all alike."""
        for size, names in self.targets.items():
            yield from ((name, size) for name in names)
        others = max(self.scopes - sum(self.sizes.values()), 1)
        left = self.memories - sum(size * count for size, count in self.sizes.items())
        for number in range(others):
            yield f"user-{number}", left * (number + 1) // others // 2 * 2 - left * number // others // 2 * 2

    def stages(self) -> list[int]:
        """Return at how many items the bank is measured."""
        return [max(self.memories // 10, _AT_LEAST), self.memories]


def main(
    memories: Annotated[int, typer.Option(min=50_000, help="Items in the whole bank.")] = 1_000_000,
    scopes: Annotated[int, typer.Option(min=100, help="Users they are spread over.")] = 10_000,
    quick: Annotated[bool, typer.Option("--quick", help="100,000 items over 1,000 scopes.")] = False,
    turns: Annotated[int, typer.Option(min=1, help="Turns to observe, and memories to write, at each size.")] = 200,
    store: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help='Beside the file: an empty database, "postgresql://…"; "embedded": a server of its own.',
        ),
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Where to build the bank; a temporary folder otherwise.")] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Leave the bank there.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the figures there.")] = None,
) -> None:
    """Measure recall in one large bank; a guide, not a test."""
    crowd = Crowd(memories=100_000, scopes=1_000) if quick else Crowd(memories=memories, scopes=scopes)
    place = Path(mkdtemp(prefix="gieok-scale-", dir=folder))
    try:
        with server_at(store, place) if store else nullcontext() as server:
            found = _measured(crowd, place / "bank.db", server, turns)
    finally:
        if not keep:
            shutil.rmtree(place)
    if keep:
        asides().print(f"the bank is kept at {place / 'bank.db'}")
    if json_file is not None:
        json_file.write_text(json.dumps(asdict(found), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    answers().print(tables(found))


def _measured(crowd: Crowd, bank: Path, server: str | None, turns: int) -> Findings:
    encoder = UniversalEncoder()
    asked = questions(3 * _QUESTIONS)
    with asides().status("loading encoder and morphology, making up a vocabulary"):
        encoder.warm()
        vectors = encoder.embed(asked[:_QUESTIONS], purpose="query")
        crowds_words = people(encoder.dimension, asked)
    encode_ms, morphology_ms = measuring.asking(encoder, questions(5 * _QUESTIONS)[3 * _QUESTIONS :])
    users = crowd.users()
    stages: list[Stage] = []
    on_server: list[Stage] = []
    held = Held()
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=asides(), transient=True) as shown:
        task = shown.add_task("loading", total=crowd.memories)
        for goal in crowd.stages():
            stopwatch = Stopwatch()
            scopes = _load(bank, users, goal, crowds_words, held, lambda items: shown.update(task, completed=items))
            loaded = stopwatch.seconds()
            shown.update(task, description=f"measuring at {held.items:,}")
            stages.append(_stage(crowd, str(bank), asked[:_QUESTIONS], vectors, held, loaded, turns))
            if server is not None:
                shown.update(task, description="bringing it to the server")
                stopwatch = Stopwatch()
                bring(bank, server, scopes, embedder=encoder.name, dimension=encoder.dimension)
                brought = stopwatch.seconds()
                shown.update(task, description=f"measuring the server at {held.items:,}")
                on_server.append(_stage(crowd, server, asked[:_QUESTIONS], vectors, held, brought, turns))
            shown.update(task, description="loading")
        shown.update(task, description="scanning")
        scan = _scan(crowd, bank, vectors)
    return Findings(
        embedder=encoder.name,
        encode_cpu_ms=encode_ms,
        morphology_cpu_ms=morphology_ms,
        stages=tuple(stages),
        server=tuple(on_server),
        scan=scan,
    )


@dataclass(slots=True)
class Held:
    """How much the bank holds by now."""

    items: int = 0
    scopes: int = 0


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Runs from when it is made."""

    wall: float = field(default_factory=time.perf_counter)
    cpu: float = field(default_factory=time.process_time)

    def seconds(self) -> tuple[float, float]:
        """Return those on the clock, and those on the processor."""
        return time.perf_counter() - self.wall, time.process_time() - self.cpu


def _load(
    bank: Path, users: Iterator[tuple[str, int]], goal: int, words: People, held: Held, progress: Callable[[int], None]
) -> list[Scope]:
    """Load users until the bank has `goal` items; return their scopes."""
    loaded = []
    with Loader(bank, embedder=UniversalEncoder.name, dimension=UniversalEncoder.dimension) as loader:
        while held.items < goal and (following := next(users, None)) is not None:
            name, size = following
            scope = Scope(user=name, character=CHARACTER)
            loader.load(scope, words.talk(scope, size))
            loaded.append(scope)
            held.items, held.scopes = held.items + size, held.scopes + 1
            progress(held.items)
    return loaded


def _stage(
    crowd: Crowd, bank: str, asked: list[str], vectors: Matrix, held: Held, spent: tuple[float, float], turns: int
) -> Stage:
    reads = [read_afresh(bank, asked, vectors, crowd.targets, CHARACTER) for _ in range(_AFRESH)]
    with gieok.open(bank, embedder=Lookup({})) as opened:
        size = opened.info().size_bytes / 1e6
        written = measuring.writing(opened, CHARACTER, turns=turns, name=f"writer-{held.items}")
    return Stage(
        items=held.items,
        scopes=held.scopes,
        bank_mb=size,
        load_seconds=spent[0],
        load_cpu_seconds=spent[1],
        open_cpu_ms=min(read.open_cpu_ms for read in reads),
        reading=tuple(_reading(reads, size, count) for size, count in crowd.sizes.items()),
        writing=tuple(written),
    )


def _reading(reads: list[Read], size: int, scopes: int) -> Reading:
    times = [read.by_size[size] for read in reads]
    return Reading(
        scope_items=size,
        scopes=scopes,
        warm=spread([each for one in times for each in one.warm_cpu]),
        warm_wall=spread([each for one in times for each in one.warm_wall]),
        cold=spread([each for one in times for each in one.cold_cpu]),
        cold_wall=spread([each for one in times for each in one.cold_wall]),
    )


def _scan(crowd: Crowd, bank: Path, vectors: Matrix) -> Scan:
    largest = max(TARGETS)
    with gieok.open(bank, embedder=Lookup({})) as opened:
        mind = opened.scope(user=crowd.targets[largest][0], character=CHARACTER)
        return measuring.scan(opened, mind, vectors[0], largest)


if __name__ == "__main__":
    typer.run(main)
