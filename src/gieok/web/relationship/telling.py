"""What the page tells, as values: who is meant, what moved, what was felt. No drawing here."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gieok.bank.living import Feeling, Step
from gieok.bank.relating import MannerStep, Regard
from gieok.domain.relationship import LEVELS, THRESHOLDS, Level, Relationship, score
from gieok.domain.relationship_rules import AXES, Axis
from gieok.domain.scope import Scope
from gieok.domain.things import Cause
from gieok.domain.turn import CHARACTER, USER, Turn
from gieok.web.wording import Words

LEAST: Final = 0.05  #: points of a shift that are worth a word: one tenth, rounded


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How close the two are, and how far it is to the next level."""

    level: Level
    score: float
    following: Level | None  #: None: there is no closer one
    missing: float  #: points to that


@dataclass(frozen=True, slots=True, kw_only=True)
class Reason:
    """One cause, and what it did to the axes."""

    name: str
    speaker: str
    words: str
    amounts: tuple[tuple[Axis, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved:
    """One step, as the list tells it."""

    step: Step
    reasons: tuple[Reason, ...]
    values: tuple[tuple[Axis, float, float], ...]  #: before and after, of the axes that moved
    level: Level | None  #: a level that was reached by it
    said: tuple[tuple[str, str], ...]  #: speakers and words of the turn


def named(who: str, scope: Scope | None, words: Words) -> str:
    """Return whom a speaker means, by name where there is one."""
    if who == USER:
        return (scope and scope.user) or words("relationship.user")
    if who == CHARACTER:
        return (scope and scope.character) or words("relationship.character")
    return who


def standing(relationship: Relationship) -> Standing:
    now = score(relationship)
    place = LEVELS.index(relationship.level) + 1
    following = LEVELS[place] if place < len(LEVELS) else None
    missing = max(THRESHOLDS[place] - now, 0.0) if following else 0.0
    return Standing(level=relationship.level, score=now, following=following, missing=missing)


def cause_told(name: str, words: Words) -> str:
    """Return a cause in words; a sign of a builder's own goes by its own name."""
    return words.some("relationship.causes").get(name, name)


def moved(step: Step, turn: Turn | None) -> Moved:
    return Moved(
        step=step,
        reasons=tuple(_reasons(step.causes)),
        values=tuple(_values(step)),
        level=step.relationship.level if step.before and step.before.level != step.relationship.level else None,
        said=tuple((each.speaker, each.text) for each in turn.utterances) if turn else (),
    )


def _reasons(causes: Iterable[Cause]) -> Iterator[Reason]:
    together: dict[tuple[str, str, str], list[Cause]] = {}
    for cause in causes:
        together.setdefault((cause.name, cause.speaker, cause.words), []).append(cause)
    for (name, speaker, words), each in together.items():
        amounts = tuple((axis, cause.amount) for cause in each for axis in AXES if axis == cause.axis)
        yield Reason(name=name, speaker=speaker, words=words, amounts=amounts)


def _values(step: Step) -> Iterator[tuple[Axis, float, float]]:
    if step.before is None:
        return
    for axis in AXES:
        before, after = step.before.axis(axis), step.relationship.axis(axis)
        if abs(after - before) >= LEAST:
            yield axis, before, after


def reason_told(reason: Reason, scope: Scope | None, words: Words) -> str:
    """Return a cause with who said what: "고마움 · 민수 “고마워”"."""
    told = cause_told(reason.name, words)
    if reason.speaker:
        told += f" · {named(reason.speaker, scope, words)}"
    return f"{told} “{reason.words}”" if reason.words else told


def manner_told(step: MannerStep, scope: Scope | None, words: Words) -> str:
    """Return a change of manners as a sentence."""
    change = step.change
    who = named(change.speaker, scope, words)
    before, after = change.before, change.after
    if change.what == "style":
        styles = words.some("relationship.styles")
        before, after = (None if before is None else styles.get(before, before)), styles.get(after, after)
    if before is None:
        return words(f"relationship.manners.{change.what}_first", who=who, after=after)
    return words(f"relationship.manners.{change.what}_changed", who=who, before=before, after=after)


def by_turn(feelings: Sequence[Feeling]) -> list[tuple[int, list[Feeling]]]:
    """Return feelings by the turns they were felt in, in order."""
    turns: dict[int, list[Feeling]] = {}
    for each in feelings:
        turns.setdefault(each.turn_number, []).append(each)
    return list(turns.items())


def sparkline(regards: Sequence[Regard], width: float, height: float) -> str:
    """Return the points of a line through sentiments, -1 at the bottom and 1 at the top; "" for less than two."""
    if len(regards) < 2:
        return ""
    gap = width / (len(regards) - 1)
    level = [height * (1 - each.entity.sentiment) / 2 for each in regards]
    return " ".join(f"{place * gap:.1f},{y:.1f}" for place, y in enumerate(level))


def percent(share: float) -> int:
    return round(share * 100)


def amounts_told(amounts: Iterable[tuple[Axis, float]], axes: Mapping[str, str]) -> str:
    return ", ".join(f"{axes[axis]} {amount:+.1f}" for axis, amount in amounts if abs(amount) >= LEAST)
