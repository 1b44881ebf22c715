"""What became of a turn, a row for each decision: a mark and a word, whose it is, and what."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from gieok.cli.look.words import Words
from gieok.domain.answer import Observed
from gieok.domain.decision import Decision, Ignore, Reinforce, Remember, Retract, Supersede
from gieok.domain.memory import Memory
from gieok.domain.scope import Scope

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
