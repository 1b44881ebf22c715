"""What a worker does: it gives one peer the work, and prints what it measured as lines of JSON.

A worker runs in its peer's own environment. Whatever the peer prints goes to stderr; nothing may reach the network.
"""

from __future__ import annotations

import json
import os
import socket
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NoReturn

from comparing.locomo import Note
from comparing.workload import Vectors, Workload, load, told_again
from figures import peak_memory_mb, recall_at, reciprocal_rank, spread

K: Final = 10
_USER: Final = "everything"  #: whose memories the speed runs make
_LAST_ADDS: Final = 500  #: whose times count, at each size
_SEARCHES: Final = 100
_WARM_UP: Final = 3
_SAY_EVERY: Final = 0.5  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a peer starts with."""

    folder: Path  #: empty, for its files
    vectors: Vectors
    variant: str  #: which of its ways to use
    timed: bool  #: whether time counts, or what is found


class Peer(ABC):
    """One memory, as its own documentation uses it."""

    @abstractmethod
    def add(self, user: str, note: Note) -> None: ...

    @abstractmethod
    def search(self, user: str, query: str, k: int) -> list[Collection[str]]:
        """Return, for each answer, the keys of the notes that it stands for, the best first."""

    def settle(self) -> None:  # noqa: B027  # most have nothing to do
        """Write to the disk what is not there yet."""

    @abstractmethod
    def close(self) -> None:
        """Release the files."""


def main(make: Callable[[Setup], Peer]) -> None:
    """Do the job that the file named on the command line describes."""
    job = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    say = _own_channel()
    socket.socket.connect = _refuse  # type: ignore[method-assign]  # for the whole process, on purpose
    work = load(Path(job["workload"]))
    folder = Path(job["folder"])
    timed = job["task"] == "growing"
    vectors = Vectors(work)
    peer = make(Setup(folder=folder, vectors=vectors, variant=job["variant"], timed=timed))
    if job["task"] == "talking":
        talking(peer, vectors, sys.stdin, say)
    elif not timed:
        say({"finding": _finding(peer, work, say)})
    else:
        for stage in _growing(peer, work, folder, job["sizes"], job["limit_seconds"], say):
            say({"stage": stage})
    peer.close()


def _own_channel() -> Callable[[dict[str, Any]], None]:
    """Return what writes to the real stdout; from here on, everybody else's stdout is stderr."""
    channel = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def say(record: dict[str, Any]) -> None:
        channel.write(json.dumps(record) + "\n")
        channel.flush()

    return say


def _refuse(*_: object) -> NoReturn:
    raise OSError("this benchmark lets nobody use the network")


def talking(peer: Peer, vectors: Vectors, lines: Iterable[str], say: Callable[[dict[str, Any]], None]) -> None:
    """Remember and answer as it comes: a line of JSON for each, with the vector of its text."""
    for line in lines:
        told = json.loads(line)
        vectors.learn(told["text"], told["vector"])
        if "key" in told:
            peer.add(told["user"], Note(key=told["key"], text=told["text"], speaker="user", at=told["at"]))
            say({"keys": []})
        else:
            found = peer.search(told["user"], told["text"], K)
            say({"keys": [key for keys in found for key in keys]})


def _finding(peer: Peer, work: Workload, say: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Remember every conversation for a user of its own, then ask its questions."""
    total = sum(len(each.notes) + len(each.questions) for each in work.conversations)
    done = 0
    with _saying(say, total) as advance:
        for each in work.conversations:
            for note in each.notes:
                peer.add(each.name, note)
                done += 1
                advance(done)
        scores: list[tuple[int, float, float]] = []
        for each in work.conversations:
            for asked in each.questions:
                found = peer.search(each.name, asked.text, K)
                score = (recall_at(K, found, asked.evidence), reciprocal_rank(found[:K], asked.evidence))
                scores.append((asked.category, *score))
                done += 1
                advance(done)
    return {
        "questions": len(scores),
        "recall_at_10": sum(recall for _, recall, _ in scores) / len(scores),
        "mrr": sum(rank for *_, rank in scores) / len(scores),
        "recall_by_category": {
            str(category): _mean([recall for of, recall, _ in scores if of == category])
            for category in sorted({of for of, *_ in scores})
        },
    }


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _growing(
    peer: Peer, work: Workload, folder: Path, sizes: list[int], limit: float, say: Callable[[dict[str, Any]], None]
) -> Iterator[dict[str, Any]]:
    """Add one by one; at each size yield the times of the last adds and of some searches. Too slow ends it early."""
    notes = [note for each in work.conversations for note in each.notes]
    questions = [asked.text for each in work.conversations for asked in each.questions][: _SEARCHES + _WARM_UP]
    added = 0
    with _saying(say, max(sizes)) as advance:
        for size in sizes:
            deadline = time.monotonic() + limit
            adds = _Times()
            while added < size and time.monotonic() < deadline:
                adds.take(peer.add, _USER, told_again(notes, added))
                added += 1
                advance(added)
            searches = _Times()
            peak = peak_memory_mb()
            if adds.wall:
                for number, question in enumerate(questions):
                    if number > _WARM_UP and time.monotonic() > deadline + limit:
                        break
                    searches.take(peer.search, _USER, question, K)
                peak = peak_memory_mb()
                peer.settle()
            yield {
                "size": size,
                "added": added,
                "cut": added < size,
                **adds.last(_LAST_ADDS).told("add"),
                **searches.last(max(len(searches.wall) - _WARM_UP, 1)).told("search"),
                "peak_mb": peak,
                "disk_mb": sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6,
            }
            if added < size:
                return


class _Times:
    """How long single calls took, on the clock and on the processor (all threads together)."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.cpu: list[float] = []

    def take(self, act: Callable[..., object], *given: object) -> None:
        wall, cpu = time.perf_counter(), time.process_time()
        act(*given)
        self.cpu.append((time.process_time() - cpu) * 1000)
        self.wall.append((time.perf_counter() - wall) * 1000)

    def last(self, count: int) -> _Times:
        part = _Times()
        part.wall, part.cpu = self.wall[-count:], self.cpu[-count:]
        return part

    def told(self, name: str) -> dict[str, Any]:
        return {f"{name}_wall": asdict(spread(self.wall)), f"{name}_cpu": asdict(spread(self.cpu))}


@contextmanager
def _saying(say: Callable[[dict[str, Any]], None], total: int) -> Iterator[Callable[[int], None]]:
    """Give what tells the parent how far the work is, now and then."""
    last = 0.0

    def advance(done: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last > _SAY_EVERY:
            last = now
            say({"done": done, "total": total})

    yield advance
