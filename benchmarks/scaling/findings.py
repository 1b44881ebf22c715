"""What `scale.py` found; `--json` writes it with these keys."""

from __future__ import annotations

from dataclasses import dataclass

from figures import Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """Recalling from scopes of one size: milliseconds (of our CPU), the question's vector and morphemes given."""

    scope_items: int
    scopes: int
    warm: Spread
    warm_wall: Spread
    cold: Spread  #: the first recall from a scope in a fresh process
    cold_wall: Spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Writing one after the other to a scope of its own, the vectors given."""

    act: str
    per_second: float
    cpu_ms: float
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Scan:
    """The exact scan of a scope's vectors, against the machine's memory; gigabytes are 10⁹ bytes of float32.

    "Uncached": after reading something too large for the processor's caches.
    """

    rows: int
    dimension: int
    milliseconds: float  #: cached
    cached_gb_s: float
    read_cached_gb_s: float  #: numpy reading an array of the same size, over and over
    uncached_gb_s: float
    read_uncached_gb_s: float  #: numpy reading 1 GiB
    copy_uncached_gb_s: float  #: numpy copying 1 GiB; bytes read and written


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The bank at one size."""

    items: int
    scopes: int
    bank_mb: float
    load_seconds: float  #: since the stage before
    load_cpu_seconds: float
    open_cpu_ms: float
    reading: tuple[Reading, ...]
    writing: tuple[Writing, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """A whole run."""

    embedder: str
    encode_cpu_ms: float  #: a question
    morphology_cpu_ms: float  #: a question
    stages: tuple[Stage, ...]  #: of the file
    server: tuple[Stage, ...]  #: of the same bank on PostgreSQL, where that was asked for
    scan: Scan
