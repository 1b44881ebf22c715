"""The planted-facts test for any memory system, through an adapter: `gieok eval run`.

Answers are read as text: whether they hold a value, which of two comes first, and whether anything leaks.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from statistics import fmean, median
from time import perf_counter
from types import ModuleType
from typing import Any, Final, Protocol

from rich.console import Console
from rich.table import Table

from gieok.errors import InvalidQuery
from gieok_evals.planted import LEAK_QUESTIONS, check_run
from gieok_evals.planted.generator import script
from gieok_evals.planted.language import Value, language
from gieok_evals.planted.scoring import leaked, mentions
from gieok_evals.planted.script import (
    CONVERSATIONS,
    SCORED,
    SIDES,
    Checkpoint,
    Conversation,
    Line,
    Planted,
    Question,
    Script,
    SlotGold,
    gold,
    private_words,
    same,
)
from gieok_evals.reports import Headline, Share, Tally, between, headline, shares_table, shown, table_totals
from gieok_evals.statements import fold

DEPTH: Final = 10  #: answers that count
LONGEST: Final = 300  #: characters of each that count
MEANINGS: Final = {
    "found_at_1": "questions whose first answer holds all that is true now",
    "found_at_5": "questions whose first five answers hold it",
    "found_at_10": "questions whose first ten answers hold it",
    "fresh": "changed facts of which the new one comes before the old one",
    "leaks": "questions whose answers hold what only another user was told",
}
_LETTER: Final = r"[0-9A-Za-z가-힣]"
#: What may follow a value: particles, copulas and units.
_SUFFIX: Final = r"(?:이|가|은|는|을|를|도|만|과|와|랑|의|에|로|임|이야|야|이에요|예요|입니다|살|세|형|cm|센티)?"


class Adapter(Protocol):
    """A memory system. Each script gets a new one, made without arguments; `close()` is called at the end if it exists.

    `user` says whose memory it is: nothing that one user said may come up for another.
    """

    def observe(self, user: str, text: str, reply: str, at: datetime) -> None:
        """Take in what the user said at a moment, and what the character replied."""
        ...

    def ask(self, user: str, question: str) -> Sequence[str]:
        """Return what memory finds, the best first. A question must leave no trace in memory."""
        ...


@dataclass(kw_only=True)
class OutsideTally(Tally):
    """The counts and times of one script."""

    observing: list[float] = field(default_factory=list)  #: milliseconds
    asking: list[float] = field(default_factory=list)
    characters: list[int] = field(default_factory=list)  #: of the answers that count, for each question


@dataclass(frozen=True, slots=True, kw_only=True)
class OutsideReport:
    """The scores of a memory system. The fields are the keys of the JSON report."""

    adapter: str
    split: str
    turns: int
    scripts: int
    seed: int
    passed: bool  #: no leak
    scores: Mapping[str, Headline]  #: see `MEANINGS`
    by: Mapping[str, Share]  #: found at ten, by kind of question and by slot
    observe_ms: float  #: median
    ask_ms: float
    characters: float  #: of the answers that count, on average
    failures: tuple[str, ...] = field(default=(), repr=False)


def load(name: str) -> type[Any]:
    """Return the class that "package.module:Class" or "path/to/file.py:Class" names. Raises `InvalidQuery`."""
    place, _, class_name = name.rpartition(":")
    if not place or not class_name:
        raise InvalidQuery(f"--adapter {name}: name it as MODULE:CLASS or FILE.py:CLASS")
    module = _from_file(Path(place)) if place.endswith(".py") else _from_module(place)
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        raise InvalidQuery(f"--adapter {name}: there is no class {class_name} in {place}")
    missing = [each for each in ("observe", "ask") if not callable(getattr(found, each, None))]
    if missing:
        raise InvalidQuery(f"--adapter {name}: {class_name} has no {' and no '.join(missing)}; see docs/measuring.md")
    return found


def _from_file(path: Path) -> ModuleType:
    spec = spec_from_file_location(f"adapter_in_{path.stem}", path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise InvalidQuery(f"there is no file {path} with an adapter")
    _add_to_path(path.absolute().parent)
    module = module_from_spec(spec)
    sys.modules[module.__name__] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def _from_module(name: str) -> ModuleType:
    _add_to_path(Path.cwd())
    try:
        return import_module(name)
    except ModuleNotFoundError as cause:
        if cause.name is None or not f"{name}.".startswith(f"{cause.name}."):
            raise  # the module exists, but something that it imports does not
        raise InvalidQuery(f"there is no module {name}; name a file instead: path/to/adapter.py:Class") from cause


def _add_to_path(folder: Path) -> None:
    """Let modules beside an adapter be imported, as Python does for a script."""
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))


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
    """Play `scripts` scripts, each to a new memory that `make` returns, and report; `progress` is called after each.

    `show` keeps the sentences that failed; it is refused for the test split.
    """
    check_run(split=split, scripts=scripts, show=show)
    words = language(split)
    tallies = []
    for number in range(scripts):
        memory = make()
        try:
            tallies.append(play(memory, script(words, f"{seed}-{number}", turns=turns)))
        finally:
            close = getattr(memory, "close", None)
            if callable(close):
                close()
        progress()
    return report(tallies, adapter=name, split=split, turns=turns, seed=seed, show=show)


def report(
    tallies: Sequence[OutsideTally], *, adapter: str, split: str, turns: int, seed: int, show: bool = False
) -> OutsideReport:
    scores = {name: headline(tallies, name, seed) for name in MEANINGS}
    return OutsideReport(
        adapter=adapter,
        split=split,
        turns=turns,
        scripts=len(tallies),
        seed=seed,
        passed=scores["leaks"].share.hits == 0,
        scores=scores,
        by=table_totals(tallies, "by"),
        observe_ms=median(time for tally in tallies for time in tally.observing),
        ask_ms=median(time for tally in tallies for time in tally.asking),
        characters=fmean(length for tally in tallies for length in tally.characters),
        failures=tuple(failure for tally in tallies for failure in tally.failures) if show else (),
    )


def play(memory: Adapter, story: Script) -> OutsideTally:
    """Tell `memory` all of `story`, ask at its checkpoints, and return the counts."""
    tally = OutsideTally()
    private = {name: private_words(story, name) for name in CONVERSATIONS}
    checkpoints = {checkpoint.before: checkpoint for checkpoint in story.checkpoints}
    for line in story.lines:
        if line.conversation == SCORED and line.number in checkpoints:
            _check(memory, story, checkpoints[line.number], private, tally)
        begun = perf_counter()
        memory.observe(f"{story.seed}-{line.conversation}", line.text, line.reply, line.at)
        tally.observing.append((perf_counter() - begun) * 1_000)
    return tally


def _check(
    memory: Adapter,
    story: Script,
    checkpoint: Checkpoint,
    private: Mapping[Conversation, frozenset[str]],
    tally: OutsideTally,
) -> None:
    truth = _Truth([line for line in story.of(SCORED) if line.number < checkpoint.before])
    asked = [(SCORED, question) for question in checkpoint.questions]
    asked += [(name, question) for name in SIDES for question in checkpoint.questions[:LEAK_QUESTIONS]]
    for name, question in asked:
        answers = _ask(memory, f"{story.seed}-{name}", question.text, tally)
        if name == SCORED:
            _score(question, answers, truth, tally)
        words = leaked("\n".join(answers), private[name])
        tally.count("leaks", bool(words))
        if words:
            tally.fail(f"LEAK: {', '.join(words)}: {question.text}")


def _ask(memory: Adapter, user: str, question: str, tally: OutsideTally) -> list[str]:
    begun = perf_counter()
    given: Sequence[Any] = memory.ask(user, question)
    tally.asking.append((perf_counter() - begun) * 1_000)
    if isinstance(given, str) or not all(isinstance(each, str) for each in given):
        raise InvalidQuery(f"ask returned {type(given).__name__}; it must return a list of texts, the best first")
    answers = [answer[:LONGEST] for answer in given[:DEPTH]]
    tally.characters.append(sum(map(len, answers)))
    return answers


class _Truth:
    """What is true in the scored conversation after `lines`, and in which words it was said."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = {line.number: line for line in lines}
        self._slots = gold(lines)

    def of(self, slot: str) -> SlotGold:
        return self._slots.get(slot, SlotGold())

    def gives(self, answer: str, planted: Planted) -> bool:
        """Whether `answer` has a fact: its value, or the line that told it."""
        words = fold(answer)
        told = any(planted in line.facts and fold(line.text) in words for line in self._lines.values())
        return told or _names(answer, planted.value, planted.surfaces)

    def is_new(self, answer: str, gold: SlotGold) -> bool:
        """Whether `answer` has the current values of a slot, or the line that changed it."""
        words = fold(answer)
        changed = any(fold(self._lines[number].text) in words for number in gold.changed_by if number in self._lines)
        return changed or any(self.gives(answer, fact) for fact in gold.current)

    def is_old(self, answer: str, slot: str, gold: SlotGold) -> bool:
        """Whether `answer` has an old value of a slot, or the line that told it."""
        told = [fact for line in self._lines.values() for fact in line.facts if fact.slot == slot]
        gone = [fact for fact in told if any(same(fact.value, value) for value in gold.stale)]
        return any(_names(answer, value) for value in gold.stale) or any(self.gives(answer, fact) for fact in gone)


def _names(answer: str, value: Value, surfaces: Sequence[str] = ()) -> bool:
    """Whether `answer` has `value`; a short value must be a word of its own (봄을, not 봄비; 25살, not 125)."""
    if mentions(answer, value, surfaces):
        return True
    short = [each for each in {*value.accepted, value.written} if len(fold(each)) <= 2]
    return any(re.search(rf"(?<!{_LETTER}){re.escape(each)}{_SUFFIX}(?!{_LETTER})", answer) for each in short)


def _score(question: Question, answers: Sequence[str], truth: _Truth, tally: OutsideTally) -> None:
    gold = truth.of(question.slot)
    if question.kind == "abstain" or not gold.current:
        return
    there = False
    for depth in (1, 5, DEPTH):
        there = all(any(truth.gives(each, fact) for each in answers[:depth]) for fact in gold.current)
        tally.count(f"found_at_{depth}", there)
    tally.count_under("by", question.kind, there)
    tally.count_under("by", question.slot, there)
    if not there:
        wanted = ", ".join(value.gold for value in gold.values)
        tally.fail(f"not given ({question.kind} {question.slot}={wanted}): {question.text}")
    for answer in answers if gold.stale else ():
        new = truth.is_new(answer, gold)
        if new or truth.is_old(answer, question.slot, gold):
            tally.count("fresh", new)
            if not new:
                tally.fail(f"old ({question.slot}={gold.stale[-1].gold}): {question.text} → {answer}")
            return


def show_outside(report: OutsideReport, console: Console) -> None:
    """Print the failures, the shares of each kind and slot, and the scores with their intervals."""
    for failure in report.failures:
        console.print(failure, soft_wrap=True, markup=False)
    kinds = {name: report.by[name] for name in ("direct", "indirect") if name in report.by}
    slots = {name: each for name, each in report.by.items() if name not in kinds}
    console.print(shares_table("found at 10 by kind", kinds))
    console.print(shares_table("found at 10 by slot", slots))
    table = Table("", "", "95 %", title=f"{report.adapter}: split {report.split}, {report.scripts} scripts")
    for name, meaning in MEANINGS.items():
        table.add_row(meaning, shown(report.scores[name].share), between(report.scores[name].interval))
    console.print(table)
    console.print(
        f"median: observe {report.observe_ms:.1f} ms, ask {report.ask_ms:.1f} ms; "
        f"{report.characters:,.0f} characters of answers on average"
    )
