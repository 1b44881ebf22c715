"""How fast it is here: a guide, not a test."""

from __future__ import annotations

import random
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from itertools import islice
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory
from typing import Annotated, Any, Literal

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Group, RenderableType
from rich.text import Text

from gieok.bank import MemoryBank, Mind
from gieok.cli.common import AsJson, embedder_of, settings_for
from gieok.cli.console import DIM, progress, show, terminal_words, text, wake
from gieok.cli.table import Column, Listing
from gieok.language.terms import query_terms
from gieok.ports import Embedder
from gieok.settings import Settings
from gieok.words import Words


def bench(
    memories: Annotated[str, typer.Option(metavar="N,N")] = "1000,10000",
    turns: Annotated[int, typer.Option(min=1)] = 200,
    as_json: AsJson = False,
) -> None:
    sizes = _numbers(memories)
    with TemporaryDirectory(prefix="gieok-bench-") as folder:
        report = _measured(settings_for(None).for_a_trial(str(Path(folder) / "bench.db")), sizes, turns)
    show(asdict(report), lambda: bench_view(report, terminal_words()), as_json)


def bench_view(report: Report, words: Words) -> RenderableType:
    def heading(key: str, cell: Callable[[Any], str] = lambda _: "") -> Column:
        return Column(Text(words(f"cli.bench.{key}"), style="bold"), cell, style=DIM, fold=True)

    def number(key: str, cell: Callable[[Any], str]) -> Column:
        return Column(key, cell, right=True)

    def beside(each: Reading) -> str:
        return words("cli.bench.beside") if each.scope.startswith("beside") else ""

    writing = (
        heading("observe"),
        number("threads", lambda each: str(each.threads)),
        number("turns", lambda each: f"{each.turns:,}"),
        number("turns_per_second", lambda each: f"{each.per_second:,.0f}"),
        number("cpu_per_turn", lambda each: f"{each.cpu_ms:.1f}"),
    )
    reading = (
        heading("recall", beside),
        number("memories", lambda each: f"{each.memories:,}"),
        number("p50", lambda each: f"{each.p50_ms:.2f}"),
        number("p95", lambda each: f"{each.p95_ms:.2f}"),
        number("cpu", lambda each: f"{each.cpu_ms:.2f}"),
    )
    asked = report.asking
    before = {"encode": asked.encode_ms, "embedder": report.embedder, "morphology": asked.morphology_ms}
    peak = words("cli.bench.peak", n=report.peak_memory_mb) if report.peak_memory_mb is not None else ""
    return Group(
        Listing(report.writing, writing, words),
        "",
        Listing(report.reading, reading, words),
        Text(words("cli.bench.before", **before), style=DIM),
        Text(peak + words("cli.bench.size", n=report.bank_mb), style=DIM),
    )


def _measured(settings: Settings, sizes: list[int], turns: int) -> Report:
    embedder = Prepared(embedder_of(settings))
    readings = []
    with MemoryBank(settings, embedder=embedder) as bank:
        wake(bank)
        asked = asking(embedder)
        with progress() as shown:
            task = shown.add_task(text("bench.observing"), total=2)
            writings = []
            for threads in (1, 8):
                writings.append(writing(bank, threads=threads, turns=turns))
                shown.advance(task)
            for size in sizes:
                for name, count in ((f"full-{size}", size), (f"beside-{size}", 10)):
                    mind = bank.scope(user=name, character="letia")
                    task = shown.add_task(text("bench.remembering", n=count), total=count)
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


def _numbers(given: str) -> list[int]:
    try:
        sizes = [int(part) for part in given.replace("_", "").split(",")]
    except ValueError:
        sizes = []
    if not sizes or min(sizes) < 1:
        raise typer.BadParameter(text("errors.bad_numbers", given=repr(given)), param_hint="--memories")
    return sizes


def memories() -> Iterator[tuple[str, str]]:
    """Yield (attribute, sentence) without end."""
    return ((attribute, text) for (attribute, _), text in _written("memory"))


def made_turns(seed: int) -> Iterator[str]:
    """Yield what a user says: two sentences each."""
    return (text for _, text in _written("turn", seed))


def questions() -> Iterator[str]:
    return (text for _, text in _written("question"))


@cache
def _parts() -> dict[str, Any]:
    return tomllib.loads(files(__package__).joinpath("bench.ko.toml").read_text(encoding="utf-8"))


def _written(kind: str, seed: int = 0) -> Iterator[tuple[Any, str]]:
    parts = _parts()
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
    said = made_turns(seed=threads)  # others than a run with more or fewer threads, which may be remembered
    shares = [list(islice(said, turns)) for _ in range(threads)]
    minds = [bank.scope(user=f"writer-{threads}-{i}", character="letia") for i in range(threads)]
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
        for attribute, content in batch:
            mind.remember(content, attribute=attribute, value=content, origin="import")
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
    reply = _parts()["reply"]
    for said in texts:
        mind.observe(said, reply=reply)


def _mean_ms(act: Callable[[str], object], texts: Sequence[str]) -> float:
    start = time.perf_counter()
    for said in texts:
        act(said)
    return (time.perf_counter() - start) * 1000 / len(texts)
