"""Playing scripts to a memory through its adapter."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any, Final

from gieok.errors import InvalidQuery
from gieok_evals.outside.adapter import Adapter
from gieok_evals.outside.report import OutsideReport, Played, Tally, report
from gieok_evals.outside.scoring import Truth, cut, score, watch
from gieok_evals.planted.evidence import CONVERSATIONS, private_words
from gieok_evals.planted.generator import script
from gieok_evals.planted.language import language
from gieok_evals.planted.playing import check_asked
from gieok_evals.planted.script import Checkpoint, Conversation, Script, gold

_SCORED: Final[Conversation] = "uA"
_ASKED_ASIDE: Final = 6  #: questions that the other two are asked, to see whether they leak


def run(
    make: Callable[[], Adapter],
    *,
    name: str,
    split: str = "dev",
    scripts: int = 10,
    turns: int = 101,
    seed: int = 0,
    show: bool = False,
    progress: Callable[[], None] = lambda: None,
) -> OutsideReport:
    """Play `scripts` scripts, each to a new memory that `make` gives, and report; `progress` is called after each.

    `show` keeps the sentences that failed; it is refused for the test split.
    """
    check_asked(split=split, scripts=scripts, show=show)
    words = language(split)
    played = []
    for number in range(scripts):
        played.append(_closed_after(make(), script(words, f"{seed}-{number}", turns=turns), show))
        progress()
    return report(played, adapter=name, split=split, turns=turns, seed=seed)


def _closed_after(memory: Any, story: Script, show: bool) -> Played:
    try:
        return play(memory, story, show=show)
    finally:
        close = getattr(memory, "close", None)
        if callable(close):
            close()


def play(memory: Adapter, story: Script, *, show: bool = False) -> Played:
    """Tell `memory` all of `story`, ask at its checkpoints, and return what that gave."""
    tally = Tally()
    private = {name: private_words(story, name) for name in CONVERSATIONS}
    checkpoints = {checkpoint.before: checkpoint for checkpoint in story.checkpoints}
    for line in story.lines:
        if line.conversation == _SCORED and line.number in checkpoints:
            _check(memory, story, checkpoints[line.number], private, tally)
        begun = perf_counter()
        memory.observe(_user(story, line.conversation), line.text, line.reply, line.at)
        tally.observing.append((perf_counter() - begun) * 1_000)
    return tally.played(with_failures=show)


def _check(
    memory: Adapter, story: Script, checkpoint: Checkpoint, private: dict[Conversation, frozenset[str]], tally: Tally
) -> None:
    before = [line for line in story.of(_SCORED) if line.number < checkpoint.before]
    truth = Truth(
        gold(before),
        {line.number: line.text for line in before},
        {line.number: line.facts for line in before},
    )
    for question in checkpoint.questions:
        answers = _asked(memory, _user(story, _SCORED), question.text, tally)
        score(question, answers, truth, tally)
        watch(question.text, answers, private[_SCORED], tally)
    for name in CONVERSATIONS:
        for question in checkpoint.questions[:_ASKED_ASIDE] if name != _SCORED else ():
            watch(question.text, _asked(memory, _user(story, name), question.text, tally), private[name], tally)


def _asked(memory: Adapter, user: str, question: str, tally: Tally) -> list[str]:
    begun = perf_counter()
    given: Sequence[Any] = memory.ask(user, question)
    tally.asking.append((perf_counter() - begun) * 1_000)
    if isinstance(given, str) or not all(isinstance(each, str) for each in given):
        raise InvalidQuery(f"ask gave {type(given).__name__}; it must give a list of texts, the best first")
    answers = cut(given)
    tally.characters.append(sum(map(len, answers)))
    return answers


def _user(story: Script, conversation: Conversation) -> str:
    return f"{story.seed}-{conversation}"
