"""Playing the story through a bank: what is said, what is asked, and what is shown of it."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from rich.console import Console, RenderableType
from rich.padding import Padding

from gieok.bank import MemoryBank, Mind
from gieok.cli.demo import stage
from gieok.cli.look.decisions import Outcome, changed, moods, outcome_table, outcomes
from gieok.cli.look.hits import HitsTable
from gieok.cli.look.traced import context_blocks, token_meter
from gieok.cli.look.words import WORDS
from gieok.conversation.story import Heard, PutRight, Scene, Step, Story, TakenBack, tell
from gieok.testing.stand_ins import FixedClock

_WORDS = WORDS["ko"]
_HITS = 3


@dataclass(slots=True, kw_only=True)
class Performance:
    """One showing of the story. It collects on the way what a picture of it should hold."""

    story: Story
    bank: MemoryBank
    clock: FixedClock
    console: Console
    pause: float = 0.0  #: seconds after each exchange
    picture: list[RenderableType] = field(default_factory=list)
    _mind: Mind = field(init=False)

    def __post_init__(self) -> None:
        self._mind = self.bank.mind(self.story.scope)

    def tell(self) -> None:
        """Play every scene."""
        for scene in self.story.scenes:
            self._show("", stage.heading(scene), pictured=bool(scene.pictured))
            for step in tell(scene, self._mind, set_clock=self.clock.set):
                self._show_step(step, scene)

    def ask(self) -> None:
        """Ask the questions and show what comes to mind."""
        weights = self.bank.services.weights
        for number, question in enumerate(self.story.questions, start=1):
            hits = self._mind.recall(question, k=_HITS)
            table = HitsTable(hits=hits, scope=self._mind.key, words=_WORDS, weights=weights)
            self._show(
                "",
                stage.question(question),
                Padding(table, (0, 0, 0, 2)),
                pictured=number == self.story.pictured_question,
            )

    def compare(self) -> None:
        """Show what was true on an earlier day beside what is true now."""
        before = self._mind.facts("user", said_by="user", as_of=self.story.earlier)
        after = self._mind.facts("user", said_by="user")
        self._show("", stage.then_and_now(self.story, before, after), pictured=True)

    def assemble(self) -> None:
        """Show what a model would get to see, and what it costs."""
        context = self._mind.context(self.story.message, budget=self.story.budget)
        self._show(context_blocks(context), "", token_meter(context, _WORDS))

    def _show_step(self, step: Step, scene: Scene) -> None:
        match step:
            case Heard(line=line):
                rows = outcomes(step.observed, _WORDS, silence=moods(line.text))
                shown = stage.exchange(line, self.story, self._table(rows))
                self._show(shown, pictured=step.number in scene.pictured)
                time.sleep(self.pause)
            case PutRight():
                self._aside(step.note, changed("correct", [step.wrong], step.right), scene)
            case TakenBack():
                self._aside(step.note, changed("rewind", step.gone, step.back), scene)

    def _aside(self, note: str, outcome: Outcome, scene: Scene) -> None:
        self._show(stage.aside(note, self._table([outcome])), pictured=bool(scene.pictured))

    def _table(self, rows: Iterable[Outcome]) -> RenderableType:
        return outcome_table(rows, self._mind.key, _WORDS)

    def _show(self, *shown: RenderableType, pictured: bool = False) -> None:
        for each in shown:
            self.console.print(each)
        if pictured:
            self.picture.extend(shown)
