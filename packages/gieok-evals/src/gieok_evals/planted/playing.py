"""Playing a script through a real bank, and scoring it on the way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from time import perf_counter
from typing import Final

from gieok.bank import MemoryBank, Mind
from gieok.domain.answer import Observed
from gieok.domain.turn import USER
from gieok.errors import InvalidQuery
from gieok_evals.benches import StoryClock, temporary_bank
from gieok_evals.planted.answering import Knowledge, score_question, score_state
from gieok_evals.planted.evidence import CONVERSATIONS, Answer, leaked, private_words
from gieok_evals.planted.generator import script
from gieok_evals.planted.language import language
from gieok_evals.planted.reading import score_reading, score_trap
from gieok_evals.planted.report import PlantedReport, ScriptScore, Tally, report
from gieok_evals.planted.script import Checkpoint, Conversation, Line, Script, gold
from gieok_evals.statement import fold

_MINDS: Final[dict[Conversation, tuple[str, str]]] = {
    "uA": ("user-u", "letia"),
    "uB": ("user-u", "sena"),
    "vA": ("user-v", "letia"),
}
_ASKED_ASIDE: Final = 6  #: questions that the other two are asked, to see whether they leak


def play(bank: MemoryBank, script: Script, clock: StoryClock, *, show: bool = False) -> ScriptScore:
    """Play `script` into `bank`, whose clock is `clock`, and return its scores; `show` keeps what failed, in words."""
    return _Player(bank, script, clock, show).play()


class _Player:
    """Holds what has to be known while one script is played."""

    def __init__(self, bank: MemoryBank, script: Script, clock: StoryClock, show: bool) -> None:
        self._show = show
        self._script = script
        self._clock = clock
        self._tally = Tally()
        self._minds: dict[Conversation, Mind] = {
            name: bank.scope(user=f"{user}-{script.seed}", character=character)
            for name, (user, character) in _MINDS.items()
        }
        self._private = {name: private_words(script, name) for name in CONVERSATIONS}
        self._said_in: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._changed_in: dict[int, str] = {}
        self._asked_at: dict[Conversation, datetime] = {}  #: when the reply before the current line was given

    def play(self) -> ScriptScore:
        checkpoints = {checkpoint.before: checkpoint for checkpoint in self._script.checkpoints}
        for line in self._script.lines:
            if line.conversation == "uA" and line.number in checkpoints:
                self._check(checkpoints[line.number])
            self._say(line)
        return self._tally.score(with_failures=self._show)

    def _say(self, line: Line) -> None:
        self._clock.move_to(line.at)
        mind = self._minds[line.conversation]
        observed = mind.observe(line.text, reply=line.reply, at=line.at)
        self._tally.left_unread(int(observed.unread))
        self._note(line, observed)
        score_reading(line, observed, self._tally)
        if line.trap is not None:
            since = self._asked_at.get(line.conversation, line.at)
            score_trap(line, line.trap, [each for each in mind.facts() if each.known_at >= since], self._tally)
        self._asked_at[line.conversation] = line.at

    def _note(self, line: Line, observed: Observed) -> None:
        """Remember which utterance said what, in the conversation that is scored."""
        if line.conversation != "uA":
            return
        utterance = observed.turn.utterances[0].id
        for planted in line.facts:
            self._said_in[(planted.slot, fold(planted.value.gold))].add(utterance)
        if line.change is not None:
            self._changed_in[line.number] = utterance

    def _check(self, checkpoint: Checkpoint) -> None:
        before = [line for line in self._script.of("uA") if line.number < checkpoint.before]
        mind = self._minds["uA"]
        knowledge = Knowledge(
            truth=gold(before),
            believed=tuple(mind.facts(about=USER)),
            said_in={key: frozenset(ids) for key, ids in self._said_in.items()},
            changed_in=self._changed_in,
        )
        score_state(knowledge, self._tally)
        for question in checkpoint.questions:
            for answer in score_question(mind, question, knowledge, self._tally):
                self._watch("uA", question.text, answer)
        for name in ("uB", "vA"):
            for question in checkpoint.questions[:_ASKED_ASIDE]:
                self._watch(name, question.text, Answer.of_context(self._minds[name].context(question.text)))
                self._watch(name, question.text, Answer.of_hits(self._minds[name].recall(question.text)))

    def _watch(self, name: Conversation, asked: str, answer: Answer) -> None:
        words = leaked(answer, self._private[name])
        self._tally.count("leaks", bool(words))
        if words:
            self._tally.fail(f"LEAK into {name}: {', '.join(words)}: {asked}")


def check_asked(*, split: str, scripts: int, show: bool) -> None:
    """Raise `InvalidQuery` where no script, or sentences of the test split, were asked for."""
    if show and split != "dev":
        raise InvalidQuery("sentences of the test split are not shown; --show-misses works with --split dev")
    if scripts < 1:
        raise InvalidQuery(f"scripts={scripts}: play at least one")


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
    check_asked(split=split, scripts=scripts, show=show)
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
