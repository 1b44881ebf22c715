"""What a turn moved beside memories, in one quiet line: feelings, the level, and how they speak to each other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from gieok.cli.look.living_words import LivingWords
from gieok.cli.look.relationship import level_line
from gieok.cli.look.scenes import EMOTION_STYLES
from gieok.cli.look.words import Words
from gieok.domain.answer import Observed
from gieok.domain.manners import Habit, Manners
from gieok.domain.relationship import Relationship
from gieok.domain.scope import Scope

_DIM: Final = "bright_black"
_FELT: Final = 0.3  #: a weaker feeling is not worth a word


def moved_line(observed: Observed, scope: Scope, words: Words, living: LivingWords) -> Text | None:
    """Return the line; None where nothing moved that is worth a word."""
    told = [*_feelings(observed, scope, words, living), *_changes(observed, scope, words, living)]
    return Text(" · ", style=_DIM).join(told) if told else None


def _feelings(observed: Observed, scope: Scope, words: Words, living: LivingWords) -> Iterator[Text]:
    for felt in observed.emotions:
        if felt.emotion != "neutral" and felt.intensity >= _FELT:
            name = Text(f"{words.named(felt.speaker, scope)} ", style=_DIM)
            yield name.append(living.emotions[felt.emotion], EMOTION_STYLES[felt.emotion])


def _changes(observed: Observed, scope: Scope, words: Words, living: LivingWords) -> Iterator[Text]:
    for move in observed.moves:
        before, after = move.before, move.after
        if isinstance(before, Relationship) and isinstance(after, Relationship) and before.level != after.level:
            yield Text(level_line(before, after, living), style="bold yellow")
        if isinstance(before, Manners) and isinstance(after, Manners):
            yield from _manners(before, after, scope, words, living)


def _manners(before: Manners, after: Manners, scope: Scope, words: Words, living: LivingWords) -> Iterator[Text]:
    for who in ("user", "character"):
        was, now = before.of(who), after.of(who)
        for old, new in ((was.style, now.style), (was.address, now.address)):
            if old is not None and new is not None and old.value != new.value:
                name = words.named(who, scope)
                yield Text(f"{name}: {_told(old, living)} → {_told(new, living)}", style="magenta")


def _told(habit: Habit, living: LivingWords) -> str:
    return living.styles.get(habit.value, f"“{habit.value}”")
