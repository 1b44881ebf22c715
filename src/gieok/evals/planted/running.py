"""Running the planted-facts test: scripts by seed, each through a bank of its own."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from gieok.bank import MemoryBank
from gieok.errors import InvalidQuery
from gieok.evals.benches import StoryClock, temporary_bank
from gieok.evals.planted.generator import script
from gieok.evals.planted.language import language
from gieok.evals.planted.playing import play
from gieok.evals.planted.report import PlantedReport, report


def run(
    *,
    split: str = "dev",
    scripts: int = 10,
    turns: int = 101,
    seed: int = 0,
    embedder: str | None = None,
    show: bool = False,
    progress: Callable[[], None] = lambda: None,
) -> PlantedReport:
    """Play `scripts` scripts of `turns` turns and report; `progress` is called after each.

    `show` keeps the sentences that failed; it is refused for the test split.
    """
    if show and split != "dev":
        raise InvalidQuery("sentences of the test split are not shown; --show-misses works with --split dev")
    if scripts < 1:
        raise InvalidQuery(f"scripts={scripts}: play at least one")
    words = language(split)
    started = perf_counter()
    scores = []
    last: MemoryBank | None = None
    for number in range(scripts):
        story = script(words, f"{seed}-{number}", turns=turns)
        clock = StoryClock(story.lines[0].at)
        with temporary_bank(embedder=embedder, clock=clock, like=last) as bank:
            scores.append(play(bank, story, clock, show=show))
            last = bank
        progress()
    seconds = perf_counter() - started
    name = last.embedder.name if last else ""
    return report(scores, split=split, turns=turns, seed=seed, embedder=name, seconds=seconds)
