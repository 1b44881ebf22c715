"""What the leaderboard is made of: measurements that `make figures` takes as well, and some of its own."""

from __future__ import annotations

from typing import Final

from holding.measurement import Measurement
from holding.measurements import named

_SHARED: Final = "planted-101,locomo,parakqc,smilestyle,peers,peers-10000,emotions"
#: Memories that take the planted-facts test through an adapter.
MEMORIES: Final = {
    "gieok": "examples/adapter.py:Gieok",
    "letters": "benchmarks/baselines.py:Letters",
    "last-lines": "examples/adapter.py:LastLines",
}


def _benchmark(name: str, adapter: str) -> Measurement:
    words = ("gieok", "eval", "run", "--adapter", adapter)
    return Measurement(
        name=f"benchmark-{name}",
        words=(*words, "--split", "test", "--scripts", "20", "--json"),
        quick=(*words, "--scripts", "1", "--json"),
        told="stdout",
    )


def _personal(name: str, file: str, needs: tuple[str, ...] = ()) -> Measurement:
    words = ("gieok", "eval", "pii", "--data", file, "--json")
    return Measurement(name=name, words=words, needs=needs, told="stdout")


MEASUREMENTS: Final = (
    *(_benchmark(name, adapter) for name, adapter in MEMORIES.items()),
    Measurement(
        name="benchmark-peers",
        words=("benchmarks/korean.py", "--split", "test", "--scripts", "20", "--envs", "{envs}"),
        quick=("benchmarks/korean.py", "--scripts", "1", "--envs", "{envs}", "--peers", "langgraph"),
        limit_minutes=60,
    ),
    *named(_SHARED),
    _personal("pii", "benchmarks/pii/second.txt"),
    _personal("pii-kr", "{data}/pii_kr.jsonl", ("pii_kr.jsonl",)),
)
