"""The planted-facts test: facts are told in a long conversation, buried in small talk, changed, and asked for again.

The sentences of the two splits, `dev` and `test`, are in the folders beside this module.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import perf_counter
from typing import Final

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gieok.bank import MemoryBank
from gieok.domain.answer import Observed
from gieok.domain.turn import USER
from gieok.errors import InvalidQuery
from gieok_evals.banks import StoryClock, temporary_bank
from gieok_evals.planted.generator import script
from gieok_evals.planted.language import check_show, language
from gieok_evals.planted.scoring import (
    Answer,
    Knowledge,
    PlantedTally,
    leaked,
    score_question,
    score_reading,
    score_state,
    score_trap,
)
from gieok_evals.planted.script import (
    CONVERSATIONS,
    SCORED,
    SIDES,
    Checkpoint,
    Conversation,
    Line,
    Script,
    gold,
    private_words,
)
from gieok_evals.reports import (
    Extraction,
    Headline,
    Interval,
    Share,
    between,
    extractions_table,
    headline,
    interval,
    percent,
    shares_table,
    shown,
    table_totals,
    totals,
)
from gieok_evals.statements import fold

MEANINGS: Final = {
    "contains": "questions whose context holds the current value",
    "recall_at_5": "questions whose five best hits hold it",
    "stale_given": "questions about changed slots that give an old value as current",
    "stale_kept": "changed slots that still hold an old value as current",
    "state_single": "slots of one value that hold exactly the true one",
    "state_many": "slots of many values that hold the true ones and no old one",
    "freshness": "changed slots whose new value ranks above the old one",
    "abstention": "questions about something never said, with nothing stored that answers them",
    "others_given": "facts of other people that were stored as the user's",
    "false_memories": "facts that must not be stored and were",
    "stored_per_utterance": "facts stored, by utterances of the user",
    "small_talk_stored": "turns that state nothing, with a fact stored",
    "leaks": "answers with a value of another conversation",
}
_GOALS: Final = {"stale_given": "≤ 1 %", "others_given": "≤ 0.5 %", "abstention": "≥ 95 %", "leaks": "0"}
_SCOPES: Final[dict[Conversation, tuple[str, str]]] = {
    "uA": ("user-u", "letia"),
    "uB": ("user-u", "sena"),
    "vA": ("user-v", "letia"),
}
LEAK_QUESTIONS: Final = 6  #: questions asked in the side conversations to find leaks


@dataclass(frozen=True, slots=True, kw_only=True)
class PlantedReport:
    """The scores of a run. The fields are the keys of the JSON report."""

    split: str
    turns: int
    scripts: int
    seed: int
    embedder: str
    seconds_per_script: float
    passed: bool  #: no leak, and every turn was read
    scores: Mapping[str, Headline]  #: see `MEANINGS`
    extraction: Extraction  #: of planted facts and changes
    f1_interval: Interval | None
    extraction_by_slot: Mapping[str, Extraction]
    false_by_family: Mapping[str, Share]
    contains_by_kind: Mapping[str, Share]
    contains_by_slot: Mapping[str, Share]
    unread: int  #: turns whose extraction failed
    failures: tuple[str, ...] = field(default=(), repr=False)  #: sentences of the dev split, if asked for


def check_run(*, split: str, scripts: int, show: bool) -> None:
    """Raise `InvalidQuery` for a run that cannot be played."""
    check_show(split=split, show=show)
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
    check_run(split=split, scripts=scripts, show=show)
    words = language(split)
    started = perf_counter()
    tallies = []
    last: MemoryBank | None = None
    for number in range(scripts):
        story = script(words, f"{seed}-{number}", turns=turns)
        clock = StoryClock(story.lines[0].at)
        with temporary_bank(embedder=embedder, clock=clock, like=last) as bank:
            tallies.append(play(bank, story, clock))
            last = bank
        progress()
    seconds = perf_counter() - started
    name = last.embedder.name if last else ""
    return report(tallies, split=split, turns=turns, seed=seed, embedder=name, seconds=seconds, show=show)


def report(
    tallies: Sequence[PlantedTally],
    *,
    split: str,
    turns: int,
    seed: int,
    embedder: str,
    seconds: float,
    show: bool = False,
) -> PlantedReport:
    def extraction(drawn: Sequence[PlantedTally]) -> Extraction:
        return sum((tally.total for tally in drawn), Extraction())

    scores = {name: headline(tallies, name, seed) for name in MEANINGS}
    unread = sum(tally.unread for tally in tallies)
    return PlantedReport(
        split=split,
        turns=turns,
        scripts=len(tallies),
        seed=seed,
        embedder=embedder,
        seconds_per_script=seconds / max(1, len(tallies)),
        passed=scores["leaks"].share.hits == 0 and unread == 0,
        scores=scores,
        extraction=extraction(tallies),
        f1_interval=interval(tallies, lambda drawn: extraction(drawn).f1, seed=seed),
        extraction_by_slot=totals(pair for tally in tallies for pair in tally.extraction.items()),
        false_by_family=table_totals(tallies, "false_by_family"),
        contains_by_kind=table_totals(tallies, "contains_by_kind"),
        contains_by_slot=table_totals(tallies, "contains_by_slot"),
        unread=unread,
        failures=tuple(failure for tally in tallies for failure in tally.failures) if show else (),
    )


def play(bank: MemoryBank, script: Script, clock: StoryClock) -> PlantedTally:
    """Play `script` into `bank`, whose clock is `clock`, and return its counts."""
    return _Player(bank, script, clock).play()


class _Player:
    """Plays one script."""

    def __init__(self, bank: MemoryBank, script: Script, clock: StoryClock) -> None:
        self._script = script
        self._clock = clock
        self._tally = PlantedTally()
        self._minds = {
            name: bank.scope(user=f"{user}-{script.seed}", character=character)
            for name, (user, character) in _SCOPES.items()
        }
        self._private = {name: private_words(script, name) for name in CONVERSATIONS}
        self._said_in: defaultdict[tuple[str, str], set[str]] = defaultdict(set)
        self._changed_in: dict[int, str] = {}
        self._last_at: dict[Conversation, datetime] = {}  #: time of the line before

    def play(self) -> PlantedTally:
        checkpoints = {checkpoint.before: checkpoint for checkpoint in self._script.checkpoints}
        for line in self._script.lines:
            if line.conversation == SCORED and line.number in checkpoints:
                self._check(checkpoints[line.number])
            self._say(line)
        return self._tally

    def _say(self, line: Line) -> None:
        self._clock.move_to(line.at)
        mind = self._minds[line.conversation]
        observed = mind.observe(line.text, reply=line.reply, at=line.at)
        self._tally.unread += observed.unread
        if line.conversation == SCORED:
            self._note(line, observed)
        score_reading(line, observed, self._tally)
        if line.trap is not None:
            since = self._last_at.get(line.conversation, line.at)
            score_trap(line, line.trap, [each for each in mind.facts() if each.known_at >= since], self._tally)
        self._last_at[line.conversation] = line.at

    def _note(self, line: Line, observed: Observed) -> None:
        """Remember which utterance said what."""
        utterance = observed.turn.utterances[0].id
        for planted in line.facts:
            self._said_in[planted.slot, fold(planted.value.gold)].add(utterance)
        if line.change is not None:
            self._changed_in[line.number] = utterance

    def _check(self, checkpoint: Checkpoint) -> None:
        mind = self._minds[SCORED]
        knowledge = Knowledge(
            truth=gold(line for line in self._script.of(SCORED) if line.number < checkpoint.before),
            believed=tuple(mind.facts(about=USER)),
            said_in={key: frozenset(ids) for key, ids in self._said_in.items()},
            changed_in=self._changed_in,
        )
        score_state(knowledge, self._tally)
        for question in checkpoint.questions:
            for answer in score_question(mind, question, knowledge, self._tally):
                self._look_for_leaks(SCORED, question.text, answer)
        for name in SIDES:
            side = self._minds[name]
            for question in checkpoint.questions[:LEAK_QUESTIONS]:
                self._look_for_leaks(name, question.text, Answer.of_context(side.context(question.text)))
                self._look_for_leaks(name, question.text, Answer.of_hits(side.recall(question.text)))

    def _look_for_leaks(self, name: Conversation, asked: str, answer: Answer) -> None:
        words = leaked(answer.text, self._private[name])
        self._tally.count("leaks", bool(words))
        if words:
            self._tally.fail(f"LEAK into {name}: {', '.join(words)}: {asked}")


def show_planted(report: PlantedReport, console: Console) -> None:
    for failure in report.failures:
        console.print(escape(failure), soft_wrap=True)
    console.print(extractions_table("extraction by slot", report.extraction_by_slot))
    console.print(shares_table("context contains, by slot", report.contains_by_slot))
    console.print(shares_table("context contains, by kind", report.contains_by_kind))
    console.print(shares_table("false memories, by family", report.false_by_family, heading="stored"))
    table = Table(title=f"{report.scripts} scripts of {report.turns} turns, split {report.split}", title_justify="left")
    for heading in ("score", "share", "95 % interval", "goal"):
        table.add_column(heading)
    goals = _GOALS | {"contains": "≥ 97 %" if report.turns == 1_000 else "≥ 98 %"}
    for name, each in report.scores.items():
        table.add_row(name, shown(each.share), between(each.interval), goals.get(name, ""))
    table.add_row("extraction F1", percent(report.extraction.f1), between(report.f1_interval), "")
    table.add_row("precision", percent(report.extraction.precision), "", "")
    table.add_row("recall", percent(report.extraction.recall), "", "")
    console.print(table)
    verdict = "[green]no leak[/]" if report.passed else "[red]failed: a leak, or turns that could not be read[/]"
    console.print(
        f"{verdict}, {report.unread} turns unread, {report.seconds_per_script:.1f} s a script", report.embedder
    )
