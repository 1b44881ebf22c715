"""What a model adds to the rules: the same utterances read by rules alone, by the model alone, and by both."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final, Literal

from gieok.bank.deepening import DeepListener
from gieok.domain.answer import Prompt
from gieok.errors import ModelFailed
from gieok_evals.benches import temporary_bank
from gieok_evals.cases import Case
from gieok_evals.facts import AT, Outcome, outcome, prepare, say
from gieok_evals.figures import Extraction, Share

Who = Literal["rules", "model", "both"]
WHO: Final[tuple[Who, ...]] = ("rules", "model", "both")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadBy:
    """How well one way of reading did."""

    who: Who
    extraction: Extraction
    false_memories: Share  #: of everything that must not be stored
    from_nothing: Share  #: of the utterances that state no fact, those of which one was stored
    seconds_per_utterance: float
    asked: int  #: how often the model was
    failures: Mapping[str, int]  #: of the model, by kind
    outcomes: tuple[Outcome, ...] = field(default=(), repr=False)  #: those that failed, when asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFactsReport:
    """Three ways to read the same utterances."""

    model: str
    cases: int
    seed: int
    rows: tuple[ReadBy, ...]


class Silent:
    """Implements `gieok.ports.Extractor`: reads nothing, so that a model is all there is."""

    name = "nothing/1"

    def claims(self, *said: object) -> tuple[()]:
        return ()


class Timed:
    """Implements `gieok.ports.Model`: asks another one, each question once, and keeps the time.

    What both readings ask alike is answered from memory; `spared` is the time that it took.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._answers: dict[object, tuple[Any, float]] = {}
        self.name = str(model.name)
        self.reset()

    def reset(self) -> None:
        self.spared = 0.0
        self.asked = 0
        self.failures: dict[str, int] = {}

    def ask(self, prompt: Prompt[Any]) -> Any:
        self.asked += 1
        if prompt.messages in self._answers:
            answer, seconds = self._answers[prompt.messages]
            self.spared += seconds
        else:
            began = perf_counter()
            answer = self._asked(prompt)
            self._answers[prompt.messages] = (answer, perf_counter() - began)
        if isinstance(answer, ModelFailed):
            self.failures[answer.failure] = self.failures.get(answer.failure, 0) + 1
            raise answer
        return answer

    def stream(self, *asked: Any, **options: Any) -> Any:
        return self._model.stream(*asked, **options)

    def _asked(self, prompt: Prompt[Any]) -> Any:
        try:
            return self._model.ask(prompt)
        except ModelFailed as trouble:
            return trouble


def sample(cases: Sequence[Case], limit: int | None, seed: int) -> list[Case]:
    """Return `limit` of the cases, the same for the same seed, in their order."""
    if limit is None or limit >= len(cases):
        return list(cases)
    return [cases[place] for place in sorted(random.Random(seed).sample(range(len(cases)), limit))]


def compare(
    model: Any,
    cases: Sequence[Case],
    *,
    seed: int = 0,
    embedder: str | None = None,
    show: bool = False,
    progress: Callable[[], None] = lambda: None,
) -> ModelFactsReport:
    """Read every case by rules, by `model`, and by the model behind the rules; `show` keeps the cases that failed."""
    timed = Timed(model)
    rows = tuple(_read_by(who, timed, cases, embedder, show=show, progress=progress) for who in WHO)
    return ModelFactsReport(model=timed.name, cases=len(cases), seed=seed, rows=rows)


def _read_by(
    who: Who,
    model: Timed,
    cases: Sequence[Case],
    embedder: str | None,
    *,
    show: bool,
    progress: Callable[[], None],
) -> ReadBy:
    model.reset()
    outcomes = []
    seconds = 0.0
    with temporary_bank(embedder=embedder, extractor=Silent() if who == "model" else None) as bank:
        listener = DeepListener(bank, model)
        for number, case in enumerate(cases):
            mind = bank.scope(user=f"case-{number}-{case.id}", character="letia")
            prepare(mind, case)
            began = perf_counter()
            if who == "rules":
                observed = [say(mind, case.speaker, case.utterance, AT)]
            else:
                heard = listener.observe(mind.key, case.speaker, case.utterance, AT)
                observed = [each for each in heard if each is not None]
            seconds += perf_counter() - began
            outcomes.append(outcome(case, *observed))
            progress()
    without = [each for each in outcomes if not each.case.expected]
    return ReadBy(
        who=who,
        extraction=sum((each.matched.counts for each in outcomes), Extraction()),
        false_memories=Share(
            sum(len(each.false) for each in outcomes), sum(len(each.case.must_not) for each in outcomes)
        ),
        from_nothing=Share(sum(bool(each.matched.extra) for each in without), len(without)),
        seconds_per_utterance=(seconds + model.spared) / max(1, len(outcomes)),
        asked=model.asked,
        failures=dict(model.failures),
        outcomes=tuple(each for each in outcomes if each.failed) if show else (),
    )
