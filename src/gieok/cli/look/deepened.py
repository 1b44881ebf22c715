"""What models did in a scope: what they read, what they noted for the next reply, what they thought."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from gieok.bank.backstage import Deepened
from gieok.cli.look.decisions import outcome_table, outcomes
from gieok.cli.look.living_words import LIVING_WORDS, LivingWords
from gieok.cli.look.timeline import in_a_line
from gieok.cli.look.upkeep import ponder_report
from gieok.cli.look.words import WORDS, Words
from gieok.domain.answer import Observed
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER

_DIM = "bright_black"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What models did in one scope, and what is left of it."""

    scope: Scope
    done: Deepened
    note: str = ""  #: what is left for the next reply
    left_open: int = 0  #: turns that no model has read yet

    @property
    def nothing(self) -> bool:
        pondered = self.done.pondered
        thought = pondered is not None and (pondered.asked or pondered.failed)
        return not (self.done.read or self.done.directed or thought or self.left_open)


def deepened_report(work: Work, language: str) -> RenderableType:
    """Return what models did in one scope, in the order in which they did it."""
    living = LIVING_WORDS[language]
    if work.nothing:
        return Text(living.nothing_due, style=_DIM)
    return Group(*_told(work, living, WORDS[language], language))


def _told(work: Work, living: LivingWords, words: Words, language: str) -> Iterator[RenderableType]:
    if work.done.directed and work.note:
        yield Text(living.directed.format(note=work.note))
    elif work.done.directed:
        yield Text(living.moved_only)
    if work.done.read:
        yield Text(living.deeply_read.format(n=len(work.done.read)), style="bold")
    for observed in work.done.read:
        yield Padding(Text(f"“{_said(observed)}”", style=_DIM), (0, 0, 0, 2))
        yield Padding(outcome_table(outcomes(observed, words), work.scope, words), (0, 0, 0, 4))
    pondered = work.done.pondered
    if pondered is not None and (pondered.asked or pondered.failed):
        yield ponder_report(pondered, living, language)
    if work.left_open:
        yield Text(living.left_open.format(n=work.left_open), style="yellow")


def _said(observed: Observed) -> str:
    return in_a_line(" ".join(each.text for each in observed.turn.utterances if each.speaker != CHARACTER))
