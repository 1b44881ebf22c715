"""Other memories in `docs/performance.md`, from what `peers.py --json` wrote; and what the machine can do at best."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Self

import numpy as np

from comparing.contenders import BASELINE
from comparing.findings import Finding, Findings, Result, stage_from
from comparing.tables import ratio, remark
from gieok_evals.charts import PALE, as_svg, chart_style, titled

PICTURE: Final = "performance-peers.svg"
_BYTES: Final = 256 * 1024 * 1024
_SYNCS: Final = 200
_ROUNDS: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one core and the disk can do at best, measured in this run."""

    read_gb: float  #: a second, from memory, by numpy
    syncs: float  #: a second: a page is appended and forced to the disk

    @classmethod
    def here(cls, folder: Path) -> Self:
        held = np.ones(_BYTES // 4, np.float32)
        vector = np.ones(512, np.float32)
        seconds = []
        for _ in range(_ROUNDS):
            begun = time.perf_counter()
            held.reshape(-1, 512) @ vector
            seconds.append(time.perf_counter() - begun)
        with (folder / "synced").open("wb", buffering=0) as file:
            begun = time.perf_counter()
            for _ in range(_SYNCS):
                file.write(bytes(4096))
                os.fsync(file.fileno())
            synced = time.perf_counter() - begun
        return cls(read_gb=_BYTES / 1e9 / min(seconds), syncs=_SYNCS / synced)

    def lines(self) -> list[str]:
        scan = 10_000 * 512 * 4 / 1e6 / self.read_gb
        return [
            f"- one core reads {self.read_gb:.1f} GB a second from memory: 10,000 vectors take {scan:.1f} ms at best",
            f"- the disk confirms {self.syncs:,.0f} writes a second: a turn that is stored by itself waits for one",
        ]


def findings_from(file: Path) -> Findings:
    """Return what `peers.py` wrote with `--json`."""
    told: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    results = tuple(
        Result(
            **{
                **each,
                "finding": Finding(**each["finding"]) if each["finding"] else None,
                "stages": tuple(stage_from(stage) for stage in each["stages"]),
            }
        )
        for each in told["results"]
    )
    return Findings(**{**told, "sizes": tuple(told["sizes"]), "results": results})


def section(found: Findings) -> Iterator[str]:
    """Yield the lines of the page."""
    yield from ("## Beside others", "")
    yield "The same texts and vectors for all, one thread, no network, one scope; ms of the median call on the clock,"
    yield "× against `remember(text)` and `recall`. What is called, and what the columns mean:"
    yield "[benchmarks](../benchmarks/README.md#beside-its-peers)."
    yield from ("", f"![Searching, beside others]({PICTURE})", "")
    yield "| Memory | R@10 on LoCoMo | MRR |"
    yield "|---|---:|---:|"
    for each in found.results:
        ranks = each.finding
        yield f"| {each.name} | {ranks.recall_at_10:.3f} | {ranks.mrr:.3f} |" if ranks else f"| {each.name} | – | – |"
    base = found.of(BASELINE)
    for size in found.sizes:
        ours = base.at(size) if base else None
        yield from ("", f"**{size:,} memories**", "")
        yield "| Memory | add | × | search | × | peak MB | disk MB | |"
        yield "|---|---:|---:|---:|---:|---:|---:|---|"
        for each in found.results:
            stage = each.at(size)
            if stage is None:
                yield f"| {each.name} | – | | – | | – | – | {'failed' if each.trouble else 'not reached'} |"
                continue
            added, searched = stage.add_wall.p50, stage.search_wall.p50
            against = (
                ratio(added, ours.add_wall.p50 if ours else None),
                ratio(searched, ours.search_wall.p50 if ours else None),
            )
            peak = "–" if stage.peak_mb is None else f"{stage.peak_mb:,.0f}"
            yield (
                f"| {each.name} | {added:.2f} | {against[0]} | {searched:.2f} | {against[1]} | {peak} "
                f"| {stage.disk_mb:,.1f} | {remark(stage, found.limit_seconds)} |"
            )
    yield ""


def picture(found: Findings) -> str:
    """Return the chart of what a search takes, by memory and size."""
    with chart_style():
        what = "ms of the median search on the clock; logarithmic"
        figure = titled("Searching, beside others", what, width=9, height=3.6)
        axes = figure.add_axes((0.1, 0.2, 0.68, 0.6))
        for each in found.results:
            if each.stages:
                sizes = [stage.added for stage in each.stages]
                axes.plot(sizes, [stage.search_wall.p50 for stage in each.stages], marker="o", label=each.name)
        axes.set_xscale("log")
        axes.set_yscale("log")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_formatter(lambda value, _: f"{value:,g}")
        axes.set_xlabel("memories", color=PALE)
        axes.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False)
        return as_svg(figure)
