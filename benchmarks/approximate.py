"""Would an approximate index help to search all that a character ever heard? HNSW with a filter against the exact scan.

    python benchmarks/approximate.py --rows 100000 --characters 50

A table with the vectors of several characters, on a PostgreSQL of its own; each is asked for her ten nearest.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Annotated, Any, Final

import numpy as np
import psycopg
import typer

from gieok.cli.console import answers, asides
from scaling.servers import EMBEDDED, server_at
from scaling.tables import table_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

_NEAREST: Final = 10
_TOPICS: Final = 200  #: that vectors gather around
_SPREAD: Final = 0.8  #: of a vector around its topic
_ASKED: Final = "SELECT id FROM heard WHERE character = %s ORDER BY embedding <=> %s::vector LIMIT 10"
_BY_SCAN: Final = "SET enable_indexscan = off"
_BY_INDEX: Final = "SET enable_seqscan = off; SET enable_bitmapscan = off; SET enable_sort = off"


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to find the nearest."""

    name: str
    settings: str


_WAYS: Final = (
    Way(name="exact, her rows alone", settings=_BY_SCAN),
    Way(name="HNSW, filtered", settings=f"{_BY_INDEX}; SET hnsw.iterative_scan = off"),
    Way(name="HNSW, iterative, strict order", settings=f"{_BY_INDEX}; SET hnsw.iterative_scan = strict_order"),
    Way(name="HNSW, iterative, relaxed order", settings=f"{_BY_INDEX}; SET hnsw.iterative_scan = relaxed_order"),
)


def main(
    rows: Annotated[int, typer.Option(min=1_000, help="Vectors in the table.")] = 100_000,
    characters: Annotated[int, typer.Option(min=2, help="Whose they are.")] = 50,
    dimension: Annotated[int, typer.Option(min=2, max=2_000)] = 512,
    questions: Annotated[int, typer.Option(min=1)] = 100,
) -> None:
    """Measure both; a guide, not a test."""
    place = Path(mkdtemp(prefix="gieok-approximate-"))
    try:
        with server_at(EMBEDDED, place) as address, psycopg.connect(address, autocommit=True) as server:
            _measure(server, rows, characters, dimension, questions)
    finally:
        shutil.rmtree(place)


def _measure(server: psycopg.Connection[Any], rows: int, characters: int, dimension: int, questions: int) -> None:
    dice = np.random.default_rng(7)
    topics = dice.standard_normal((_TOPICS, dimension)).astype(np.float32)
    with asides().status("filling the table"):
        server.execute("CREATE EXTENSION vector")
        server.execute(f"CREATE TABLE heard (id int, character int, embedding vector({dimension}))".encode())
        with server.cursor().copy("COPY heard FROM STDIN") as copy:
            for number, vector in enumerate(_made_up(dice, topics, rows)):
                copy.write_row((number, number % characters, str(vector.tolist())))
        server.execute("CREATE INDEX ON heard (character)")
        server.execute("VACUUM ANALYZE heard")
    asked = [(number % characters, str(each.tolist())) for number, each in enumerate(_made_up(dice, topics, questions))]
    with asides().status("building the index"):
        start = time.perf_counter()
        server.execute("SET maintenance_work_mem = '1GB'")
        server.execute("CREATE INDEX ON heard USING hnsw (embedding vector_cosine_ops)")
        built = time.perf_counter() - start
    answers().print(f"{rows:,} vectors of {dimension}, {characters} characters; the index took {built:,.0f} s to build")
    table = table_of("way", "ms p50", "ms p95", "found of 10", "of the nearest")
    truth = [_nearest(server, _WAYS[0], *each)[0] for each in asked]
    for way in _WAYS:
        found = [_nearest(server, way, *each) for each in asked]
        took = sorted(seconds * 1000 for _, seconds in found)
        right = [len(ids & nearest) / len(nearest) for (ids, _), nearest in zip(found, truth, strict=True)]
        count = np.mean([len(ids) for ids, _ in found])
        middle, late = took[len(took) // 2], took[int(len(took) * 0.95)]
        table.add_row(way.name, f"{middle:.1f}", f"{late:.1f}", f"{count:.1f}", f"{np.mean(right):.0%}")
    answers().print(table)


def _made_up(dice: np.random.Generator, topics: Vectors, count: int) -> Iterator[Vectors]:
    for topic in dice.integers(len(topics), size=count):
        vector: Vectors = topics[topic] + _SPREAD * dice.standard_normal((topics.shape[1],)).astype(np.float32)
        yield vector / np.linalg.norm(vector)


def _nearest(server: psycopg.Connection[Any], way: Way, character: int, vector: str) -> tuple[set[int], float]:
    """Return the nearest, and the seconds it took to find them."""
    with server.transaction():
        for setting in way.settings.split("; "):
            server.execute(setting.replace("SET ", "SET LOCAL ").encode())
        start = time.perf_counter()
        rows = server.execute(_ASKED, [character, vector], prepare=False).fetchall()  # a plan kept is another way's
        return {id for (id,) in rows}, time.perf_counter() - start


if __name__ == "__main__":
    typer.run(main)
