"""Every conversation through a bank of its own, and every question put in each way that is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from gieok.bank import MemoryBank, open_bank
from gieok.domain.scoring import Weights
from gieok.errors import InvalidQuery
from gieok.evals.benches import temporary_bank
from gieok.evals.retrieval.datasets import Dataset
from gieok.evals.retrieval.playing import Answer, Asking, Way, play

Progress = Callable[[str], None]  #: called with "observed" or "asked" after each line and each question


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What came back."""

    answers: Mapping[str, tuple[Answer, ...]]  #: by the name of the way; in the same order for all
    weights: Weights  #: of the settings as they are
    embedder: str


def run(
    dataset: Dataset,
    ways: Sequence[Way],
    asking: Asking,
    *,
    embedder: str | None = None,
    progress: Progress = lambda _: None,
) -> Run:
    """Observe each conversation once, and ask all its questions in every way: a preset only reads otherwise."""
    answers: dict[str, list[Answer]] = {way.name: [] for way in ways}
    last: MemoryBank | None = None
    weights = Weights()
    for conversation in dataset.conversations:
        with temporary_bank(embedder=embedder, like=last) as bank, _handles(bank, ways) as handles:
            _check(handles, asking)
            played = play(bank, conversation, progress=lambda: progress("observed"))
            for way in ways:
                for query in conversation.queries:
                    answers[way.name].append(played.answer(handles[way.preset], query, way, asking))
                    progress("asked")
            last, weights = bank, bank.services.weights
    return Run(
        answers={name: tuple(given) for name, given in answers.items()},
        weights=weights,
        embedder=last.embedder.name if last else "",
    )


@contextmanager
def _handles(bank: MemoryBank, ways: Sequence[Way]) -> Iterator[dict[str | None, MemoryBank]]:
    """Open the bank once more for every preset."""
    with ExitStack() as opened:
        yield {None: bank} | {
            preset: opened.enter_context(open_bank(bank.settings.bank, embedder=bank.embedder, preset=preset))
            for preset in dict.fromkeys(way.preset for way in ways)
            if preset is not None
        }


def _check(handles: Mapping[str | None, MemoryBank], asking: Asking) -> None:
    for preset, bank in handles.items():
        if not bank.settings.search_turns and not asking.with_memories:
            who = "search_turns = false" if preset is None else f"preset {preset!r}"
            raise InvalidQuery(f"{who} searches memories alone, and finds no turn; add --with-memories")
