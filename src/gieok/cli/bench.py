"""How fast it is here: a guide, not a test."""

from __future__ import annotations

import random
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from importlib.resources import files
from itertools import islice
from pathlib import Path
from statistics import quantiles
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import typer
from numpy.typing import NDArray

from gieok.bank import MemoryBank, Mind
from gieok.cli.common import AsJson
from gieok.cli.console import answers, asides, print_json, wake
from gieok.language.terms import query_terms
from gieok.ports import Embedder

if TYPE_CHECKING:
    from gieok.settings import Settings


Sizes = Annotated[str, typer.Option("--memories", metavar="N,N", help="How many memories in a scope to recall from.")]
Turns = Annotated[int, typer.Option("--turns", min=1, help="How many turns each thread observes.")]


def bench(memories: Sizes = "1000,10000", turns: Turns = 200, as_json: AsJson = False) -> None:
    """Measure observing and recalling on this machine; a guide, not a test."""
    from tempfile import TemporaryDirectory

    from gieok.cli.common import settings_for

    sizes = _numbers(memories)
    with TemporaryDirectory(prefix="gieok-bench-") as folder:
        report = _measured(settings_for(None).for_a_trial(str(Path(folder) / "bench.db")), sizes, turns)
    if as_json:
        print_json(asdict(report))
        return
    from gieok.cli.look.admin import bench_tables

    answers().print(bench_tables(report))


def _measured(settings: Settings, sizes: list[int], turns: int) -> Report:
    from itertools import islice

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from gieok import embedders
    from gieok.bank import MemoryBank

    embedder = Prepared(embedders.create(settings.embedder, url=settings.embedder_url, key=settings.embedder_key))
    readings = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with MemoryBank(settings, embedder=embedder) as bank:
        wake(bank)
        asked = asking(embedder)
        with Progress(*columns, console=asides(), transient=True) as shown:
            task = shown.add_task("observing", total=2)
            writings = []
            for threads in (1, 8):
                writings.append(writing(bank, threads=threads, turns=turns))
                shown.advance(task)
            for size in sizes:
                for name, count in ((f"full-{size}", size), (f"beside-{size}", 10)):
                    mind = bank.scope(user=name, character="레티아")
                    task = shown.add_task(f"remembering {count:,}", total=count)
                    for done in fill(mind, embedder, islice(memories(), count)):
                        shown.advance(task, done)
                    readings.append(reading(mind, embedder, scope=name, memories=count))
        size_mb = bank.info().size_bytes / 1024 / 1024
    return Report(
        embedder=embedder.name,
        asking=asked,
        writing=tuple(writings),
        reading=tuple(readings),
        peak_memory_mb=peak_memory_mb(),
        bank_mb=size_mb,
    )


def _numbers(text: str) -> list[int]:
    try:
        sizes = [int(part) for part in text.replace("_", "").split(",")]
    except ValueError:
        sizes = []
    if not sizes or min(sizes) < 1:
        raise typer.BadParameter(f"{text!r}: write whole numbers above 0, e.g. 1000,10000", param_hint="--memories")
    return sizes


def memories() -> Iterator[tuple[str, str]]:
    """Yield (attribute, sentence) without end."""
    return ((attribute, text) for (attribute, _), text in _written("memory"))


def made_turns(seed: int) -> Iterator[str]:
    """Yield what a user says: two sentences each."""
    return (text for _, text in _written("turn", seed))


def questions() -> Iterator[str]:
    return (text for _, text in _written("question"))


def _written(kind: str, seed: int = 0) -> Iterator[tuple[Any, str]]:
    parts = tomllib.loads(files(__package__).joinpath("bench.ko.toml").read_text(encoding="utf-8"))
    dice = random.Random(seed)
    seen: set[str] = set()
    number = 1
    while True:
        number += 1
        pattern = dice.choice(parts[kind])
        words = {name: dice.choice(parts[name]) for name in ("when", "where", "who", "thing", "did")}
        template = pattern if isinstance(pattern, str) else pattern[1]
        text = template.format(n=number, **words)
        if text not in seen:
            seen.add(text)
            yield pattern, text


_QUESTIONS = 40  #: few enough that their morphemes stay remembered
_ROUNDS = 5
_BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All measurements of one run; `--json` prints it with these keys."""

    embedder: str
    asking: Asking
    writing: tuple[Writing, ...]
    reading: tuple[Reading, ...]
    peak_memory_mb: float | None
    bank_mb: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Observing turns of two sentences."""

    threads: int
    turns: int
    per_second: float
    cpu_ms: float  #: a turn, of all threads together


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Recalling from one scope, the question's vector and morphemes given."""

    scope: str
    memories: int
    p50_ms: float
    p95_ms: float
    cpu_ms: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """What a question costs before the search begins."""

    encode_ms: float
    morphology_ms: float


class Prepared:
    """An embedder that has some texts ready, so that a measurement leaves encoding out."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._ready: dict[str, NDArray[np.float32]] = {}
        self.name = embedder.name
        self.dimension = embedder.dimension

    def prepare(self, texts: Sequence[str]) -> None:
        """Embed `texts` in one batch; the ones made ready before are let go."""
        rows = self._embedder.embed(texts, purpose="document")
        self._ready = dict(zip(texts, rows, strict=True))

    def embed(self, texts: Sequence[str], *, purpose: Literal["query", "document"]) -> NDArray[np.float32]:
        if all(text in self._ready for text in texts):
            return np.stack([self._ready[text] for text in texts])
        return self._embedder.embed(texts, purpose=purpose)

    def warm(self) -> None:
        self._embedder.warm()


def asking(embedder: Embedder) -> Asking:
    texts = list(islice(questions(), 2 * _QUESTIONS))
    fresh = texts[_QUESTIONS:]
    encode = _mean_ms(lambda text: embedder.embed([text], purpose="query"), fresh)
    return Asking(encode_ms=encode, morphology_ms=_mean_ms(query_terms, fresh))


def writing(bank: MemoryBank, *, threads: int, turns: int) -> Writing:
    """Observe `turns` turns from each of `threads` users at once."""
    said = made_turns(seed=threads)  # others than a run with more or fewer threads, which may be remembered
    shares = [list(islice(said, turns)) for _ in range(threads)]
    minds = [bank.scope(user=f"writer-{threads}-{i}", character="레티아") for i in range(threads)]
    wall, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(_observe, minds, shares))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    count = threads * turns
    return Writing(threads=threads, turns=count, per_second=count / wall, cpu_ms=cpu * 1000 / count)


def fill(mind: Mind, embedder: Prepared, texts: Iterable[tuple[str, str]]) -> Iterator[int]:
    """Remember `texts`, embedded in batches; yield how many after each batch."""
    remaining = iter(texts)
    while batch := list(islice(remaining, _BATCH)):
        embedder.prepare([text for _, text in batch])
        for attribute, text in batch:
            mind.remember(text, attribute=attribute, value=text, origin="import")
        yield len(batch)


def reading(mind: Mind, embedder: Prepared, *, scope: str, memories: int) -> Reading:
    asked = list(islice(questions(), _QUESTIONS))
    embedder.prepare(asked)
    for question in asked:  # once, so that morphemes are remembered and the scope's vectors are loaded
        mind.recall(question)
    spent: list[float] = []
    cpu = time.process_time()
    for _ in range(_ROUNDS):
        for question in asked:
            start = time.perf_counter()
            mind.recall(question)
            spent.append((time.perf_counter() - start) * 1000)
    cpu = time.process_time() - cpu
    cut = quantiles(spent, n=20)
    return Reading(scope=scope, memories=memories, p50_ms=cut[9], p95_ms=cut[18], cpu_ms=cpu * 1000 / len(spent))


def peak_memory_mb() -> float | None:
    """Return the most memory that this process ever held, where the system tells."""
    try:
        import resource
    except ImportError:
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / (1024 * 1024 if sys.platform == "darwin" else 1024)


def _observe(mind: Mind, texts: Sequence[str]) -> None:
    for text in texts:
        mind.observe(text, reply="그랬군요.")


def _mean_ms(act: Callable[[str], object], texts: Sequence[str]) -> float:
    start = time.perf_counter()
    for text in texts:
        act(text)
    return (time.perf_counter() - start) * 1000 / len(texts)
