"""How it stands between the two after a turn, and what moved them: five bars, a level, manners."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gieok.domain.manners import Habit, Manners
from gieok.domain.relationship import Relationship, score
from gieok.domain.relationship_rules import AXES
from gieok.domain.scope import Scope
from gieok.domain.things import Cause, Move
from gieok.web.talk.outcomes import named
from gieok.web.wording import Words

_SEEN = 0.005  #: a smaller change rounds to nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """One axis, 0–100."""

    name: str
    value: float
    change: float = 0.0
    causes: tuple[str, ...] = ()  #: "자기 이야기 +0.90"

    @property
    def before(self) -> float:
        return self.value - self.change


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The two, after a turn."""

    bars: tuple[Bar, ...]
    closeness: float  #: 0–100
    level: str
    level_before: str = ""  #: "": it is the same
    manners: tuple[str, ...] = ()  #: "레티아: 존댓말 → 반말"


def standing(now: Relationship, moves: Iterable[Move], scope: Scope, words: Words) -> Standing:
    """Return what to show of a turn with `moves`; where none is of the relationship, it stands as it does `now`."""
    moves = tuple(moves)
    moved = next((each for each in moves if each.kind == "relationship" and isinstance(each.after, Relationship)), None)
    before = moved.before if moved is not None and isinstance(moved.before, Relationship) else None
    after = moved.after if moved is not None and isinstance(moved.after, Relationship) else now
    causes = moved.causes if moved is not None else ()
    levels = words.some("talk.levels")
    return Standing(
        bars=tuple(_bar(axis, before, after, causes, words) for axis in AXES),
        closeness=score(after),
        level=levels[after.level],
        level_before=levels[before.level] if before is not None and before.level != after.level else "",
        manners=tuple(line for move in moves for line in _manners(move, scope, words)),
    )


def _bar(axis: str, before: Relationship | None, after: Relationship, causes: tuple[Cause, ...], words: Words) -> Bar:
    mine = [cause for cause in causes if cause.axis == axis]
    value = float(getattr(after, axis))
    change = value - float(getattr(before, axis)) if before is not None else sum(cause.amount for cause in mine)
    return Bar(
        name=words(f"talk.axes.{axis}"),
        value=value,
        change=change if abs(change) >= _SEEN else 0.0,
        causes=tuple(_told(cause, words) for cause in mine if abs(cause.amount) >= _SEEN),
    )


def _told(cause: Cause, words: Words) -> str:
    name = words.some("talk.causes").get(cause.name, cause.name)
    because = f" “{cause.words}”" if cause.words else ""
    return f"{name}{because} {cause.amount:+.2f}"


def _manners(move: Move, scope: Scope, words: Words) -> Iterator[str]:
    before, after = move.before, move.after
    if not (isinstance(before, Manners) and isinstance(after, Manners)):
        return
    for who in ("user", "character"):
        was, now = before.of(who), after.of(who)
        for old, new in ((was.style, now.style), (was.address, now.address)):
            if new is not None and old is not None and old.value != new.value:
                yield f"{named(who, scope, words)}: {_habit(old, words)} → {_habit(new, words)}"


def _habit(habit: Habit, words: Words) -> str:
    return words.some("talk.styles").get(habit.value, f"“{habit.value}”")
