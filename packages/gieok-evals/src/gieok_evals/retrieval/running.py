"""Every conversation through a bank of its own, and every question put in each way that is compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Final

from gieok.bank import MemoryBank, open_bank
from gieok.domain.scoring import Weights
from gieok.errors import InvalidQuery
from gieok_evals.benches import temporary_bank
from gieok_evals.retrieval.datasets import Dataset
from gieok_evals.retrieval.playing import Answer, Asking, Way, play

Opener = Callable[[MemoryBank, Way], MemoryBank]  #: gives another handle of a bank, for one way of ranking
Progress = Callable[[str], None]  #: called with "observed" or "asked" after each line and each question

_TASKS: Final = (
    "rewrite_query",
    "rerank",
    "compress",
)  #: what a model is asked in a recall, and the settings that let it


@dataclass(frozen=True, slots=True)
class Asked:
    """What a model was asked, and how long it took."""

    calls: int = 0
    failed: int = 0
    seconds: float = 0.0

    def __add__(self, other: Asked) -> Asked:
        return Asked(self.calls + other.calls, self.failed + other.failed, self.seconds + other.seconds)

    def __sub__(self, other: Asked) -> Asked:
        return Asked(self.calls - other.calls, self.failed - other.failed, self.seconds - other.seconds)


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """What came back."""

    answers: Mapping[str, tuple[Answer, ...]]  #: by the name of the way; in the same order for all
    asked: Mapping[str, Asked]  #: by the name of the ways in which a model helps
    weights: Weights  #: of the settings as they are
    embedder: str


def reopened(bank: MemoryBank, way: Way, *, llm: str | None = None) -> MemoryBank:
    """Open `bank` once more as `way` has it; `llm` outranks the model of the settings."""
    on = {name: True if name in way.switches else None for name in _TASKS}
    handle = open_bank(
        bank.settings.bank,
        embedder=bank.embedder,
        preset=way.preset,
        llm=llm if way.switches else None,
        rewrite_query=on["rewrite_query"],
        rerank=on["rerank"],
        compress=on["compress"],
    )
    if way.switches and handle.settings.llm is None:
        handle.close()
        raise InvalidQuery(f"--compare {way.name} asks a model; name one, e.g. --llm ollama:qwen3:8b")
    return handle


def run(
    dataset: Dataset,
    ways: Sequence[Way],
    asking: Asking,
    *,
    embedder: str | None = None,
    opener: Opener = reopened,
    progress: Progress = lambda _: None,
) -> Run:
    """Observe each conversation once, and ask all its questions in every way: a preset only reads otherwise."""
    answers: dict[str, list[Answer]] = {way.name: [] for way in ways}
    asked = {way.name: Asked() for way in ways if way.switches}
    last: MemoryBank | None = None
    weights = Weights()
    for conversation in dataset.conversations:
        with temporary_bank(embedder=embedder, like=last) as bank, _handles(bank, ways, opener) as handles:
            _check(handles, asking)
            played = play(bank, conversation, progress=lambda: progress("observed"))
            for way in ways:
                before = _asked(bank)
                for query in conversation.queries:
                    answers[way.name].append(played.answer(handles[way.name], query, way, asking))
                    progress("asked")
                if way.switches:
                    asked[way.name] += _asked(bank) - before
            last, weights = bank, bank.services.weights
    return Run(
        answers={name: tuple(given) for name, given in answers.items()},
        asked=asked,
        weights=weights,
        embedder=last.embedder.name if last else "",
    )


@contextmanager
def _handles(bank: MemoryBank, ways: Sequence[Way], opener: Opener) -> Iterator[dict[str, MemoryBank]]:
    """Yield a handle for every way: the bank itself, or one that is opened for its preset and its switches."""
    with ExitStack() as opened:
        yield {
            way.name: opened.enter_context(opener(bank, way)) if way.preset or way.switches else bank for way in ways
        }


def _asked(bank: MemoryBank) -> Asked:
    calls = [each for each in bank.services.store.model_calls() if each.task in _TASKS]
    return Asked(
        calls=sum(each.calls for each in calls),
        failed=sum(each.calls for each in calls if each.failure is not None),
        seconds=sum(each.seconds for each in calls),
    )


def _check(handles: Mapping[str, MemoryBank], asking: Asking) -> None:
    for bank in handles.values():
        if not bank.settings.search_turns and not asking.with_memories:
            who = f"preset {bank.settings.preset!r}" if bank.settings.preset else "search_turns = false"
            raise InvalidQuery(f"{who} searches memories alone, and finds no turn; add --with-memories")
