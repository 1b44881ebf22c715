"""What became of a turn: decisions, why words gave none, what else moved, and what models did about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gieok.bank.backstage import Deepened
from gieok.cli.look.living_words import LIVING_WORDS, LivingWords
from gieok.cli.look.relationship import level_line
from gieok.cli.look.scenes import EMOTION_STYLES
from gieok.cli.look.timeline import in_a_line
from gieok.cli.look.upkeep import ponder_report
from gieok.cli.look.words import WORDS, Words
from gieok.domain.answer import Observed
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.manners import Habit, Manners
from gieok.domain.memory import Memory
from gieok.domain.relationship import Relationship
from gieok.domain.scope import Scope
from gieok.domain.turn import CHARACTER

_KINDS: Final = {
    "remember": ("+", "green"),
    "supersede": ("~", "yellow"),
    "reinforce": ("=", "cyan"),
    "retract": ("-", "red"),
    "ignore": ("·", "bright_black"),
    "correct": ("✎", "magenta"),
    "rewind": ("↶", "magenta"),
}
_GONE: Final = "strike bright_black"
_DIM: Final = "bright_black"
_FELT: Final = 0.3  #: a weaker feeling is not worth a word
_QUIET = "bright_black"


def moods(text: str) -> list[str]:
    """Return the moods of the clauses of `text` that cannot carry a fact, each once; [] for plain small talk."""
    from gieok.language.clauses import clauses
    from gieok.language.mood import mood
    from gieok.language.text import normalise

    found = dict.fromkeys(mood(clause) for clause in clauses(normalise(text)))
    return [each for each in found if each != "statement"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One row: what kind of change, of whose memory, in words."""

    kind: str
    whose: Memory | None = None
    what: Text


def outcomes(observed: Observed, words: Words, *, silence: Iterable[str] = ()) -> list[Outcome]:
    """Return a row per decision; where there is none, one that gives the reasons in `silence`."""
    if observed.decisions:
        return [outcome(decision, words) for decision in observed.decisions]
    reasons = ["unread"] if observed.unread else list(silence) or ["statement"]
    why = ", ".join(words.reasons[each] for each in reasons)
    return [Outcome(kind="ignore", what=Text(why, style="bright_black"))]


def outcome(decision: Decision, words: Words) -> Outcome:
    match decision:
        case Remember():
            return Outcome(kind="remember", whose=decision.memory, what=Text(decision.memory.content))
        case Reinforce():
            times = words.again.format(n=decision.memory.mentions + 1)
            what = Text(decision.memory.content).append(f" · {times}", "cyan")
            return Outcome(kind="reinforce", whose=decision.memory, what=what)
        case Supersede():
            return changed("supersede", decision.closed, decision.memory)
        case Retract():
            what = Text().append(decision.memory.content, _GONE)
            return Outcome(kind="retract", whose=decision.memory, what=what)
        case Ignore():
            why = f"{decision.claim.content} — {words.reasons[decision.why]}"
            return Outcome(kind="ignore", what=Text(why, style="bright_black"))


def changed(kind: str, before: Iterable[Memory], after: Memory) -> Outcome:
    """Return "old → new", the old one struck through."""
    what = Text()
    for memory in before:
        what.append(memory.content, _GONE).append(" ")
    return Outcome(kind=kind, whose=after, what=what.append("→ ", "yellow").append(after.content, "bold"))


def outcome_table(rows: Iterable[Outcome], scope: Scope, words: Words) -> RenderableType:
    """Return `rows` below each other; the columns are as wide in every table of the same scope and language."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, min_width=2 + max(cell_len(getattr(words, kind)) for kind in _KINDS))
    table.add_column(no_wrap=True, min_width=max(cell_len(words.named(who, scope)) for who in ("user", "character")))
    table.add_column(overflow="fold")
    for row in rows:
        mark, style = _KINDS[row.kind]
        whose = Text() if row.whose is None else _whose(row.whose, scope, words)
        table.add_row(Text(f"{mark} {getattr(words, row.kind)}", style=style), whose, row.what)
    return table


def _whose(memory: Memory, scope: Scope, words: Words) -> Text:
    """Return whom `memory` is about, and who thinks so where that is the other party."""
    subject = words.named(memory.subject_id, scope)
    speaker = words.named(memory.speaker, scope)
    told = f"{speaker}→{subject}" if memory.subject in ("user", "character") and speaker != subject else subject
    return Text(told, style="blue" if memory.subject == "user" else "magenta")


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
        return Text(living.nothing_due, style=_QUIET)
    return Group(*_told_of_reading(work, living, WORDS[language], language))


def _told_of_reading(work: Work, living: LivingWords, words: Words, language: str) -> Iterator[RenderableType]:
    if work.done.directed and work.note:
        yield Text(living.directed.format(note=work.note))
    elif work.done.directed:
        yield Text(living.moved_only)
    if work.done.read:
        yield Text(living.deeply_read.format(n=len(work.done.read)), style="bold")
    for observed in work.done.read:
        yield Padding(Text(f"“{_said(observed)}”", style=_QUIET), (0, 0, 0, 2))
        yield Padding(outcome_table(outcomes(observed, words), work.scope, words), (0, 0, 0, 4))
    pondered = work.done.pondered
    if pondered is not None and (pondered.asked or pondered.failed):
        yield ponder_report(pondered, living, language)
    if work.left_open:
        yield Text(living.left_open.format(n=work.left_open), style="yellow")


def _said(observed: Observed) -> str:
    return in_a_line(" ".join(each.text for each in observed.turn.utterances if each.speaker != CHARACTER))
